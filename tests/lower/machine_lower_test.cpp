// Schemes of AArch64 and RISC-V: the code of single statements, registers, and agreement with the
// source on random programs.
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "lower/assembly.h"
#include "lower/lowered_test.h"
#include "lower/sequential.h"
#include "lower/target.h"
#include "tests/lower/programs.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thinair::lower {
namespace {

using litmus::Expression;
using litmus::Method;
using litmus::Operator;
using testing::access;
using testing::one_thread;

constexpr const char* names[] = {"aarch64:cxx", "riscv:cxx"};

std::string code_of(const Lowered& lowered, std::size_t thread = 0) {
  std::string text;
  for (const auto& line : code_lines(lowered.program, *lowered.language, thread))
    text += line + (line.ends_with(':') ? " " : "; ");
  return text;
}

std::string code_of(const char* target, const litmus::Program& program) {
  return code_of(Target::named(target).lower(program));
}

litmus::Test unnamed() {
  litmus::Test test;
  test.name = "test";
  return test;
}

Expression reg(std::uint32_t number) { return Expression::of(litmus::RegisterId(number)); }

TEST(MachineLower, AStatementAfterTheOtherWithRegistersForAddressesAndValues) {
  const auto program = one_thread({access(Method::getVolatile, 1, {}, 0),
                                   access(Method::setVolatile, 0, {Expression::number(2)})});
  const auto arm = Target::named("aarch64:cxx").lower(program);
  EXPECT_EQ(code_of(arm), "LDAR W8,[X1]; MOV W2,#2; STLR W2,[X0]; ");
  EXPECT_EQ(to_string(arm.restoration),
            "0:r0 <- 0:X8; 0:r1 <- 0; 0:r2 <- 0; [x] <- [x]; [y] <- [y]");
  EXPECT_EQ(arm.origins[0], (std::vector<std::uint32_t>{0, 1, 1}));
  const auto riscv = Target::named("riscv:cxx").lower(program);
  EXPECT_EQ(code_of(riscv), "fence rw,rw; lw x5,0(x11); fence r,rw; li x12,2; fence rw,w; "
                            "sw x12,0(x10); ");
  EXPECT_EQ(riscv.origins[0], (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1}));
}

TEST(MachineLower, InitialValuesOfRegistersAreKept) {
  auto program = one_thread({access(Method::set, 0, {reg(0)})});
  program.threads[0].registers[0].initial = -5;
  for (const char* name : names) {
    const auto lowered = Target::named(name).lower(program);
    EXPECT_EQ(sequential_difference(program, lowered, 1), std::nullopt) << name;
    EXPECT_EQ(to_string(lowered.restoration).substr(0, 12), "0:r0 <- -5; ");
    EXPECT_NE(litmus::print(lowered_test(unnamed(), lowered, name)).find("=-5"), std::string::npos);
  }
}

/// A dependency that computes nothing stays one; so do both arms of a branch.
TEST(MachineLower, NothingIsOptimized) {
  const auto nothing = Expression::binary(Operator::bit_xor, reg(0), reg(0));
  const auto depends =
      one_thread({access(Method::get, 0, {}, 0), access(Method::set, 1, {nothing})});
  EXPECT_EQ(code_of("aarch64:cxx", depends), "LDR W8,[X0]; EOR W2,W8,W8; STR W2,[X1]; ");
  EXPECT_EQ(code_of("riscv:cxx", depends), "lw x5,0(x10); xor x12,x5,x5; sw x12,0(x11); ");

  litmus::If branch;
  branch.condition = Expression::binary(Operator::less, reg(0), reg(1));
  branch.then_block = {access(Method::set, 1, {reg(0)})};
  branch.else_block = {access(Method::set, 1, {reg(0)})};
  const auto branches = one_thread({{branch, {}}});
  EXPECT_EQ(code_of("aarch64:cxx", branches),
            "CMP W8,W9; B.GE L0; STR W8,[X0]; B L1; L0: STR W8,[X0]; L1: ");
  EXPECT_EQ(code_of("riscv:cxx", branches),
            "bge x5,x6,L0; sw x5,0(x10); j L1; L0: sw x5,0(x10); L1: ");
}

