// The search against its slow twin, on random small programs under every model: the same states,
// the same numbers of executions, at both depths.
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "oracle/executions/enumerate.h"
#include "tests/executions/models.h"
#include "tests/executions/naive.h"
#include "tests/executions/small_programs.h"
#include "tests/support/random_objects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace thinair::executions {
namespace {

using graph::Architecture;

struct Named {
  std::string name;
  cat::Plan plan;
};

std::set<litmus::Behaviour> acyclic_states(const litmus::Test& test, const cat::Plan& plan) {
  std::set<litmus::Behaviour> out;
  Options all;
  all.depth = Depth::executions;
  witnesses(test, plan, all, [&](auto state, const Witness& witness) {
    if (!witness.cyclic()) out.insert(litmus::Behaviour(state.begin(), state.end()));
  });
  return out;
}

void compare(const litmus::Test& test, const cat::Plan& plan, std::size_t& allowed) {
  const auto slow = naive::behaviours(test, plan);
  const auto fast = behaviours(test, plan);
  Options all;
  all.depth = Depth::executions;
  const auto counted = behaviours(test, plan, all);
  EXPECT_EQ(counted.behaviours, fast.behaviours);
  allowed += slow.executions;
  if (slow.cyclic) {
    EXPECT_EQ(acyclic_states(test, plan), slow.states);
    return;
  }
  EXPECT_EQ(fast.value_cycles, 0U);
  EXPECT_EQ(std::set(fast.behaviours.begin(), fast.behaviours.end()), slow.states);
  EXPECT_EQ(counted.executions, slow.executions);
}

/// Each final state is one that `exists` finds, and no other is.
void compare_exists(const litmus::Test& test, const cat::Plan& plan) {
  const auto fast = behaviours(test, plan);
  if (fast.behaviours.empty() || fast.value_cycles > 0 || fast.observables.empty()) return;
  litmus::Proposition all;
  all.kind = litmus::Proposition::Kind::all;
  const auto& state = fast.behaviours[fast.behaviours.size() / 2];
  for (std::size_t i = 0; i < state.size(); ++i)
    all.parts.push_back(
        {litmus::Proposition::Kind::equal, fast.observables[i], {}, state[i], {}, {}});
  EXPECT_EQ(exists(test, plan, all), Answer::allowed);
  all.parts[0].constant += 1;
  auto other = state;
  other[0] += 1;
  const bool there = std::ranges::find(fast.behaviours, other) != fast.behaviours.end();
  EXPECT_EQ(exists(test, plan, all), there ? Answer::allowed : Answer::forbidden);
}

/// One search for several states says of each what the enumeration says; near misses included.
void compare_members(const litmus::Test& test, const cat::Plan& plan) {
  const auto all = behaviours(test, plan);
  if (all.status != Result::Status::ok || all.observables.empty()) return;
  auto asked = all.behaviours;
  for (std::size_t i = 0; i < all.behaviours.size(); ++i) {
    auto other = all.behaviours[i];
    other[i % other.size()] += 1;
    asked.push_back(std::move(other));
  }
  if (asked.empty()) asked.emplace_back(all.observables.size());
  const auto found = members(test, plan, all.observables, asked);
  ASSERT_EQ(found.answers.size(), asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const bool there = std::ranges::find(all.behaviours, asked[i]) != all.behaviours.end();
    EXPECT_EQ(found.answers[i], there ? Answer::allowed : Answer::forbidden) << i;
  }
}

template <class Make>
void run(const std::vector<Named>& models, int programs, Make&& make) {
  for (const auto& model : models) {
    std::size_t allowed = 0;
    for (int seed = 0; seed < programs; ++seed) {
      const litmus::Test test = make(static_cast<std::uint64_t>(seed));
      SCOPED_TRACE(model.name + ", seed " + std::to_string(seed) + "\n" + litmus::print(test));
      compare(test, model.plan, allowed);
      compare_exists(test, model.plan);
      compare_members(test, model.plan);
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(allowed, static_cast<std::size_t>(programs) / 8) << model.name;
  }
}

std::vector<Named> loaded(std::vector<std::string> names, Architecture architecture) {
  std::vector<Named> out;
  for (auto& name : names)
    out.push_back({name, cat::load_model(name, architecture, {.as_plain = true})});
  return out;
}

/// Reads-from, and the relations that are to be told apart, of every execution visited.
std::multiset<std::vector<std::uint64_t>> visited(const litmus::Test& test, const cat::Plan& plan,
                                                  std::span<const std::size_t> told,
                                                  const Distinct& distinct) {
  auto paths = graph::paths_of(test);
  std::multiset<std::vector<std::uint64_t>> all;
  enumerate(
      paths, plan,
      [&](const Witness& witness) {
        std::vector<std::uint64_t> key;
        const auto& skeleton = witness.skeleton();
        for (std::size_t t = 0; t < skeleton.threads(); ++t)
          key.push_back(
              static_cast<std::uint64_t>(&skeleton.path(t) - paths.threads[t].paths.data()));
        for (const auto read : skeleton.reads()) key.push_back(witness.source(read));
        for (const auto index : told)
          for (EventId e = 0; e < skeleton.size(); ++e)
            key.push_back(witness.shown(index, e).words[0]);
        all.insert(std::move(key));
        return true;
      },
      {}, distinct);
  return all;
}

TEST(TwinTest, DistinctOrdersAreThoseOfAllOrders) {
  const auto plan = cat::load_model("jls04", Architecture::java, {.as_plain = true});
  std::vector<std::size_t> told;
  for (std::size_t i = 0; i < plan.shows.size(); ++i)
    if (plan.shows[i].name != "so") told.push_back(i);
  ASSERT_EQ(told.size(), 2U);
  std::size_t few = 0, many = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto test = SmallJava(seed, 4 + seed % 4).make();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + litmus::print(test));
    const auto all = visited(test, plan, told, {});
    const auto distinct = visited(test, plan, told, {told, {}});
    EXPECT_EQ(std::set(distinct.begin(), distinct.end()), std::set(all.begin(), all.end()));
    EXPECT_LE(distinct.size(), all.size());
    few += distinct.size();
    many += all.size();
  }
  EXPECT_LT(few, many);
}

