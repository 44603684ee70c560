// Writes beside the file, then renames: POSIX makes the rename atomic.
#include "litmus/text/file.h"

#include "litmus/text/digest.h"
#include "litmus/text/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace thinair::text {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const std::string& path, int why) {
  throw InputError(fmt::format("{}: error: cannot write: {}", path, std::strerror(why)));
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Some file systems cannot: then there is no more to be had.
bool on_disk(int descriptor) { return ::fsync(descriptor) == 0 || errno == EINVAL; }

/// A file beside `target` that no other process writes to, removed unless it was given its place.
class Draft {
 public:
  explicit Draft(const fs::path& target) : name_(name_for(target)) {
    while (!locked()) {
    }
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (descriptor_ >= 0 && !placed_) ::unlink(name_.c_str());
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  bool valid() const { return descriptor_ >= 0; }

  bool write(std::string_view text) const {
    return ::ftruncate(descriptor_, 0) == 0 && write_all(descriptor_, text);
  }
  bool take_permissions(mode_t mode) const { return ::fchmod(descriptor_, mode & 07777U) == 0; }

  /// The lock is held until the file is where it belongs.
  void move_to(const fs::path& target, Flush flush) {
    move_into_place(name_, target.string(), flush);
    placed_ = true;
  }

 private:
  static std::string name_for(const fs::path& target) {
    constexpr std::size_t longest = 240; // of 255 bytes that a name may have
    auto name = target.filename().string();
    if (name.size() > longest) {
      Digest digest;
      digest.add(name);
      name = digest.hex();
    }
    return (target.parent_path() / ("." + name + ".thinair")).string();
  }

  /// Opens the draft and waits for its lock: the system drops that of a process that dies. False
  /// where another process has moved the draft meanwhile, or it was left by another user.
  bool locked() {
    descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) return true; // there will be none
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
    struct stat held{}, named{};
    const bool same = ::fstat(descriptor_, &held) == 0 && ::lstat(name_.c_str(), &named) == 0 &&
                      held.st_ino == named.st_ino && held.st_dev == named.st_dev;
    if (same && held.st_uid == ::geteuid()) return true;
    const bool hopeless = same && ::unlink(name_.c_str()) != 0;
    const int why = errno;
    ::close(descriptor_);
    descriptor_ = -1;
    errno = why;
    return hopeless;
  }

  std::string name_;
  int descriptor_ = -1;
  bool placed_ = false;
};

/// A terminal, a pipe, /dev/stdout.
void write_through(const std::string& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) cannot_write(path, errno);
  const int why = write_all(descriptor, text) ? 0 : errno;
  ::close(descriptor);
  if (why != 0) cannot_write(path, why);
}

} // namespace

std::string followed(const std::string& path) {
  constexpr int most_links = 40; // as Linux has it
  fs::path file = path;
  std::error_code ignored;
  for (int i = 0; i < most_links && fs::is_symlink(file, ignored); ++i) {
    const fs::path next = fs::read_symlink(file, ignored);
    file = next.is_absolute() ? next : file.parent_path() / next;
  }
  return file.string();
}

void move_into_place(const std::string& draft, const std::string& path, Flush flush) {
  if (flush == Flush::yes) {
    const int file = ::open(draft.c_str(), O_RDONLY | O_CLOEXEC);
    const bool written = file >= 0 && on_disk(file);
    const int why = errno;
    if (file >= 0) ::close(file);
    if (!written) cannot_write(path, why);
  }
  if (std::rename(draft.c_str(), path.c_str()) != 0) cannot_write(path, errno);
  if (flush == Flush::no) return;
  const auto folder = fs::path(path).parent_path();
  const int directory =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return; // it is in its place, if not for sure after a power cut
  on_disk(directory);
  ::close(directory);
}

void write_file(const std::string& path, std::string_view text, Flush flush) {
  struct stat there{};
  const bool exists = ::stat(path.c_str(), &there) == 0;
  if (!exists && errno != ENOENT) cannot_write(path, errno);
  if (path.starts_with("/dev/") || path.starts_with("/proc/") ||
      (exists && !S_ISREG(there.st_mode)))
    return write_through(path, text);
  if (exists && ::access(path.c_str(), W_OK) != 0) cannot_write(path, errno);
  const fs::path target = followed(path);
  Draft draft(target);
  if (!draft.valid() || (exists && !draft.take_permissions(there.st_mode)) || !draft.write(text))
    cannot_write(path, errno);
  draft.move_to(target, flush);
}

void make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw InputError(fmt::format("{}: error: {}", path, error.message()));
}

} // namespace thinair::text
