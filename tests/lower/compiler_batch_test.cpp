// A thread's code is the same whatever else is compiled with it, and what fails harms nobody else.
#include "litmus/text/error.h"
#include "lower/backend_passes.h"
#include "lower/compiler.h"
#include "lower/ir.h"
#include "lower/ir_types.h"
#include "lower/lowered_test.h"
#include "lower/prepare.h"
#include "tests/lower/programs.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace thinair::lower {
namespace {

using litmus::Expression;
using litmus::Method;
using testing::access;
using testing::one_thread;

/// Locations few enough for every machine, registers enough for private cells.
std::vector<litmus::Program> random_programs(std::size_t count, std::uint64_t seed) {
  std::vector<litmus::Program> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    litmus::Random random(1000 * seed + i);
    testing::Shape shape;
    shape.threads = 1 + i % 3;
    shape.registers = i % 5 == 0 ? 14 : 5;
    shape.statements = i % 5 == 0 ? 18 : 5;
    shape.depth = i % 3;
    out.push_back(testing::random_program(random, shape));
  }
  return out;
}

/// Everything that a target hands on: code, initial state, and the way back.
std::string text_of(const std::variant<Lowered, NotLowered>& result) {
  if (const auto* refused = std::get_if<NotLowered>(&result)) return refused->reason;
  const auto& lowered = std::get<Lowered>(result);
  litmus::Test source;
  source.program = lowered.source;
  return litmus::print(lowered_test(source, lowered, "code")) + to_string(lowered.restoration);
}

std::vector<std::string> texts_of(Compiler& compiler,
                                  const std::vector<litmus::Program>& programs) {
  std::vector<std::string> out;
  for (const auto& result : compiler.lower(programs)) out.push_back(text_of(result));
  return out;
}

struct Row {
  Machine machine;
  Level level;
};

class Batches : public ::testing::TestWithParam<Row> {};

TEST_P(Batches, AProgramsCodeDoesNotDependOnItsBatch) {
  const auto programs = random_programs(test::draws(40), 7);
  std::vector<std::string> alone;
  for (const auto& program : programs) {
    Compiler compiler(GetParam().level, GetParam().machine);
    alone.push_back(texts_of(compiler, {program}).front());
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < programs.size(); ++i) order.push_back(i);
  litmus::Random random(11);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    Compiler compiler(GetParam().level, GetParam().machine);
    std::vector<litmus::Program> shuffled;
    for (const std::size_t i : order) shuffled.push_back(programs[i]);
    const std::size_t half = shuffled.size() / 2; // the second batch has neighbours and a past
    auto texts = texts_of(compiler, {shuffled.begin(), shuffled.begin() + half});
    std::ranges::move(texts_of(compiler, {shuffled.begin() + half, shuffled.end()}),
                      std::back_inserter(texts));
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(texts[i], alone[order[i]]);
  }
}

/// All threads of these programs, as one module, but for those that have no IR.
std::string module_of_threads(const std::vector<litmus::Program>& programs, Machine machine) {
  std::vector<ThreadIr> threads;
  for (const auto& program : programs)
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      try {
        threads.push_back(to_ir(program, t, machine));
      } catch (const Unsupported&) {
      }
    }
  std::vector<IrFunction> functions;
  for (const auto& thread : threads)
    functions.push_back({fmt::format("f{}", functions.size()), &thread.body,
                         global_names(thread.body, thread.globals.size())});
  return module_of(functions);
}

TEST_P(Batches, TheCodeIsThatOfAllPasses) {
  Backend backend(GetParam().level, GetParam().machine);
  for (std::uint64_t seed = 20; seed < 30; ++seed) {
    const auto ir = module_of_threads(random_programs(test::draws(50), seed), GetParam().machine);
    EXPECT_EQ(backend.compile(ir),
              compiled_by_all_passes(ir, GetParam().level, GetParam().machine));
  }
}

