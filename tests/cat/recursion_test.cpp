// `let rec`: which groups it becomes, and when it is refused.
#include "tests/cat/support.h"

#include <gtest/gtest.h>

namespace thinair::cat {
namespace {

TEST(Recursion, ClosuresAreRecognised) {
  const Plan plan =
      load("let rec a = rf | a; a\nlet rec b = loc | b; loc\nlet rec c = c; rf | rf | c\n"
           "let rec d = d\nlet rec e = po\n"
           "empty a; b; c as x\nempty d as y\nempty e as z\n");
  EXPECT_EQ(listing(plan), "empty ((rf+;loc+);rf+) as x (prunes)\nempty 0 as y (prunes)\n"
                           "empty po as z (prunes)\n");
}

TEST(Recursion, AGroupIsConsecutive) {
  const Plan plan = load("let base = rf; po\n"
                         "let rec a = base | (b; rf) and b = po | (a & loc)\n"
                         "acyclic a; b; po as x\n");
  EXPECT_EQ(listing(plan), "rec x0 = ((rf;po) | (x1;rf))\nand x1 = (po | (loc & x0))\n"
                           "acyclic ((x0;x1);po) as x (prunes)\n");
  const Fixpoint& group = plan.fixpoints.at(0);
  EXPECT_EQ(group.variables, (std::vector<NodeId>{group.first - 2, group.first - 1}));
  for (NodeId id = 0; id < plan.nodes.size(); ++id) {
    const bool inside = id + 2 >= group.first && id < group.last;
    EXPECT_EQ(plan.nodes[id].fixpoint, inside ? 0 : -1) << id;
    if (inside) {
      EXPECT_EQ(plan.nodes[id].stage, Stage::rf);
      EXPECT_EQ(plan.nodes[id].in_rf, Polarity::increasing);
    }
  }
  for (const NodeId body : group.bodies) {
    EXPECT_GE(body, group.first);
    EXPECT_LT(body, group.last);
  }
}

TEST(Recursion, GroupsSplitIntoWhatReallyRecurs) {
  const Plan plan = load("let rec a = rf | (a & loc); a and b = po | (b & a); b\nempty b as x");
  EXPECT_EQ(plan.fixpoints.size(), 2U);
}

TEST(Recursion, NestedDefinitionsJoinTheOuterGroup) {
  const Plan plan = load("let rec a = rf | (let rec b = (a & loc) | (b & loc); b in b; po)\n"
                         "empty a as x");
  EXPECT_EQ(plan.fixpoints.size(), 1U);
  EXPECT_EQ(plan.fixpoints[0].variables.size(), 2U);
}

TEST(Recursion, SetsAndRelationsTogether) {
  const Plan plan = load("let rec s = IW | range ([s]; r) and r = [s]; po; r | rf\nempty s as x");
  EXPECT_EQ(listing(plan), "rec x0 = (IW | range(([x0];x1)))\nand x1 = (rf | (([x0];po);x1))\n"
                           "empty x0 as x (prunes)\n");
  EXPECT_EQ(plan.nodes[plan.fixpoints[0].variables[0]].type, Type::set);
}

TEST(Recursion, PolarityComesFromOutside) {
  const Plan plan = load("let rec a = ~rf | (a & loc); a\nempty a as x");
  EXPECT_EQ(plan.nodes[plan.axioms[0].node].in_rf, Polarity::decreasing);
  EXPECT_FALSE(plan.axioms[0].prunes);
}

TEST(Recursion, WhenIsAnAxiom) {
  EXPECT_EQ(listing(load("let rec a = rf | a; a when acyclic a as w\n")),
            "acyclic rf as w (prunes)\n");
}

TEST(Recursion, WhatIsNotMonotoneIsRefused) {
  EXPECT_EQ(
      error("let rec a = rf | (po \\ a)\nempty a"),
      "m.cat:1:13: error: this recursive definition goes through a difference of itself: it has "
      "no least fixpoint\n"
      "  let rec a = rf | (po \\ a)\n"
      "              ^^^^^^^^^^^^^");
  EXPECT_EQ(
      error("let rec a = rf | ~a\nempty a"),
      "m.cat:1:13: error: this recursive definition goes through a complement of itself: it has "
      "no least fixpoint\n"
      "  let rec a = rf | ~a\n"
      "              ^^^^^^^");
}

TEST(Recursion, FunctionsThatDoNotEndReachALimit) {
  EXPECT_EQ(error("let rec f x = f x\nempty f po"),
            "unknown: 1500 nested calls and definitions of the model reached");
  LoadOptions options;
  options.max_steps = 1000;
  EXPECT_EQ(error("let rec f x = f x | f x\nempty f po", Architecture::java, options),
            "unknown: 1000 steps of compiling the model reached");
}

} // namespace
} // namespace thinair::cat
