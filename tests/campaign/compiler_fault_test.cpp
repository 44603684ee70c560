// Compilers that forget an order: the statements that are told are those between which it is
// missing, which was tried, and no more of them than need be.
#include "campaign/compiler_fault.h"
#include "gen/generator.h"
#include "litmus/steps.h"
#include "lower/target.h"
#include "oracle/cat/model.h"
#include "runners/hardware.h"
#include "tests/campaign/support.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::campaign {
namespace {

/// A compiler that is made of a scheme with one rule changed, which nobody can look up.
class Forgetful {
 public:
  Forgetful(const std::string& base, const std::string& operation, const std::string& code)
      : machine_(base.substr(0, base.find(':'))),
        target_(lower::Target::of_scheme(
            {"forgetful", fmt::format("scheme {}:forgetful like {}\n{} {{ {} }}\n", machine_, base,
                                      operation, code)})),
        processor_(lower::machine_named(base)),
        fault_(
            machine_,
            [this](const litmus::Program& program, lower::Target& target) {
              return verdict(program, target.lower(program));
            },
            [this](const litmus::Program& asked, const litmus::Program& compiled) {
              tried_.push_back({fences_in(compiled) - fences_in(asked), {}});
              return tried_.back().second = verdict(asked, target_.lower(compiled));
            }) {}

  Verdict verdict(const litmus::Program& program) {
    return verdict(program, target_.lower(program));
  }
  std::optional<Fault> fault(const litmus::Program& program) {
    tried_.clear();
    return fault_.of(program);
  }
  /// How many fences were added, and what came of it, in the order of the last fault's tries.
  const std::vector<std::pair<std::size_t, Verdict>>& tried() const { return tried_; }

 private:
  static std::size_t fences_in(const litmus::Program& program) {
    std::size_t out = 0;
    for (const auto& thread : program.threads)
      for (const auto& step : litmus::steps_of(thread))
        out += std::holds_alternative<litmus::Fence>(step.what) ? 1 : 0;
    return out;
  }

  Verdict verdict(const litmus::Program& asked, lower::Lowered code) const {
    const auto result = runners::check_soundness(
        as_test(asked, "asked"), model_, std::move(code), "forgetful",
        [&](const litmus::Test& test) { return processor_.run(test, {}); }, {});
    switch (result.verdict) {
    case runners::Soundness::sound: return Verdict::sound;
    case runners::Soundness::unsound: return Verdict::unsound;
    case runners::Soundness::vacuous: return Verdict::vacuous;
    case runners::Soundness::unknown: break;
    }
    return Verdict::unknown;
  }