std::vector<litmus::Program> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(THINAIR_SOURCE_DIR) / "corpus"))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<litmus::Program> out;
  for (const auto& file : files) {
    const auto test = litmus::parse(litmus::read_file(file.string()));
    try {
      if (test.is_java()) out.push_back(prepared(test.java(), 2));
    } catch (const Unsupported&) {
    }
  }
  return out;
}

TEST_P(Batches, OfTheCorpusTheCodeIsThatOfAllPasses) {
  const auto programs = corpus();
  EXPECT_GT(programs.size(), 250U);
  const auto ir = module_of_threads(programs, GetParam().machine);
  Backend backend(GetParam().level, GetParam().machine);
  EXPECT_EQ(backend.compile(ir), compiled_by_all_passes(ir, GetParam().level, GetParam().machine));
}

INSTANTIATE_TEST_SUITE_P(
    All, Batches,
    ::testing::Values(Row{machine_of("x86"), Level::O0}, Row{machine_of("x86"), Level::O2},
                      Row{machine_of("aarch64"), Level::O2}, Row{machine_of("aarch64"), Level::O3},
                      Row{machine_of("riscv"), Level::O2}),
    [](const auto& row) {
      return fmt::format("{}{}", lower::info(row.param.machine).prefix, name(row.param.level));
    });

/// LLVM of this process behind the interface of outside tools, which counts what it is asked, and
/// refuses a module in which there is an update by `xor`.
class Tools {
 public:
  Compiler compiler() {
    return Compiler(Level::O2, machine_of("x86"),
                    IrTools{[this](const std::string& ir) {
                              ++modules;
                              if (ir.find("atomicrmw xor") != std::string::npos)
                                throw Unsupported("this opt: no xor");
                              return backend_.optimize(ir);
                            },
                            [this](const std::string& ir) { return backend_.compile(ir); }});
  }
  int modules = 0;

 private:
  Backend backend_{Level::O2};
};

TEST(Batch, WhatOneModuleFailsOnIsRefusedAndNothingElse) {
  std::vector<litmus::Program> programs;
  for (std::int32_t i = 0; i < 16; ++i)
    programs.push_back(one_thread({access(i == 5 ? Method::getAndBitwiseXor : Method::getAndAdd, 0,
                                          {Expression::number(i + 1)}, 0)}));
  Tools tools;
  Compiler outside = tools.compiler();
  const auto texts = texts_of(outside, programs);
  EXPECT_LE(tools.modules, 9); // four halvings
  Compiler inside(Level::O2);
  const auto expected = texts_of(inside, programs);
  for (std::size_t i = 0; i < programs.size(); ++i)
    EXPECT_EQ(texts[i], i == 5 ? "unsupported: this opt: no xor" : expected[i]) << i;
  EXPECT_THROW(outside.lower(programs[5]), Unsupported);
}

TEST(Batch, AThreadIsCompiledOnceForAllProgramsAndCompilersThatShare) {
  const auto reads = access(Method::getOpaque, 0, {}, 0),
             writes = access(Method::set, 1, {Expression::number(1)});
  Tools tools;
  CodeMemory memory;
  Compiler one = tools.compiler(), other = tools.compiler();
  one.share(memory);
  other.share(memory);
  one.lower(one_thread({reads, writes}));
  EXPECT_EQ(tools.modules, 1);
  other.lower(one_thread({reads, writes}));
  EXPECT_EQ(tools.modules, 1);
  other.lower(one_thread({writes, reads}));
  EXPECT_EQ(tools.modules, 2);
}

TEST(CodeMemory, ForgetsWhatWasLongNotAskedFor) {
  CodeMemory memory(4);
  const auto code = [](const char* name) { return ThreadCode{{name, {}}, {}}; };
  memory.keep("first", code("first"));
  for (int i = 0; i < 30; ++i) {
    memory.keep(fmt::format("b{}", i), code("other"));
    ASSERT_TRUE(memory.find("first")) << i;
    EXPECT_EQ(memory.find("first")->function.name, "first");
  }
  EXPECT_FALSE(memory.find("b0"));
  EXPECT_TRUE(memory.find("b29"));
}

} // namespace
} // namespace thinair::lower
