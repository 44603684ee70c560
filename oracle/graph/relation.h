// Sets of events as machine words, relations as arrays of them: the arithmetic that all models are
// made of.
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

  constexpr bool contains(std::size_t e) const { return (words[e / 64] >> (e % 64)) & 1U; }
  constexpr void insert(std::size_t e) { words[e / 64] |= std::uint64_t{1} << (e % 64); }
  constexpr void erase(std::size_t e) { words[e / 64] &= ~(std::uint64_t{1} << (e % 64)); }
  constexpr bool empty() const {
    for (const auto w : words)
      if (w != 0) return false;
    return true;
  }
  constexpr std::size_t size() const {
    std::size_t n = 0;
    for (const auto w : words) n += static_cast<std::size_t>(std::popcount(w));
    return n;
  }
  friend constexpr bool operator==(const EventSet&, const EventSet&) = default;
};

} // namespace thinair::graph
