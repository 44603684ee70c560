// What evidence says of a justification, word by word.
#include "oracle/cat/model.h"
#include "oracle/explain/evidence.h"
#include "tests/causality/programs.h"

#include <gtest/gtest.h>

namespace thinair::causality {

using oracle::Options;
using oracle::Oracle;
using namespace explain;
namespace {

const cat::Plan& jls04() {
  static const auto model = cat::load_model("jls04", graph::Architecture::java);
  return model;
}

Evidence evidence_of(const litmus::Test& test, const litmus::Behaviour& behaviour) {
  Options options;
  options.all_registers = true;
  Oracle oracle(test, jls04(), options);
  EXPECT_EQ(oracle.allows(behaviour), Answer::allowed);
  return describe(test, oracle);
}

const litmus::Test& load_buffering() {
  static const auto test = litmus::parse({"LB", R"(Java LB
{ x=0; y=0; X=x; Y=y; }
Thread0 { int r0 = X.get(); Y.set(1); }
Thread1 { int r1 = Y.get(); X.set(1); }
exists (true)
)"});
  return test;
}

TEST(Evidence, TextOfLoadBuffering) {
  EXPECT_EQ(as_text(evidence_of(load_buffering(), {1, 1})),
            R"(0:r0=1; 1:r1=1: allowed by jls04, justified in 5 stages
1. an execution commits the initial writes
  + a: initial  W x=0
  + b: initial  W y=0
    c: Thread0  R x=0, from a
    d: Thread0  W y=1
    e: Thread1  R y=0, from b
    f: Thread1  W x=1
2. an execution commits f
  * a: initial  W x=0
  * b: initial  W y=0
    c: Thread0  R x=0, from a
    d: Thread0  W y=1
    e: Thread1  R y=0, from b
  + f: Thread1  W x=1
3. an execution commits d
  * a: initial  W x=0
  * b: initial  W y=0
    c: Thread0  R x=0, from a
  + d: Thread0  W y=1
    e: Thread1  R y=0, from b
  * f: Thread1  W x=1
4. an execution commits c, e
  * a: initial  W x=0
  * b: initial  W y=0
  + c: Thread0  R x=0, from a
  * d: Thread0  W y=1
  + e: Thread1  R y=0, from b
  * f: Thread1  W x=1
5. the execution itself has all of its actions committed
  * a: initial  W x=0
  * b: initial  W y=0
  * c: Thread0  R x=1, from f (a race)
  * d: Thread0  W y=1
  * e: Thread1  R y=1, from d (a race)
  * f: Thread1  W x=1
)");
}

TEST(Evidence, JsonOfAWellBehavedExecution) {
  const auto test = litmus::parse({"read", R"(Java read
{ x=0; X=x; }
Thread0 { int r0 = X.getVolatile(); }
exists (true)
)"});
  const std::string events =
      R"({"name":"a","label":"W x=0","thread":null,"location":"x","written":0},)"
      R"({"name":"b","label":"R x=0 volatile","thread":0,"byte":34,"location":"x","read":0,)"
      R"("from":"a","racy":false}],"so":[],"sw":[["a","b"]],"hb":[["a","b"]]})";
  EXPECT_EQ(as_json(evidence_of(test, {0})),
            R"({"rules":"jls04","identity":"index","behaviour":{"0:r0":0},"stages":[)"
            R"({"target":true,"commits":["a"],"committed":["a"],"events":[)" +
                events + R"(,{"target":true,"commits":["b"],"committed":["a","b"],"events":[)" +
                events + "]}");
}

TEST(Evidence, ActionsKeepTheirNames) {
  const auto evidence = evidence_of(load_buffering(), {1, 1});
  for (const auto& stage : evidence.stages)
    for (std::size_t e = 0; e < stage.events.size(); ++e)
      EXPECT_EQ(stage.events[e].name, evidence.stages.back().events[e].name);
  EXPECT_TRUE(evidence.stages.back().target);
}

TEST(Evidence, AWellBehavedExecutionJustifiesItself) {
  const auto evidence = evidence_of(load_buffering(), {0, 0});
  for (const auto& stage : evidence.stages) EXPECT_TRUE(stage.target);
}

} // namespace
} // namespace thinair::causality
