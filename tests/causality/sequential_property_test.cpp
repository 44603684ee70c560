// Every sequentially consistent behaviour is one of every shipped model, under every rule set: all
// statement kinds, all profiles of the generator.
#include "gen/generator.h"
#include "litmus/text/error.h"
#include "models/library.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/causality/well_behaved.h"
#include "tests/causality/every_statement.h"
#include "tests/causality/programs.h"
#include "tests/causality/sequential.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
namespace {

std::uint64_t programs() {
  const char* given = std::getenv("THINAIR_SC_PROGRAMS"); // the nightly run asks for 20,000
  return given != nullptr ? std::strtoull(given, nullptr, 10) : test::draws(1'000);
}

/// A model with one way to justify, or none.
struct Column {
  const cat::Plan* model = nullptr;
  std::string name;
  std::string rules;
  Identity identity = Identity::index;
};

bool shows(const cat::Plan& model, const char* name) {
  return std::ranges::find(model.shows, name, &cat::Shown::name) != model.shows.end();
}

bool is_for_java(const std::string& name) {
  try {
    cat::load_model(name, graph::Architecture::java);
    return true;
  } catch (const InputError&) {
    return false; // it speaks of a machine's events
  }
}

const std::vector<Column>& columns() {
  static std::map<std::string, cat::Plan> plans;
  static const auto all = [] {
    std::vector<Column> out;
    for (const auto& file : models::files()) {
      const std::string name(file.name.substr(0, file.name.find(".cat")));
      if (name.find('/') != std::string::npos || !is_for_java(name)) continue;
      const auto& plan =
          plans.emplace(name, cat::load_model(name, graph::Architecture::java, {.as_plain = true}))
              .first->second;
      out.push_back({&plan, name, "none", Identity::index});
      if (!shows(plan, "hb") || !shows(plan, "so") || !shows(plan, "sw")) continue;
      std::vector<std::string> ways{"java"};
      // Other rules ask all axioms of stages, and some of these stages cannot obey.
      if (!asks_less_of_stages(plan)) ways.insert(ways.end(), {"jls04", "revised"});
      for (const auto& rules : ways)
        for (const auto identity : {Identity::index, Identity::free})
          out.push_back({&plan, name, rules, identity});
    }
    return out;
  }();
  return all;
}

struct Counts {
  std::size_t programs = 0, behaviours = 0, asked = 0, unknown = 0, unsupported = 0;
};

/// Few enough events for the machine of interleavings, and for the models that order them anew for
/// each thread.
bool small(const ProgramPaths& paths) {
  std::size_t events = 0, ways = 1;
  for (const auto& thread : paths.threads) {
    std::size_t longest = 0;
    for (const auto& path : thread.paths) longest = std::max(longest, path.events.size());
    events += longest;
    ways *= thread.paths.size();
  }
  return events <= 8 && ways <= 200;
}

void ask(const Column& column, const litmus::Test& test, const Subject& subject,
         const std::vector<Behaviour>& behaviours, Counts& counts) {
  Options options;
  options.rules = column.rules;
  options.identity = column.identity;
  options.all_registers = true;
  options.limits.candidates = 200'000; // what takes longer is counted as unknown
  try {
    Oracle oracle(test, *column.model, options);
    ASSERT_EQ(oracle.observables(), subject.observables());
    const auto answers = oracle.allows(behaviours);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      ++counts.asked;
      counts.unknown += answers[i] == Answer::unknown;
      EXPECT_NE(answers[i], Answer::forbidden)
          << column.name << ", rules " << column.rules << ", identity "
          << (column.identity == Identity::free ? "free" : "index") << ": "
          << subject.text(behaviours[i]) << "\n"
          << litmus::print(test);
    }
  } catch (const Unsupported&) {
    ++counts.unsupported;
  } catch (const LimitReached&) {
    counts.asked += behaviours.size();
    counts.unknown += behaviours.size();
  }
}

void compare(const litmus::Test& test, Counts& counts) {
  const Subject subject(test);
  if (!small(subject.paths())) return;
  const auto sequential = sequential_runs(subject.paths(), subject.places());
  if (sequential.behaviours.empty() || sequential.behaviours.size() > 40) return;
  ++counts.programs;
  counts.behaviours += sequential.behaviours.size();
  const std::vector<Behaviour> all(sequential.behaviours.begin(), sequential.behaviours.end());
  for (const auto& column : columns()) ask(column, test, subject, all, counts);
}

void report(const char* what, const Counts& counts) {
  fmt::print("{}: {} programs, {} behaviours, {} questions, {} unknown, {} unsupported\n", what,
             counts.programs, counts.behaviours, counts.asked, counts.unknown, counts.unsupported);
  EXPECT_LT(100 * counts.unknown, counts.asked);
}

TEST(SequentialConsistency, IsWithinEveryModelForEveryStatement) {
  Counts counts;
  for (std::uint64_t seed = 1; counts.programs < programs() / 2 && !HasFailure(); ++seed)
    compare(litmus::parse({"test", EveryStatement(seed, {}).test()}), counts);
  report("every statement", counts);
}

TEST(SequentialConsistency, IsWithinEveryModelForEveryProfile) {
  Counts counts;
  for (const auto& profile : gen::profiles()) {
    gen::Generator generator(profile, 20261119, 0);
    const auto end = counts.programs + programs() / 2 / gen::profiles().size();
    while (counts.programs < end && !HasFailure()) {
      litmus::Test test;
      test.name = "drawn";
      test.program = generator.next().program;
      compare(test, counts);
    }
  }
  report("profiles", counts);
}

} // namespace
} // namespace thinair::causality
