// Membership questions to the causality oracle: jMT's published tests with its times beside ours,
// random programs, and growth with the number of threads. One thread, warm process,
// processor time.
#include "litmus/random.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/explain/program_core.h"
#include "tests/explain/memsat_rows.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace thinair;

/// Processor time of this thread, in seconds: the machine is shared.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// A row of jMT's tables 3 to 8 (2026, appendix C): one outcome, and the time jMT took.
struct Published {
  const char* name;
  const char* file;
  const char* label; // of the clause; empty: the first
  double seconds;
};

const std::vector<Published> published = {
    {"CTC 1", "ctc/CTC1", "", 0.62},
    {"CTC 2", "ctc/CTC2", "", 0.82},
    {"CTC 3", "ctc/CTC3", "", 0.98},
    {"CTC 4", "ctc/CTC4", "", 0.64},
    {"CTC 5", "ctc/CTC5", "", 23.78},
    {"CTC 6", "ctc/CTC6", "", 0.70},
    {"CTC 7", "ctc/CTC7", "", 0.94},
    {"CTC 8", "ctc/CTC8", "", 0.65},
    {"CTC 9", "ctc/CTC9", "", 0.77},
    {"CTC 10", "ctc/CTC10", "", 0.67},
    {"CTC 11", "ctc/CTC11", "", 0.74},
    {"CTC 13", "ctc/CTC13", "", 0.39},
    {"CTC 16", "ctc/CTC16", "", 0.61},
    {"CTC 17", "ctc/CTC17", "", 0.51},
    {"CTC 18", "ctc/CTC18", "", 0.61},
    {"Manson 1.2", "manson/MT1.2", "", 0.65},
    {"Manson 1.3", "manson/MT1.3", "", 0.59},
    {"Manson 2.1", "manson/MT2.1", "", 0.58},
    {"Manson 2.2", "manson/MT2.2", "", 0.72},
    {"Manson 2.5", "manson/MT2.5", "", 0.72},
    {"Manson 3.1", "manson/MT3.1", "", 0.55},
    {"Manson 3.3a", "manson/MT3.3a", "", 0.51},
    {"Manson 3.3b", "manson/MT3.3b", "", 0.59},
    {"Manson 3.5", "manson/MT3.5", "", 0.59},
    {"Manson 3.6", "manson/MT3.6", "", 0.68},
    {"Manson 3.9", "manson/MT3.9", "", 1.35},
    {"Manson 3.10", "manson/MT3.10", "", 0.65},
    {"Manson 4.5", "manson/MT4.5", "", 24.84},
    {"Manson 4.6", "manson/MT4.6", "", 0.72},
    {"Manson 4.7", "manson/MT4.7", "", 0.77},
    {"Manson 4.8", "manson/MT4.8", "", 0.65},
    {"Manson 4.9", "manson/MT4.9", "", 0.76},
    {"Manson 4.10", "manson/MT4.10", "", 0.74},
    {"Manson 4.11", "manson/MT4.11", "", 0.87},
    {"Manson 4.12", "manson/MT4.12", "", 0.69},
    {"Manson 5.1", "manson/MT5.1", "", 0.58},
    {"S&A read intro. source", "sevcik-aspinall/SA-T4", "", 0.65},
    {"S&A read intro. target", "sevcik-aspinall/SA-T4.t", "", 0.86},
    {"S&A read elim. source", "sevcik-aspinall/SA-T2", "", 0.61},
    {"S&A read elim. target", "sevcik-aspinall/SA-T2.t", "", 0.91},
    {"S&A figure 5 source", "sevcik-aspinall/SA-Fig5", "", 0.65},
    {"S&A figure 5 target", "sevcik-aspinall/SA-Fig5.t", "", 0.61},
    {"coherence plain 0 0", "jcstress/JCS-COH-plain", "0 0", 0.55},
    {"coherence plain 0 1", "jcstress/JCS-COH-plain", "0 1", 0.64},
    {"coherence plain 1 0", "jcstress/JCS-COH-plain", "1 0", 0.53},
    {"coherence plain 1 1", "jcstress/JCS-COH-plain", "1 1", 0.58},
    {"coherence volatile 0 0", "jcstress/JCS-COH-volatile", "0 0", 0.52},
    {"coherence volatile 0 1", "jcstress/JCS-COH-volatile", "0 1", 0.58},
    {"coherence volatile 1 0", "jcstress/JCS-COH-volatile", "1 0", 0.52},
    {"coherence volatile 1 1", "jcstress/JCS-COH-volatile", "1 1", 0.46},
    {"message passing plain 0 0", "jcstress/JCS-MP-plain", "0 0", 0.50},
    {"message passing plain 0 1", "jcstress/JCS-MP-plain", "0 1", 0.49},
    {"message passing plain 1 0", "jcstress/JCS-MP-plain", "1 0", 0.61},
    {"message passing plain 1 1", "jcstress/JCS-MP-plain", "1 1", 0.48},
    {"message passing volatile 0 0", "jcstress/JCS-MP-volatile", "0 0", 0.72},
    {"message passing volatile 0 1", "jcstress/JCS-MP-volatile", "0 1", 0.62},
    {"message passing volatile 1 0", "jcstress/JCS-MP-volatile", "1 0", 0.46},
    {"message passing volatile 1 1", "jcstress/JCS-MP-volatile", "1 1", 0.68},
    {"store buffering plain 0 0", "jcstress/JCS-SB-plain", "0 0", 0.52},
    {"store buffering plain 0 1", "jcstress/JCS-SB-plain", "0 1", 0.65},
    {"store buffering plain 1 0", "jcstress/JCS-SB-plain", "1 0", 0.55},
    {"store buffering plain 1 1", "jcstress/JCS-SB-plain", "1 1", 0.49},
    {"store buffering volatile 0 0", "jcstress/JCS-SB-volatile", "0 0", 0.58},
    {"store buffering volatile 0 1", "jcstress/JCS-SB-volatile", "0 1", 0.64},
    {"store buffering volatile 1 0", "jcstress/JCS-SB-volatile", "1 0", 0.61},
    {"store buffering volatile 1 1", "jcstress/JCS-SB-volatile", "1 1", 0.67},
    {"UnobsVolBarrier", "jcstress/JCS-UnobservedVolatile", "", 1.05},
    {"vol-not-fence", "jcstress/JCS-VolatileNotFence", "", 0.95},
    {"gas-effects-2-cts-cts", "jcstress/JCS-RMW09-check-check", "", 0.96},
};

