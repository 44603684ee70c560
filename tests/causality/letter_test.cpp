// The oracle against the letter of the rules, on random programs with updates and with threads that
// wait, block and throw.
#include "gen/profile.h"
#include "gen/publication.h"
#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "tests/causality/every_statement.h"
#include "tests/causality/letter.h"
#include "tests/causality/programs.h"
#include "tests/support/draws.h"
#include "tests/support/random_objects.h"

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

/// Half of them hand objects over, the others do anything.
litmus::Program with_objects(std::uint64_t i) {
  litmus::Random random(1748, i);
  if (i % 2 == 0)
    return litmus::RandomObjects(random, {.statements = 3, .objects = 2, .finals = false}).make();
  auto profile = gen::load_profile("objects");
  profile.max_threads = 2;
  profile.max_accesses = 7;
  profile.fence = 0;
  return gen::draw_publication(profile, random);
}

/// Objects without final fields, which 17.4.8 says nothing about: references race, fields are
/// reached through what was read, null throws.
void run_objects(const char* what, const RuleSets& rule_sets,
                 litmus::Program (*drawn)(std::uint64_t)) {
  Counts counts;
  const auto enough = 2 * programs();
  std::size_t with_objects_made = 0;
  for (std::uint64_t i = 0; counts.compared < enough && !testing::Test::HasFailure(); ++i) {
    auto test = litmus::parse({"test", "Java test\n{ }\nThread0 { }\n"});
    test.program = drawn(i);
    const auto before = counts.compared;
    compare(test, rule_sets, counts);
    if (counts.compared > before && !test.java().objects.empty()) ++with_objects_made;
  }
  fmt::print("{}: {} answers of {} behaviours, {} programs that make objects; {} too large for the "
             "letter, {} undecided\n",
             what, counts.compared, counts.behaviours, with_objects_made, counts.beyond,
             counts.unknown);
  EXPECT_GT(with_objects_made, enough / 4);
  EXPECT_GT(counts.behaviours, enough);
  EXPECT_LE(counts.unknown, counts.compared / 4);
}

/// Arrays: those of RandomObjects, and those that are handed over and indexed by what was read.
litmus::Program with_arrays(std::uint64_t i) {
  litmus::Random random(1749, i);
  if (i % 2 == 0)
    return litmus::RandomObjects(random,
                                 {.statements = 3, .objects = 2, .finals = false, .arrays = true})
        .make();
  auto profile = gen::load_profile("arrays");
  profile.max_threads = 2;
  profile.max_accesses = 7;
  profile.fence = profile.final_fields = 0;
  return gen::draw_publication(profile, random);
}

TEST(Letter, Objects) { run_objects("objects", {"jls04", "revised"}, with_objects); }

TEST(Letter, ObjectsOfAllModes) { run_objects("objects, all modes", {"java"}, with_objects); }

TEST(Letter, Arrays) { run_objects("arrays", {"jls04", "revised"}, with_arrays); }

TEST(Letter, ArraysOfAllModes) { run_objects("arrays, all modes", {"java"}, with_arrays); }

} // namespace
} // namespace thinair::causality
