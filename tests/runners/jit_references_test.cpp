// References in a JIT's code: numbers for objects, notes of listings, and what installed compilers
// make of each operation on references.
#include "litmus/text/error.h"
#include "lower/jit/inside.h"
#include "lower/jit/lift.h"
#include "lower/jit/references.h"
#include "oracle/cat/model.h"
#include "runners/hardware.h"
#include "runners/jit/capture.h"
#include "runners/jit/compilers.h"
#include "runners/jit/emit.h"
#include "runners/jit/jdk.h"
#include "runners/soundness.h"
#include "tests/support/draws.h"
#include "tests/support/random_objects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace thinair::runners::jit {
namespace {

litmus::Test read(const std::string& text) { return litmus::parse({"test", text}); }

TEST(JitReferences, BecomeNumbers) {
  const auto program = read("Java T\n{ class A { int x; } A f = null; n = 0; 0:F=f; 0:N=n; }\n"
                            "Thread0 { A p = new A { F.set(p); A q = new A { }; }; "
                            "if (p != null) { A r = F.getAndSet(null); int same = r == p; } }\n")
                           .java();
  const std::array<litmus::Value, 2> objects{-16, 40};
  const auto numbers = lower::jit::with_numbers(program, objects);
  EXPECT_TRUE(numbers.classes.empty() && numbers.objects.empty());
  litmus::Test shown = read("Java T\n{ }\nThread0 { }\n");
  shown.program = numbers;
  EXPECT_EQ(litmus::print(shown),
            litmus::print(read("Java T\n{ f = 0; n = 0; 0:F=f; 0:N=n; }\n"
                               "Thread0 { int p = -16; F.set(p); int q = 40; "
                               "if (p != 0) { int r = F.getAndSet(0); int same = r == p; } }\n")));
}

TEST(JitReferences, AreNumbersWhereNobodyLooksInside) {
  const auto looks = [](const std::string& field, const std::string& body) {
    return lower::jit::looks_inside(read("Java T\n{ class A { " + field +
                                         " } A f = null; 0:F=f; }\n" + "Thread0 { " + body + " }\n")
                                        .java());
  };
  EXPECT_TRUE(looks("int x;", "A p = F.get(); int i = p.x;"));
  EXPECT_TRUE(looks("int x;", "A p = F.get(); int i = 0; F.set(p); i = 1 + p.x;"));
  EXPECT_TRUE(looks("int x;", "A p = new A { p.x = 1; };"));
  EXPECT_TRUE(looks("final int x;", "A p = F.get();"));
  EXPECT_FALSE(looks("int x;", "A p = F.get();"));
  EXPECT_THROW(lower::jit::with_numbers(read("Java T\n{ }\nThread0 { int[] p = null; }\n").java()),
               Unsupported);
}

TEST(JitReferences, AddressesStandInNotes) {
  lower::jit::Method getter;
  EXPECT_THROW(lower::jit::object_returned(getter), Unsupported);
  getter.notes[8] = " ; {oop(a 'java/lang/Object'{0x00000000f0091eb0})}";
  EXPECT_EQ(lower::jit::object_returned(getter), static_cast<std::int32_t>(0xf0091eb0));
  getter.notes[8] = " ; {oop(a 'java/lang/Object'{0x00000007f0091eb0})}";
  EXPECT_THROW(lower::jit::object_returned(getter), Unsupported) << "it is shifted in the code";
}

/// Those of this machine.
std::vector<Jdk> jdks() {
  std::vector<Jdk> out;
  if (!own_machine() || lower::backend_version().empty()) return out;
  for (const auto& jvm : jcstress::installed_jvms())
    if (jvm.c2) out.push_back(find_jdk(*own_machine(), jvm.name));
  return out;
}

/// Each method that references have, between accesses of other places.
std::vector<litmus::Program> of_each_method() {
  std::vector<litmus::Program> out;
  for (const auto& method : litmus::methods()) {
    using enum litmus::Action;
    const auto action = method.action;
    if (action == get_and_add || action == get_and_or || action == get_and_and ||
        action == get_and_xor)
      continue;
    const bool tells = action == compare_and_set || action == weak_compare_and_set;
    constexpr std::array<std::string_view, 3> arguments{"", "p", "null, p"};
    out.push_back(
        read(fmt::format("Java each\n{{ class A {{ int x; }} A f = null; n = 0; F=f; N=n; }}\n"
                         "Thread0 {{ A p = new A {{ }}; N.set(1); {}F.{}({}); }}\n"
                         "Thread1 {{ A q = F.getVolatile(); int i = 7; if (q != null) {{ "
                         "i = N.get(); }} F.setOpaque(q); }}\nexists (true)\n",
                         !litmus::reads(action) ? ""
                         : tells                ? "int a = "
                                                : "A a = ",
                         method.name, arguments.at(static_cast<std::size_t>(method.arguments))))
            .java());
  }
  return out;
}

/// Lifting runs every thread alone against its source.
TEST(InstalledJits, LiftEachMethodOfReferences) {
  const auto all = jdks();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  for (const auto& jdk : all) {
    SCOPED_TRACE(jdk.jvm.version);
    auto decoder = lower::jit::decoder(jdk.machine);
    for (const auto& captured : capture(of_each_method(), jdk, {})) {
      const auto code = lower::jit::lift(compilation_in(captured), decoder);
      EXPECT_TRUE(code.restoration.traps.empty()) << "both ways of every branch are compiled";
      EXPECT_EQ(code.restoration.objects.size(), 1U);
    }
  }
}

/// The same programs under `java`: what a reference is handed over by orders what an int's does.
TEST(InstalledJits, HandReferencesOverSoundly) {
  const auto all = jdks();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  const auto model = cat::load_model("java", cat::Architecture::java);
  const auto programs = of_each_method();
  for (const auto& jdk : all) {
    const Processor processor(jdk.machine, {});
    const Hardware hardware = [&](const litmus::Test& code) { return processor.run(code, {}); };
    auto decoder = lower::jit::decoder(jdk.machine);
    std::size_t shown = 0;
    const auto captured = capture(programs, jdk, {});
    for (std::size_t i = 0; i < programs.size(); ++i) {
      litmus::Test test = read("Java T\n{ }\nThread0 { }\nexists (true)\n");
      test.program = programs[i];
      const auto code = lower::jit::lift(compilation_in(captured[i]), decoder);
      const auto result = check_soundness(test, model, code, "jit", hardware);
      EXPECT_EQ(result.verdict, Soundness::sound) << litmus::print(test) << result.reason.text;
      for (const auto& behaviour : result.behaviours)
        shown += std::ranges::find(behaviour, 1) != behaviour.end() ? 1 : 0;
    }
    EXPECT_GT(shown, 0U) << "somebody has the object";
  }
}

bool has_fields(const litmus::Statement& statement) {
  const auto* access = std::get_if<litmus::Access>(&statement.node);
  return access != nullptr && access->field;
}

void leave_out_fields(litmus::Block& block) {
  std::erase_if(block, has_fields);
  for (auto& statement : block) {
    if (auto* made = std::get_if<litmus::New>(&statement.node)) leave_out_fields(made->body);
    if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
      leave_out_fields(branch->then_block);
      leave_out_fields(branch->else_block);
    }
  }
}