template <class Work>
double seconds(int rounds, Work work) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = cpu_seconds();
    work();
    times.push_back(cpu_seconds() - begin);
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

const char* word(const oracle::Answer& a) {
  return a == oracle::Answer::allowed     ? "allowed"
         : a == oracle::Answer::forbidden ? "forbidden"
                                          : "unknown";
}

const litmus::Clause& clause_of(const litmus::Test& test, const std::string& label) {
  for (const auto& clause : test.clauses)
    if (label.empty() || clause.label == label) return clause;
  fmt::print(stderr, "{}: no clause \"{}\"\n", test.name, label);
  return test.clauses.front();
}

void against_jmt(const cat::Plan& model) {
  fmt::print("{:32} {:>10} {:>12} {:>10} {:>12}\n", "test", "answer", "ours", "jMT", "jMT / ours");
  std::vector<double> times;
  double total = 0, total_published = 0;
  for (const auto& row : published) {
    const auto file = fmt::format("{}/corpus/{}.litmus", THINAIR_SOURCE_DIR, row.file);
    const auto test = litmus::parse(litmus::read_file(file));
    const auto& clause = clause_of(test, row.label);
    oracle::Answer answer;
    const auto time =
        seconds(21, [&] { answer = oracle::Oracle(test, model).allows(clause.proposition); });
    times.push_back(time);
    total += time;
    total_published += row.seconds;
    fmt::print("{:32} {:>10} {:>9.3f} ms {:>8.2f} s {:>12.0f}\n", row.name, word(answer),
               time * 1e3, row.seconds, row.seconds / time);
  }
  std::ranges::sort(times);
  fmt::print("{} tests: median {:.3f} ms, slowest {:.3f} ms, all {:.2f} ms; jMT {:.1f} s, ratio "
             "{:.0f}\n\n",
             times.size(), times[times.size() / 2] * 1e3, times.back() * 1e3, total * 1e3,
             total_published, total_published / total);
}