/// An argument stands where the result would go: the rule may still need it.
TEST(MachineLower, AResultDoesNotOverwriteAnArgument) {
  const auto program = one_thread({access(Method::compareAndSet, 0, {reg(0), reg(1)}, 0),
                                   access(Method::compareAndSet, 0, {reg(1), reg(0)}, 0)});
  for (const char* name : names) {
    const auto lowered = Target::named(name).lower(program);
    EXPECT_EQ(sequential_difference(program, lowered, 1, 50), std::nullopt) << code_of(lowered);
  }
}

TEST(MachineLower, LabelsOfRulesDifferFromUseToUse) {
  const auto cas =
      access(Method::compareAndSet, 0, {Expression::number(0), Expression::number(1)}, 0);
  const auto code = code_of("riscv:cxx", one_thread({cas, cas}));
  for (const char* label : {"L0:", "L1:", "L2:", "L3:"}) {
    const auto at = code.find(label);
    ASSERT_NE(at, std::string::npos) << code;
    EXPECT_EQ(code.find(label, at + 1), std::string::npos) << code;
  }
}

TEST(MachineLower, RegistersBeyondTheMachinesLiveInOneArray) {
  std::vector<litmus::Statement> body;
  for (std::uint32_t i = 0; i < 40; ++i) body.push_back(access(Method::get, i % 2, {}, i));
  for (std::uint32_t i = 0; i < 40; ++i)
    body.push_back(access(Method::getAndAdd, 0, {reg(i)}, 39 - i));
  auto program = one_thread(body, 40);
  program.threads[0].registers[39].initial = 9;
  for (const char* name : names) {
    const auto lowered = Target::named(name).lower(program);
    EXPECT_GT(lowered.program.cells().size(), 10u);
    EXPECT_EQ(lowered.program.cells()[2].name, "P0_spilled[0]");
    EXPECT_EQ(lowered.restoration.rows.size(), 42u);
    EXPECT_EQ(sequential_difference(program, lowered, 7), std::nullopt) << name;
    const auto test = lowered_test(unnamed(), lowered, name);
    const auto again = litmus::parse({"again", litmus::print(test)});
    EXPECT_EQ(again.code(), test.code()) << name;
  }
}

/// How many registers a thread may have before one lives in memory: all that are not an address's.
TEST(MachineLower, AtTheLimitNothingSpillsAndOnePastItSomethingDoes) {
  const auto cells = [](const char* name, std::uint32_t registers) {
    std::vector<litmus::Statement> body;
    for (std::uint32_t i = 0; i < registers; ++i) body.push_back(access(Method::get, 0, {}, i));
    const auto program = one_thread(body, registers);
    const auto lowered = Target::named(name).lower(program);
    EXPECT_EQ(sequential_difference(program, lowered, registers), std::nullopt);
    return lowered.program.cells().size() - 2;
  };
  EXPECT_EQ(cells("aarch64:cxx", 27), 0u); // of 28
  EXPECT_GE(cells("aarch64:cxx", 28), 1u);
  EXPECT_EQ(cells("riscv:cxx", 26), 0u); // of 27
  EXPECT_GE(cells("riscv:cxx", 27), 1u);
}

TEST(MachineLower, MoreLocationsThanRegistersForTheirAddressesAreUnsupported) {
  for (const char* name : names) {
    litmus::Program program = one_thread({});
    program.locations.clear();
    Target target = Target::named(name);
    for (std::uint32_t i = 0; i < 40; ++i) {
      program.locations.push_back({fmt::format("v{}", i), 0, false});
      program.threads[0].body.push_back(access(Method::set, i, {Expression::number(1)}));
      if (i == 20) {
        const auto lowered = target.lower(program);
        EXPECT_EQ(lowered.program.cells()[0].name, "v_v0"); // v0 is a register
      }
    }
    try {
      target.lower(program);
      ADD_FAILURE() << name;
    } catch (const Unsupported& unsupported) {
      EXPECT_NE(std::string(unsupported.what()).find("registers for their addresses"),
                std::string::npos)
          << unsupported.what();
    }
  }
}

