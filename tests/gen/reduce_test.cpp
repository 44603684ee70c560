// The reducer: smaller at every step, 1-minimal at the end, the same every time.
#include "gen/generator.h"
#include "gen/measure.h"
#include "gen/reduce.h"
#include "gen/tidy.h"
#include "gen/walk.h"
#include "litmus/canonical.h"
#include "litmus/typed.h"

#include <gtest/gtest.h>

#include <set>

namespace thinair::gen {
namespace {

using litmus::Access;
using litmus::Action;
using litmus::Method;

/// Accesses at the top level of each thread, in order.
std::vector<std::vector<Access>> top_level(const Program& program) {
  std::vector<std::vector<Access>> out;
  for (const auto& thread : program.threads) {
    out.emplace_back();
    for (const auto& statement : thread.body)
      if (const auto* access = std::get_if<Access>(&statement.node)) out.back().push_back(*access);
  }
  return out;
}

bool writes_then_reads(const std::vector<Access>& thread, litmus::LocationId& written,
                       litmus::LocationId& read) {
  for (std::size_t i = 0; i < thread.size(); ++i) {
    for (std::size_t j = i + 1; j < thread.size(); ++j) {
      const bool fits = litmus::writes(info(thread[i].method).action) &&
                        litmus::reads(info(thread[j].method).action) &&
                        thread[i].location != thread[j].location;
      if (!fits) continue;
      written = thread[i].location;
      read = thread[j].location;
      return true;
    }
  }
  return false;
}

/// Some two threads store-buffer: a write, then a read of what the other one writes.
Interest has_store_buffering(const Program& program) {
  const auto threads = top_level(program);
  for (std::size_t a = 0; a < threads.size(); ++a) {
    for (std::size_t b = a + 1; b < threads.size(); ++b) {
      litmus::LocationId wa, ra, wb, rb;
      if (writes_then_reads(threads[a], wa, ra) && writes_then_reads(threads[b], wb, rb) &&
          wa == rb && wb == ra)
        return Interest::yes;
    }
  }
  return Interest::no;
}

std::vector<Program> interesting_programs(const Interesting& interesting, std::size_t wanted) {
  std::vector<Program> found;
  Generator generator(load_profile("varhandle"), 21, 0);
  while (found.size() < wanted) {
    auto program = generator.next().program;
    if (interesting(tidy(program)) == Interest::yes) found.push_back(std::move(program));
  }
  return found;
}

TEST(Reduce, EveryProposalIsTidyAndSmaller) {
  Generator generator(load_profile("rmw"), 2, 0);
  std::size_t seen = 0;
  for (int i = 0; i < 100; ++i) {
    const auto program = generator.next().program;
    for (const auto& proposal : proposals(program)) {
      EXPECT_LT(measure(proposal), measure(program));
      EXPECT_EQ(tidy(proposal), proposal);
      ++seen;
    }
  }
  EXPECT_GT(seen, 5000U);
}

TEST(Reduce, StoreBufferingComesOutAsTheTextbookHasIt) {
  for (const auto& program : interesting_programs(has_store_buffering, 20)) {
    const auto reduction = reduce(program, has_store_buffering);
    EXPECT_TRUE(reduction.complete);
    EXPECT_EQ(reduction.program.threads.size(), 2U);
    EXPECT_EQ(litmus::count_accesses(reduction.program), 4U);
    EXPECT_EQ(count_statements(reduction.program), 4U);
    for (const auto& thread : top_level(reduction.program)) {
      ASSERT_EQ(thread.size(), 2U);
      EXPECT_EQ(thread[0].method, Method::set);
      EXPECT_EQ(thread[1].method, Method::get);
    }
  }
}

TEST(Reduce, ResultIsOneMinimalDeterministicAndIdempotent) {
  for (const auto& program : interesting_programs(has_store_buffering, 10)) {
    const auto once = reduce(program, has_store_buffering);
    EXPECT_EQ(reduce(program, has_store_buffering).program, once.program);
    EXPECT_EQ(reduce(once.program, has_store_buffering).program, once.program);
    EXPECT_EQ(reduce(once.program, has_store_buffering).steps, 0U);
    for (const auto& pass : passes())
      for (const auto& edited : pass.propose(once.program)) {
        const auto proposal = tidy(edited);
        if (measure(proposal) < measure(once.program)) {
          EXPECT_EQ(has_store_buffering(proposal), Interest::no) << pass.name;
        }
      }
  }
}

TEST(Reduce, AnUnknownAnswerKeepsNothing) {
  const auto program = interesting_programs(has_store_buffering, 1).front();
  const auto only_itself = [&](const Program& p) {
    return p == tidy(program) ? Interest::yes : Interest::unknown;
  };
  const auto reduction = reduce(program, only_itself);
  EXPECT_EQ(reduction.program, tidy(program));
  EXPECT_EQ(reduction.steps, 0U);
  EXPECT_GT(reduction.unknown, 0U);
}

TEST(Reduce, ABoundOnTriesIsSaid) {
  const auto program = interesting_programs(has_store_buffering, 1).front();
  const auto reduction = reduce(program, has_store_buffering, {.max_tries = 0});
  EXPECT_FALSE(reduction.complete);
  EXPECT_FALSE(reduction.interrupted);
  EXPECT_EQ(reduction.program, tidy(program));
}

TEST(Reduce, StoppedAnywhereAndContinuedItEndsTheSame) {
  for (const auto& program : interesting_programs(has_store_buffering, 3)) {
    const auto whole = reduce(program, has_store_buffering);
    auto part = tidy(program);
    std::uint64_t steps = 0;
    int runs = 0;
    for (bool done = false; !done; ++runs) {
      std::uint64_t asked = 0;
      ReduceOptions options;
      const auto before = part;
      std::uint64_t enough = proposals(part).size() / 2 + 1;
      options.stop = [&] { return ++asked > enough; };
      const auto reduction = reduce(part, has_store_buffering, options);
      EXPECT_EQ(reduction.interrupted, !reduction.complete);
      steps += reduction.steps;
      part = reduction.program;
      done = reduction.complete;
      ASSERT_LT(runs, 1000);
      if (part == before && !done) { // half of the proposals are not interesting: ask all
        part = reduce(part, has_store_buffering).program;
        break;
      }
    }
    EXPECT_EQ(part, whole.program);
    EXPECT_LE(steps, whole.steps);
  }
}

TEST(Reduce, EveryPassIsOfferedSomewhere) {
  std::vector<int> useful(passes().size());
  for (const auto* name :
       {"varhandle", "rmw", "thinair", "monitors", "objects", "final", "arrays", "widths"}) {
    Generator generator(load_profile(name), 4, 0);
    for (int i = 0; i < 150; ++i) {
      const auto program = generator.next().program;
      for (std::size_t p = 0; p < passes().size(); ++p)
        for (const auto& edited : passes()[p].propose(program))
          if (litmus::well_typed(edited))
            useful[p] += measure(tidy(edited)) < measure(program) ? 1 : 0;
    }
  }
  for (std::size_t p = 0; p < useful.size(); ++p) {
    if (passes()[p].name == "zero-initial-values" || passes()[p].name == "inline-assignments" ||
        passes()[p].name == "lower-choices")
      continue; // not generated, and choices only for a mix
    EXPECT_GT(useful[p], 0) << passes()[p].name;
  }
}

} // namespace
} // namespace thinair::gen
