// thinair check on the whole corpus, model by model, and on the tests of MemSAT and JPR with the
// times that these papers print. CPU time of one thread, reading files and models included.
#include "cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace thinair;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Run {
  double seconds = 0; // the best of three
  std::string last;   // line of the table
  bool undecided = false;
};

Run check(const std::vector<std::string>& words) {
  Run run;
  for (int i = 0; i < 3; ++i) {
    cli::StringSink out, err;
    cli::Console console{out, err};
    const auto start = cpu_seconds();
    const auto exit = cli::run(words, console);
    const auto taken = cpu_seconds() - start;
    run.seconds = i == 0 ? taken : std::min(run.seconds, taken);
    run.undecided = exit == Exit::undecided;
    const auto& text = out.text();
    const auto end = text.find_last_not_of('\n');
    if (end == std::string::npos) continue;
    run.last = text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
  }
  return run;
}

const std::string corpus = std::string(THINAIR_SOURCE_DIR) + "/corpus";

struct Target {
  std::string_view model;
  double seconds; // what we promise; 0: nothing
};

constexpr auto whole = std::to_array<Target>(
    {{"jls04", 2.0}, {"jam21", 0.2}, {"jam19", 0}, {"sc", 0}, {"coherence", 0}, {"tso", 0}});

void whole_corpus() {
  fmt::print("the whole corpus: pass fail unsupported unknown contested unstated, wall seconds\n");
  for (const auto& target : whole) {
    const auto run = check({"check", corpus, "--model", std::string(target.model)});
    fmt::print("{}\n  {:.3f} s CPU{}\n", run.last, run.seconds,
               target.seconds > 0 ? fmt::format(", promised {:.1f} s: {:.1f} times that",
                                                target.seconds, run.seconds / target.seconds)
                                  : "");
  }
}

/// A test of a paper, and the seconds it prints (MemSAT Table 2, original rules; JPR Figure 14).
struct Published {
  std::string_view file;
  double seconds;
};

constexpr auto memsat = std::to_array<Published>({
    {"ctc/CTC1", 2},
    {"ctc/CTC2", 2},
    {"ctc/CTC3", 2},
    {"ctc/CTC4", 2},
    {"ctc/CTC5", 3},
    {"ctc/CTC6", 2},
    {"ctc/CTC7", 2},
    {"ctc/CTC8", 2},
    {"ctc/CTC9", 2},
    {"ctc/CTC10", 2},
    {"ctc/CTC11", 2},
    {"ctc/CTC12", 4},
    {"ctc/CTC13", 2},
    {"ctc/CTC14", 35},
    {"ctc/CTC15", 96},
    {"ctc/CTC16", 1},
    {"ctc/CTC17", 2},
    {"ctc/CTC18", 2},
    {"ctc/CTC19", 2},
    {"ctc/CTC20", 2},
    {"sevcik-aspinall/SA-T1", 189},
    {"sevcik-aspinall/SA-T1.t", 23},
    {"sevcik-aspinall/SA-T2", 3},
    {"sevcik-aspinall/SA-T2.t", 1},
    {"sevcik-aspinall/SA-T3", 26},
    {"sevcik-aspinall/SA-T3.t", 34},
    {"sevcik-aspinall/SA-T4", 3},
    {"sevcik-aspinall/SA-T4.t", 2},
    {"sevcik-aspinall/SA-T5", 2},
    {"sevcik-aspinall/SA-T5.t", 1},
});

constexpr auto jpr = std::to_array<Published>({
    {"ctc/CTC1", 1.2},         {"ctc/CTC2", 1.3},       {"ctc/CTC3", 2.8},
    {"ctc/CTC4", 1.0},         {"ctc/CTC5", 4.5},       {"ctc/CTC6", 0.9},
    {"ctc/CTC7", 1.9},         {"ctc/CTC8", 1.0},       {"ctc/CTC9", 2.4},
    {"ctc/CTC10", 3.4},        {"ctc/CTC11", 2.4},      {"ctc/CTC12", 1.2},
    {"ctc/CTC13", 1.1},        {"ctc/CTC16", 1.1},      {"ctc/CTC17", 1.3},
    {"ctc/CTC18", 1.4},        {"ctc/CTC19", 2.7},      {"ctc/CTC20", 2.6},
    {"jpr/JPR-Hash", 1.5},     {"jpr/JPR-Hash2", 0.9},  {"jpr/JPR-DCL", 0.7},
    {"jpr/JPR-Peterson", 0.8}, {"jpr/JPR-Dekker", 0.8},
});

void against(std::string_view paper, std::span<const Published> tests, std::string_view identity) {
  double ours = 0, theirs = 0;
  std::size_t decided = 0;
  for (const auto& test : tests) {
    const auto run = check({"check", fmt::format("{}/{}.litmus", corpus, test.file), "--model",
                            "jls04", "--identity", std::string(identity)});
    if (run.undecided) continue;
    ++decided;
    ours += run.seconds;
    theirs += test.seconds;
  }
  fmt::print("{}: {} of {} tests decided in {:.3f} s CPU; the paper's sum for them is {:.1f} s on "
             "its machine: ratio {:.0f}\n",
             paper, decided, tests.size(), ours, theirs, theirs / ours);
}

} // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0); // a long run shows where it is
  whole_corpus();
  against("MemSAT Table 2, original rules", memsat, "free");
  against("JPR Figure 14", jpr, "index");
}
