// The project's only source of random numbers: the same seed gives the same draws on every machine
// and compiler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thinair::litmus {

/// xoshiro256** seeded through splitmix64 (Blackman and Vigna), with distributions of our own: the
/// standard library's are not the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  /// An independent generator for part `stream` of what `seed` stands for.
  Random(std::uint64_t seed, std::uint64_t stream);

  std::uint64_t next();

  /// Uniform in [0, bound); bound > 0. Without modulo bias.
  std::uint64_t below(std::uint64_t bound);

  /// Uniform in [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high);

  /// True in `numerator` of `denominator` cases.
  bool chance(std::uint32_t numerator, std::uint32_t denominator) {
    return below(denominator) < numerator;
  }

  /// An index, each with probability proportional to its weight; some weight must be positive.
  std::size_t weighted(std::span<const std::uint32_t> weights);

  template <class Container>
  auto& pick(Container& container) {
    return container[static_cast<std::size_t>(below(container.size()))];
  }

 private:
  std::array<std::uint64_t, 4> state_{};
};

} // namespace thinair::litmus
