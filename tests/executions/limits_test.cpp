// What a limit does: the status is unknown, the option is named, nothing partial passes for whole.
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "oracle/executions/observe.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace thinair::executions {
namespace {

const auto java = graph::Architecture::java;

litmus::Test test_of(const std::string& body, const std::string& question) {
  return litmus::parse({"test", "Java t\n{\nx = 0; y = 0;\n0:X=x; 0:Y=y; 1:X=x; 1:Y=y;\n}\n" +
                                    body + "\n" + question + "\n"});
}

const std::string store_buffering = "Thread0 {\n X.setOpaque(1);\n int r = Y.getOpaque();\n}\n"
                                    "Thread1 {\n Y.setOpaque(1);\n int r = X.getOpaque();\n}\n";
const std::string question = "exists (0:r=0 /\\ 1:r=0)";

TEST(LimitsTest, CandidatesEndInUnknown) {
  const auto test = test_of(store_buffering, question);
  Options options;
  options.limits.candidates = 3;
  const auto result = behaviours(test, cat::load_model("sc", java), options);
  EXPECT_EQ(result.status, Result::Status::unknown);
  EXPECT_EQ(result.reason, Reason::reached(Limit::candidates));
  EXPECT_LT(result.behaviours.size(), 3U);
  options.limits.candidates = 2;
  EXPECT_EQ(exists(test, cat::load_model("sc", java), test.clauses[0].proposition, options),
            Answer::unknown);
}

TEST(LimitsTest, LoopsCutShortEndInUnknown) {
  const auto test =
      test_of("Thread0 {\n X.setOpaque(1);\n}\nThread1 {\n int r = 0;\n"
              " int n = 0;\n while (r == 0) {\n  r = X.getOpaque();\n  n = n + 1;\n }\n}",
              "exists (1:r=1)");
  const auto result = behaviours(test, cat::load_model("jam21", java));
  EXPECT_EQ(result.status, Result::Status::unknown);
  EXPECT_EQ(result.reason.limit, Limit::loop_bound);
  EXPECT_EQ(result.behaviours.size(), 1U);
  EXPECT_TRUE(result.cut_by_loop_bound);
}

TEST(LimitsTest, TooManyEventsAreAnError) {
  Options options;
  options.limits.events = 5;
  EXPECT_THROW(behaviours(test_of(store_buffering, question), cat::load_model("sc", java), options),
               LimitReached);
}

TEST(LimitsTest, MoreThan64EventsTakeTheWidePath) {
  std::string body = "Thread0 {\n";
  for (int i = 0; i < 70; ++i) body += " X.setOpaque(" + std::to_string(i) + ");\n";
  body += " X.setOpaque(1);\n}\nThread1 {\n int r = X.getOpaque();\n Y.set(r);\n}\n";
  const auto test = test_of(body, "locations [x; y;]\nexists (1:r=69)");
  for (const char* model : {"sc", "jam21"}) {
    const auto result = behaviours(test, cat::load_model(model, java));
    EXPECT_EQ(result.status, Result::Status::ok);
    EXPECT_EQ(result.behaviours.size(), 70U) << model;
  }
}

TEST(LimitsTest, AConditionOnALocationNeedsAModelThatOrdersMemory) {
  const auto test = test_of(store_buffering, "exists (x=1)");
  const auto model = cat::load_model("jls04", java, {.as_plain = true});
  EXPECT_THROW(behaviours(test, model), InputError);
  EXPECT_THROW(exists(test, model, test.clauses[0].proposition), InputError);
  const auto listed = test_of(store_buffering, "locations [x; 0:r;]\nexists (1:r=0)");
  const auto result = behaviours(listed, model);
  EXPECT_EQ(result.observables.size(), 2U); // [x] is left out
  EXPECT_EQ(result.behaviours.size(), 4U);
}

TEST(LimitsTest, ThinAirIsKeptAndCounted) {
  const auto test = test_of("Thread0 {\n int r = X.get();\n Y.set(r);\n}\n"
                            "Thread1 {\n int r = Y.get();\n X.set(r);\n}",
                            "exists (0:r=42)");
  const auto result = behaviours(test, cat::load_model("jls04", java, {.as_plain = true}));
  EXPECT_EQ(result.status, Result::Status::unknown); // any value at all
  EXPECT_GT(result.value_cycles, 0U);
  EXPECT_GE(result.behaviours.size(), 2U);
}

TEST(LimitsTest, MembershipIsExactWhereValuesAreTooManyToList) {
  const auto test = test_of("Thread0 {\n int r = X.get();\n Y.set(r);\n}\n"
                            "Thread1 {\n int r = Y.get();\n X.set(r | 1);\n}",
                            "locations [0:r; 1:r;]");
  const auto model = cat::load_model("jls04", java, {.as_plain = true});
  const auto listed = behaviours(test, model);
  EXPECT_EQ(listed.status, Result::Status::unknown);
  const std::vector<litmus::Behaviour> asked = {{0, 0},   {41, 41}, {1, 0},
                                                {42, 42}, {41, 43}, {41, 41}};
  const auto found = members(test, model, listed.observables, asked);
  const Answer yes = Answer::allowed, no = Answer::forbidden;
  EXPECT_EQ(found.answers, (std::vector<Answer>{yes, yes, yes, no, no, yes}));
  EXPECT_GT(found.values.by_substitution, 0U);
  EXPECT_EQ(found.values.by_z3, 0U);
  EXPECT_TRUE(members(test, model, listed.observables, {}).answers.empty());
}

TEST(LimitsTest, MembershipMindsTheFilterAndTheBudget) {
  const auto test = test_of(store_buffering, "filter (0:r=0)\nlocations [1:r;]\nexists (1:r=0)");
  const auto model = cat::load_model("jls04", java, {.as_plain = true});
  const std::vector<litmus::Observable> r = {{litmus::ThreadId(1), "r"}};
  EXPECT_EQ(members(test, model, r, {{0}, {1}, {2}}).answers,
            (std::vector<Answer>{Answer::allowed, Answer::allowed, Answer::forbidden}));
  const auto both = test_of(store_buffering, "filter (0:r=0)\nexists (1:r=0)");
  EXPECT_EQ(members(both, cat::load_model("sc", java), r, {{0}, {1}}).answers,
            (std::vector<Answer>{Answer::forbidden, Answer::allowed}));
  Options few;
  few.limits.candidates = 1;
  const auto cut = members(test, model, r, {{0}, {2}}, few);
  EXPECT_EQ(cut.answers[1], Answer::unknown);
  const auto& reason = cut.answers[1].because;
  EXPECT_EQ(reason.limit, Limit::candidates) << reason.text;
}

TEST(LimitsTest, FilterLimitsWhatIsLookedAt) {
  const auto test = test_of(store_buffering, "filter (0:r=0)\nexists (1:r=0)");
  const auto result = behaviours(test, cat::load_model("sc", java));
  EXPECT_EQ(result.behaviours.size(), 1U);
}

std::vector<std::uint32_t> in_order(const StateTable& table, const std::vector<Observed>& columns) {
  Watch watch;
  return table.in_text_order(columns, table.size(), watch);
}

TEST(StateTableTest, RowsComeInTheOrderOfTheirTexts) {
  StateTable table(2);
  const std::vector<Observed> columns(2);
  std::vector<std::string> texts;
  const std::vector<litmus::Observable> names = {{litmus::ThreadId(0), "a"}, {{}, "x"}};
  for (const litmus::Value a : {1, 10, 0, -1, 2, 100})
    for (const litmus::Value b : {10, 1, -2, 2}) {
      table.insert(std::vector<litmus::Value>{a, b});
      texts.push_back(litmus::to_string(names, {a, b}));
    }
  EXPECT_FALSE(table.insert(std::vector<litmus::Value>{10, 2}).second);
  std::ranges::sort(texts);
  std::vector<std::string> listed;
  for (const auto i : in_order(table, columns))
    listed.push_back(litmus::to_string(names, {table[i][0], table[i][1]}));
  EXPECT_EQ(listed, texts);
}

TEST(StateTableTest, UnsignedValuesGoByTheirTexts) {
  StateTable table(1);
  std::vector<Observed> columns(1);
  columns[0].type = litmus::Type{litmus::Width::q, false};
  for (const litmus::Value value : {-1, 2, 10}) table.insert(std::vector<litmus::Value>{value});
  std::vector<std::string> listed;
  for (const auto i : in_order(table, columns)) listed.push_back(columns[0].text(table[i][0]));
  EXPECT_EQ(listed, (std::vector<std::string>{"10", "18446744073709551615", "2"}));
}

/// More columns than a key of 64 bits holds.
TEST(StateTableTest, WideRowsComeInTheOrderOfTheirTexts) {
  constexpr std::size_t width = 40;
  StateTable table(width);
  const std::vector<Observed> columns(width);
  std::vector<litmus::Observable> names;
  for (std::size_t i = 0; i < width; ++i)
    names.push_back({litmus::ThreadId(0), fmt::format("r{:02}", i)});
  std::vector<std::string> texts;
  std::uint32_t random = 1;
  for (int i = 0; i < 500; ++i) {
    litmus::Behaviour row(width, 7);
    for (auto column = i % 2 == 0 ? std::size_t{0} : width - 3; column < width; ++column)
      row[column] = static_cast<litmus::Value>((random = random * 1664525 + 1013904223) >> 28);
    if (table.insert(row).second) texts.push_back(litmus::to_string(names, row));
  }
  std::ranges::sort(texts);
  std::vector<std::string> listed;
  for (const auto i : in_order(table, columns))
    listed.push_back(litmus::to_string(names, {table[i].begin(), table[i].end()}));
  EXPECT_EQ(listed, texts);
}

TEST(PredicateTest, DecidesEarlyOnWhatIsKnown) {
  using litmus::Proposition;
  using Kind = Proposition::Kind;
  const std::vector<litmus::Observable> names = {{litmus::ThreadId(0), "a"}, {{}, "x"}};
  const auto equal = [&](int i, litmus::Value v) {
    Proposition p;
    p.kind = Kind::equal;
    p.left = names[static_cast<std::size_t>(i)];
    p.constant = v;
    return p;
  };
  Proposition both;
  both.kind = Kind::all;
  both.parts = {equal(0, 1), equal(1, 2)};
  const Predicate p(both, names);
  const std::vector<litmus::Value> values = {0, 2};
  EXPECT_EQ(p.evaluate(values, std::vector<char>{0, 0}), Truth::open);
  EXPECT_EQ(p.evaluate(values, std::vector<char>{1, 0}), Truth::no);
  EXPECT_EQ(p.evaluate(values, std::vector<char>{0, 1}), Truth::open);
  Proposition neither;
  neither.kind = Kind::negation;
  neither.parts = {both};
  EXPECT_EQ(Predicate(neither, names).evaluate(values, std::vector<char>{1, 0}), Truth::yes);
  EXPECT_TRUE(Predicate(neither, names).holds(values));
}

} // namespace
} // namespace thinair::executions
