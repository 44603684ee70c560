// Loops that end where their bound does.
#include "oracle/cat/model.h"
#include "oracle/causality/oracle.h"
#include "tests/causality/programs.h"

#include <gtest/gtest.h>

namespace thinair::causality {
namespace {

/// Volatile accesses keep a writing loop from its bound, so that no is no; a plain one does not.
TEST(Loops, ABoundThatNobodyReachesLeavesNothingUnknown) {
  static const auto model = cat::load_model("jls04", graph::Architecture::java);
  const auto answer = [&](const std::string& write, const std::string& outcome) {
    auto test = java({"int n = 0; while (X.getVolatile() == 1) { X.setVolatile(0); n = n + 1; } "
                      "int r = Y.get();",
                      "Y.set(1); " + write});
    Options o;
    o.executions.loop_bound = 1;
    Oracle oracle(test, model, o);
    const auto asked =
        litmus::parse({"asked", litmus::print(test).substr(0, litmus::print(test).rfind("exists")) +
                                    "exists (" + outcome + ")\n"});
    const auto a = oracle.allows(asked.clauses.front().proposition);
    EXPECT_EQ(a == Answer::unknown, oracle.reason() == "loop bound reached (--unroll)");
    return a;
  };
  EXPECT_EQ(answer("X.setVolatile(1);", "0:n=1 /\\ 0:r=1"), Answer::yes);
  EXPECT_EQ(answer("X.setVolatile(1);", "0:n=1 /\\ 0:r=0"), Answer::no);
  EXPECT_EQ(answer("X.setVolatile(1);", "0:n=2"), Answer::no);
  EXPECT_EQ(answer("X.setVolatile(1); X.setVolatile(1);", "0:n=2"), Answer::unknown);
  EXPECT_EQ(answer("X.set(1);", "0:n=1"), Answer::yes);
  EXPECT_EQ(answer("X.set(1);", "0:n=2"), Answer::unknown);
}

} // namespace
} // namespace thinair::causality