TEST(MachineLower, WhatTheCodeCannotSayIsUnsupported) {
  for (const char* name : names) {
    Target target = Target::named(name);
    for (const Operator op : {Operator::divide, Operator::remainder})
      for (const auto& by : {reg(1), Expression::number(0)})
        EXPECT_THROW(target.lower(one_thread(
                         {access(Method::set, 0, {Expression::binary(op, reg(0), by)})})),
                     Unsupported);
    auto unheld = one_thread({{litmus::MonitorStatement{false, litmus::MonitorId(0)}, {}}});
    unheld.monitors = {"m"};
    EXPECT_THROW(target.lower(unheld), Unsupported);
  }
}

TEST(MachineLower, WhatTheBoundOfALoopCutsOffIsKnownAtTheEnd) {
  const auto test = litmus::parse(
      {"t", "Java t\n{ X=x; }\nThread0 { int r = 0; while (r < 3) { r = r + 1; } X.set(r); }\n"
            "exists (true)\n"});
  for (const char* name : names) {
    for (const std::uint32_t bound : {2U, 3U}) {
      const Lowered lowered = Target::named(name).lower(test.java(), bound);
      ASSERT_EQ(lowered.restoration.cuts.size(), 1u) << name;
      const auto out = run_target(lowered, litmus::ThreadId(0), {0});
      for (std::size_t i = 0; i < out.memory.size(); ++i)
        if (lowered.program.cells()[i].name == lowered.restoration.cuts[0].name) {
          EXPECT_EQ(out.memory[i], bound == 3 ? 0u : 1u) << name;
        }
      EXPECT_EQ(sequential_difference(lowered.source, lowered, 3), std::nullopt) << name;
    }
  }
}

TEST(MachineLower, EveryMethodAgreesWithItsSource) {
  for (const char* name : names) {
    Target target = Target::named(name);
    for (const auto& method : litmus::methods()) {
      std::vector<Expression> constants, registers;
      for (int i = 0; i < method.arguments; ++i) {
        constants.push_back(Expression::number(i));
        registers.push_back(reg(static_cast<std::uint32_t>(i)));
      }
      std::optional<std::uint32_t> result;
      if (litmus::reads(method.action)) result = 0; // also its first argument
      const auto program = one_thread({access(Method::get, 0, {}, 0), access(Method::get, 1, {}, 1),
                                       access(method.method, 0, constants),
                                       access(method.method, 0, registers, result),
                                       access(method.method, 1, registers, result)});
      EXPECT_EQ(sequential_difference(program, target.lower(program), 1, 20), std::nullopt)
          << name << " " << method.name;
    }
  }
}

/// Every way to have an operator with that number and with values read from memory, as a value and
/// as a condition; none for what is unsupported.
std::optional<litmus::Program> with_operator(const litmus::OperatorInfo& row, std::int32_t number) {
  const bool divides = row.op == Operator::divide || row.op == Operator::remainder;
  if (divides && number == 0) return std::nullopt;
  std::vector<Expression> all;
  if (row.unary) {
    all = {Expression::unary(row.op, reg(0))};
  } else {
    const auto by = Expression::number(number);
    all = {Expression::binary(row.op, reg(0), by)};
    if (!divides) all.push_back(Expression::binary(row.op, by, reg(0)));
    if (!divides) all.push_back(Expression::binary(row.op, reg(0), reg(1)));
  }
  std::vector<litmus::Statement> body{access(Method::get, 0, {}, 0), access(Method::get, 1, {}, 1)};
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const auto one = Expression::number(1);
    litmus::If branch;
    branch.condition = all[i];
    branch.then_block = {{litmus::Assign{litmus::RegisterId(5 + i), one, false}, {}}};
    body.push_back({litmus::Assign{litmus::RegisterId(2 + i), all[i], false}, {}});
    body.push_back({branch, {}});
  }
  return one_thread(body, 8);
}