/// Minimal cores, statements included, of what MemSAT's Table 2 (2010) has forbidden.
void cores_against_memsat(const cat::Plan& model) {
  fmt::print("{:20} {:>12} {:>12} {:>10} {:>14}\n", "minimal core", "statements", "ours", "MemSAT",
             "MemSAT / ours");
  std::vector<double> times;
  double least = 1e9;
  const auto row = [&](const explain::MemsatRow& memsat, const char* rules, double published_s) {
    if (published_s == 0) return; // allowed there
    const auto file = fmt::format("{}/corpus/{}.litmus", THINAIR_SOURCE_DIR, memsat.file);
    const auto test = litmus::parse(litmus::read_file(file));
    oracle::Options options;
    options.rules = rules;
    explain::ProgramCore core;
    const auto time = seconds(3, [&] {
      core = explain::program_core_of(test, model, test.clauses[0].proposition, options);
    });
    times.push_back(time);
    least = std::min(least, published_s / time);
    fmt::print("{:20} {:>12} {:>9.2f} ms {:>8.0f} s {:>14.0f}{}\n",
               fmt::format("{} {}", memsat.name, rules), core.statements.size(), time * 1e3,
               published_s, published_s / time,
               core.core.kind == explain::Core::Kind::unknown ? "  no core"
               : core.undecided > 0                           ? "  not shown to be minimal"
                                                              : "");
  };
  for (const auto& memsat : explain::memsat_rows) {
    row(memsat, "jls04", memsat.original);
    row(memsat, "revised", memsat.revised);
  }
  std::ranges::sort(times);
  fmt::print("{} cores: median {:.2f} ms, slowest {:.2f} ms; least MemSAT / ours {:.0f}\n\n",
             times.size(), times[times.size() / 2] * 1e3, times.back() * 1e3, least);
}

/// Three threads, eight accesses to x and y, plain and volatile.
litmus::Test random_program(std::uint64_t seed) {
  litmus::Random random(seed);
  std::string text = "Java T\n{ x=0; y=0; X=x; Y=y; }\n";
  for (int t = 0; t < 3; ++t) {
    text += fmt::format("Thread{} {{ ", t);
    std::string last;
    for (int a = 0; a < (t < 2 ? 3 : 2); ++a) {
      const char* mode = random.chance(1, 3) ? "Volatile" : "";
      const char handle = "XY"[random.below(2)];
      if (random.chance(1, 2)) {
        last = fmt::format("r{}", a);
        text += fmt::format("int {} = {}.get{}(); ", last, handle, mode);
      } else {
        const auto value =
            last.empty() || random.chance(1, 2) ? std::to_string(random.between(1, 2)) : last;
        text += fmt::format("{}.set{}({}); ", handle, mode, value);
      }
    }
    text += "}\n";
  }
  return litmus::parse({"random", text + "exists (true)\n"});
}

