// xoshiro256**, splitmix64 and the distributions on top of them.
#include "litmus/random.h"

#include "litmus/text/error.h"

#include <bit>

namespace thinair::litmus {
namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

} // namespace

Random::Random(std::uint64_t seed) {
  for (auto& word : state_) word = splitmix(seed);
}

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t mixed = splitmix(seed) ^ stream;
  for (auto& word : state_) word = splitmix(mixed);
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  THINAIR_CHECK(bound > 0, "a draw from nothing");
  const std::uint64_t uneven =
      (0 - bound) % bound; // 2^64 mod bound: draws below it would favour small results
  std::uint64_t draw = next();
  while (draw < uneven) draw = next();
  return draw % bound;
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t draw = width == 0 ? next() : below(width);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + draw);
}

std::size_t Random::weighted(std::span<const std::uint32_t> weights) {
  std::uint64_t total = 0;
  for (const auto w : weights) total += w;
  std::uint64_t draw = below(total);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (draw < weights[i]) return i;
    draw -= weights[i];
  }
  bug(__FILE__, __LINE__, "weights that do not add up");
}

} // namespace thinair::litmus
