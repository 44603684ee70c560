// Pairs of accesses, parts of the model, and the weights that follow from how often they were met.
#include "campaign/coverage.h"

#include "litmus/steps.h"

#include <algorithm>
#include <array>
#include <set>

namespace thinair::campaign {
namespace {

using Kind = CoverageKey::Kind;

bool writes(const litmus::Step& step) {
  const auto* method = std::get_if<litmus::Method>(&step.what);
  return method != nullptr && litmus::writes(info(*method).action);
}

bool is_access(const litmus::Step& step) {
  return std::holds_alternative<litmus::Method>(step.what);
}

CoverageKey neighbours(const litmus::Step& a, const litmus::Step& b) {
  const auto kind = !is_access(a) || !is_access(b) ? Kind::beside_a_fence
                    : a.location == b.location     ? Kind::same_location
                                                   : Kind::different_locations;
  return {kind, a.what, b.what};
}

/// The one whose name comes first is first.
CoverageKey communication(const litmus::Step& a, const litmus::Step& b) {
  const bool ordered = name(a.what) <= name(b.what);
  return {Kind::communication, ordered ? a.what : b.what, ordered ? b.what : a.what};
}

} // namespace

std::vector<CoverageKey> coverage_keys(const litmus::Program& program) {
  std::set<CoverageKey> keys;
  std::vector<std::vector<litmus::Step>> threads;
  for (const auto& thread : program.threads) threads.push_back(litmus::steps_of(thread));
  for (const auto& thread : threads)
    for (std::size_t i = 0; i + 1 < thread.size(); ++i)
      keys.insert(neighbours(thread[i], thread[i + 1]));
  for (std::size_t s = 0; s < threads.size(); ++s)
    for (std::size_t t = s + 1; t < threads.size(); ++t)
      for (const auto& a : threads[s])
        for (const auto& b : threads[t])
          if (is_access(a) && is_access(b) && a.location == b.location && (writes(a) || writes(b)))
            keys.insert(communication(a, b));
  return {keys.begin(), keys.end()};
}

std::vector<CoverageKey> coverage_keys(const std::vector<explain::ModelPart>& parts) {
  std::vector<CoverageKey> keys;
  for (const auto& part : parts) {
    CoverageKey key{part.kind == explain::ModelPart::Kind::axiom ? Kind::axiom : Kind::definition};
    key.part = part.name;
    keys.push_back(std::move(key));
  }
  return keys;
}

// ---- steering ------------------------------------------------------------------------------

namespace {

constexpr std::uint64_t find_worth = 64; // of a new minimal program, in such keys
constexpr std::uint64_t doubt = 32;      // programs that count as drawn before any was

CoverageKey of_strategy(Kind kind, gen::Strategy strategy) {
  CoverageKey key{kind};
  key.strategy = strategy;
  return key;
}
CoverageKey drawn_key(gen::Strategy strategy) { return of_strategy(Kind::drawn, strategy); }
CoverageKey worth_key(gen::Strategy strategy) { return of_strategy(Kind::worth, strategy); }

} // namespace

std::uint64_t combinations_covered(const Counts& counts) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(counts, [](const auto& entry) { return entry.first.is_pair(); }));
}
std::uint64_t parts_covered(const Counts& counts) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(counts, [](const auto& entry) { return entry.first.is_part(); }));
}

std::uint64_t Steering::count(const CoverageKey& key) const {
  const auto found = counts_.find(key);
  return found == counts_.end() ? 0 : found->second;
}

void Steering::add(const CoverageKey& key, std::uint64_t n, Counts& stored) {
  counts_[key] += n;
  stored[key] += n;
}

std::uint64_t Steering::novelty(const std::vector<CoverageKey>& keys) const {
  std::uint64_t sum = 0;
  for (const auto& key : keys) sum += unit / (1 + count(key));
  return sum;
}

void Steering::learn(gen::Strategy strategy, const std::vector<CoverageKey>& keys, Counts& stored) {
  add(worth_key(strategy), novelty(keys), stored);
  add(drawn_key(strategy), 1, stored);
  for (const auto& key : keys) add(key, 1, stored);
}

void Steering::learn_find(gen::Strategy strategy, Counts& stored) {
  add(worth_key(strategy), find_worth * unit, stored);
}

gen::Profile Steering::steered(const gen::Profile& profile) const {
  if (!on_) return profile;
  constexpr std::array strategies{gen::Strategy::cycle, gen::Strategy::mutation,
                                  gen::Strategy::noise, gen::Strategy::publication};
  gen::Profile out = profile;
  const std::array<std::uint32_t*, 4> weights{&out.cycles, &out.mutations, &out.noise,
                                              &out.publications};
  std::uint64_t all_worth = unit, all_drawn = doubt;
  for (const auto s : strategies) {
    all_worth += count(worth_key(s));
    all_drawn += count(drawn_key(s));
  }
  const std::uint64_t usual = std::max<std::uint64_t>(1, all_worth / all_drawn);
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    const std::uint64_t rate = (count(worth_key(strategies[i])) + doubt * usual) /
                               (count(drawn_key(strategies[i])) + doubt);
    const std::uint64_t factor = std::clamp<std::uint64_t>(rate * 12 / usual, 4, 36); // of 12
    *weights[i] = static_cast<std::uint32_t>(*weights[i] * factor);
  }
  return out;
}

} // namespace thinair::campaign
