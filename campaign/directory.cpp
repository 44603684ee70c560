// Names, links and locks.
#include "campaign/directory.h"

#include "litmus/text/error.h"
#include "litmus/text/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace thinair::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view store_name = "campaign.db", draft_name = ".campaign.db.thinair",
                           lock_name = "lock";
constexpr std::array<std::string_view, 4> beside{"", "-wal", "-shm", "-journal"}; // as SQLite does

std::string in(const std::string& directory, std::string_view name, std::string_view suffix = "") {
  return fmt::format("{}/{}{}", directory, name, suffix);
}

/// The same file under whatever name, or the name of one that is not there now.
bool same(const std::string& path, const std::string& other) {
  std::error_code error;
  if (fs::equivalent(path, other, error)) return true;
  const fs::path one = text::followed(path), two = other;
  const auto folder = [](const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
  };
  return one.filename() == two.filename() && fs::equivalent(folder(one), folder(two), error);
}

bool is_database(const std::string& path) {
  constexpr std::string_view magic = "SQLite format 3";
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  std::string begin(magic.size(), '\0');
  std::ifstream(path, std::ios::binary)
      .read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == magic;
}

} // namespace

std::string store_path(const std::string& directory) { return in(directory, store_name); }
std::string draft_path(const std::string& directory) { return in(directory, draft_name); }

void remove_draft(const std::string& directory) {
  std::error_code ignored;
  for (const auto suffix : beside) fs::remove(in(directory, draft_name, suffix), ignored);
}

bool is_of_a_store(const std::string& path, const std::string& directory) {
  for (const auto suffix : beside)
    for (const auto name : {store_name, draft_name})
      if (same(path, in(directory, name, suffix))) return true;
  return same(path, in(directory, lock_name)) || is_database(path);
}

DirectoryLock::DirectoryLock(const std::string& directory) {
  const auto path = in(directory, lock_name);
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) throw InputError(fmt::format("{}: error: {}", path, std::strerror(errno)));
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw InputError(
        fmt::format("{}: error: another campaign is running in this directory", directory));
  }
}

DirectoryLock::~DirectoryLock() { ::close(file_); }

} // namespace thinair::campaign