  const cat::Plan model_ = cat::load_model("java", cat::Architecture::java);
  const std::string machine_;
  lower::Target target_;
  const runners::Processor processor_;
  std::vector<std::pair<std::size_t, Verdict>> tried_;
  const CompilerFault fault_;
};

struct Planted {
  const char* base;
  const char* operation;
  const char* code;
};

std::size_t fences_told(const Fault& fault) {
  std::size_t out = 0;
  for (auto at = fault.change.find("fullFence()"); at != std::string::npos;
       at = fault.change.find("fullFence()", at + 1))
    ++out;
  return out;
}

class ForgetfulCompilers : public ::testing::TestWithParam<Planted> {};

/// The sentence names the operation that was changed, as the one before the missing order or the
/// one behind it. With the fences that it asks for nothing is wrong, and with fewer something is.
TEST_P(ForgetfulCompilers, AreToldByWhatTheyDoNotOrder) {
  const auto& [base, operation, code] = GetParam();
  Forgetful compiler(base, operation, code);
  gen::Generator drawn(gen::load_profile("varhandle"), 5, 0);
  std::size_t wrong = 0, told = 0, named = 0;
  for (int i = 0, most = test::draws(1500); i < most && wrong < 25; ++i) {
    const auto program = drawn.next().program;
    if (compiler.verdict(program) != Verdict::unsound) continue;
    ++wrong;
    const auto fault = compiler.fault(program);
    ASSERT_TRUE(fault) << "a scheme is right, so that the model is not to blame";
    const auto& tried = compiler.tried();
    if (!fault->is_known()) {
      for (const auto& [fences, verdict] : tried) EXPECT_FALSE(is_right(verdict));
      continue;
    }
    ++told;
    EXPECT_TRUE(is_right(tried.back().second));
    EXPECT_EQ(tried.back().first, fences_told(*fault));
    for (std::size_t t = 0; t + 1 < tried.size(); ++t) {
      EXPECT_FALSE(is_right(tried[t].second));
      EXPECT_LE(tried[t].first, tried.back().first);
    }
    named += fault->sentence.find(operation) != std::string::npos ? 1 : 0;
    for (const auto& other : fault->otherwise) {
      EXPECT_EQ(fences_told(other), fences_told(*fault));
      EXPECT_TRUE(other.is_known() && other.kind != fault->kind);
    }
  }
  ASSERT_GT(wrong, 0U) << "nothing was forgotten";
  EXPECT_GE(told * 10, wrong * 8);
  EXPECT_GE(named * 10, told * 8);
}

INSTANTIATE_TEST_SUITE_P(
    Each, ForgetfulCompilers,
    ::testing::Values(Planted{"x86:table2", "setVolatile", "mov [x], arg"},
                      Planted{"aarch64:hotspot-c2", "getAcquire", "ldr dst, [x]"},
                      Planted{"aarch64:hotspot-c2", "setRelease", "str arg, [x]"},
                      Planted{"riscv:cxx", "getVolatile", "lw dst, [x]"},
                      Planted{"riscv:cxx", "setRelease", "sw arg, [x]"}),
    [](const auto& each) {
      std::string name = fmt::format("{}_{}", each.param.base, each.param.operation);
      std::ranges::replace_if(name, [](char c) { return c == ':' || c == '-'; }, '_');
      return name;
    });

TEST(CompilerFault, IsToldInStatements) {
  const auto passing = litmus::parse({"mp", "Java mp\n{ X=x; Y=y; }\n"
                                            "Thread0 { X.set(1); Y.setRelease(1); }\n"
                                            "Thread1 { int a = Y.getAcquire(); int b = X.get(); }\n"
                                            "exists (1:a=1 /\\ 1:b=0)\n"});
  const auto late =
      Forgetful("aarch64:hotspot-c2", "getAcquire", "ldr dst, [x]").fault(passing.java());
  ASSERT_TRUE(late);
  EXPECT_EQ(late->parts, std::vector<std::string>{"getAcquire"});
  EXPECT_EQ(late->sentence,
            "getAcquire: nothing keeps `int a = Y.getAcquire()` before `int b = X.get()`");
  EXPECT_EQ(late->change, "`fullFence()` behind `int a = Y.getAcquire()`");
  ASSERT_EQ(late->otherwise.size(), 1U);
  EXPECT_EQ(late->otherwise[0].parts, std::vector<std::string>{"get"});
  EXPECT_EQ(late->otherwise[0].sentence,
            "get: nothing keeps `int a = Y.getAcquire()` before `int b = X.get()`");
  EXPECT_EQ(late->otherwise[0].change, "`fullFence()` before `int b = X.get()`");
  const auto early =
      Forgetful("aarch64:hotspot-c2", "setRelease", "str arg, [x]").fault(passing.java());
  ASSERT_TRUE(early);
  EXPECT_EQ(early->sentence, "set: nothing keeps `X.set(1)` before `Y.setRelease(1)`");
}

/// A compiler that forgets full fences forgets those that are added, too: then nothing is known.
TEST(CompilerFault, IsNotKnownWhereNoFenceHelps) {
  const auto buffering =
      litmus::parse({"sb", "Java sb\n{ X=x; Y=y; }\n"
                           "Thread0 { X.set(1); VarHandle.fullFence(); int a = Y.get(); }\n"
                           "Thread1 { Y.set(1); VarHandle.fullFence(); int b = X.get(); }\n"
                           "exists (0:a=0 /\\ 1:b=0)\n"});
  Forgetful compiler("x86:table2", "fullFence", "nop");
  const auto fault = compiler.fault(buffering.java());
  ASSERT_TRUE(fault);
  EXPECT_FALSE(fault->is_known());
  EXPECT_EQ(fault->sentence, "the compiler computes something else than schemes for x86, which are "
                             "right: no 3 full fences between statements mend its code");
}

/// Where all schemes do it, too, nobody but the model is left.
TEST(CompilerFault, IsNoneWhereAllSchemesAreWrong) {
  const CompilerFault fault(
      "x86", [](const litmus::Program&, lower::Target&) { return Verdict::unsound; },
      [](const litmus::Program&, const litmus::Program&) { return Verdict::sound; });
  EXPECT_FALSE(fault.of(litmus::parse({"one", "Java one\n{ X=x; }\nThread0 { X.set(1); }\n"
                                              "exists (x=1)\n"})
                            .java()));
}

/// Nor is anybody blamed where nobody is known to be right.
TEST(CompilerFault, IsNotKnownWhereSchemesAreNot) {
  const CompilerFault fault(
      "x86", [](const litmus::Program&, lower::Target&) { return Verdict::unknown; },
      [](const litmus::Program&, const litmus::Program&) { return Verdict::sound; });
  const auto found = fault.of(
      litmus::parse({"one", "Java one\n{ X=x; }\nThread0 { X.set(1); }\nexists (x=1)\n"}).java());
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_known());
}

} // namespace
} // namespace thinair::campaign
