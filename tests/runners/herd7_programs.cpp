// Java programs from the generator, x86 programs from tests/support.
#include "tests/runners/herd7_programs.h"

#include "gen/generator.h"
#include "litmus/text/error.h"
#include "machine/x86/herd_export.h"
#include "tests/executions/small_programs.h"
#include "tests/support/random_x86.h"

#include <fmt/format.h>

namespace thinair::runners {
namespace {

/// No compare-and-set, getAndSet or weak one: herd7's Java front end lacks them. No false
/// dependencies: herd7 takes some for value cycles and drops the execution.
gen::Profile java_profile() {
  gen::Profile profile = gen::load_profile("varhandle");
  profile.get_and_set = profile.compare_and_set = profile.weak_compare_and_set = 0;
  profile.get_and_add = profile.get_and_bitwise = profile.compare_and_exchange = 10;
  profile.rmw = 20;
  profile.false_dependency = 0;
  profile.max_threads = 3;
  profile.max_accesses = 5;
  return profile;
}

litmus::Test java_program(gen::Generator& generator) {
  litmus::Test test;
  test.name = "generated";
  test.program = generator.next().program;
  test.locations = litmus::observables(test, true);
  for (const auto& location : test.java().locations) test.locations.push_back({{}, location.name});
  return test;
}

/// Nothing is taken off: herd7 shows -1 in two ways, as two states.
litmus::Test small_x86(std::uint64_t seed) {
  litmus::Test test = executions::SmallX86(seed, 3 + seed % 2).make();
  for (auto& thread : std::get<litmus::Code>(test.program).of<x86::Instruction>().threads)
    for (auto& instruction : thread.code)
      if (instruction.opcode == x86::Opcode::dec) instruction.opcode = x86::Opcode::inc;
  return test;
}

/// Mostly two threads of few instructions, which herd7 is done with soon; one in 32 is of those
/// that take it long, and use more of the language. Moves the seed past the program.
litmus::Test x86_program(std::uint64_t& seed) {
  for (;;) {
    const auto drawn = seed++;
    litmus::Test test = drawn % 32 == 0
                            ? litmus::parse({"random.litmus", test::random_x86(drawn, true)})
                            : small_x86(drawn);
    std::erase_if(test.locations, [](const auto& o) { return !o.thread; });
    for (const auto& location : x86::program_of(test).locations)
      test.locations.push_back({{}, location.name});
    try {
      x86::herd_export(test);
      return test;
    } catch (const Unsupported&) {
      continue; // flags of an instruction that is written otherwise for herd7
    }
  }
}

} // namespace

std::vector<litmus::Test> herd7_programs(graph::Architecture architecture, std::size_t count,
                                         std::uint64_t seed, bool with_memory) {
  gen::Generator generator(java_profile(), seed, 0);
  std::uint64_t x86_seed = seed << 32U;
  std::vector<litmus::Test> tests;
  while (tests.size() < count) {
    const bool java = architecture == graph::Architecture::java;
    tests.push_back(java ? java_program(generator) : x86_program(x86_seed));
    tests.back().name = fmt::format("{}-{}", seed, tests.size());
    if (!with_memory)
      std::erase_if(tests.back().locations, [](const auto& o) { return !o.thread; });
  }
  return tests;
}

} // namespace thinair::runners
