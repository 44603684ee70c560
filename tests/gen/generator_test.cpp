// The stream of programs: bounds, variety, and the same bytes for the same seed.
#include "gen/exhaustive.h"
#include "gen/generator.h"
#include "gen/mutate.h"
#include "gen/skeleton.h"
#include "gen/tidy.h"
#include "gen/walk.h"
#include "litmus/canonical.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace thinair::gen {
namespace {

using litmus::Access;
using litmus::FenceStatement;
using litmus::Method;
using litmus::Mode;

struct Seen {
  std::set<Method> methods;
  std::set<litmus::Fence> fences;
};

void look(const Program& program, Seen& seen) {
  each_statement(program, [&](ThreadId, const Statement& statement) {
    if (const auto* access = std::get_if<Access>(&statement.node))
      seen.methods.insert(access->method);
    if (const auto* fence = std::get_if<FenceStatement>(&statement.node))
      seen.fences.insert(fence->fence);
  });
}

TEST(Generator, SameSeedSameProgramsAndOtherSeedsOthers) {
  for (const auto& profile : profiles()) {
    Generator a(profile, 1, 0), b(profile, 1, 0), other(profile, 2, 0), stream(profile, 1, 1);
    int differ = 0, differ_by_stream = 0;
    for (int i = 0; i < 50; ++i) {
      const auto program = a.next().program;
      EXPECT_EQ(program, b.next().program);
      differ += program == other.next().program ? 0 : 1;
      differ_by_stream += program == stream.next().program ? 0 : 1;
    }
    EXPECT_GT(differ, 25);
    EXPECT_GT(differ_by_stream, 25);
  }
}

/// Pinned: another compiler or machine must draw the same. Changes with the generator, and then on
/// purpose.
TEST(Generator, TheSameBytesEverywhere) {
  std::uint64_t folded = 0;
  for (const auto& profile : profiles()) {
    Generator generator(profile, 2004, 0);
    for (int i = 0; i < 200; ++i)
      folded =
          folded * 0x9e3779b97f4a7c15U + litmus::content_hash(generator.next().program).words[0];
  }
  EXPECT_EQ(folded, 14433121886781436729U);
}

TEST(Generator, ProgramsAreTidyAndWithinBounds) {
  for (const auto& profile : profiles()) {
    SCOPED_TRACE(profile.name);
    Generator generator(profile, 7, 0);
    for (int i = 0; i < 500; ++i) {
      const auto made = generator.next();
      EXPECT_EQ(made.index, static_cast<std::uint64_t>(i));
      EXPECT_EQ(tidy(made.program), made.program);
      EXPECT_GE(made.program.threads.size(), 1U);
      EXPECT_LE(made.program.threads.size(), profile.max_threads);
      EXPECT_LE(made.program.locations.size(), profile.max_locations);
      EXPECT_LE(litmus::count_accesses(made.program), profile.max_accesses);
      if (i % 10 == 0) generator.offer(made.program);
    }
  }
}

TEST(Generator, MutantsOfLargerProgramsAreWithinBounds) {
  Profile small = load_profile("varhandle");
  Generator large(small, 3, 0);
  small.max_accesses = 3, small.max_threads = 2, small.max_locations = 1;
  small.mutations = 9, small.cycles = small.noise = 1;
  Generator generator(small, 5, 0);
  for (int i = 0; i < 300; ++i) {
    generator.offer(large.next().program);
    const auto made = generator.next();
    EXPECT_LE(litmus::count_accesses(made.program), 3U);
    EXPECT_LE(made.program.threads.size(), 2U);
    EXPECT_LE(made.program.locations.size(), 1U);
  }
}

/// Cycles, noise and mutants of whatever is offered.
TEST(Generator, AProfileWithoutMixedModesMixesNone) {
  for (Profile profile : profiles()) {
    SCOPED_TRACE(profile.name);
    Generator mixing(profile, 3, 0);
    profile.mixed_modes = 0;
    Generator generator(profile, 5, 0);
    for (int i = 0; i < 300; ++i) {
      generator.offer(mixing.next().program);
      const auto program = generator.next().program;
      EXPECT_FALSE(mixes_modes(program)) << i;
    }
  }
}

TEST(Generator, VarhandleDrawsEveryMethodAndFence) {
  Seen seen;
  Generator generator(load_profile("varhandle"), 3, 0);
  Generator rmw(load_profile("rmw"), 3, 0);
  for (int i = 0; i < 4000; ++i) {
    look(generator.next().program, seen);
    look(rmw.next().program, seen);
  }
  EXPECT_EQ(seen.methods.size(), 31U);
  EXPECT_EQ(seen.fences.size(), 5U);
}

/// All updates lose their result, or none does; what is only read never does.
TEST(Generator, ResultsOfUpdatesAreUnusedWhereThatIsAskedFor) {
  auto profile = load_profile("rmw");
  profile.mutations = 0;
  for (const std::uint32_t unused : {0U, 100U}) {
    profile.unused = unused;
    Generator generator(profile, 3, 0);
    std::size_t updates = 0;
    for (int i = 0; i < 200; ++i)
      each_statement(generator.next().program, [&](auto, const litmus::Statement& statement) {
        const auto* access = std::get_if<litmus::Access>(&statement.node);
        if (access == nullptr || !litmus::reads(info(access->method).action)) return;
        const bool update = litmus::is_rmw(info(access->method).action);
        updates += update ? 1 : 0;
        EXPECT_EQ(access->target.has_value(), !update || unused == 0);
      });
    EXPECT_GT(updates, 100U);
  }
}

TEST(Generator, JavaFiveDrawsOnlyJavaFive) {
  Seen seen;
  Generator generator(load_profile("java5"), 3, 0);
  for (int i = 0; i < 1000; ++i) {
    const auto program = generator.next().program;
    look(program, seen);
    if (i % 50 == 0) generator.offer(program);
  }
  EXPECT_EQ(seen.methods,
            (std::set<Method>{Method::get, Method::set, Method::getVolatile, Method::setVolatile}));
  EXPECT_TRUE(seen.fences.empty());
}

TEST(Generator, MostProgramsAreNew) {
  Generator generator(load_profile("varhandle"), 5, 0);
  std::set<litmus::ContentHash> hashes;
  for (int i = 0; i < 1000; ++i) hashes.insert(litmus::content_hash(generator.next().program));
  EXPECT_GT(hashes.size(), 800U);
}

/// An independent look at a skeleton: some rotation of it must close a cycle over its threads.
TEST(Skeleton, CyclesHaveTwoThreadsAndShareLocations) {
  litmus::Random random(11);
  Profile profile = load_profile("varhandle");
  profile.internal = 0;
  int with_sharing = 0;
  for (int i = 0; i < 500; ++i) {
    const auto skeleton = draw_cycle(profile, random);
    ASSERT_GE(skeleton.size(), 2U);
    std::set<std::pair<std::size_t, std::size_t>> uses; // (location, thread)
    std::set<std::size_t> written, locations;
    for (std::size_t t = 0; t < skeleton.size(); ++t) {
      for (const auto& slot : skeleton[t]) {
        uses.insert({slot.location, t});
        locations.insert(slot.location);
        if (slot.write) written.insert(slot.location);
      }
    }
    bool shared = written == locations;
    for (const auto location : locations) {
      const auto users =
          std::ranges::count_if(uses, [&](const auto& use) { return use.first == location; });
      shared = shared && users >= 2;
    }
    with_sharing += shared ? 1 : 0;
  }
  EXPECT_GT(with_sharing, 490)
      << "every location of a cycle is written, and touched by two threads";
}

TEST(Mutations, EachAppliesSomewhereAndKeepsTheProgramInBounds) {
  const auto profile = load_profile("varhandle");
  Generator generator(profile, 9, 0);
  std::vector<int> applied(mutations().size());
  litmus::Random random(1);
  for (int i = 0; i < 300; ++i) {
    const auto program = generator.next().program;
    for (std::size_t m = 0; m < mutations().size(); ++m)
      if (const auto edited = mutations()[m].apply(program, profile, random);
          edited && *edited != program)
        ++applied[m];
    const auto mutant = mutate(program, profile, random);
    ASSERT_TRUE(mutant);
    EXPECT_EQ(tidy(*mutant), *mutant);
    EXPECT_LE(mutant->threads.size(), profile.max_threads);
  }
  for (std::size_t m = 0; m < applied.size(); ++m) EXPECT_GT(applied[m], 10) << mutations()[m].name;
}

} // namespace
} // namespace thinair::gen
