// The abstract machine of Armv8 that performs accesses out of order against the axioms: the same
// final states on herd's tests, on random assembly and on lowered Java; and each of its conditions
// is needed.
#include "gen/generator.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "lower/target.h"
#include "machine/aarch64/front_end.h"
#include "machine/aarch64/out_of_order.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "runners/out_of_order.h"
#include "tests/runners/agreement.h"
#include "tests/support/aarch64_programs.h"
#include "tests/support/draws.h"
#include "tests/support/golden.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace thinair::runners {
namespace {

using Status = oracle::Result::Status;

std::uint64_t number(const char* variable, std::uint64_t usual) {
  const char* given = std::getenv(variable);
  return given ? std::strtoull(given, nullptr, 10) : usual;
}

struct Counts {
  std::size_t equal = 0, unknown = 0, unsupported = 0, different = 0;
};

class OutOfOrder : public testing::Test {
 protected:
  void compare(const litmus::Test& test) {
    executions::Options limited;
    limited.limits.candidates = 200'000;
    try {
      const auto axioms = executions::behaviours(test, plan, limited);
      const auto machine = out_of_order_states(test, {.states = 200'000, .seconds = 20});
      states_visited += machine.candidates;
      if (axioms.status != Status::ok || machine.status != Status::ok) {
        ++counts.unknown;
        if (std::getenv("THINAIR_SHOW_UNKNOWN") != nullptr)
          fmt::print("{}: {} / {}\n", test.name, axioms.reason.text, machine.reason.text);
        return;
      }
      const States expected = states_of(test, axioms), found = states_of(test, machine);
      ++(found == expected ? counts.equal : counts.different);
      EXPECT_EQ(found, expected) << litmus::print(test);
    } catch (const Unsupported& why) {
      if (std::getenv("THINAIR_SHOW_UNKNOWN") != nullptr)
        fmt::print("{}: {}\n", test.name, why.what());
      ++counts.unsupported;
    } catch (const LimitReached&) {
      ++counts.unknown;
    }
  }

  void TearDown() override {
    if (counts.equal + counts.different > 0)
      fmt::print("{} equal, {} different, {} unknown, {} unsupported; {} states\n", counts.equal,
                 counts.different, counts.unknown, counts.unsupported, states_visited);
  }

  const cat::Plan plan = cat::load_model("armv8", aarch64::architecture);
  Counts counts;
  std::uint64_t states_visited = 0;
};

TEST_F(OutOfOrder, HasTheStatesOfHerdsTests) {
  const auto files = golden::files("aarch64/tests");
  if (files.empty()) GTEST_SKIP() << "no golden data";
  for (const auto& file : files) {
    SCOPED_TRACE(file.string());
    compare(litmus::parse(litmus::read_file(file.string())));
  }
  EXPECT_GE(counts.equal, 465U);
  EXPECT_EQ(counts.unknown + counts.unsupported, 0U);
}

/// THINAIR_OUT_OF_ORDER_PROGRAMS of them.
TEST_F(OutOfOrder, HasTheStatesOfRandomAssembly) {
  const auto programs = number("THINAIR_OUT_OF_ORDER_PROGRAMS", test::draws(2000));
  const auto first = number("THINAIR_OUT_OF_ORDER_SEED", 1);
  for (std::uint64_t seed = first; seed < first + programs && counts.different < 5; ++seed)
    compare(litmus::parse({fmt::format("seed {}", seed), test::aarch64_program(seed)}));
  EXPECT_GE(counts.equal * 100, programs * 95);
}

TEST_F(OutOfOrder, HasTheStatesOfLoweredPrograms) {
  const auto programs = number("THINAIR_OUT_OF_ORDER_PROGRAMS", test::draws(1000));
  const auto first = number("THINAIR_OUT_OF_ORDER_SEED", 1);
  lower::Target target = lower::Target::named("aarch64:cxx");
  for (const char* profile : {"varhandle", "rmw"}) {
    gen::Generator generator(gen::load_profile(profile), first, 0);
    for (std::uint64_t i = 0; i < programs / 2 && counts.different < 5; ++i) {
      litmus::Test source;
      source.name = fmt::format("{}-{}", profile, i);
      const std::vector<litmus::Program> drawn{generator.next().program};
      source.program = drawn[0];
      const auto lowered = target.lower(drawn);
      if (const auto* code = std::get_if<lower::Lowered>(&lowered[0]))
        compare(lower::lowered_test(source, *code, target.name()));
    }
  }
  EXPECT_GE(counts.equal * 100, programs * 90);
}

/// The moves that are left out of account lead to no other states.
TEST_F(OutOfOrder, TriesMovesThatSuffice) {
  const auto programs = test::draws(300);
  std::uint64_t fewer = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const auto test = litmus::parse({"random", test::aarch64_program(seed)});
    const auto machine = aarch64::out_of_order(test, {});
    const auto some = out_of_order_states(test, *machine, {});
    const auto whole = out_of_order_states(test, *machine, {.states = 100'000}, Moves::all);
    if (whole.status != Status::ok) continue;
    EXPECT_EQ(states_of(test, some), states_of(test, whole)) << litmus::print(test);
    fewer += some.candidates;
    all += whole.candidates;
  }
  EXPECT_LT(fewer, all);
}

const std::string folder = std::string(THINAIR_SOURCE_DIR) + "/tests/models/machines/";

/// Whether the machine without these conditions comes to a state as the test's proposition says.
bool reaches(const std::string& file, machine::LeftOut left_out) {
  const auto test = litmus::parse(litmus::read_file(folder + file));
  const auto machine = aarch64::out_of_order_without(left_out, test, {});
  const auto result = out_of_order_states(test, *machine, {}, Moves::all);
  EXPECT_EQ(result.status, Status::ok) << result.reason.text;
  return std::ranges::any_of(result.behaviours, [&](const auto& behaviour) {
    return litmus::holds(test.clauses.at(0).proposition, result.observables, behaviour);
  });
}

/// The tests of the model's clauses (tests/models/machines/clauses.txt).
TEST_F(OutOfOrder, NeedsEachOfItsConditions) {
  std::ifstream file(folder + "clauses.txt");
  std::size_t tests = 0;
  std::vector<std::pair<std::string, std::string>> rows; // clause and test
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string model, clause, name;
    words >> model >> clause >> name;
    if (model != "armv8") continue;
    EXPECT_FALSE(reaches(name, 0)) << name;
    rows.emplace_back(clause, name);
    ++tests;
  }
  EXPECT_GE(tests, 36U);
  for (const auto& wait : aarch64::waits()) {
    const bool seen = std::ranges::any_of(rows, [&](const auto& row) {
      return row.first == wait.clause && reaches(row.second, aarch64::without(wait.wait));
    });
    EXPECT_TRUE(seen) << "no test needs " << wait.name;
  }
}

/// Those that the model must allow (allowed.txt).
TEST_F(OutOfOrder, IsNotStronger) {
  std::ifstream file(folder + "allowed.txt");
  std::size_t tests = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string model, name;
    words >> model >> name;
    if (model != "armv8") continue;
    EXPECT_TRUE(reaches(name, 0)) << name;
    ++tests;
  }
  EXPECT_GE(tests, 6U);
}

} // namespace
} // namespace thinair::runners
