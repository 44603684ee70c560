// The slow path: what cannot be compiled, run on small executions, against what is known of them.
#include "oracle/cat/interpret.h"
#include "tests/cat/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace thinair::cat {
namespace {

/// An execution by hand: the values of base sets and relations.
struct Execution {
  std::uint32_t events = 0;
  std::map<std::string, RunSet> sets;
  std::map<std::string, RunRelation> relations;

  RunRelation& relation(const std::string& name) {
    auto& result = relations[name];
    result.resize(events);
    return result;
  }
};

RunSet set_of(std::initializer_list<std::uint32_t> events) {
  RunSet result;
  for (const auto e : events) result.insert(e);
  return result;
}

/// Inputs for an interpreted part whose operands are base sets and relations (or empty).
RunInput input_for(const Plan& plan, const Interpreted& part, Execution& x) {
  RunInput input;
  input.events = x.events;
  for (const NodeId operand : part.operands) {
    const Node& node = plan.nodes[operand];
    RunValue value;
    value.type = node.type;
    value.relation.resize(x.events);
    const std::string name = expression(plan, operand);
    if (node.type == Type::set)
      value.set = x.sets[name];
    else if (node.op != Op::empty)
      value.relation = x.relation(name);
    input.operands.push_back(value);
  }
  return input;
}

/// Three writes to x (0, 1, 2), two to y (3, 4), a fence (5).
Execution five_writes() {
  Execution x;
  x.events = 6;
  x.sets["W"] = set_of({0, 1, 2, 3, 4});
  x.sets["_"] = set_of({0, 1, 2, 3, 4, 5});
  auto& loc = x.relation("loc");
  for (std::uint32_t a = 0; a < 5; ++a)
    for (std::uint32_t b = 0; b < 5; ++b)
      if ((a < 3) == (b < 3)) loc[a].insert(b);
  return x;
}

std::vector<RunRelation> choices(std::string_view model, Execution& x) {
  LoadOptions options;
  options.native_orders = false;
  const Plan plan = load(model, Architecture::java, options);
  EXPECT_EQ(plan.choices.at(0).kind, Choice::Kind::interpreted);
  const Interpreted& part = plan.interpreted.at(plan.choices[0].interpreted);
  return interpret_choices(part.routine, input_for(plan, part, x));
}

RunValue value(std::string_view e, Execution& x, Type type) {
  const Plan plan = load("\nempty " + std::string(e) + " as e");
  const NodeId node = plan.axioms.at(0).node;
  EXPECT_EQ(plan.nodes[node].op, Op::interpreted) << e;
  const Interpreted& part = plan.interpreted.at(plan.nodes[node].a);
  return interpret(part.routine, input_for(plan, part, x), type);
}

TEST(Interpret, OrdersOfEachLocationInEveryWay) {
  Execution x = five_writes();
  const auto all = choices("include \"cross.cat\"\nwith co from generate_cos po", x);
  EXPECT_EQ(all.size(), 12U); // 3! * 2!
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  x.relation("po")[0].insert(1);
  x.relation("po")[3].insert(4);
  EXPECT_EQ(choices("include \"cross.cat\"\nwith co from generate_cos po", x).size(), 3U);
}

/// What the native choice means, by permuting (plan.h: linearisations_by_class).
std::set<std::vector<std::vector<std::uint32_t>>> by_permutation(const RunRelation& order) {
  std::set<std::vector<std::vector<std::uint32_t>>> result;
  RunRelation closed = order;
  for (std::uint32_t m = 0; m < 6; ++m)
    for (std::uint32_t a = 0; a < 6; ++a)
      if (closed[a].contains(m)) closed[a] = closed[a] | closed[m];
  std::vector<std::uint32_t> x{0, 1, 2};
  do {
    std::vector<std::uint32_t> y{3, 4};
    do {
      bool fits = true;
      std::vector<std::vector<std::uint32_t>> rows(6);
      for (const auto& permutation : {x, y})
        for (std::size_t i = 0; i < permutation.size(); ++i) {
          for (std::size_t j = 0; j <= i; ++j)
            fits &= !closed[permutation[i]].contains(permutation[j]);
          rows[permutation[i]].assign(permutation.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                      permutation.end());
          std::ranges::sort(rows[permutation[i]]);
        }
      if (fits) result.insert(rows);
    } while (std::ranges::next_permutation(y).found);
  } while (std::ranges::next_permutation(x).found);
  return result;
}

TEST(Interpret, CrossMeansWhatTheNativeChoiceMeans) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    Execution x = five_writes();
    auto& po = x.relation("po");
    for (int edge = 0; edge < 3; ++edge) po[random() % 6].insert(random() % 6);
    std::set<std::vector<std::vector<std::uint32_t>>> found;
    for (const auto& relation : choices("include \"cross.cat\"\nwith co from generate_cos po", x)) {
      std::vector<std::vector<std::uint32_t>> rows(6);
      for (std::uint32_t a = 0; a < 6; ++a)
        for (std::uint32_t b = 0; b < 6; ++b)
          if (relation[a].contains(b)) rows[a].push_back(b);
      found.insert(rows);
    }
    EXPECT_EQ(found, by_permutation(po)) << round;
  }
}

