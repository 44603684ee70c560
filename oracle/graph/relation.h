// Sets of events as machine words, relations as rows of them: the arithmetic that all models are
// made of.
//
// Everything comes at 1 word a row (64 events) and at 4 (256), and touches only the first `n` rows.
// The functions on rows work on memory that the caller owns, so that an evaluator can pack hundreds
// of relations of n rows each; `Relation` is the same with its rows inside.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace thinair::graph {

/// A set of at most 64 * Words events.
template <std::size_t Words>
struct EventSet {
  std::array<std::uint64_t, Words> words{};

  static constexpr std::size_t capacity = 64 * Words;

  /// {0, …, n-1}
  static constexpr EventSet first(std::size_t n) {
    EventSet s;
    for (std::size_t w = 0; w < Words; ++w) {
      const auto base = 64 * w;
      if (n >= base + 64)
        s.words[w] = ~std::uint64_t{0};
      else if (n > base)
        s.words[w] = (std::uint64_t{1} << (n - base)) - 1;
    }
    return s;
  }
  static constexpr EventSet of(std::size_t e) {
    EventSet s;
    s.insert(e);
    return s;
  }

  constexpr bool contains(std::size_t e) const { return (words[e / 64] >> (e % 64)) & 1U; }
  constexpr void insert(std::size_t e) { words[e / 64] |= std::uint64_t{1} << (e % 64); }
  constexpr void erase(std::size_t e) { words[e / 64] &= ~(std::uint64_t{1} << (e % 64)); }
  constexpr bool empty() const {
    std::uint64_t any = 0;
    for (const auto w : words) any |= w;
    return any == 0;
  }
  constexpr std::size_t size() const {
    std::size_t n = 0;
    for (const auto w : words) n += static_cast<std::size_t>(std::popcount(w));
    return n;
  }
  /// The least member; the set must not be empty.
  constexpr std::size_t least() const {
    for (std::size_t w = 0; w < Words; ++w)
      if (words[w] != 0) return 64 * w + static_cast<std::size_t>(std::countr_zero(words[w]));
    return capacity;
  }
  constexpr bool intersects(const EventSet& o) const {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < Words; ++w) any |= words[w] & o.words[w];
    return any != 0;
  }
  constexpr bool subset_of(const EventSet& o) const {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < Words; ++w) any |= words[w] & ~o.words[w];
    return any == 0;
  }
  /// f(e) for each member, ascending. `f` may change this set: the members are those at the call.
  template <class F>
  constexpr void for_each(F&& f) const {
    for (std::size_t w = 0; w < Words; ++w)
      for (auto bits = words[w]; bits != 0; bits &= bits - 1)
        f(64 * w + static_cast<std::size_t>(std::countr_zero(bits)));
  }

  constexpr EventSet& operator|=(const EventSet& o) {
    for (std::size_t w = 0; w < Words; ++w) words[w] |= o.words[w];
    return *this;
  }
  constexpr EventSet& operator&=(const EventSet& o) {
    for (std::size_t w = 0; w < Words; ++w) words[w] &= o.words[w];
    return *this;
  }
  /// Set difference.
  constexpr EventSet& operator-=(const EventSet& o) {
    for (std::size_t w = 0; w < Words; ++w) words[w] &= ~o.words[w];
    return *this;
  }
  friend constexpr EventSet operator|(EventSet a, const EventSet& b) { return a |= b; }
  friend constexpr EventSet operator&(EventSet a, const EventSet& b) { return a &= b; }
  friend constexpr EventSet operator-(EventSet a, const EventSet& b) { return a -= b; }
  friend constexpr bool operator==(const EventSet&, const EventSet&) = default;
};

/// A relation in memory that somebody else owns: row a holds the b with (a, b) in the relation.
template <std::size_t Words>
using Rows = EventSet<Words>*;
template <std::size_t Words>
using ConstRows = const EventSet<Words>*;

namespace rows {

// Where `out` may be the same memory as an operand, the function says so; elsewhere it must not
// overlap.

template <std::size_t W>
void clear(EventSet<W>* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = {};
}

template <std::size_t W>
void copy(EventSet<W>* out, const EventSet<W>* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i];
}

/// `out` may be `a` or `b`.
template <std::size_t W>
void unite(EventSet<W>* out, const EventSet<W>* a, const EventSet<W>* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] | b[i];
}

/// `out` may be `a` or `b`.
template <std::size_t W>
void intersect(EventSet<W>* out, const EventSet<W>* a, const EventSet<W>* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] & b[i];
}

/// `out` may be `a` or `b`.
template <std::size_t W>
void subtract(EventSet<W>* out, const EventSet<W>* a, const EventSet<W>* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] - b[i];
}

