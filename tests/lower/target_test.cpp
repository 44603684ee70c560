// Targets by name, the steps before lowering, and lowered programs as tests and texts.
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "lower/lowered_test.h"
#include "lower/sequential.h"
#include "lower/target.h"
#include "machine/x86/program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace thinair::lower {
namespace {

litmus::Test java(const std::string& threads, const std::string& question = "exists (true)") {
  return litmus::parse({"t", "Java t\n{ X=x; Y=y; }\n" + threads + "\n" + question + "\n"});
}

std::string error_of(std::string_view name) {
  try {
    Target::named(name);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "found";
}

TEST(Targets, AreFoundByName) {
  std::size_t on_x86 = 0;
  for (const auto& info : targets()) {
    EXPECT_FALSE(info.title.empty());
    if (info.machine != machine_of("x86")) continue;
    EXPECT_EQ(Target::named(info.name).name(), info.name);
    ++on_x86;
  }
  EXPECT_EQ(on_x86, 10u);
  EXPECT_EQ(targets().size(), 34u); // and 16 for AArch64, 8 for RISC-V
}

TEST(Targets, AWrongNameIsAnErrorWithTheNearest) {
  EXPECT_EQ(error_of("x86:tabel2"),
            "error: no target is called \"x86:tabel2\"\n  hint: did you mean x86:table2?");
  EXPECT_EQ(error_of("x86:llvm-O4"),
            "error: no target is called \"x86:llvm-O4\"\n  hint: did you mean x86:llvm-O0?");
  EXPECT_EQ(error_of("mips"),
            "error: no target is called \"mips\"\n  hint: targets are x86:fenced, x86:hotspot-c1, "
            "x86:hotspot-c2, x86:jam21, x86:leading-fence, x86:table2, x86:llvm-O0, x86:llvm-O1, "
            "x86:llvm-O2, x86:llvm-O3, aarch64:cxx, aarch64:fenced, aarch64:graal-nolse, "
            "aarch64:graal, aarch64:hotspot-c1-28-nolse, "
            "aarch64:hotspot-c1-28, aarch64:hotspot-c1-nolse, aarch64:hotspot-c1-only, "
            "aarch64:hotspot-c1, aarch64:hotspot-c2-nolse, aarch64:hotspot-c2, "
            "aarch64:hotspot-int-nolse, aarch64:hotspot-int, aarch64:llvm-O1, aarch64:llvm-O2, "
            "aarch64:llvm-O3, riscv:cxx, riscv:fenced, riscv:hotspot-c1, riscv:hotspot-c2, "
            "riscv:zabha, riscv:llvm-O1, "
            "riscv:llvm-O2, riscv:llvm-O3");
  EXPECT_EQ(error_of("x86:llvm-O2@/nowhere"),
            "unsupported: x86:llvm-O2@/nowhere: a compiler outside of this process");
  EXPECT_EQ(error_of("./absent.scheme"),
            "./absent.scheme: error: cannot read: No such file or directory");
}

TEST(Targets, NestedAccessesAndLoopsAreLowered) {
  const auto test = java("Thread0 { X.set(Y.get() + 1); int r = 0; while (r < 3) { r = r + 1; } }");
  for (const char* name : {"x86:table2", "x86:llvm-O0", "x86:llvm-O2"}) {
    Target target = Target::named(name);
    const Lowered lowered = target.lower(test.java(), 5);
    EXPECT_EQ(lowered.restoration.rows.size(), 3u) << name; // r, x, y: nothing that was added
    EXPECT_EQ(sequential_difference(lowered.source, lowered, 3), std::nullopt) << name;
  }
}

TEST(Targets, WhatTheBoundOfALoopCutsOffIsKnownAtTheEnd) {
  const auto test = java("Thread0 { int r = 0; while (r < 3) { r = r + 1; } X.set(r); }");
  for (const char* name : {"x86:table2", "x86:llvm-O0", "x86:llvm-O2"}) {
    for (const std::uint32_t bound : {2U, 3U}) {
      const Lowered lowered = Target::named(name).lower(test.java(), bound);
      const auto out = run_target(lowered, litmus::ThreadId(0), {0, 0});
      const auto needed = lowered.restoration.needed();
      litmus::Behaviour values;
      for (const auto& observable : needed) {
        if (observable.thread) {
          values.push_back(static_cast<litmus::Value>(
              out.registers.at(lowered.program.register_of(observable).value())));
          continue;
        }
        for (std::size_t i = 0; i < out.memory.size(); ++i)
          if (lowered.program.cells()[i].name == observable.name)
            values.push_back(static_cast<litmus::Value>(out.memory[i]));
      }
      EXPECT_EQ(lowered.restoration.of(needed, values),
                bound == 3 ? Restoration::Of::whole_execution : Restoration::Of::cut_off)
          << name << bound;
    }
  }
}

TEST(Targets, ManyProgramsAtOnceAreAsOneByOne) {
  const std::vector<litmus::Program> programs{
      java("Thread0 { X.setVolatile(1); int r = Y.getVolatile(); }").java(),
      java("Thread0 { int r = Y.get() / X.get(); }").java(),
      java("Thread0 { int r = X.getAndAdd(2); }").java()};
  for (const char* name : {"x86:table2", "x86:llvm-O2"}) {
    Target target = Target::named(name);
    const auto all = target.lower(programs);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(std::get<Lowered>(all[0]).program, target.lower(programs[0]).program);
    EXPECT_TRUE(std::get<NotLowered>(all[1]).reason.starts_with("unsupported: \"/\""));
    EXPECT_EQ(std::get<Lowered>(all[2]).program, target.lower(programs[2]).program);
  }
}

TEST(LoweredTest, AsksTheSourcesQuestionOfTheTarget) {
  const auto test = java("Thread0 { X.set(1); int r = Y.get(); int s = 4; }",
                         "exists (0:r=0 /\\ x=1 /\\ 0:s=4 /\\ (0:r=2 \\/ 0:r=[x]))");
  const Lowered lowered = Target::named("x86:llvm-O2").lower(test.java());
  EXPECT_EQ(to_string(lowered_test(test, lowered, "t").clauses.at(0).proposition),
            "0:r8=0 /\\ [x]=1 /\\ true /\\ (0:r8=2 \\/ 0:r8=[x])");
}

TEST(LoweredTest, TheCodeStandsBesideItsSource) {
  const auto test = java("Thread0 { X.setVolatile(1); if (Y.get() == 1) { X.set(2); } }");
  const Lowered lowered = Target::named("x86:table2").lower(test.java());
  EXPECT_EQ(side_by_side(lowered), "Thread0\n"
                                   "  X.setVolatile(1);   | movl $1, x(%rip)\n"
                                   "                      | mfence\n"
                                   "  int tmp1 = Y.get(); | movl y(%rip), %eax\n"
                                   "  if (tmp1 == 1)      | cmpl $1, %eax\n"
                                   "                      | jne L0\n"
                                   "  X.set(2);           | movl $2, x(%rip)\n"
                                   "                      | L0:\n");
}

/// Every Java test of the corpus that lowering supports agrees with its code, thread by thread.
TEST(Corpus, AgreesWithItsCode) {
  const std::filesystem::path corpus = std::filesystem::path(THINAIR_SOURCE_DIR) / "corpus";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const char* name : {"x86:table2", "x86:hotspot-c2", "x86:llvm-O0", "x86:llvm-O2"}) {
    Target target = Target::named(name);
    std::size_t agreeing = 0, unsupported = 0;
    for (const auto& file : files) {
      const auto test = litmus::parse(litmus::read_file(file.string()));
      if (!test.is_java()) continue;
      try {
        const Lowered lowered = target.lower(test.java());
        const auto difference = sequential_difference(lowered.source, lowered, 1);
        EXPECT_EQ(difference, std::nullopt) << name << " " << file;
        ++agreeing;
      } catch (const Unsupported&) {
        ++unsupported;
      }
    }
    EXPECT_GT(agreeing, 270u) << name;
    EXPECT_LT(unsupported, 50u) << name;
  }
}

} // namespace
} // namespace thinair::lower
