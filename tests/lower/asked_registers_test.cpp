// Rounds of loops that differ in registers nobody asks about are one round: fewer paths, and the
// same final states.
#include "gen/generator.h"
#include "lower/lowered_test.h"
#include "lower/target.h"
#include "machine/table.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "oracle/graph/path.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace thinair::lower {
namespace {

litmus::Test code_of(const litmus::Test& test, const std::string& name) {
  auto target = Target::named(name);
  const auto lowered = target.lower(test.java());
  auto code = lowered_test(test, lowered, name);
  code.locations = lowered.restoration.needed();
  code.clauses.clear();
  return code;
}

cat::Plan model_of(Machine machine) {
  const auto* row = machine::machine_named(machine->prefix);
  return cat::load_model(row->model, graph::Architecture(*row->front_end));
}

/// A compare-and-set that fails leaves its status register as it was: a loop's first round, of
/// which it is 0, and a second one, of which it is 1, are the same to who asks for the result.
TEST(AskedRegisters, ALoopThatTriesAgainHasOnePathForEachResult) {
  const auto test = litmus::parse(
      {"t", "Java t\n{ X=x; }\nThread0 { int a = X.compareAndSet(1, 2); }\nexists (0:a=1)\n"});
  for (const char* name : {"aarch64:hotspot-c1-nolse", "riscv:hotspot-c1"}) {
    const auto code = code_of(test, name);
    EXPECT_EQ(graph::paths_of(code).threads[0].paths.size(), 4u) << name;
    graph::PathLimits limits;
    limits.asked.emplace();
    EXPECT_EQ(graph::paths_of(code, limits).threads[0].paths.size(), 2u) << name;
  }
}

std::set<std::string> states(const oracle::Result& result,
                             const std::vector<litmus::Observable>& of) {
  std::set<std::string> out;
  for (const auto& behaviour : result.behaviours) {
    litmus::Behaviour part;
    for (const auto& o : of)
      part.push_back(behaviour[static_cast<std::size_t>(std::ranges::find(result.observables, o) -
                                                        result.observables.begin())]);
    out.insert(litmus::to_string(of, part));
  }
  return out;
}

TEST(AskedRegisters, FinalStatesAreThoseOfAllRegisters) {
  auto profile = gen::load_profile("rmw");
  profile.max_accesses = 5;
  std::size_t loops = 0;
  for (const std::string name : {"aarch64:hotspot-c1-nolse", "aarch64:graal-nolse",
                                 "riscv:hotspot-c1", "riscv:hotspot-c2", "x86:table2"}) {
    const auto model = model_of(machine_named(name));
    gen::Generator generator(profile, 77, 0);
    for (std::uint64_t i = 0; i < test::draws(60); ++i) {
      litmus::Test source;
      source.name = "t";
      source.program = generator.next().program;
      const auto code = code_of(source, name);
      const auto asked = executions::behaviours(code, model);
      executions::Options options;
      options.all_registers = true;
      const auto all = executions::behaviours(code, model, options);
      if (asked.status != oracle::Result::Status::ok || all.status != oracle::Result::Status::ok)
        continue;
      EXPECT_EQ(states(asked, asked.observables), states(all, asked.observables))
          << name << "\n"
          << litmus::print(source);
      loops += asked.candidates < all.candidates ? 1 : 0;
    }
  }
  EXPECT_GT(loops, 0u);
}

} // namespace
} // namespace thinair::lower
