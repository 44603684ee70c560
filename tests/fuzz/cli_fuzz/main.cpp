// cli_fuzz: mutated inputs through the command line. None may end in a signal, in exit code 4, or
// beyond its limits; what it tells is printable and of one form, and --json is JSON.
//
//   cli_fuzz [--inputs N] [--first I] [--seed S] [--processes P] [--keep DIR]
//
// Input number I of a seed is the same on every machine: `--first I --inputs 1 --keep DIR` makes it
// again, and one input alone is shown. Each runs in a child that is forked from here, which is a
// hundred times faster than starting the tool; the code is that of main(). Exit code 1: there are
// faults; what makes them is kept in DIR, with the command.
#include "litmus/text/printable.h"
#include "tests/fuzz/cli_fuzz/child.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>

namespace thinair::fuzz {
namespace {

namespace fs = std::filesystem;

struct Settings {
  std::uint64_t inputs = 2000, first = 0, seed = 1, processes = 2;
  std::string keep;
};

/// What all processes have seen, in memory that they share.
struct Tally {
  std::atomic<std::uint64_t> done{0}, faults{0}, least_open{0};
  std::array<std::atomic<std::uint64_t>, 4> exits{};
  std::atomic<std::uint64_t> slowest_ms{0}, largest_kb{0};
};

void raise_to(std::atomic<std::uint64_t>& most, std::uint64_t value) {
  std::uint64_t now = most.load();
  while (now < value && !most.compare_exchange_weak(now, value)) continue;
}

/// The command, for a shell.
std::string command_of(const Input& input) {
  std::string command = "thinair";
  for (const auto& word : input.words) {
    command += " '";
    for (const char c : word) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += "'";
  }
  return command;
}

void keep(const std::string& folder, const Input& input, const Ended& ended,
          const std::string& what) {
  for (const auto& file : input.files) {
    const auto path = fs::path(folder) / file.name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << file.text;
  }
  fs::create_directories(folder);
  std::ofstream(folder + "/command") << command_of(input) << "\n";
  std::ofstream(folder + "/fault") << what << "\n\n" << ended.err;
}

/// One process's share of the inputs.
class Worker {
 public:
  Worker(const Settings& settings, const Seeds& seeds, Tally& tally)
      : settings_(settings), seeds_(seeds), tally_(tally) {
    std::string pattern = (fs::temp_directory_path() / "cli-fuzz-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    place_ = pattern;
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    std::error_code ignored;
    fs::remove_all(place_, ignored);
  }

  void work() {
    for (std::uint64_t i = tally_.least_open++; i < settings_.inputs; i = tally_.least_open++)
      look_at(settings_.first + i);
  }

 private:
  void look_at(std::uint64_t index) {
    const Input input = make_input(seeds_, settings_.seed, index);
    const std::string directory = place_ + "/run";
    fs::create_directory(directory);
    const Ended ended = run(input, directory, bounds_);
    fs::remove_all(directory);
    if (ended.exit >= 0 && ended.exit < 4) ++tally_.exits[static_cast<std::size_t>(ended.exit)];
    raise_to(tally_.slowest_ms, static_cast<std::uint64_t>(ended.cpu_s * 1000));
    raise_to(tally_.largest_kb, static_cast<std::uint64_t>(ended.memory_kb));
    const std::string what = fault_of(input, ended, bounds_);
    if (settings_.inputs == 1)
      fmt::print("{}\nexit code {}, {:.3f} s\n{}", text::printable(command_of(input)), ended.exit,
                 ended.cpu_s, ended.err);
    if (!what.empty()) {
      ++tally_.faults;
      fmt::print("{} ({}, {}): {}\n", index, input.kind, input.words.empty() ? "" : input.words[0],
                 what);
      std::fflush(stdout);
      if (!settings_.keep.empty())
        keep(fmt::format("{}/{}", settings_.keep, index), input, ended, what);
    }
    if (const auto done = ++tally_.done; done % 10'000 == 0) {
      fmt::print(stderr, "{} inputs, {} faults\n", done, tally_.faults.load());
    }
  }

  const Settings& settings_;
  const Seeds& seeds_;
  Tally& tally_;
  const Bounds bounds_;
  std::string place_;
};

Settings settings_of(int argc, char** argv) {
  Settings settings;
  const std::map<std::string, std::uint64_t*> numbers = {{"--inputs", &settings.inputs},
                                                         {"--first", &settings.first},
                                                         {"--seed", &settings.seed},
                                                         {"--processes", &settings.processes}};
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    const auto number = numbers.find(name);
    if (number == numbers.end()) {
      if (name != "--keep" || value.empty())
        throw std::runtime_error("cli_fuzz [--inputs N] [--first I] [--seed S] [--processes P] "
                                 "[--keep DIR]");
      settings.keep = fs::absolute(value).string();
      continue;
    }
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), *number->second);
    if (error != std::errc() || end != value.data() + value.size())
      throw std::runtime_error(name + " takes a number");
  }
  return settings;
}

/// What the tool makes when it is first asked is there before anything is forked.
void warm_up() {
  cli::StringSink out, err;
  cli::Console console{out, err};
  for (const std::vector<std::string>& words : std::initializer_list<std::vector<std::string>>{
           {"models"}, {"completion", "bash"}, {"scheme", "show", "x86:table2"}})
    cli::run(words, console);
}

bool all_worked(std::uint64_t processes) {
  bool all = true;
  for (std::uint64_t i = 0; i < processes; ++i) {
    int status = 0;
    if (::wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) all = false;
  }
  return all;
}

int fuzz(const Settings& settings) {
  const Seeds seeds = seeds_of(THINAIR_SOURCE_DIR);
  void* shared =
      ::mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
  Tally& tally = *::new (shared) Tally;
  warm_up();
  std::fflush(nullptr);
  for (std::uint64_t i = 0; i < settings.processes; ++i) {
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child > 0) continue;
    {
      Worker(settings, seeds, tally).work();
    }
    std::fflush(nullptr);
    ::_exit(0);
  }
  const bool worked = all_worked(settings.processes);
  fmt::print(
      "{} inputs of seed {}: {} faults; exit codes 0: {}, 1: {}, 2: {}, 3: {}; at most {} ms "
      "of processor time, {} MB\n",
      tally.done.load(), settings.seed, tally.faults.load(), tally.exits[0].load(),
      tally.exits[1].load(), tally.exits[2].load(), tally.exits[3].load(), tally.slowest_ms.load(),
      tally.largest_kb.load() / 1024);
  if (!worked || tally.done != settings.inputs)
    throw std::runtime_error("a process did not end well");
  return tally.faults == 0 ? 0 : 1;
}

} // namespace
} // namespace thinair::fuzz

int main(int argc, char** argv) {
  try {
    return thinair::fuzz::fuzz(thinair::fuzz::settings_of(argc, argv));
  } catch (const std::exception& e) {
    fmt::print(stderr, "cli_fuzz: {}\n", e.what());
    return 2;
  }
}
