// What can be asked of a model, and what it is asked under.
#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/umm/model.h"

#include <gtest/gtest.h>

namespace thinair::oracle {
namespace {

using litmus::Behaviour;

litmus::Test test_of(const std::string& threads, const std::string& rest = "exists (true)\n") {
  return litmus::parse({"t", "Java T\n{ x=0; y=0; X=x; Y=y; }\n" + threads + rest});
}

cat::Plan model(const std::string& name) { return cat::load_model(name, cat::Architecture::java); }

cat::Plan written(const std::string& text) {
  return cat::load_model(text::Source{"m.cat", text}, cat::Architecture::java);
}

const std::string copies = "Thread0 { int r = X.get(); Y.set(r); }\n"
                           "Thread1 { int s = Y.get(); X.set(s); }\n"
                           "locations [0:r; 1:s;]\n";

TEST(Door, AnOutcomeIsAllowedForbiddenOrUnknown) {
  const auto test = test_of(copies);
  const auto jls04 = model("jls04");
  Oracle asked(test, jls04);
  EXPECT_EQ(asked.allows(Behaviour{0, 0}), Answer::allowed);
  EXPECT_EQ(asked.allows(Behaviour{7, 7}), Answer::forbidden);
  EXPECT_EQ(asked.allows({Behaviour{0, 0}, Behaviour{7, 7}}),
            (std::vector<Answer>{Answer::allowed, Answer::forbidden}));
  EXPECT_EQ(asked.behaviours().behaviours, (std::vector<Behaviour>{{0, 0}}));
  Options few;
  few.limits.candidates = 1;
  few.rules = "none";
  const auto unknown = Oracle(test, jls04, few).allows(Behaviour{7, 8});
  EXPECT_EQ(unknown, Answer::unknown);
  EXPECT_FALSE(unknown.because.empty());
}

/// By every engine: the reason is that of the limit, of one answer as of many.
TEST(Door, WhatIsUnknownSaysWhichLimit) {
  const auto test = test_of("Thread0 { X.set(1); X.set(2); int r = X.get(); }\n"
                            "Thread1 { X.set(3); int s = X.get(); }\nlocations [0:r; 1:s;]\n");
  Options none;
  none.limits.candidates = 0;
  const auto sc = model("sc"), jls04 = model("jls04");
  const auto table = *umm::find_model("sc");
  const Reason reason = Reason::reached(Limit::candidates);
  const auto expect_reason = [&](Oracle asked) {
    EXPECT_EQ(asked.allows(Behaviour{2, 3}).because, reason);
    for (const auto& answer : asked.allows({Behaviour{2, 3}, Behaviour{1, 1}}))
      EXPECT_EQ(answer.because, reason);
    const auto all = asked.behaviours();
    EXPECT_EQ(all.status, Result::Status::unknown);
    EXPECT_EQ(all.reason, reason);
  };
  expect_reason(Oracle(test, sc, none));
  expect_reason(Oracle(test, jls04, none));
  expect_reason(Oracle(test, table, none));
}

TEST(Door, RulesAreTheModelsUnlessOthersAreAskedFor) {
  const auto jls04 = model("jls04"), sc = model("sc");
  EXPECT_EQ(rules_for(jls04, {}).name, "jls04");
  EXPECT_EQ(rules_for(sc, {}).name, "none");
  EXPECT_EQ(rules_for(jls04, {.rules = "revised"}).name, "revised");
  EXPECT_EQ(rules_for(jls04, {.rules = "none"}).name, "none");
  auto fewer = rule_set_named("jls04");
  fewer.rules = fewer.rules.without(Rule::values);
  EXPECT_FALSE(rules_for(jls04, {.rules = "revised", .rule_set = fewer}).rules.has(Rule::values));
  EXPECT_TRUE(rules_for(sc, {.over_approximate = true}).justified);
  EXPECT_THROW(rules_for(sc, {.rules = "jls05"}), InputError);
  const auto strange = written("\"M\"\n(* causality: jls05 *)\nlet so = 0 let sw = 0 let hb = "
                               "po+\nacyclic hb as order\n");
  EXPECT_THROW(rules_for(strange, {}), InputError);
  EXPECT_THROW(compares_memory(strange), InputError);
}

TEST(Door, IdentityIsTheModelsUnlessAnotherIsAskedFor) {
  const auto by_index = written("\"M\"\nacyclic po as order\n");
  const auto freely = written("\"M\"\n(* identity: free *)\nacyclic po as order\n");
  EXPECT_EQ(identity_for(by_index, {}), Identity::index);
  EXPECT_EQ(identity_for(freely, {}), Identity::free);
  EXPECT_EQ(identity_for(freely, {.identity = Identity::index}), Identity::index);
  EXPECT_EQ(identity_for(by_index, {.identity = Identity::free}), Identity::free);
}

TEST(Door, MemoryIsComparedWhereTheModelSpeaksOfIt) {
  EXPECT_TRUE(compares_memory(model("sc")));
  EXPECT_TRUE(compares_memory(model("jam21")));
  EXPECT_FALSE(compares_memory(model("jls04")));
  EXPECT_FALSE(compares_memory(model("jls04"), {.rules = "none"})) << "it orders no writes";
  EXPECT_FALSE(compares_memory(model("sc"), {.rules = "jls04"})) << "rules do not speak of it";
}

TEST(Door, AModelThatAllowsNothingSaysNothing) {
  const auto test = test_of(copies);
  const auto mute = written("\"mute\"\nempty _ as nothing\n");
  const auto one = litmus::exactly({{litmus::ThreadId(0), "r"}}, {1});
  Oracle asked(test, mute);
  EXPECT_EQ(asked.allows(one), Answer::forbidden);
  EXPECT_EQ(asked.allows_anything(), Answer::vacuous);
  EXPECT_EQ(asked.verdict(one), Answer::vacuous);
  EXPECT_NE(asked.verdict(one).because.text.find("interleaving its threads gives some"),
            std::string::npos);
  const auto sc = model("sc");
  EXPECT_EQ(Oracle(test, sc).allows_anything(), Answer::allowed);
  EXPECT_EQ(Oracle(test, sc).verdict(one), Answer::forbidden);
  const auto endless = test_of("Thread0 { while (X.getVolatile() == 0) { } int r = 1; }\n"
                               "locations [0:r;]\n");
  EXPECT_EQ(Oracle(endless, sc).allows_anything(), Answer::forbidden) << "and rightly";
  EXPECT_EQ(Oracle(endless, sc).verdict(one), Answer::forbidden);
}

/// A table is asked as a model is; what it allows is what the axioms of the same model do.
TEST(Door, TablesAnswerAsModelsDo) {
  const auto test = test_of("Thread0 { X.set(1); int r = Y.get(); }\n"
                            "Thread1 { Y.set(1); int s = X.get(); }\nlocations [0:r; 1:s;]\n");
  const auto sc = model("sc");
  const auto table = *umm::find_model("sc");
  Oracle by_axioms(test, sc), by_table(test, table);
  const auto expected = by_axioms.behaviours().behaviours;
  EXPECT_EQ(expected.size(), 3U);
  EXPECT_EQ(by_table.behaviours().behaviours, expected);
  EXPECT_EQ(by_table.rules().name, "none");
  std::vector<Behaviour> all;
  for (const auto r : {0, 1})
    for (const auto s : {0, 1}) all.push_back({r, s});
  EXPECT_EQ(by_table.allows(all), by_axioms.allows(all));
}

TEST(Door, ExecutionsAreCountedOnRequest) {
  const auto test = test_of("Thread0 { X.set(1); }\nThread1 { X.set(2); int s = X.get(); }\n"
                            "locations [1:s;]\n");
  const auto sc = model("sc");
  const auto states = Oracle(test, sc).behaviours();
  const auto counted = Oracle(test, sc, {.count = true}).behaviours();
  EXPECT_EQ(counted.behaviours, states.behaviours);
  EXPECT_GT(counted.executions, states.behaviours.size());
  const auto jls04 = model("jls04");
  EXPECT_THROW(Oracle(test, jls04, {.count = true}), Bug);
}

TEST(Door, TheOverApproximationContainsWhatRulesAllow) {
  const auto test =
      litmus::parse(litmus::read_file(std::string(THINAIR_SOURCE_DIR) + "/corpus/ctc/CTC5.litmus"));
  const auto jls04 = model("jls04");
  const auto& outcome = test.clauses.front().proposition;
  EXPECT_EQ(Oracle(test, jls04).allows(outcome), Answer::forbidden);
  EXPECT_EQ(Oracle(test, jls04, {.over_approximate = true}).allows(outcome), Answer::allowed);
  EXPECT_EQ(Oracle(test, jls04, {.rules = "none", .over_approximate = true}).allows(outcome),
            Answer::allowed);
}

} // namespace
} // namespace thinair::oracle