void random_queries(const cat::Plan& model) {
  constexpr std::uint64_t programs = 500;
  oracle::Options options;
  options.all_registers = true;
  std::vector<litmus::Test> tests;
  for (std::uint64_t seed = 0; seed < programs; ++seed) tests.push_back(random_program(seed));
  std::vector<double> times;
  std::uint64_t searches = 0, cycles = 0, asked = 0;
  double several = 0;
  litmus::Random random(1);
  for (const auto& test : tests) {
    const auto guess = [&](std::size_t size) {
      litmus::Behaviour b;
      for (std::size_t i = 0; i < size; ++i) b.push_back(random.between(0, 2));
      return b;
    };
    times.push_back(seconds(1, [&] {
      oracle::Oracle oracle(test, model, options);
      oracle.allows(guess(oracle.observables().size()));
      searches += oracle.statistics().search.searches;
      cycles += oracle.statistics().undetermined > 0;
    }));
    several += seconds(1, [&] {
      oracle::Oracle oracle(test, model, options);
      for (int i = 0; i < 10; ++i, ++asked) oracle.allows(guess(oracle.observables().size()));
    });
  }
  double total = 0;
  for (const auto t : times) total += t;
  std::ranges::sort(times);
  fmt::print("random programs, 3 threads, 8 accesses: {:.0f} questions/s, one a program (median "
             "{:.3f} ms, 99% {:.3f} ms, slowest {:.3f} ms)\n",
             static_cast<double>(programs) / total, times[programs / 2] * 1e3,
             times[programs * 99 / 100] * 1e3, times.back() * 1e3);
  fmt::print("  ten a program: {:.0f} questions/s; {} searches; {} of {} programs have values that "
             "depend on themselves\n\n",
             static_cast<double>(asked) / several, searches, cycles, programs);
}

std::string ring(int n, bool loads_first, const char* mode) {
  std::string text = "Java T\n{ ";
  for (int i = 0; i < n; ++i) text += fmt::format("x{0}=0; X{0}=x{0}; ", i);
  text += "}\n";
  for (int t = 0; t < n; ++t) {
    const auto load = fmt::format("int r = X{}.get{}(); ", t, mode);
    const auto store = fmt::format("X{}.set{}(1); ", (t + 1) % n, mode);
    text += fmt::format("Thread{} {{ {}{} }}\n", t, loads_first ? load : store,
                        loads_first ? store : load);
  }
  return text;
}

std::string writers(int n) {
  std::string text = "Java T\n{ x=0; X=x; }\n";
  for (int t = 0; t < n; ++t)
    text += fmt::format("Thread{} {{ X.set({}); int r = X.get(); }}\n", t, t + 1);
  return text;
}

void growth(const cat::Plan& model) {
  oracle::Options options;
  options.all_registers = true;
  fmt::print("{:20} {:>3} {:>12} {:>12} {:>12}\n", "all behaviours of", "n", "behaviours",
             "executions", "time");
  const auto row = [&](const char* name, int n, const std::string& text) {
    const auto test = litmus::parse({"growth", text + "exists (true)\n"});
    oracle::Result result;
    const auto time =
        seconds(3, [&] { result = oracle::Oracle(test, model, options).behaviours(); });
    fmt::print("{:20} {:>3} {:>12} {:>12} {:>9.3f} ms{}\n", name, n, result.behaviours.size(),
               result.executions, time * 1e3,
               result.reason.empty() ? "" : "  unknown: " + result.reason.text);
  };
  for (int n = 2; n <= 6; ++n) row("LB plain", n, ring(n, true, ""));
  for (int n = 2; n <= 6; ++n) row("SB plain", n, ring(n, false, ""));
  for (int n = 2; n <= 6; ++n) row("LB volatile", n, ring(n, true, "Volatile"));
  for (int n = 2; n <= 6; ++n) row("SB volatile", n, ring(n, false, "Volatile"));
  for (int n = 2; n <= 6; ++n) row("racing writes", n, writers(n));
}

} // namespace

int main() {
  const auto model = cat::load_model("jls04", graph::Architecture::java);
  against_jmt(model);
  cores_against_memsat(model);
  random_queries(model);
  growth(model);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("peak memory {} MB\n", usage.ru_maxrss / 1024);
}