TEST(TwinTest, JavaObjects) {
  run(loaded({"java", "jls04", "sc"}, Architecture::java), 100, [](std::uint64_t seed) {
    litmus::Random random(seed, 20);
    litmus::Test test;
    test.name = "T";
    test.program = litmus::RandomObjects(random, {.objects = 2, .updates = seed % 2 == 0}).make();
    for (std::uint32_t t = 0; t < test.java().threads.size(); ++t)
      for (const auto& reg : test.java().threads[t].registers)
        test.locations.push_back({litmus::ThreadId{t}, reg.name});
    return test;
  });
}

TEST(TwinTest, JavaPrograms) {
  auto models = loaded({"sc", "tso", "jls04", "jam19", "jam21"}, Architecture::java);
  models.push_back({"by hand: jls", cat::hand::jls()});
  models.push_back({"by hand: jam", cat::hand::jam()});
  run(models, 60, [](std::uint64_t seed) { return SmallJava(seed, 3 + seed % 3).make(); });
}

TEST(TwinTest, X86Programs) {
  auto models = loaded({"sc", "tso", "x86-tso"}, x86::architecture);
  models.push_back({"by hand: sc", cat::hand::sc(x86::architecture)});
  models.push_back({"by hand: tso", cat::hand::tso()});
  run(models, 60, [](std::uint64_t seed) { return SmallX86(seed, 3 + seed % 2).make(); });
}

/// Relations that only the engine's fallbacks can do: a choice whose set depends on rf and on an
/// earlier choice, complements of what is searched for, negated axioms.
cat::Plan awkward(int which) {
  using cat::Axiom;
  using cat::Choice;
  using graph::Input;
  cat::PlanBuilder b(Architecture::java);
  const auto po = b.input(Input::po), rf = b.input(Input::rf), loc = b.input(Input::loc);
  const auto w = b.input(Input::writes), iw = b.input(Input::initial_writes);
  const auto co = cat::hand::coherence(b);
  const auto fr = cat::hand::from_reads(b, rf, co);
  if (which == 0) { // the writes that are read from, ordered once more
    const auto read = b.subtract(b.domain(rf), iw);
    const auto again = b.choose(Choice::Kind::linearisations, read, b.intersect(co, co));
    b.acyclic(b.unite(again, po), "again");
  } else if (which == 1) { // no read from the write that is first in coherence but initial
    const auto unread = b.subtract(w, b.domain(rf));
    b.require(Axiom::Kind::empty, b.intersect(unread, b.subtract(b.range(co), b.domain(co))),
              "the last write is read");
  } else if (which == 2) {
    const auto own = b.from(b.subtract(w, iw), rf);
    b.require(Axiom::Kind::empty, own, "something is read", true);
    b.require(Axiom::Kind::acyclic, b.unite(own, b.inverse(po)), "against po", true);
  } else {
    const auto far = b.complement(b.unite(po, rf, co));
    b.require(Axiom::Kind::irreflexive, b.compose(b.intersect(far, loc), b.inverse(rf), po), "far");
  }
  b.acyclic(b.unite(b.intersect(po, loc), rf, b.unite(co, fr)), "uniproc");
  return b.plan;
}

TEST(TwinTest, AwkwardModels) {
  std::vector<Named> models;
  for (int which = 0; which < 4; ++which)
    models.push_back({"awkward " + std::to_string(which), awkward(which)});
  run(models, 40, [](std::uint64_t seed) { return SmallJava(seed, 3 + seed % 2).make(); });
}

} // namespace
} // namespace thinair::executions
