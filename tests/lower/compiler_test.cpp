// LLVM's code for source programs, lifted: the table of accesses, and agreement with the source.
#include "litmus/text/error.h"
#include "lower/assembly.h"
#include "lower/compiler.h"
#include "lower/ir.h"
#include "lower/sequential.h"
#include "machine/x86/att.h"
#include "machine/x86/program.h"
#include "tests/lower/programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace thinair::lower {

void PrintTo(Level level, std::ostream* out) { *out << name(level); }

namespace {

using litmus::Expression;
using litmus::Method;
using testing::access;
using testing::one_thread;

std::string code_of(Compiler& compiler, const litmus::Program& program) {
  const Lowered lowered = compiler.lower(program);
  std::string text;
  const auto& code = x86::program_of(lowered.program);
  for (const auto& in : code.threads.at(0).code) {
    for (const auto& label : in.labels) text += label + ": ";
    text += x86::att_text(code, in) + "\n";
  }
  return text;
}

TEST(Compiler, AccessesBecomeWhatTheMappingTableSays) {
  Compiler compiler(Level::O2);
  const auto set = [&](Method method) {
    return code_of(compiler, one_thread({access(method, 0, {Expression::number(1)})}));
  };
  EXPECT_EQ(set(Method::set), "movl $1, x(%rip)\n");
  EXPECT_EQ(set(Method::setRelease), "movl $1, x(%rip)\n");
  EXPECT_EQ(set(Method::setVolatile), "movl $1, %eax\nxchgl %eax, x(%rip)\n");
  for (const Method method :
       {Method::get, Method::getOpaque, Method::getAcquire, Method::getVolatile})
    EXPECT_EQ(code_of(compiler, one_thread({access(method, 1, {}, 0)})), "movl y(%rip), %r8d\n");
  EXPECT_EQ(set(Method::getAndAdd), "lock incl x(%rip)\n");
  // since LLVM 21 an update of the stack, which is as strong
  EXPECT_EQ(code_of(compiler, one_thread({{litmus::FenceStatement{litmus::Fence::full}, {}}})),
            std::stoi(backend_version()) >= 21 ? "lock orl $0, P0_slot0(%rip)\n" : "mfence\n");
}

TEST(Compiler, TheOptimizerMergesPlainReadsAndKeepsOpaqueOnes) {
  Compiler compiler(Level::O2);
  EXPECT_EQ(
      code_of(compiler, one_thread({access(Method::get, 0, {}, 0), access(Method::get, 0, {}, 1)})),
      "movl x(%rip), %r8d\nmovl %r8d, %r9d\n");
  EXPECT_EQ(code_of(compiler, one_thread({access(Method::getOpaque, 0, {}, 0),
                                          access(Method::getOpaque, 0, {}, 1)})),
            "movl x(%rip), %r8d\nmovl x(%rip), %r9d\n");
}

TEST(Compiler, RegistersThatTheOptimizerKnowsAreConstants) {
  Compiler compiler(Level::O2);
  const auto lowered = compiler.lower(
      one_thread({{litmus::Assign{litmus::RegisterId(1), Expression::number(7), false}, {}},
                  access(Method::get, 0, {}, 0)}));
  EXPECT_EQ(to_string(lowered.restoration),
            "0:r0 <- 0:r8; 0:r1 <- 7; 0:r2 <- 0; [x] <- [x]; [y] <- [y]");
}

TEST(Compiler, DivisionByAnythingButAConstantIsUnsupported) {
  Compiler compiler(Level::O2);
  const auto quotient =
      Expression::binary(litmus::Operator::divide, Expression::of(litmus::RegisterId(0)),
                         Expression::of(litmus::RegisterId(1)));
  EXPECT_THROW(compiler.lower(one_thread({access(Method::set, 0, {quotient})})), Unsupported);
}

class Levels : public ::testing::TestWithParam<Level> {};

TEST_P(Levels, RandomProgramsAgreeWithTheirSourceAndFewAreUnsupported) {
  Compiler compiler(GetParam());
  std::map<std::string, int> reasons;
  std::size_t lowered_programs = 0, checked_programs = 0;
  for (std::uint64_t batch = 0; batch < 5; ++batch) {
    std::vector<litmus::Program> programs;
    for (std::uint64_t i = 0; i < 50; ++i) {
      litmus::Random random(1000 * batch + i);
      testing::Shape shape;
      shape.registers = i % 5 == 0 ? 14 : 5;
      shape.statements = i % 5 == 0 ? 20 : 6;
      shape.depth = i % 3;
      programs.push_back(testing::random_program(random, shape));
    }
    const auto results = compiler.lower(programs);
    ASSERT_EQ(results.size(), programs.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      ++checked_programs;
      if (const auto* refused = std::get_if<NotLowered>(&results[i])) {
        ++reasons[refused->reason.substr(0, 40)];
        continue;
      }
      ++lowered_programs;
      const auto& lowered = std::get<Lowered>(results[i]);
      EXPECT_EQ(sequential_difference(programs[i], lowered, i), std::nullopt)
          << "batch " << batch << " program " << i << "\n"
          << assembly(lowered.program, *lowered.language) << to_string(lowered.restoration);
    }
  }
  EXPECT_GT(lowered_programs * 100, checked_programs * 90);
  for (const auto& [reason, count] : reasons) RecordProperty(reason, count);
  if (std::getenv("THINAIR_VERBOSE"))
    for (const auto& [reason, count] : reasons) fmt::print("{:4} {}\n", count, reason);
}

INSTANTIATE_TEST_SUITE_P(All, Levels, ::testing::Values(Level::O0, Level::O1, Level::O2, Level::O3),
                         [](const auto& level) { return std::string(name(level.param)); });

} // namespace
} // namespace thinair::lower