/// Java's arithmetic at the ends of the range (JLS 15.17, 15.19): every operator, as a value and as
/// a condition, with each operand a constant or not.
TEST(MachineLower, EveryOperatorIsJavas) {
  constexpr std::int32_t values[] = {
      0, 1, -1, 2, 31, 32, 33, -33, 65535, 65536, -65536, -65537, 0x12345678, INT32_MIN, INT32_MAX};
  for (const char* name : names) {
    Target target = Target::named(name);
    for (const auto& row : litmus::operators()) {
      for (const std::int32_t number : values) {
        const auto program = with_operator(row, number);
        if (!program) continue;
        ASSERT_EQ(sequential_difference(*program, target.lower(*program), 1, 30), std::nullopt)
            << name << " " << row.symbol << " " << number;
      }
    }
  }
}

testing::Shape shape_of(std::uint64_t seed) {
  testing::Shape shape;
  shape.registers = seed % 5 == 0 ? 40 : 5;
  shape.statements = seed % 5 == 0 ? 60 : 6;
  shape.depth = 2 + seed % 4;
  return shape;
}

TEST(MachineLower, RandomProgramsAgreeWithTheirSource) {
  for (const char* name : names) {
    Target target = Target::named(name);
    std::size_t spilled = 0, draws = test::draws(300);
    for (std::uint64_t seed = 0; seed < draws; ++seed) {
      litmus::Random random(seed);
      const auto shape = shape_of(seed);
      const auto program = testing::random_program(random, shape);
      const auto lowered = target.lower(program);
      EXPECT_EQ(lowered.restoration.rows.size(), shape.threads * shape.registers + shape.locations);
      EXPECT_EQ(sequential_difference(program, lowered, seed), std::nullopt)
          << name << " seed " << seed << "\n"
          << code_of(lowered);
      spilled += lowered.program.cells().size() > shape.locations;
    }
    EXPECT_GT(spilled, draws / 8);
  }
}

TEST(MachineLower, EqualProgramsGiveEqualBytes) {
  for (const char* name : names) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      litmus::Random random(seed);
      const auto program = testing::random_program(random, shape_of(seed));
      const auto once = Target::named(name).lower(program),
                 again = Target::named(name).lower(program);
      EXPECT_EQ(litmus::print(lowered_test(unnamed(), once, name)),
                litmus::print(lowered_test(unnamed(), again, name)));
      EXPECT_EQ(once.restoration, again.restoration);
      EXPECT_EQ(once.origins, again.origins);
    }
  }
}

/// The text of the code is the code.
TEST(MachineLower, ItsTestsReadAsTheyWere) {
  for (const char* name : names) {
    Target target = Target::named(name);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      litmus::Random random(seed);
      const auto program = testing::random_program(random, shape_of(seed));
      const auto test = lowered_test(unnamed(), target.lower(program), name);
      EXPECT_EQ(litmus::parse({"again", litmus::print(test)}).code(), test.code()) << name << seed;
    }
  }
}

/// The check on random programs sees a rule without its last instruction.
TEST(MachineLower, ADroppedInstructionIsSeen) {
  struct Fault {
    const char *target, *whole, *faulty;
  };
  constexpr Fault faults[] = {
      {"aarch64:cxx", "  cmp tmp, exp\n  cset dst, eq\n", "  cset dst, eq\n"},
      {"aarch64:cxx", "  mvn tmp, arg\n  ldclral tmp", "  mov tmp, arg\n  ldclral tmp"},
      {"riscv:cxx", "  bnez tmp2, retry\n  li dst, 1\n", "  bnez tmp2, retry\n"},
      {"riscv:cxx", "  lr.w.aqrl tmp, [x]\n  li dst, 0\n", "  lr.w.aqrl tmp, [x]\n  li dst, 1\n"},
  };
  for (const Fault& fault : faults) {
    std::string text(shipped_file(fault.target)->text);
    const auto at = text.find(fault.whole);
    ASSERT_NE(at, std::string::npos) << fault.whole;
    text.replace(at, std::string(fault.whole).size(), fault.faulty);
    Target target(parse_scheme({"faulty", text}));
    std::size_t seen = 0;
    for (std::uint64_t seed = 1; seed < 60; ++seed) {
      litmus::Random random(seed);
      const auto program = testing::random_program(random, shape_of(seed));
      const auto lowered = target.lower(program);
      seen += sequential_difference(program, lowered, seed).has_value();
    }
    EXPECT_GT(seen, 0u) << fault.faulty;
  }
}

} // namespace
} // namespace thinair::lower