/// Within {0..n-1}². `out` may be `a`.
template <std::size_t W>
void complement(EventSet<W>* out, const EventSet<W>* a, std::size_t n) {
  const auto all = EventSet<W>::first(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = all - a[i];
}

/// a ; b
template <std::size_t W>
void compose(EventSet<W>* out, const EventSet<W>* a, const EventSet<W>* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    EventSet<W> row;
    a[i].for_each([&](std::size_t j) { row |= b[j]; });
    out[i] = row;
  }
}

template <std::size_t W>
void inverse(EventSet<W>* out, const EventSet<W>* a, std::size_t n) {
  clear(out, n);
  for (std::size_t i = 0; i < n; ++i) a[i].for_each([&](std::size_t j) { out[j].insert(i); });
}

template <std::size_t W>
void add_identity(EventSet<W>* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i].insert(i);
}

/// s × t
template <std::size_t W>
void product(EventSet<W>* out, const EventSet<W>& s, const EventSet<W>& t, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = s.contains(i) ? t : EventSet<W>{};
}

/// [s]
template <std::size_t W>
void identity_on(EventSet<W>* out, const EventSet<W>& s, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = s.contains(i) ? EventSet<W>::of(i) : EventSet<W>{};
}

/// [s] ; a. `out` may be `a`.
template <std::size_t W>
void restrict_rows(EventSet<W>* out, const EventSet<W>& s, const EventSet<W>* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = s.contains(i) ? a[i] : EventSet<W>{};
}

/// a ; [s]. `out` may be `a`.
template <std::size_t W>
void restrict_columns(EventSet<W>* out, const EventSet<W>* a, const EventSet<W>& s, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] & s;
}

template <std::size_t W>
EventSet<W> domain(const EventSet<W>* a, std::size_t n) {
  EventSet<W> s;
  for (std::size_t i = 0; i < n; ++i)
    if (!a[i].empty()) s.insert(i);
  return s;
}

template <std::size_t W>
EventSet<W> range(const EventSet<W>* a, std::size_t n) {
  EventSet<W> s;
  for (std::size_t i = 0; i < n; ++i) s |= a[i];
  return s;
}

template <std::size_t W>
bool empty(const EventSet<W>* a, std::size_t n) {
  return range(a, n).empty();
}

template <std::size_t W>
bool equal(const EventSet<W>* a, const EventSet<W>* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (!(a[i] == b[i])) return false;
  return true;
}

template <std::size_t W>
bool irreflexive(const EventSet<W>* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (a[i].contains(i)) return false;
  return true;
}

/// Transitive closure in place (Warshall on rows). Rows of one word are added without a branch,
/// which nobody could predict; of several, only where there is something to add.
template <std::size_t W>
void close(EventSet<W>* r, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    if (r[k].empty()) continue;
    const EventSet<W> row = r[k];
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (W == 1) {
        r[i].words[0] |= row.words[0] & (0 - ((r[i].words[0] >> k) & 1U));
      } else {
        if (r[i].contains(k)) r[i] |= row;
      }
    }
  }
}

/// Adds (a, b) to the transitively closed `r` and keeps it closed: n tests, and none where the pair
/// is there already.
template <std::size_t W>
void add_closed(EventSet<W>* r, std::size_t a, std::size_t b, std::size_t n) {
  if (r[a].contains(b)) return;
  auto reached = r[b];
  reached.insert(b);
  for (std::size_t i = 0; i < n; ++i)
    if (i == a || r[i].contains(a)) r[i] |= reached;
}

/// `closed` becomes the transitive closure of `closed | a`; it must be transitively closed before.
/// False as soon as a cycle is seen, and `closed` is then of no use. Cheap where `a` says little
/// that `closed` does not.
template <std::size_t W>
bool close_onto(EventSet<W>* closed, const EventSet<W>* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto fresh = a[i] - closed[i];
    bool acyclic = !closed[i].contains(i);
    fresh.for_each([&](std::size_t j) {
      if (j == i || closed[j].contains(i)) acyclic = false;
      if (acyclic) add_closed(closed, i, j, n);
    });
    if (!acyclic) return false;
  }
  return true;
}

/// No cycle: peels off events without successors among those left until none is left.
template <std::size_t W>
bool acyclic(const EventSet<W>* a, std::size_t n) {
  auto left = EventSet<W>::first(n);
  for (bool peeled = true; peeled && !left.empty();) {
    peeled = false;
    left.for_each([&](std::size_t i) {
      if (a[i].intersects(left)) return;
      left.erase(i);
      peeled = true;
    });
  }
  return left.empty();
}

} // namespace rows

/// A relation over the events 0..n-1; `n` is the user's to know.
template <std::size_t Words>
struct Relation {
  std::array<EventSet<Words>, EventSet<Words>::capacity> rows{};

  bool contains(std::size_t a, std::size_t b) const { return rows[a].contains(b); }
  void insert(std::size_t a, std::size_t b) { rows[a].insert(b); }
  EventSet<Words>* data() { return rows.data(); }
  const EventSet<Words>* data() const { return rows.data(); }
};

} // namespace thinair::graph
