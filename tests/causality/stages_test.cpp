// Behaviours that plain interleaving gives, and that were forbidden while an update was one action
// and a stage had to come to an end. The properties are in sequential_property_test.cpp and
// letter_test.cpp; here is a small program for each cause.
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/causality/check.h"
#include "tests/causality/programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
namespace {

struct Row {
  const char* name;
  std::vector<std::string> threads;
  const char* outcome;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

litmus::Test asked(const Row& row) {
  std::string text = "Java T\n{ x=0; y=0; X=x; Y=y; monitor m; monitor n; }\n";
  for (std::size_t t = 0; t < row.threads.size(); ++t)
    text += fmt::format("Thread{} {{ {} }}\n", t, row.threads[t]);
  return litmus::parse({"test", text + fmt::format("exists ({})\n", row.outcome)});
}

class Stages : public testing::TestWithParam<Row> {};

TEST_P(Stages, AllowWhatInterleavingGives) {
  static const auto model = cat::load_model("jls04", graph::Architecture::java, {.as_plain = true});
  const auto test = asked(GetParam());
  for (const auto* rules : {"jls04", "revised"})
    for (const auto identity : {Identity::index, Identity::free}) {
      Options options;
      options.rules = rules;
      options.switches.identity = identity;
      Oracle oracle(test, model, options);
      ASSERT_EQ(oracle.allows(test.clauses.front().proposition), Answer::allowed) << rules;
      const auto problem =
          violation(oracle.graphs(), oracle.evidence(), oracle.rules().rules, options.switches);
      EXPECT_FALSE(problem.has_value()) << rules << ": " << *problem;
    }
}

const Row updates[] = {
    {"UpdateOfARacyWrite", {"X.set(1);", "int r = X.getAndAdd(1);"}, "1:r=1"},
    {"CompareAndSetSucceeds", {"X.set(1);", "int r = X.compareAndSet(1, 2);"}, "1:r=1"},
    {"CompareAndSetFails", {"X.set(1);", "int r = X.compareAndSet(0, 2);"}, "1:r=0"},
    {"CompareAndExchangeFails",
     {"X.set(1);", "int r = X.compareAndExchangeRelease(0, 0);"},
     "1:r=1"},
    {"TwoUpdates",
     {"X.set(1);", "int r = X.getAndAdd(1); int s = X.getAndAdd(1);"},
     "1:r=1 /\\ 1:s=2"},
    {"UpdateOfAnUpdate",
     {"int r = X.getAndAddAcquire(1);", "int r = X.getAndAddRelease(1);"},
     "0:r=0 /\\ 1:r=1"},
};
INSTANTIATE_TEST_SUITE_P(Updates, Stages, testing::ValuesIn(updates),
                         [](const auto& row) { return row.param.name; });

const Row stops[] = {
    {"ALoopWaitsForARacyWrite",
     {"X.set(1); Y.set(1);", "while (Y.get() == 0) { } int r = X.get();"},
     "1:r=1"},
    {"ADivisionByWhatIsReadInARace", {"X.set(2);", "int r = X.get(); int s = 4 / r;"}, "1:r=2"},
    {"ARemainderWithinAnExpression",
     {"X.set(2);", "int r = Y.get() + 4 % X.get() + Y.getVolatile();"},
     "1:r=0"},
    {"AStartThatDependsOnARead",
     {"X.set(1);", "int r = X.get(); if (r == 1) { start(Thread2); } join(Thread2);", "Y.set(1);"},
     "1:r=1"},
    {"AMonitorThatIsNotLeft",
     {"X.set(1); lock(m); unlock(m);", "int r = X.get(); lock(m); if (r == 1) { unlock(m); }"},
     "1:r=1"},
    {"AMonitorHeldByWhoWaits",
     {"lock(m); start(Thread1); while (X.get() == 0) { } unlock(m);",
      "X.set(1); lock(m); unlock(m);"},
     "true"},
    {"AMonitorThatIsNotHeld",
     {"X.set(1);", "int r = X.get(); if (r == 1) { lock(m); } unlock(m);"},
     "1:r=1"},
    {"AThreadStartedTwice",
     {"X.set(1);", "int r = X.get(); if (r == 0) { start(Thread2); } start(Thread2);", "Y.set(1);"},
     "1:r=1"},
    {"AThreadStartedInEachRound",
     {"X.set(1);", "int r = 0; while (r == 0) { r = X.get(); start(Thread2); }", "Y.set(1);"},
     "1:r=1"},
    {"AThreadStartedByTwo",
     {"X.set(1); start(Thread2);", "int r = X.get(); if (r == 0) { start(Thread2); }", "Y.set(1);"},
     "1:r=1"},
    {"AJoinOfWhoWaits",
     {"start(Thread1); X.set(1); join(Thread1);", "while (X.get() == 0) { }"},
     "true"},
};
INSTANTIATE_TEST_SUITE_P(Stops, Stages, testing::ValuesIn(stops),
                         [](const auto& row) { return row.param.name; });

} // namespace
} // namespace thinair::causality
