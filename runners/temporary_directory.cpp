// Makes, locks and removes them. Whoever holds the lock of a directory is its owner, or removes it.
#include "runners/temporary_directory.h"

#include "litmus/text/error.h"
#include "litmus/text/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace thinair::runners {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "thinair-work-", pattern = "XXXXXX";

[[noreturn]] void no_place(const std::string& root, const char* why) {
  throw InputError(fmt::format("{}: error: no place for temporary files: {}\n  hint: set TMPDIR to "
                               "a directory that can be written",
                               root, why));
}

std::string temporary_root() {
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (const char* set = std::getenv(name); set != nullptr && *set != '\0')
      return fs::absolute(set).string(); // children run elsewhere
  return "/tmp";
}

bool is_ours(const std::string& name) {
  return name.starts_with(prefix) && name.size() == prefix.size() + pattern.size();
}

int opened(const std::string& directory) {
  return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Whether the name still leads to what was opened.
bool still_there(int descriptor, const std::string& directory) {
  struct stat held{}, named{};
  return ::fstat(descriptor, &held) == 0 && ::lstat(directory.c_str(), &named) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

void remove_if_abandoned(const std::string& directory) {
  const int lock = opened(directory);
  if (lock < 0) return;
  struct stat held{};
  std::error_code ignored;
  if (::fstat(lock, &held) == 0 && held.st_uid == ::geteuid() &&
      ::flock(lock, LOCK_EX | LOCK_NB) == 0 && still_there(lock, directory))
    fs::remove_all(directory, ignored);
  ::close(lock);
}

} // namespace

void remove_abandoned(const std::string& root) {
  std::error_code error;
  for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error))
    if (is_ours(it->path().filename().string())) remove_if_abandoned(it->path().string());
}

/// False where somebody who cleans up took it for abandoned before it was locked.
bool TemporaryDirectory::made_below(const std::string& root) {
  path_ = fmt::format("{}/{}{}", root, prefix, pattern);
  if (::mkdtemp(path_.data()) == nullptr) no_place(root, std::strerror(errno));
  lock_ = opened(path_);
  if (lock_ < 0 && errno == ENOENT) return false;
  if (lock_ < 0) no_place(root, std::strerror(errno));
  // A file system that has no locks keeps those who clean up away, too.
  const bool taken = ::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!taken && still_there(lock_, path_)) return true;
  ::close(lock_);
  return false;
}

TemporaryDirectory::TemporaryDirectory() {
  const std::string root = temporary_root();
  [[maybe_unused]] static const bool cleaned = (remove_abandoned(root), true);
  while (!made_below(root)) {
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  ::close(lock_);
}

std::string TemporaryDirectory::write(const std::string& name, std::string_view text) const {
  const fs::path path = fs::path(path_) / name;
  text::make_folders(path.parent_path().string());
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush())
    throw InputError(
        fmt::format("{}: error: cannot write: {}", path.string(), std::strerror(errno)));
  return path.string();
}

} // namespace thinair::runners
