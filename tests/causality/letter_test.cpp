// The oracle against the letter of the rules, on random programs with updates and with threads that
// wait, block and throw.
#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "tests/causality/every_statement.h"
#include "tests/causality/letter.h"
#include "tests/causality/programs.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
namespace {

std::uint64_t programs() {
  const char* given = std::getenv("THINAIR_LETTER_PROGRAMS"); // the nightly run asks for 5,000
  return given != nullptr ? std::strtoull(given, nullptr, 10) : test::draws(150);
}

/// The oracle's, in the order of the letter: thread by thread, registers as numbered.
std::set<std::string> texts(const Subject& subject, const std::vector<Behaviour>& behaviours) {
  std::set<std::string> all;
  for (const auto& b : behaviours) all.insert(subject.text(b));
  return all;
}

std::set<std::string> letter_texts(const Subject& subject, const litmus::Program& program,
                                   const std::set<Behaviour>& behaviours) {
  std::set<std::string> all;
  for (const auto& b : behaviours) {
    Behaviour sorted;
    for (const auto& place : subject.places()) {
      std::size_t index = place.reg;
      for (std::uint32_t t = 0; t < place.thread; ++t) index += program.threads[t].registers.size();
      sorted.push_back(b.at(index));
    }
    all.insert(subject.text(sorted));
  }
  return all;
}

std::string joined(const std::set<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, " | "));
}

struct Counts {
  std::size_t compared = 0, behaviours = 0, beyond = 0, unknown = 0;
};

const cat::Plan& model_for(std::string_view rules) {
  static const auto jls = cat::load_model("jls04", graph::Architecture::java, {.as_plain = true});
  static const auto java = cat::load_model("java", graph::Architecture::java);
  return rules == "java" ? java : jls;
}

using RuleSets = std::vector<const char*>;

void compare(const litmus::Test& test, const RuleSets& rule_sets, Counts& counts) {
  const Subject subject(test);
  for (const auto* rules : rule_sets) {
    const auto letter = letter::behaviours(test.java(), rules);
    if (!letter) {
      ++counts.beyond;
      return;
    }
    Options options;
    options.rules = rules;
    options.identity = Identity::index; // as the letter has it
    options.all_registers = true;
    const auto found = Oracle(test, model_for(rules), options).behaviours();
    if (found.status != oracle::Result::Status::ok) {
      ++counts.unknown;
      return;
    }
    ++counts.compared;
    counts.behaviours += letter->size();
    EXPECT_EQ(joined(texts(subject, found.behaviours)),
              joined(letter_texts(subject, test.java(), *letter)))
        << rules << "\n"
        << litmus::print(test);
  }
}

void run(const char* what, const Statements& shape,
         const RuleSets& rule_sets = {"jls04", "revised"}) {
  Counts counts;
  const auto enough = 2 * programs(); // 300, unless the environment says more
  for (std::uint64_t seed = 1; counts.compared < enough && !testing::Test::HasFailure(); ++seed)
    compare(litmus::parse({"test", EveryStatement(seed, shape).test()}), rule_sets, counts);
  fmt::print(
      "{}: {} answers of {} behaviours; {} programs too large for the letter, {} undecided\n", what,
      counts.compared, counts.behaviours, counts.beyond, counts.unknown);
  EXPECT_LE(counts.unknown, counts.compared / 4);
}

TEST(Letter, Updates) {
  run("updates", {.threads = 2, .most_accesses = 5, .fences = false, .waits = false});
}

TEST(Letter, ThreadsThatStop) {
  run("threads that stop", {.threads = 2,
                            .accesses = 2,
                            .most_accesses = 4,
                            .every_mode = false,
                            .updates = false,
                            .fences = false});
}

TEST(Letter, Both) {
  run("both", {.threads = 2, .accesses = 2, .most_accesses = 4, .fences = false});
}

TEST(Letter, AllModes) {
  run("all modes", {.threads = 2, .most_accesses = 5, .waits = false}, {"java"});
}

TEST(Letter, AllModesOfThreeThreads) {
  run("all modes, three threads", {.threads = 3, .accesses = 2, .most_accesses = 4}, {"java"});
}

TEST(Letter, AllModesAndThreadsThatStop) {
  run("all modes, threads that stop", {.threads = 2, .accesses = 2, .most_accesses = 4}, {"java"});
}

TEST(Letter, ThreeThreads) {
  run("three threads", {.threads = 3, .accesses = 2, .most_accesses = 4, .fences = false});
}

} // namespace
} // namespace thinair::causality
