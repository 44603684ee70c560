// Forks, limits, waits, and judges what came of it.
#include "tests/fuzz/cli_fuzz/child.h"

#include "cli/command.h"
#include "litmus/text/printable.h"
#include "tests/support/golden.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>

namespace thinair::fuzz {
namespace {

namespace fs = std::filesystem;

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void limit(int what, rlim_t value) {
  const rlimit bound{value, value};
  ::setrlimit(static_cast<__rlimit_resource>(what), &bound);
}

/// As main() does it, in the child.
[[noreturn]] void become_the_tool(const Input& input, const std::string& directory,
                                  const Bounds& bounds) {
  const std::string out_path = directory + ".out", err_path = directory + ".err";
  std::FILE* out_file = std::freopen(out_path.c_str(), "wb", stdout);
  std::FILE* err_file = std::freopen(err_path.c_str(), "wb", stderr);
  if (out_file == nullptr || err_file == nullptr || ::chdir(directory.c_str()) != 0) ::_exit(99);
  if (std::freopen("/dev/null", "rb", stdin) == nullptr) ::_exit(99);
  std::signal(SIGPIPE, SIG_IGN);
  limit(RLIMIT_AS, bounds.memory);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 256U << 20U);
  limit(RLIMIT_CPU, static_cast<rlim_t>(bounds.cpu_s * 2) + 1);
  ::alarm(bounds.wall_s);
  cli::ResultSink out(out_file);
  cli::FileSink err(err_file);
  cli::Console console{out, err};
  const int code = static_cast<int>(cli::run(input.words, console));
  std::fflush(nullptr);
  ::_exit(code);
}

void write_files(const Input& input, const std::string& directory) {
  for (const auto& file : input.files) {
    const auto path = fs::path(directory) / file.name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << file.text;
  }
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

bool is_clean(std::string_view text) { return text::printable(text) == text; }

/// Whether some line is `WHERE: error: WHAT`, or the usage.
bool names_an_error(const std::string& diagnostics) {
  static const std::regex line("(^|\n)(usage: thinair|[^\n]+: error: )");
  return std::regex_search(diagnostics, line);
}

std::string fault_of_json(const std::string& out) {
  for (std::size_t at = 0; at < out.size();) {
    const auto end = std::min(out.find('\n', at), out.size());
    try {
      golden::parse_json(std::string_view(out).substr(at, end - at));
    } catch (const std::runtime_error& e) {
      return fmt::format("--json writes no JSON: {}", e.what());
    }
    at = end + 1;
  }
  return is_clean(out) ? "" : "--json writes what is not printable";
}

} // namespace

Ended run(const Input& input, const std::string& directory, const Bounds& bounds) {
  write_files(input, directory);
  std::fflush(nullptr); // or the child writes it, too
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become_the_tool(input, directory, bounds);
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) continue;
  Ended ended;
  if (WIFEXITED(status)) ended.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  ended.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  ended.memory_kb = usage.ru_maxrss;
  ended.out = read(directory + ".out");
  ended.err = read(directory + ".err");
  return ended;
}

std::string fault_of(const Input& input, const Ended& ended, const Bounds& bounds) {
  if (ended.signal == SIGALRM) return fmt::format("did not end within {} s", bounds.wall_s);
  if (ended.signal == SIGXCPU || ended.signal == SIGKILL || ended.cpu_s > bounds.cpu_s)
    return fmt::format("took {:.0f} s of processor time", ended.cpu_s);
  if (ended.signal != 0)
    return fmt::format("signal {} ({})", ended.signal, ::strsignal(ended.signal));
  if (ended.exit < 0 || ended.exit > 3) return fmt::format("exit code {}", ended.exit);
  if (!is_clean(ended.err)) return "tells what is not printable";
  if (ended.exit >= 2 && ended.err.empty() && ended.out.empty())
    return fmt::format("exit code {} in silence", ended.exit);
  if (ended.exit == 2 && !names_an_error(ended.err)) return "exit code 2 and no error";
  const bool as_json = std::ranges::find(input.words, "--json") != input.words.end();
  return as_json ? fault_of_json(ended.out) : "";
}

} // namespace thinair::fuzz