/// Random programs that hand two kinds of objects over, in all modes, and compare them.
std::vector<litmus::Program> drawn(std::uint64_t count) {
  std::vector<litmus::Program> out;
  for (std::uint64_t i = 0; out.size() < count; ++i) {
    litmus::Random random(351, i);
    auto program =
        litmus::RandomObjects(random, {.statements = 5, .objects = 3, .finals = false}).make();
    for (auto& thread : program.threads) leave_out_fields(thread.body);
    if (program.objects.size() > 1) out.push_back(std::move(program));
  }
  return out;
}

/// Whatever is drawn is lifted, computes what its source does, and stays within `java`.
TEST(InstalledJits, AreSoundForRandomReferences) {
  const auto all = jdks();
  if (all.empty()) GTEST_SKIP() << "no JDK, or no LLVM";
  const auto model = cat::load_model("java", cat::Architecture::java);
  const auto programs = drawn(test::draws(60));
  for (const auto& jdk : all) {
    SCOPED_TRACE(jdk.jvm.version);
    const Processor processor(jdk.machine, {});
    const Hardware hardware = [&](const litmus::Test& code) { return processor.run(code, {}); };
    auto decoder = lower::jit::decoder(jdk.machine);
    const auto captured = capture(programs, jdk, {});
    std::size_t several = 0;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      litmus::Test test = read("Java T\n{ }\nThread0 { }\nexists (true)\n");
      test.program = programs[i];
      const auto code = lower::jit::lift(compilation_in(captured[i]), decoder);
      const auto result = check_soundness(test, model, code, "jit", hardware);
      EXPECT_EQ(result.verdict, Soundness::sound) << litmus::print(test) << result.reason.text;
      several += result.behaviours.size() > 1 ? 1 : 0;
    }
    EXPECT_TRUE(several >= programs.size() / 5 || programs.size() < 40) << several;
  }
}

} // namespace
} // namespace thinair::runners::jit
