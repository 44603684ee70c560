// Writes beside the file, then renames: POSIX makes the rename atomic.
#include "cli/rewrite.h"

#include "litmus/text/error.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace thinair::cli {
namespace {

/// A file under a name of its own, removed unless it was given its place.
class Draft {
 public:
  explicit Draft(const std::string& beside)
      : name_(beside + ".XXXXXX"), descriptor_(mkstemp(name_.data())) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (descriptor_ >= 0) close(descriptor_);
    if (descriptor_ >= 0 && !placed_) unlink(name_.c_str());
  }

  bool valid() const { return descriptor_ >= 0; }

  bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return fsync(descriptor_) == 0;
  }

  bool take_permissions_of(const std::string& path) const {
    struct stat status{};
    return stat(path.c_str(), &status) == 0 && fchmod(descriptor_, status.st_mode & 07777U) == 0;
  }

  bool move_to(const std::string& path) {
    placed_ = rename(name_.c_str(), path.c_str()) == 0;
    return placed_;
  }

 private:
  std::string name_;
  int descriptor_;
  bool placed_ = false;
};

} // namespace

void rewrite_file(const std::string& path, std::string_view text) {
  std::error_code error;
  const std::string target = std::filesystem::canonical(path, error).string();
  Draft draft(error ? path : target);
  if (error || !draft.valid() || !draft.take_permissions_of(target) || !draft.write(text) ||
      !draft.move_to(target))
    throw InputError::in(
        path, fmt::format("cannot write: {}", error ? error.message() : std::strerror(errno)));
}

} // namespace thinair::cli
