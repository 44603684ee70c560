// What the machine does with branches, locks, volatiles, final fields and limits.
#include "litmus/text/error.h"
#include "tests/umm/support.h"

#include <gtest/gtest.h>

namespace thinair::umm {
namespace {

constexpr auto store_buffering = R"(Java SB
{ x=0; y=0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 { X.set(1); int r1 = Y.get(); }
Thread1 { Y.set(1); int r2 = X.get(); }
exists (0:r1=0 /\ 1:r2=0)
)";

TEST(Machine, StoreBufferingByModel) {
  const auto test = parse(store_buffering);
  const std::string strong = "0:r1=0; 1:r2=1 | 0:r1=1; 1:r2=0 | 0:r1=1; 1:r2=1";
  EXPECT_EQ(states(test, "sc"), strong);
  for (const auto* weak : {"coherence", "pram", "jmm-mp"})
    EXPECT_EQ(states(test, weak), "0:r1=0; 1:r2=0 | " + strong) << weak;
}

TEST(Machine, AWriteBehindABranchWaitsForIt) {
  const auto test = parse(R"(Java LBctrl
{ x=0; y=0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 { int r1 = X.get(); if (r1 == 1) { Y.set(1); } }
Thread1 { int r2 = Y.get(); if (r2 == 1) { X.set(1); } }
exists (0:r1=1 /\ 1:r2=1)
)");
  for (const auto* model : {"sc", "coherence", "pram", "jmm-mp"})
    EXPECT_EQ(states(test, model), "0:r1=0; 1:r2=0") << model;
}

TEST(Machine, AValueIsComputedFromWhatWasRead) {
  const auto test = parse(R"(Java LBdata
{ x=0; y=0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 { int r1 = X.get(); Y.set(r1 + 1); }
Thread1 { int r2 = Y.get(); X.set(1); }
exists (0:r1=1 /\ 1:r2=2)
)");
  EXPECT_EQ(states(test, "sc"), "0:r1=0; 1:r2=0 | 0:r1=0; 1:r2=1 | 0:r1=1; 1:r2=0");
  EXPECT_EQ(states(test, "jmm-mp"),
            "0:r1=0; 1:r2=0 | 0:r1=0; 1:r2=1 | 0:r1=1; 1:r2=0 | 0:r1=1; 1:r2=2");
}

TEST(Machine, LocksOrderWhatTheyGuard) {
  const auto test = parse(R"(Java MPlock
{ x=0; y=0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 { lock(m); X.set(1); Y.set(1); unlock(m); }
Thread1 { lock(m); int r1 = Y.get(); unlock(m); int r2 = X.get(); }
exists (1:r1=1 /\ 1:r2=0)
)");
  EXPECT_EQ(states(test, "jmm-mp"), "1:r1=0; 1:r2=0 | 1:r1=0; 1:r2=1 | 1:r1=1; 1:r2=1");
}

TEST(Machine, ALockThatNobodyElseTakesOrdersNothing) {
  const auto racy = R"(Java LBlock
{ x=0; y=0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 { lock(m); int r1 = X.get(); unlock(m); lock(m); Y.set(1); unlock(m); }
Thread1 { lock(K); int r2 = Y.get(); unlock(K); lock(K); X.set(1); unlock(K); }
exists (0:r1=1 /\ 1:r2=1)
)";
  std::string own = racy, shared = racy;
  for (auto at = own.find('K'); at != std::string::npos; at = own.find('K')) own[at] = 'n';
  for (auto at = shared.find('K'); at != std::string::npos; at = shared.find('K')) shared[at] = 'm';
  EXPECT_NE(states(parse(own), "jmm-mp").find("0:r1=1; 1:r2=1"), std::string::npos);
  EXPECT_EQ(states(parse(shared), "jmm-mp").find("0:r1=1; 1:r2=1"), std::string::npos);
}

TEST(Machine, NestedLocksAreHeldUntilTheLastIsLeft) {
  const auto test = parse(R"(Java Nested
{ x=0; 0:X=x; 1:X=x; }
Thread0 { lock(m); lock(m); X.set(1); unlock(m); X.set(2); unlock(m); }
Thread1 { lock(m); int r = X.get(); unlock(m); }
exists (1:r=1)
)");
  EXPECT_EQ(states(test, "jmm-mp"), "1:r=0 | 1:r=2");
}

TEST(Machine, NothingPassesABarrier) {
  const auto with = [](std::string_view fence) {
    return parse("Java LBfence\n{ x=0; y=0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
                 "Thread0 { int r1 = X.get(); " +
                 std::string(fence) +
                 " Y.set(1); }\n"
                 "Thread1 { int r2 = Y.get(); " +
                 std::string(fence) +
                 " X.set(1); }\n"
                 "exists (0:r1=1 /\\ 1:r2=1)\n");
  };
  EXPECT_NE(states(with(""), "jmm-mp").find("0:r1=1; 1:r2=1"), std::string::npos);
  EXPECT_EQ(states(with("VarHandle.fullFence();"), "jmm-mp").find("0:r1=1; 1:r2=1"),
            std::string::npos);
}

std::string unsupported(std::string_view statement, std::string_view model) {
  try {
    states(parse("Java T\n{ x=0; 0:X=x; }\nThread0 { int r = 0; " + std::string(statement) +
                 " }\nexists (0:r=1)\n"),
           model);
    return "";
  } catch (const Unsupported& e) {
    return e.what();
  }
}

TEST(Machine, SaysWhatATableLacks) {
  EXPECT_EQ(unsupported("r = X.getAndAdd(1);", "sc"),
            "unsupported: read-modify-writes in UMM's models");
  EXPECT_EQ(unsupported("r = X.getOpaque();", "jmm-mp"),
            "unsupported: opaque accesses under JMM_MP");
  EXPECT_EQ(unsupported("VarHandle.fullFence();", "sc"),
            "unsupported: fullFence under Sequential consistency");
  EXPECT_EQ(unsupported("lock(m); unlock(m);", "pram"), "unsupported: monitors under PRAM");
  EXPECT_EQ(unsupported("r = X.getOpaque();", "sc"), "");
}

TEST(Machine, RefusesQuestionsAboutMemory) {
  const auto test = parse("Java T\n{ x=0; 0:X=x; }\nThread0 { X.set(1); }\nexists ([x]=1)\n");
  EXPECT_THROW(states(test, "sc"), InputError);
}

TEST(Machine, ALimitIsUnknown) {
  executions::Options options;
  options.limits.candidates = 5;
  const auto model = find_model("sc").value();
  const auto result = behaviours(parse(store_buffering), model, options);
  EXPECT_EQ(result.status, oracle::Result::Status::unknown);
  EXPECT_EQ(result.reason, Reason::reached(Limit::candidates));
  const auto test = parse(store_buffering);
  EXPECT_EQ(exists(test, model, test.clauses.at(0).proposition, options), oracle::Answer::unknown);
}

TEST(Machine, ACutLoopIsUnknown) {
  const auto test = parse(R"(Java Loop
{ x=0; 0:X=x; 1:X=x; }
Thread0 { int r = 0; int n = 0; while [2] (r == 0) { r = X.get(); n = n + 1; } }
Thread1 { X.set(1); }
exists (0:r=1)
)");
  const auto result = behaviours(test, find_model("sc").value());
  EXPECT_EQ(result.status, oracle::Result::Status::unknown);
  EXPECT_EQ(states(test, "sc"), "0:r=1");
}

} // namespace
} // namespace thinair::umm
