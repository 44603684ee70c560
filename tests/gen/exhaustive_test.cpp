// The exhaustive enumeration, counted against a naive one that renames by brute force.
#include "gen/builder.h"
#include "gen/exhaustive.h"
#include "litmus/canonical.h"
#include "litmus/text/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

namespace thinair::gen {

void PrintTo(const Space& space, std::ostream* out) {
  *out << space.max_accesses << " accesses, " << space.max_threads << " threads, "
       << space.max_locations << " locations, " << space.methods.size() << " methods, "
       << space.fences.size() << " fences";
}

namespace {

using litmus::Fence;
using litmus::Method;

/// A thread as text: a letter a step; "A0" is symbol A at location 0, "F." a fence.
using Text = std::vector<std::string>;

std::string joined(const Text& threads) {
  std::string out;
  for (const auto& thread : threads) out += thread + "|";
  return out;
}

/// The least text over all orders of threads and all permutations of locations.
std::string canonical(const Text& threads, std::uint32_t locations) {
  std::string best;
  std::vector<std::size_t> order(threads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    std::vector<int> names(locations);
    std::iota(names.begin(), names.end(), 0);
    do {
      Text renamed;
      for (const auto t : order) {
        renamed.push_back(threads[t]);
        for (char& c : renamed.back())
          if (c >= '0' && c <= '9')
            c = static_cast<char>('0' + names[static_cast<std::size_t>(c - '0')]);
      }
      const auto text = joined(renamed);
      if (best.empty() || text < best) best = text;
    } while (std::ranges::next_permutation(names).found);
  } while (std::ranges::next_permutation(order).found);
  return best;
}

/// All sequences of accesses, a fence or none before each, cut into threads everywhere, put into a
/// set by canonical text.
void naive(const Space& space, Text& threads, std::uint32_t left, std::set<std::string>& found) {
  if (left == 0) {
    found.insert(canonical(threads, space.max_locations));
    return;
  }
  const auto extend = [&](const std::string& step) {
    if (!threads.empty()) {
      for (std::size_t f = 0; f <= space.fences.size(); ++f) {
        const std::size_t before = threads.back().size();
        if (f > 0) threads.back() += std::string(1, static_cast<char>('a' + f)) + ".";
        threads.back() += step;
        naive(space, threads, left - 1, found);
        threads.back().resize(before);
      }
    }
    if (threads.size() < space.max_threads) {
      threads.push_back(step);
      naive(space, threads, left - 1, found);
      threads.pop_back();
    }
  };
  for (std::size_t m = 0; m < space.methods.size(); ++m)
    for (std::uint32_t l = 0; l < space.max_locations; ++l)
      extend(std::string(1, static_cast<char>('A' + m)) + static_cast<char>('0' + l));
}

std::uint64_t naive_count(const Space& space) {
  std::set<std::string> found;
  Text threads;
  for (std::uint32_t size = 1; size <= space.max_accesses; ++size)
    naive(space, threads, size, found);
  return found.size();
}

class ExhaustiveSpaces : public ::testing::TestWithParam<Space> {};

TEST_P(ExhaustiveSpaces, CountsWhatANaiveEnumerationFinds) {
  const auto expected = naive_count(GetParam());
  EXPECT_GT(expected, 10U);
  EXPECT_EQ(count(GetParam()), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Small, ExhaustiveSpaces,
    ::testing::Values(Space{4, 2, 2, {Method::get, Method::set}, {}},
                      Space{4, 3, 2, {Method::get, Method::set}, {}},
                      Space{4, 4, 3, {Method::get, Method::set}, {}},
                      Space{3, 3, 3, {Method::get, Method::set, Method::getAndAdd}, {}},
                      Space{4, 2, 2, {Method::get, Method::set}, {Fence::full}},
                      Space{3,
                            2,
                            2,
                            {Method::get, Method::set, Method::getOpaque, Method::setOpaque},
                            {Fence::full, Fence::acquire}}));

TEST(Exhaustive, EachProgramOnceSmallerFirst) {
  const Space space{4, 3, 2, {Method::get, Method::set}, {}};
  std::set<std::string> texts;
  std::size_t last = 0;
  std::uint64_t expected_index = 0;
  enumerate(space, [&](std::uint64_t index, const MakeProgram& make) {
    EXPECT_EQ(index, expected_index++);
    const auto program = make();
    const auto size = litmus::count_accesses(program);
    EXPECT_GE(size, last);
    EXPECT_LE(size, space.max_accesses);
    last = size;
    std::string text;
    for (const auto& thread : program.threads) {
      for (const auto& statement : thread.body) {
        const auto& access = std::get<litmus::Access>(statement.node);
        text += std::string(info(access.method).name) + std::to_string(access.location.value);
      }
      text += "|";
    }
    EXPECT_TRUE(texts.insert(text).second) << text;
    return true;
  });
  EXPECT_EQ(texts.size(), expected_index);
}

TEST(Exhaustive, AccessesAreCountedAsInFinds) {
  const Space space{4, 2, 2, {Method::get, Method::set}, {Fence::full, Fence::acquire}};
  std::set<std::pair<std::size_t, std::size_t>> seen; // accesses, fences
  enumerate(space, [&](std::uint64_t, const MakeProgram& make) {
    const auto program = make();
    std::size_t fences = 0;
    for (const auto& thread : program.threads) {
      const auto is_fence = [](const litmus::Statement& statement) {
        return std::holds_alternative<litmus::FenceStatement>(statement.node);
      };
      EXPECT_FALSE(is_fence(thread.body.front()) || is_fence(thread.body.back()));
      fences += static_cast<std::size_t>(std::ranges::count_if(thread.body, is_fence));
    }
    seen.insert({litmus::count_accesses(program), fences});
    return true;
  });
  std::set<std::pair<std::size_t, std::size_t>> expected;
  for (std::size_t accesses = 1; accesses <= space.max_accesses; ++accesses)
    for (std::size_t fences = 0; fences < accesses; ++fences) expected.insert({accesses, fences});
  EXPECT_EQ(seen, expected);
}

TEST(Exhaustive, NoTwoAreEqualUpToNamesAndValues) {
  Space space{4, 3, 3, {Method::get, Method::set, Method::getAndAdd}, {Fence::full}};
  std::set<litmus::ContentHash> hashes;
  const auto visited = enumerate(space, [&](std::uint64_t, const MakeProgram& make) {
    hashes.insert(litmus::content_hash(make()));
    return true;
  });
  EXPECT_EQ(hashes.size(), visited);
  EXPECT_GT(visited, 1000U);
}

TEST(Exhaustive, ModesAreWords) {
  Space space;
  add_modes(space, "volatile,fullFence,getAndAdd,volatile");
  EXPECT_EQ(space.methods,
            (std::vector{Method::getVolatile, Method::setVolatile, Method::getAndAdd}));
  EXPECT_EQ(space.fences, std::vector{Fence::full});
  Space all;
  add_modes(all, "all");
  EXPECT_EQ(all.methods.size(), 8U);
  add_modes(all, "rmw,fences");
  EXPECT_EQ(all.methods.size(), 31U);
  EXPECT_EQ(all.fences.size(), 5U);
  EXPECT_EQ(to_string(space), "at most 4 accesses in at most 2 threads over at most 2 locations, "
                              "of getVolatile, setVolatile, getAndAdd, with at most one fence "
                              "between two of a thread (fullFence)");
}

TEST(Exhaustive, AnUnknownModeIsRefusedWithTheNearest) {
  Space space;
  try {
    add_modes(space, "plain,volatil");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "error: no mode, method or fence is called 'volatil'\n  hint: did you mean 'volatile'?");
  }
  EXPECT_THROW(add_modes(space, ""), InputError);
  EXPECT_THROW(add_modes(space, "plain,"), InputError);
  EXPECT_THROW(Enumerator(Space{}), InputError);
}

TEST(Exhaustive, StopsWhenAsked) {
  const Space space{4, 2, 2, {Method::get, Method::set}, {}};
  EXPECT_EQ(enumerate(space, [](std::uint64_t index, const MakeProgram&) { return index < 4; }),
            5U);
}

/// Between two programs there may be more than anybody can look at: all orders of twelve threads,
/// for each way to fill them. What is asked now and then ends that, too.
TEST(Exhaustive, IsEnoughBetweenTwoPrograms) {
  const Space huge{12, 12, 4, {Method::get, Method::set}, {}};
  std::uint64_t asked = 0;
  Enumerator at(huge, [&] { return ++asked == 50; });
  while (at.next()) {
  }
  EXPECT_TRUE(at.stopped());
  EXPECT_EQ(asked, 50U);
  EXPECT_FALSE(at.next());
  EXPECT_EQ(count(huge, [&] { return true; }), std::nullopt);
  const Space small{4, 2, 2, {Method::get, Method::set}, {}};
  EXPECT_EQ(count(small, [] { return false; }), count(small));
}

TEST(Exhaustive, StoreBufferingIsThere) {
  const Space space{4, 2, 2, {Method::getVolatile, Method::setVolatile}, {}};
  bool found = false;
  enumerate(space, [&](std::uint64_t, const MakeProgram& make) {
    const auto p = make();
    if (p.threads.size() != 2 || p.threads[0].body.size() != 2 || p.threads[1].body.size() != 2)
      return true;
    const auto at = [&](std::size_t t, std::size_t i) {
      return std::get<litmus::Access>(p.threads[t].body[i].node);
    };
    found |= at(0, 0).method == Method::setVolatile && at(0, 1).method == Method::getVolatile &&
             at(1, 0).method == Method::setVolatile && at(1, 1).method == Method::getVolatile &&
             at(0, 0).location == at(1, 1).location && at(0, 1).location == at(1, 0).location &&
             at(0, 0).location != at(0, 1).location;
    return true;
  });
  EXPECT_TRUE(found);
}

/// Without mixed modes there are the same programs as with them, but for those that mix.
TEST(Exhaustive, WithoutMixedModesTheOthersAreAllThere) {
  Space space{.max_accesses = 3, .methods = {}, .fences = {}};
  add_modes(space, "plain,volatile,getAndSet");
  std::set<litmus::ContentHash> unmixed, filtered;
  for (Enumerator at(space); at.next();)
    if (!mixes_modes(at.program())) filtered.insert(litmus::content_hash(at.program()));
  space.mixed = false;
  for (Enumerator at(space); at.next();) {
    EXPECT_TRUE(within_modes(space, at.program()));
    unmixed.insert(litmus::content_hash(at.program()));
  }
  EXPECT_EQ(unmixed, filtered);
  EXPECT_GT(unmixed.size(), 50U);
  EXPECT_EQ(count(space), unmixed.size());
  EXPECT_NE(to_string(space).find("equally strong"), std::string::npos);
}

} // namespace
} // namespace thinair::gen
