// Lowering by schemes: the code of single statements, register allocation, and agreement with the
// source on random programs.
#include "litmus/text/error.h"
#include "lower/naming.h"
#include "lower/scheme.h"
#include "lower/sequential.h"
#include "machine/x86/code/names.h"
#include "machine/x86/program.h"
#include "tests/lower/programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thinair::lower {
namespace {

using litmus::Expression;
using litmus::Method;
using testing::access;
using testing::one_thread;

const x86::Thread& only_thread(const Lowered& lowered) {
  return x86::program_of(lowered.program).threads.at(0);
}

std::vector<x86::Opcode> opcodes_of(const Lowered& lowered) {
  std::vector<x86::Opcode> result;
  for (const auto& in : only_thread(lowered).code) result.push_back(in.opcode);
  return result;
}

TEST(SchemeLower, ConstantsAreImmediatesAndResultsGoStraightToTheirRegister) {
  const auto lowered =
      lower_with(*find_scheme("x86:table2"),
                 one_thread({access(Method::setVolatile, 0, {Expression::number(2)}),
                             access(Method::getVolatile, 1, {}, 0)}));
  using x86::Opcode;
  EXPECT_EQ(opcodes_of(lowered), (std::vector{Opcode::mov, Opcode::mfence, Opcode::mov}));
  EXPECT_EQ(only_thread(lowered).code[0].operands[1], x86::Operand(x86::Immediate{2}));
  EXPECT_EQ(to_string(lowered.restoration),
            "0:r0 <- 0:rax; 0:r1 <- 0; 0:r2 <- 0; [x] <- [x]; [y] <- [y]");
  EXPECT_EQ(lowered.origins[0], (std::vector<std::uint32_t>{0, 0, 1}));
}

TEST(SchemeLower, RegistersThatARuleNamesHoldNoSourceRegister) {
  const auto lowered =
      lower_with(*find_scheme("x86:table2"),
                 one_thread({access(Method::compareAndSet, 0,
                                    {Expression::number(0), Expression::number(1)}, 0),
                             access(Method::get, 1, {}, 1)}));
  EXPECT_EQ(to_string(lowered.restoration),
            "0:r0 <- 0:rbx; 0:r1 <- 0:rcx; 0:r2 <- 0; [x] <- [x]; [y] <- [y]");
}

TEST(SchemeLower, InitialValuesOfRegistersAreKept) {
  auto program = one_thread({access(Method::set, 0, {Expression::of(litmus::RegisterId(0))})});
  program.threads[0].registers[0].initial = 5;
  const auto lowered = lower_with(*find_scheme("x86:table2"), program);
  ASSERT_EQ(only_thread(lowered).initial.size(), 1u);
  EXPECT_EQ(std::get<litmus::Value>(only_thread(lowered).initial[0].value), 5);
  EXPECT_EQ(to_string(lowered.restoration).substr(0, 11), "0:r0 <- 5; ");
}

TEST(SchemeLower, MoreRegistersThanTheMachineHasSpillToPrivateLocations) {
  std::vector<litmus::Statement> body;
  for (std::uint32_t i = 0; i < 40; ++i) body.push_back(access(Method::get, i % 2, {}, i));
  for (std::uint32_t i = 0; i < 40; ++i)
    body.push_back(access(Method::getAndAdd, 0, {Expression::of(litmus::RegisterId(i))}, 39 - i));
  const auto program = one_thread(body, 40);
  const auto lowered = lower_with(*find_scheme("x86:table2"), program);
  EXPECT_GT(lowered.program.cells().size(), 25u);
  EXPECT_EQ(lowered.restoration.rows.size(), 42u);
  EXPECT_EQ(sequential_difference(program, lowered, 7), std::nullopt);
}

/// How many private locations a thread of `registers` live registers gets, all of them read back.
std::size_t private_locations(std::uint32_t registers) {
  std::vector<litmus::Statement> body;
  for (std::uint32_t i = 0; i < registers; ++i) body.push_back(access(Method::get, i % 2, {}, i));
  const auto program = one_thread(body, registers);
  const auto lowered = lower_with(*find_scheme("x86:table2"), program);
  EXPECT_EQ(lowered.restoration.rows.size(), registers + 2U);
  EXPECT_EQ(sequential_difference(program, lowered, registers), std::nullopt);
  return lowered.program.cells().size() - 2;
}

/// Fifteen registers are the machine's without %rsp. With one more, some live in memory, and the
/// code needs registers to move them through.
TEST(SchemeLower, AtTheLimitNothingSpillsAndOnePastItSomethingDoes) {
  EXPECT_EQ(private_locations(14), 0u);
  EXPECT_EQ(private_locations(15), 0u);
  EXPECT_GE(private_locations(16), 1u);
  EXPECT_GE(private_locations(17), private_locations(16));
}

/// What spills is invisible to the model: rows of the restoration name it, observables do not.
TEST(SchemeLower, SpilledRegistersAreRestoredFromPrivateLocations) {
  std::vector<litmus::Statement> body;
  for (std::uint32_t i = 0; i < 16; ++i) body.push_back(access(Method::get, i % 2, {}, i));
  const auto lowered = lower_with(*find_scheme("x86:table2"), one_thread(body, 16));
  std::size_t in_memory = 0;
  for (const auto& row : lowered.restoration.rows) {
    const auto* place = std::get_if<litmus::Observable>(&row.found);
    if (!row.source.thread || !place || place->thread) continue;
    EXPECT_EQ(place->name.substr(0, 3), "P0_");
    ++in_memory;
  }
  EXPECT_EQ(in_memory, lowered.program.cells().size() - 2);
  for (const auto& observable : lowered.restoration.observables())
    EXPECT_TRUE(observable.thread || observable.name == "x" || observable.name == "y");
}

TEST(SchemeLower, NamesThatAssemblersMistakeAreChanged) {
  EXPECT_TRUE(x86_code::is_cell_name("x"));
  EXPECT_TRUE(x86_code::is_cell_name("addr"));
  for (const char* name : {"eax", "AL", "r8", "mov", "addl", "jne", "P0", "lock", "7x", "a$b", ""})
    EXPECT_FALSE(x86_code::is_cell_name(name)) << name;
  auto program = one_thread({access(Method::get, 0, {}, 0)});
  program.locations[0].name = "eax";
  program.locations[1].name = "v_eax";
  const auto lowered = lower_with(*find_scheme("x86:table2"), program);
  EXPECT_EQ(lowered.program.cells()[0].name, "v_eax");
  EXPECT_EQ(lowered.program.cells()[1].name, "v_eax_");
  EXPECT_NE(to_string(lowered.restoration).find("[v_eax] <- [v_eax_]"), std::string::npos);
}

TEST(SchemeLower, WhatTheCodeCannotSayIsUnsupported) {
  const auto scheme = find_scheme("x86:table2").value();
  const auto divided =
      Expression::binary(litmus::Operator::divide, Expression::of(litmus::RegisterId(0)),
                         Expression::of(litmus::RegisterId(1)));
  EXPECT_THROW(lower_with(scheme, one_thread({access(Method::set, 0, {divided})})), Unsupported);
  EXPECT_THROW(lower_with(scheme, one_thread({{litmus::Loop{}, {}}})), Unsupported);
}

TEST(SchemeLower, EveryMethodOfEverySchemeAgreesWithItsSource) {
  for (const auto& shipped : shipped_schemes()) {
    const Scheme scheme = parse_scheme(source_of(shipped));
    for (const auto& method : litmus::methods()) {
      std::vector<Expression> constants, registers;
      for (int i = 0; i < method.arguments; ++i) {
        constants.push_back(Expression::number(i));
        registers.push_back(Expression::of(litmus::RegisterId(static_cast<std::uint32_t>(i))));
      }
      std::optional<std::uint32_t> target;
      if (litmus::reads(method.action)) target = 0; // also its first argument
      const auto program = one_thread({access(Method::get, 0, {}, 0), access(Method::get, 1, {}, 1),
                                       access(method.method, 0, constants),
                                       access(method.method, 0, registers, target),
                                       access(method.method, 1, registers, target)});
      EXPECT_EQ(sequential_difference(program, lower_with(scheme, program), 1, 20), std::nullopt)
          << shipped.file << " " << method.name;
    }
  }
}

TEST(SchemeLower, RandomProgramsAgreeWithTheirSource) {
  std::size_t spilled = 0;
  for (const auto& shipped : shipped_schemes()) {
    const Scheme scheme = parse_scheme(source_of(shipped));
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      litmus::Random random(seed);
      testing::Shape shape;
      shape.registers = seed % 5 == 0 ? 24 : 5;
      shape.statements = seed % 5 == 0 ? 40 : 6;
      shape.depth = 2 + seed % 4;
      const auto program = testing::random_program(random, shape);
      const auto lowered = lower_with(scheme, program);
      EXPECT_EQ(lowered.restoration.rows.size(), shape.threads * shape.registers + shape.locations);
      EXPECT_EQ(sequential_difference(program, lowered, seed), std::nullopt)
          << shipped.file << " seed " << seed;
      spilled += lowered.program.cells().size() > shape.locations;
    }
  }
  EXPECT_GT(spilled, 100u);
}

} // namespace
} // namespace thinair::lower
