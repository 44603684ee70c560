// Programs that never end are thrown at every command that takes a test: it ends all the same, says
// which limit was reached, and takes nothing for an answer that a limit has cut short.
//
// THINAIR_ENDLESS=N runs N rounds of programs under --timeout, of THINAIR_ENDLESS_MS milliseconds
// (1000), and fails where a command takes THINAIR_ENDLESS_SLACK milliseconds more (500, or a fifth
// of the time where that is more): for a machine that has nothing else to do.
#include "cli/command.h"
#include "tests/cli/endless_programs.h"
#include "tests/cli/tool.h"
#include "tests/fuzz/cli_fuzz/child.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thinair::cli {
namespace {

/// How a command is run on a test. TEST and LIMITS stand for the file and the options of limits.
struct Row {
  std::string words;
  bool java = true, x86 = true; // which tests it takes
  bool limited = true;          // its own bounds end it, where it has no options for them
};

const std::multimap<std::string, Row> rows = {
    {"parse", {.words = "parse TEST", .limited = false}},
    {"fmt", {.words = "fmt TEST", .limited = false}},
    {"behaviours", {.words = "behaviours TEST -m jam21 LIMITS", .x86 = false}},
    {"behaviours", {.words = "behaviours TEST -m sc LIMITS --json"}},
    {"behaviours", {.words = "behaviours TEST -m sc --count LIMITS"}},
    {"behaviours", {.words = "behaviours TEST -m jls04 --as-plain LIMITS", .x86 = false}},
    {"behaviours",
     {.words = "behaviours TEST -m jls04 --as-plain --oracle jpr LIMITS", .x86 = false}},
    {"behaviours", {.words = "behaviours TEST -m x86-tso LIMITS", .java = false}},
    {"behaviours", {.words = "behaviours TEST --engine operational LIMITS", .java = false}},
    {"check", {.words = "check TEST -m jls04 -m jam21 -m umm:sc --as-plain LIMITS", .x86 = false}},
    {"check", {.words = "check TEST -m sc LIMITS --html page.html"}},
    {"herd", {.words = "herd TEST -m sc LIMITS"}},
    {"lower", {.words = "lower TEST", .x86 = false, .limited = false}},
    {"graph", {.words = "graph TEST -m sc LIMITS"}},
    {"graph", {.words = "graph TEST -m jls04 --as-plain LIMITS --format svg", .x86 = false}},
    {"explain", {.words = "explain TEST -m jls04 --as-plain LIMITS", .x86 = false}},
    {"explain", {.words = "explain TEST -m sc LIMITS --json"}},
    {"sound", {.words = "sound TEST -m jam21 LIMITS", .x86 = false}},
    {"sound", {.words = "sound TEST -m jls04 --engine builtin --as-plain LIMITS", .x86 = false}},
    {"sound", {.words = "sound TEST -t model:tso LIMITS", .x86 = false}},
    {"behaviours", {.words = "behaviours TEST -m java LIMITS", .x86 = false}},
    {"explain", {.words = "explain TEST -m java LIMITS", .x86 = false}},
    {"reduce", {.words = "reduce TEST -m sc --as-plain LIMITS", .x86 = false}},
    {"litmus-to-java", {.words = "litmus-to-java TEST", .x86 = false, .limited = false}},
    {"jcstress",
     {.words = "jcstress emit TEST --output emitted LIMITS --expect jam21", .x86 = false}},
};

/// Commands without a test among their operands.
const std::set<std::string> without_tests = {
    "gen",    "fuzz",    "distinguish", "health", "report",     "merge", "store",
    "models", "results", "scheme",      "jdks",   "completion", "man",   "help"};

TEST(Endless, EveryCommandHasARow) {
  for (const Command* command : commands()) {
    const std::string name(command->name);
    EXPECT_NE(rows.contains(name), without_tests.contains(name))
        << name << ": add a row, or say that it takes no test";
  }
}

std::vector<std::string> words_of(const std::string& line, const std::vector<std::string>& limits) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    const auto end = std::min(line.find(' ', at), line.size());
    const auto word = line.substr(at, end - at);
    if (word == "LIMITS")
      words.insert(words.end(), limits.begin(), limits.end());
    else
      words.push_back(word == "TEST" ? "t.litmus" : word);
    at = end + 1;
  }
  return words;
}

struct Run {
  fuzz::Ended ended;
  double seconds = 0;
  std::string line;
};

Run run(const Row& row, const Endless& program, const std::vector<std::string>& limits) {
  const Folder folder;
  const std::string inside = folder.path("in");
  std::filesystem::create_directories(inside);
  fuzz::Input input;
  input.words = words_of(row.words, limits);
  input.files.push_back({"t.litmus", program.text});
  const auto start = std::chrono::steady_clock::now();
  Run out;
  // Processor time and the alarm only keep a hang from blocking the others.
  out.ended = fuzz::run(input, inside, {.cpu_s = 100, .wall_s = 400});
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.line = fmt::format("{} on {}", fmt::join(input.words, " "), program.name);
  return out;
}

bool tells_a_limit(const Run& run) {
  const auto all = run.ended.out + run.ended.err;
  for (const char* word : {" reached", "unsupported", "vacuous", "too rare"})
    if (all.find(word) != std::string::npos) return true;
  return false;
}

void expect_an_end(const Run& run) {
  EXPECT_EQ(run.ended.signal, 0) << run.line;
  EXPECT_GE(run.ended.exit, 0) << run.line;
  EXPECT_LE(run.ended.exit, 3) << run.line << "\n" << run.ended.err.substr(0, 2000);
  if (run.ended.exit == 3) {
    EXPECT_TRUE(tells_a_limit(run)) << run.line << "\n" << run.ended.err;
  }
}

