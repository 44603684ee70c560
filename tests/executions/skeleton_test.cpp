// Base relations against their definitions, pair by pair.
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "oracle/executions/skeleton.h"
#include "oracle/graph/path.h"
#include "tests/support/aarch64_programs.h"
#include "tests/support/draws.h"
#include "tests/support/random_program.h"
#include "tests/support/random_riscv.h"
#include "tests/support/random_x86.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::executions {
namespace {

using graph::Input;
using graph::PathEvent;

/// What the vocabulary says of two events.
class Definition {
 public:
  explicit Definition(const Skeleton& skeleton) : skeleton_(skeleton) {}

  bool holds(Input input, EventId x, EventId y) const {
    const Event &a = skeleton_.events()[x], &b = skeleton_.events()[y];
    const bool together = a.thread == b.thread && a.thread != no_thread;
    const bool one = together && a.index < b.index && a.instruction == b.instruction;
    const bool po = together && a.index < b.index && a.instruction != b.instruction;
    const bool update = together && a.reads() && b.writes() && b.partner == a.index;
    const bool within = update && a.instruction == b.instruction;
    switch (input) {
    case Input::id: return x == y;
    case Input::loc: return a.meets(b);
    case Input::internal: return a.thread == b.thread;
    case Input::external: return a.thread != b.thread;
    case Input::po: return po;
    case Input::rmw: return update;
    case Input::amo: return within;
    case Input::lxsx: return update && !within;
    case Input::iico: return one && a.reads() && b.writes();
    case Input::addr: return po && a.gives() && b.accesses() && in(of(b).address, a);
    case Input::data:
      return (po || within) && a.gives() && b.writes() && in(of(b).data, b.written, a);
    case Input::ctrl:
      return po && a.gives() && any_branch(b, [&](const graph::Branch& branch) {
               return in(branch.from, branch.condition, a);
             });
    case Input::pick_addr: return (po || within) && a.reads() && in(of(b).picked_address, a);
    case Input::pick_data: return (po || within) && a.reads() && in(of(b).picked_data, a);
    case Input::pick_ctrl:
      return po && a.reads() &&
             any_branch(b, [&](const graph::Branch& branch) { return in(branch.picked, a); });
    case Input::critical: return together && (a.kinds & graph::k_lock) != 0 && a.partner == b.index;
    default: break;
    }
    return ((a.kinds & graph::k_start) != 0 && (b.kinds & graph::k_begin) != 0 &&
            a.object == b.object) ||
           ((a.kinds & graph::k_end) != 0 && (b.kinds & graph::k_join) != 0 &&
            a.object == b.object);
  }

 private:
  const PathEvent& of(const Event& e) const { return skeleton_.path(e.thread).events[e.index]; }
  bool in(graph::SetId set, const Event& a) const {
    return std::ranges::count(skeleton_.program().sets[set], a.read) > 0;
  }
  bool in(graph::SetId set, graph::TermId term, const Event& a) const {
    if (set != graph::by_term) return in(set, a);
    return std::ranges::count(skeleton_.program().terms.variables_of(term), a.read) > 0;
  }
  template <class Test>
  bool any_branch(const Event& b, Test&& test) const {
    return std::ranges::any_of(skeleton_.path(b.thread).branches, [&](const graph::Branch& branch) {
      return branch.position <= b.index && test(branch);
    });
  }

  const Skeleton& skeleton_;
};

template <std::size_t W>
std::size_t expect_as_defined(const Skeleton& skeleton) {
  std::size_t pairs = 0;
  const Definition definition(skeleton);
  std::vector<graph::EventSet<W>> rows(skeleton.size());
  for (const auto input :
       {Input::id, Input::loc, Input::internal, Input::external, Input::po, Input::rmw, Input::amo,
        Input::lxsx, Input::iico, Input::addr, Input::data, Input::ctrl, Input::pick_addr,
        Input::pick_data, Input::pick_ctrl, Input::critical, Input::lifetime}) {
    std::ranges::fill(rows, graph::EventSet<W>::first(skeleton.size())); // of who was there before
    base(skeleton, input, rows.data());
    for (EventId x = 0; x < skeleton.size(); ++x)
      for (EventId y = 0; y < skeleton.size(); ++y) {
        EXPECT_EQ(rows[x].contains(y), definition.holds(input, x, y))
            << graph::name_of(input, skeleton.program().architecture) << " " << x << " " << y;
        pairs += rows[x].contains(y) ? 1 : 0;
      }
  }
  return pairs;
}

/// Of the first and the last path of each thread, reusing the skeleton.
std::size_t expect_as_defined(const litmus::Test& test) {
  auto program = graph::paths_of(test, {.loop_bound = 2});
  Skeleton skeleton;
  std::size_t pairs = 0;
  for (const bool last : {false, true}) {
    std::vector<std::uint32_t> chosen;
    for (const auto& thread : program.threads) {
      if (thread.paths.empty()) return pairs;
      chosen.push_back(last ? static_cast<std::uint32_t>(thread.paths.size()) - 1 : 0);
    }
    skeleton.assign(program, chosen);
    if (skeleton.size() > graph::EventSet<1>::capacity) continue;
    const auto here = expect_as_defined<1>(skeleton);
    EXPECT_EQ(expect_as_defined<4>(skeleton), here);
    pairs += here;
  }
  return pairs;
}

TEST(Skeleton, RelationsOfJavaProgramsAreAsDefined) {
  std::size_t pairs = 0;
  for (std::uint64_t drawn = 0; drawn < test::draws(300); ++drawn) {
    litmus::Random random(41, drawn);
    litmus::Test test;
    test.name = "t";
    test.program = litmus::RandomProgram(random, {.statements = 3, .depth = 1}).make();
    try {
      pairs += expect_as_defined(test);
    } catch (const Unsupported&) {
    } catch (const LimitReached&) {
    }
  }
  EXPECT_GT(pairs, 1000U);
}

TEST(Skeleton, RelationsOfMachineProgramsAreAsDefined) {
  std::size_t pairs = 0;
  for (std::uint64_t drawn = 0; drawn < test::draws(150); ++drawn)
    for (const auto& text :
         {test::aarch64_program(drawn), test::random_riscv(drawn), test::random_x86(drawn)})
      try {
        pairs += expect_as_defined(litmus::parse({"t", text}));
      } catch (const Unsupported&) {
      } catch (const LimitReached&) {
      }
  EXPECT_GT(pairs, 1000U);
}

} // namespace
} // namespace thinair::executions
