// Files as the system has them: large ones, folders, pipes that nobody writes to.
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace thinair::litmus {
namespace {

[[noreturn]] void cannot_read(const std::string& path) {
  throw InputError::in(path, fmt::format("cannot read: {}", std::strerror(errno)));
}

/// A file that is open for reading and never makes its reader wait.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : path_(path), number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {
    if (number_ < 0) cannot_read(path_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }

  /// Of a pipe or a device; a folder cannot be read.
  bool may_be_silent() const {
    struct stat status{};
    if (::fstat(number_, &status) != 0) cannot_read(path_);
    return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
  }

  /// How many bytes there are now; 0: it has ended; absent: nothing has come yet.
  std::optional<std::size_t> read(std::string& chunk) const {
    for (;;) {
      const auto got = ::read(number_, chunk.data(), chunk.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno == EAGAIN) return std::nullopt;
      if (errno != EINTR) cannot_read(path_);
    }
  }

  /// Until something comes or the last writer leaves; false: neither did in this time.
  bool wait(std::uint32_t milliseconds) const {
    pollfd asked{number_, POLLIN, 0};
    return ::poll(&asked, 1, static_cast<int>(milliseconds)) != 0;
  }

 private:
  const std::string& path_;
  int number_;
};

} // namespace

text::Source read_file(const std::string& path, const Limits& limits) {
  const Descriptor file(path);
  const bool may_be_silent = file.may_be_silent();
  text::Source source{path, {}};
  std::string chunk(std::size_t{1} << 16, '\0');
  for (bool heard = !may_be_silent;;) {
    const auto got = file.read(chunk);
    if (got && (*got > 0 || heard)) {
      if (*got == 0) return source;
      source.text.append(chunk, 0, *got);
      if (source.text.size() > limits.bytes)
        throw InputError::in(path,
                             fmt::format("expected at most {} bytes, found more", limits.bytes));
      continue;
    }
    // a pipe that nobody has opened for writing has ended, too: its writer may come yet
    if (!file.wait(limits.silence_ms))
      throw InputError::in(path, fmt::format("nothing came for {} s: this is a pipe or a device",
                                             limits.silence_ms / 1000.0));
    heard = true;
  }
}

} // namespace thinair::litmus
