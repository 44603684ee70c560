// Forks, limits, reads and reaps.
#include "runners/process.h"

#include "litmus/text/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace thinair::runners {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A file descriptor, closed when it goes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read, write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw InputError(fmt::format("error: cannot make a pipe: {}", std::strerror(errno)));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Pointers for exec, which must not be computed between fork and exec.
class Strings {
 public:
  explicit Strings(std::vector<std::string> strings) : strings_(std::move(strings)) {
    for (std::string& s : strings_) pointers_.push_back(s.data());
    pointers_.push_back(nullptr);
  }
  char** data() { return pointers_.data(); }

 private:
  std::vector<std::string> strings_;
  std::vector<char*> pointers_;
};

std::vector<std::string> environment_of(const Command& command) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& [key, value] : command.environment) replaced |= key == name;
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [key, value] : command.environment) all.push_back(key + "=" + value);
  return all;
}

struct Child {
  pid_t pid = -1;
  Descriptor out, error, failure; // the last yields errno if the program could not be started
};

/// What the child does before it becomes the program: async-signal-safe calls only.
[[noreturn]] void become(const Command& command, const char* program, char** argv, char** env,
                         int in, int out, int error, int failure) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(error, STDERR_FILENO);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (command.memory > 0) {
    const rlimit memory{command.memory, command.memory};
    ::setrlimit(RLIMIT_AS, &memory);
  }
  if (command.directory.empty() || ::chdir(command.directory.c_str()) == 0)
    ::execve(program, argv, env);
  const int why = errno;
  [[maybe_unused]] const auto written = ::write(failure, &why, sizeof why);
  ::_exit(127);
}

Child start(const Command& command, const std::string& program) {
  Strings argv(command.argv), env(environment_of(command));
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Pipe out = make_pipe(), error = make_pipe(), failure = make_pipe();
  Child child;
  child.pid = ::fork();
  if (child.pid < 0)
    throw InputError(fmt::format("error: cannot start {}: {}", program, std::strerror(errno)));
  if (child.pid == 0)
    become(command, program.c_str(), argv.data(), env.data(), null.get(), out.write.get(),
           error.write.get(), failure.write.get());
  ::setpgid(child.pid, child.pid); // whoever is first
  child.out = std::move(out.read);
  child.error = std::move(error.read);
  child.failure = std::move(failure.read);
  return child;
}

/// Appends what is there to read; closes at the end.
void drain(Descriptor& from, std::string& into) {
  std::array<char, 65536> chunk;
  const ssize_t got = ::read(from.get(), chunk.data(), chunk.size());
  if (got > 0) {
    into.append(chunk.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
    from.close();
  }
}

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Watches whether a file grows.
class Pulse {
 public:
  explicit Pulse(const Command& command) : command_(command) {}

  bool watched() const { return !command_.pulse.empty() && command_.stall > 0; }
  bool stopped() {
    std::error_code ignored;
    const auto size = fs::file_size(command_.pulse, ignored); // -1 where there is none yet
    if (std::exchange(size_, size) != size) last_ = Clock::now();
    return since(last_) > command_.stall;
  }

 private:
  const Command& command_;
  std::uintmax_t size_ = 0;
  Clock::time_point last_ = Clock::now();
};

/// Reads both outputs until they end or a limit is passed; the limit, if one was.
std::optional<Outcome::End> collect(const Command& command, Child& child, Clock::time_point begin,
                                    Outcome& outcome) {
  constexpr int pulse_ms = 100;
  Pulse pulse(command);
  while (child.out.is_open() || child.error.is_open()) {
    int wait = -1;
    if (command.seconds > 0) {
      const double left = command.seconds - since(begin);
      if (left <= 0) return Outcome::End::timed_out;
      wait = static_cast<int>(left * 1000) + 1;
    }
    if (pulse.watched()) {
      if (pulse.stopped()) return Outcome::End::stalled;
      wait = wait < 0 ? pulse_ms : std::min(wait, pulse_ms);
    }
    std::array<pollfd, 2> polled{{{child.out.get(), POLLIN, 0}, {child.error.get(), POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), wait) < 0 && errno != EINTR)
      throw Bug(fmt::format("cannot wait for output: {}", std::strerror(errno)));
    if (polled[0].revents != 0) drain(child.out, outcome.out);
    if (polled[1].revents != 0) drain(child.error, outcome.error);
    if (outcome.out.size() > command.output || outcome.error.size() > command.output)
      return Outcome::End::too_verbose;
  }
  return std::nullopt;
}

/// The exit status: waits, but no longer than the time limit, for a child that has closed its
/// outputs and goes on.
bool reap(const Command& command, pid_t pid, Clock::time_point begin, int& status) {
  for (;;) {
    const bool patient = command.seconds <= 0;
    const pid_t ended = ::waitpid(pid, &status, patient ? 0 : WNOHANG);
    if (ended == pid) return true;
    if (ended < 0 && errno != EINTR)
      throw Bug(fmt::format("cannot wait for a child: {}", std::strerror(errno)));
    if (patient) continue;
    if (since(begin) > command.seconds) return false;
    ::usleep(500);
  }
}

void kill_group(pid_t pid) { ::kill(-pid, SIGKILL); }

} // namespace

Outcome run(const Command& command) {
  THINAIR_CHECK(!command.argv.empty(), "a command without a program");
  Outcome outcome;
  const std::string program = find_program(command.argv[0]);
  if (program.empty()) {
    outcome.error = fmt::format("no program {}", command.argv[0]);
    return outcome;
  }
  const Clock::time_point begin = Clock::now();
  Child child = start(command, program);
  int why = 0;
  if (::read(child.failure.get(), &why, sizeof why) == sizeof why) {
    ::waitpid(child.pid, nullptr, 0);
    outcome.error = std::strerror(why);
    return outcome;
  }
  auto limit = collect(command, child, begin, outcome);
  int status = 0;
  if (!limit && !reap(command, child.pid, begin, status)) limit = Outcome::End::timed_out;
  kill_group(child.pid); // and what it may have left behind
  if (limit) {
    ::waitpid(child.pid, nullptr, 0);
    outcome.end = *limit;
  } else {
    outcome.end = WIFSIGNALED(status) ? Outcome::End::killed : Outcome::End::exited;
    outcome.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }
  outcome.seconds = since(begin);
  return outcome;
}

double seconds_within(const Deadline& deadline, double usual) {
  constexpr double least = 0.001; // 0 is no limit
  return std::max(least, std::min(usual, deadline.left().value_or(usual)));
}

std::string describe(const Outcome& outcome) {
  switch (outcome.end) {
  case Outcome::End::exited: return fmt::format("exit status {}", outcome.code);
  case Outcome::End::killed: return fmt::format("killed by signal {}", outcome.code);
  case Outcome::End::timed_out: return "time limit reached";
  case Outcome::End::stalled: return "no progress";
  case Outcome::End::too_verbose: return "output limit reached";
  case Outcome::End::not_started: return fmt::format("not started: {}", outcome.error);
  }
  return {};
}

std::string find_program(const std::string& name) {
  const auto runs = [](const std::string& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return runs(name) ? name : "";
  const char* set = std::getenv("PATH");
  std::string_view rest = set != nullptr ? set : "";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    const std::string path = fmt::format("{}/{}", folder, name);
    if (!folder.empty() && runs(path)) return path;
  }
  return {};
}

} // namespace thinair::runners
