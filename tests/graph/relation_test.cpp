// Relations on bit rows against the same operations on plain sets of pairs.
#include "oracle/graph/relation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <utility>

namespace thinair::graph {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;
using Pairs = std::set<Pair>;

template <std::size_t W>
Relation<W> bits(const Pairs& pairs) {
  Relation<W> r;
  for (const auto& [a, b] : pairs) r.insert(a, b);
  return r;
}

template <std::size_t W>
Pairs pairs(const Relation<W>& r, std::size_t n) {
  Pairs out;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      if (r.contains(a, b)) out.insert({a, b});
  return out;
}

Pairs compose(const Pairs& a, const Pairs& b) {
  Pairs out;
  for (const auto& [x, y] : a)
    for (const auto& [u, z] : b)
      if (y == u) out.insert({x, z});
  return out;
}

Pairs closure(Pairs r) {
  for (std::size_t before = 0; before != r.size();) {
    before = r.size();
    r.merge(compose(r, r));
  }
  return r;
}

bool has_loop(const Pairs& r) {
  for (const auto& [a, b] : r)
    if (a == b) return true;
  return false;
}

struct Random {
  std::mt19937_64 bits;
  std::size_t below(std::size_t n) { return bits() % n; }
  Pairs relation(std::size_t n, std::size_t size) {
    Pairs out;
    for (std::size_t i = 0; i < size; ++i) out.insert({below(n), below(n)});
    return out;
  }
};

template <class T>
class RelationTest : public ::testing::Test {};
using Sizes = ::testing::Types<std::integral_constant<std::size_t, 1>,
                               std::integral_constant<std::size_t, 4>>;
TYPED_TEST_SUITE(RelationTest, Sizes);

template <std::size_t W>
std::size_t some_size(Random& random) {
  return 1 + random.below(random.below(8) == 0 ? EventSet<W>::capacity : 12);
}

TYPED_TEST(RelationTest, BooleanOperationsAndCompositionAgreeWithSetsOfPairs) {
  constexpr std::size_t W = TypeParam::value;
  Random random{std::mt19937_64(1)};
  for (int round = 0; round < 300; ++round) {
    const auto n = some_size<W>(random);
    const auto p = random.relation(n, random.below(2 * n + 1));
    const auto q = random.relation(n, random.below(2 * n + 1));
    const auto a = bits<W>(p), b = bits<W>(q);
    Relation<W> out;
    Pairs expected;
    std::set_union(p.begin(), p.end(), q.begin(), q.end(), std::inserter(expected, expected.end()));
    rows::unite(out.data(), a.data(), b.data(), n);
    EXPECT_EQ(pairs(out, n), expected);
    expected.clear();
    std::set_intersection(p.begin(), p.end(), q.begin(), q.end(),
                          std::inserter(expected, expected.end()));
    rows::intersect(out.data(), a.data(), b.data(), n);
    EXPECT_EQ(pairs(out, n), expected);
    expected.clear();
    std::set_difference(p.begin(), p.end(), q.begin(), q.end(),
                        std::inserter(expected, expected.end()));
    rows::subtract(out.data(), a.data(), b.data(), n);
    EXPECT_EQ(pairs(out, n), expected);
    rows::compose(out.data(), a.data(), b.data(), n);
    EXPECT_EQ(pairs(out, n), compose(p, q));
    expected.clear();
    for (const auto& [x, y] : p) expected.insert({y, x});
    rows::inverse(out.data(), a.data(), n);
    EXPECT_EQ(pairs(out, n), expected);
    rows::complement(out.data(), a.data(), n);
    EXPECT_EQ(pairs(out, n).size(), n * n - p.size());
    rows::intersect(out.data(), out.data(), a.data(), n);
    EXPECT_TRUE(rows::empty(out.data(), n));
  }
}

TYPED_TEST(RelationTest, SetsGiveTheirRestrictionsAndProducts) {
  constexpr std::size_t W = TypeParam::value;
  Random random{std::mt19937_64(2)};
  for (int round = 0; round < 300; ++round) {
    const auto n = some_size<W>(random);
    const auto p = random.relation(n, random.below(2 * n + 1));
    const auto a = bits<W>(p);
    EventSet<W> s, t;
    for (std::size_t i = 0; i < n; ++i) {
      if (random.below(2) == 0) s.insert(i);
      if (random.below(2) == 0) t.insert(i);
    }
    Relation<W> on, masked, whole, product;
    rows::identity_on(on.data(), s, n);
    rows::compose(whole.data(), on.data(), a.data(), n);
    rows::restrict_rows(masked.data(), s, a.data(), n);
    EXPECT_TRUE(rows::equal(whole.data(), masked.data(), n));
    rows::compose(whole.data(), a.data(), on.data(), n);
    rows::restrict_columns(masked.data(), a.data(), s, n);
    EXPECT_TRUE(rows::equal(whole.data(), masked.data(), n));
    rows::product(product.data(), s, t, n);
    EXPECT_EQ(pairs(product, n).size(), s.size() * t.size());
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(rows::domain(a.data(), n).contains(i),
                std::ranges::any_of(p, [&](const Pair& x) { return x.first == i; }));
      EXPECT_EQ(rows::range(a.data(), n).contains(i),
                std::ranges::any_of(p, [&](const Pair& x) { return x.second == i; }));
    }
  }
}

TYPED_TEST(RelationTest, ClosuresAndCyclesAgreeWithSetsOfPairs) {
  constexpr std::size_t W = TypeParam::value;
  Random random{std::mt19937_64(3)};
  int cyclic = 0;
  constexpr int rounds = W == 1 ? 400 : 40; // the closure of pairs is cubic, and slow
  for (int round = 0; round < rounds; ++round) {
    const auto n = some_size<W>(random);
    const auto p = random.relation(n, random.below(n + n / 2 + 1));
    const auto full = closure(p);
    auto a = bits<W>(p);
    EXPECT_EQ(rows::acyclic(a.data(), n), !has_loop(full));
    EXPECT_EQ(rows::irreflexive(a.data(), n), !has_loop(p));
    rows::close(a.data(), n);
    EXPECT_EQ(pairs(a, n), full);
    cyclic += has_loop(full);

    const auto q = random.relation(n, random.below(4));
    Pairs both = p;
    both.insert(q.begin(), q.end());
    const auto all = closure(both);
    auto b = a;
    const auto more = bits<W>(q);
    const bool acyclic = rows::close_onto(b.data(), more.data(), n);
    EXPECT_EQ(acyclic, !has_loop(all));
    if (acyclic) {
      EXPECT_EQ(pairs(b, n), all);
    }
    for (const auto& [x, y] : q) rows::add_closed(a.data(), x, y, n);
    EXPECT_EQ(pairs(a, n), all);
  }
  EXPECT_GT(cyclic, rounds / 10);
  EXPECT_LT(cyclic, rounds * 9 / 10);
}

TEST(EventSetTest, FirstLeastAndMembers) {
  for (const std::size_t n : {0, 1, 63, 64, 65, 128, 255, 256}) {
    const auto s = EventSet<4>::first(n);
    EXPECT_EQ(s.size(), n);
    std::size_t next = 0;
    s.for_each([&](std::size_t e) { EXPECT_EQ(e, next++); });
    EXPECT_EQ(next, n);
    if (n > 0) {
      EXPECT_EQ(s.least(), 0U);
    }
  }
  EXPECT_EQ(EventSet<4>::of(200).least(), 200U);
  EXPECT_EQ(EventSet<1>::first(64).size(), 64U);
}

} // namespace
} // namespace thinair::graph