TEST(Interpret, LinearisationsCloseTheOrderOverAllEvents) {
  Execution x = five_writes();
  x.sets["W"] = set_of({0, 2});
  x.relation("po")[0].insert(5);
  x.relation("po")[5].insert(2);
  const std::string_view model =
      "let rec same s = match s with || {} -> {} || e ++ s -> e ++ same s end\n"
      "with o from same (linearisations(W, po))";
  EXPECT_EQ(choices(model, x).size(), 1U);
  x.relation("po")[5].insert(5); // a cycle outside the set says nothing
  EXPECT_EQ(choices(model, x).size(), 1U);
  x.relation("po")[2].insert(0); // one through the set leaves no order
  EXPECT_EQ(choices(model, x).size(), 0U);
}

TEST(Interpret, SetsOfEventsAndPairs) {
  Execution x = five_writes();
  auto& rf = x.relation("rf");
  rf[0].insert(4);
  rf[3].insert(2);
  x.relation("po")[0].insert(1);
  EXPECT_EQ(value("(map (fun e -> e) W)", x, Type::set).set, x.sets["W"]);
  EXPECT_EQ(value("(map (fun p -> p) rf)", x, Type::relation).relation, rf);
  const std::string first = "(match W with || {} -> 0 || e ++ rest -> ({e} * rest) & loc end)";
  RunRelation expected(6);
  expected[0] = set_of({1, 2});
  EXPECT_EQ(value(first, x, Type::relation).relation, expected);
  const std::string reachable = "(let rec go s = match s with || {} -> {} || e ++ rest -> "
                                "range ([e]; rf) | go rest end in go W)";
  EXPECT_EQ(value(reachable, x, Type::set).set, set_of({2, 4}));
}

TEST(Interpret, OperatorsOfRoutines) {
  Execution x = five_writes();
  auto& rf = x.relation("rf");
  rf[0].insert(1);
  rf[1].insert(2);
  for (std::uint32_t e = 0; e < 6; ++e) x.relation("id")[e].insert(e);
  // `e` and `rest` make each expression one that only a run can know
  const auto relation = [&](const std::string& body) {
    return value("(match W with || {} -> 0 || e ++ rest -> let r = [e]; rf | [rest]; rf in " +
                     body + " end)",
                 x, Type::relation)
        .relation;
  };
  RunRelation plus(6), star(6), inverse(6), square(6);
  plus[0] = set_of({1, 2});
  plus[1] = set_of({2});
  star = plus;
  for (std::uint32_t e = 0; e < 6; ++e) star[e].insert(e);
  inverse[1] = set_of({0});
  inverse[2] = set_of({1});
  square[0] = set_of({2});
  EXPECT_EQ(relation("r"), rf);
  EXPECT_EQ(relation("r+"), plus);
  EXPECT_EQ(relation("r*"), star);
  EXPECT_EQ(relation("r^-1"), inverse);
  EXPECT_EQ(relation("r; r"), square);
  EXPECT_EQ(relation("r+ \\ r"), square);
  EXPECT_EQ(relation("r+ & r; r"), square);
  EXPECT_EQ(relation("~(~r)"), rf);
  EXPECT_EQ(relation("[domain r]; [range r]")[1], set_of({1}));
  EXPECT_EQ(relation("r? \\ id"), rf);
}

TEST(Interpret, ErrorsSayWhatWasFound) {
  Execution x = five_writes();
  try {
    value("(match W with || {} -> 0 || e ++ rest -> rest; po end)", x, Type::relation);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "error: in a part of the model that each execution evaluates: expected a "
                 "relation, found a set");
  }
}

TEST(Interpret, RunawayRecursionReachesALimit) {
  Execution x = five_writes();
  try {
    value("(let rec go s = match s with || {} -> {} || e ++ rest -> go s end in go W)", x,
          Type::set);
    FAIL();
  } catch (const LimitReached& e) {
    EXPECT_STREQ(e.what(), "unknown: 2000000 steps of the model in one execution reached");
  }
  try {
    value("(let rec go s = match s with || {} -> {} || e ++ rest -> e ++ go s end in go W)", x,
          Type::set);
    FAIL();
  } catch (const LimitReached& e) {
    EXPECT_STREQ(e.what(), "unknown: 1500 nested calls of the model in one execution reached");
  }
}

} // namespace
} // namespace thinair::cat