bool takes(const Row& row, const Endless& program) { return program.java ? row.java : row.x86; }

/// A limit on steps stops at the same point on every machine, and soon. Every command meets every
/// third program, every program every third command.
TEST(Endless, EveryCommandEndsByItsSteps) {
  std::size_t limited = 0, all = 0, turn = 0;
  for (const auto& program : endless_programs(0)) {
    ++turn;
    for (const auto& [name, row] : rows) {
      if (!takes(row, program) || ++turn % 3 != 0) continue;
      const auto ended = run(row, program, {"--max-steps", "5000"});
      expect_an_end(ended);
      ++all;
      if ((ended.ended.out + ended.ended.err).find("steps limit reached") != std::string::npos)
        ++limited;
    }
  }
  EXPECT_GT(limited, all / 3) << "of " << all << ": the programs have become dull";
}

/// What is said of memory holds of them all, too.
TEST(Endless, MemoryIsALimit) {
  std::size_t turn = 0;
  for (const auto& program : endless_programs(0)) {
    if (!program.java || ++turn % 3 != 0) continue;
    const auto ended = run({.words = "behaviours TEST -m jam21 LIMITS"}, program,
                           {"--max-memory", "1", "--max-steps", "300000"});
    expect_an_end(ended);
    EXPECT_LT(ended.ended.memory_kb, 400'000) << ended.line;
  }
}

/// Without the lines that tell the time.
std::string said(const Ran& ran) {
  std::string out;
  for (std::size_t at = 0; at < ran.out.size();) {
    const auto end = std::min(ran.out.find('\n', at), ran.out.size());
    const auto line = ran.out.substr(at, end - at);
    if (!line.starts_with("Time ")) out += line + "\n";
    at = end + 1;
  }
  return out;
}

/// However few steps a command may take, what it says is what it says without a limit, or that it
/// does not know.
TEST(Endless, ALimitChangesNoAnswer) {
  const std::vector<std::string> tests = {"corpus/ctc/CTC1.litmus", "corpus/jmt/JMT-Fig5.litmus",
                                          "corpus/memsat/MSAT-Bug10.litmus"};
  const std::vector<std::string> asked = {"behaviours TEST -m jls04 --as-plain",
                                          "behaviours TEST -m jam21",
                                          "behaviours TEST -m jls04 --as-plain --oracle jpr",
                                          "check TEST -m jls04 -m umm:sc --as-plain",
                                          "check TEST -m jam21",
                                          "herd TEST -m jam21",
                                          "graph TEST -m jls04 --as-plain",
                                          "graph TEST -m jam21",
                                          "explain TEST -m jls04 --as-plain",
                                          "explain TEST -m jam21",
                                          "sound TEST -m jam21",
                                          "sound TEST -m jls04 --engine builtin --as-plain"};
  std::size_t cut = 0, whole = 0;
  for (const auto& file : tests)
    for (const auto& line : asked) {
      auto words = words_of(line, {});
      *std::ranges::find(words, "t.litmus") = std::string(THINAIR_SOURCE_DIR) + "/" + file;
      const Ran open = tool(words);
      words.insert(words.end(), {"--max-steps", ""});
      for (std::uint64_t steps = 1; steps < 10'000'000; steps *= 12) {
        words.back() = std::to_string(steps);
        const Ran limited = tool(words);
        const bool same = limited.exit == open.exit && said(limited) == said(open);
        const bool told =
            (limited.out + limited.err).find("steps limit reached") != std::string::npos;
        // some forbidden behaviour is a finding, though more may be
        EXPECT_TRUE(same || (limited.exit == 3 && told) || (limited.exit == 1 && open.exit == 1))
            << fmt::format("{}", fmt::join(words, " ")) << "\n"
            << limited.out << limited.err;
        ++(same ? whole : cut);
        if (same && !told && open.exit != 3) break;
      }
    }
  EXPECT_GT(cut, 50U);
  EXPECT_GE(whole, tests.size() * asked.size());
}

double number_of(const char* variable, double fallback) {
  const char* text = std::getenv(variable);
  return text == nullptr ? fallback : std::strtod(text, nullptr);
}

TEST(Endless, EveryCommandEndsInTime) {
  const auto rounds = static_cast<std::uint64_t>(number_of("THINAIR_ENDLESS", 0));
  if (rounds == 0) GTEST_SKIP() << "THINAIR_ENDLESS=ROUNDS measures time";
  const double limit = number_of("THINAIR_ENDLESS_MS", 1000) / 1000;
  const double slack = std::max(number_of("THINAIR_ENDLESS_SLACK", 500) / 1000, limit / 5);
  double longest = 0;
  std::size_t all = 0, late = 0;
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (const auto& program : endless_programs(round))
      for (const auto& [name, row] : rows) {
        if (!takes(row, program)) continue;
        auto row_in_time = row;
        if (name == "reduce") row_in_time.words += fmt::format(" --time {}", limit);
        const auto ended = run(row_in_time, program, {"--timeout", fmt::format("{}", limit)});
        expect_an_end(ended);
        const double over = ended.seconds - limit;
        EXPECT_LE(over, slack) << ended.line << "\n" << program.text.substr(0, 3000);
        longest = std::max(longest, over);
        ++all;
        if (over > slack) ++late;
      }
  fmt::print("{} runs, {} later than {} s and {} s more; {:.2f} s at most\n", all, late, limit,
             slack, longest);
}

} // namespace
} // namespace thinair::cli
