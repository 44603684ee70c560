// What programs exercise, of the language and of the model, and how that steers what is drawn next.
#pragma once

#include "campaign/coverage_key.h"
#include "litmus/test.h"
#include "oracle/explain/exercised.h"

#include <cstdint>
#include <vector>

namespace thinair::campaign {

/// The pairs of accesses in a program; each once, in their order.
std::vector<CoverageKey> coverage_keys(const litmus::Program& program);
/// The parts of a model.
std::vector<CoverageKey> coverage_keys(const std::vector<explain::ModelPart>& parts);

/// How many pairs of accesses were met, and how many parts of the model.
std::uint64_t combinations_covered(const Counts& counts);
std::uint64_t parts_covered(const Counts& counts);

/// What one stream has exercised so far. What it draws next depends on these counts alone, so that
/// a resumed stream goes on as if it had not been interrupted.
class Steering {
 public:
  Steering(Counts counts, bool on) : counts_(std::move(counts)), on_(on) {}

  static constexpr std::uint64_t unit = 1 << 16; // the worth of a key never seen

  /// Higher for a program whose keys are rare: a key seen n times is worth unit/(1+n).
  std::uint64_t novelty(const std::vector<CoverageKey>& keys) const;

  /// Counts a program drawn by a strategy; the counts to store are added to `stored`.
  void learn(gen::Strategy strategy, const std::vector<CoverageKey>& keys, Counts& stored);
  /// A reduction ended in a minimal program that this stream had not met.
  void learn_find(gen::Strategy strategy, Counts& stored);

  /// Weights of the strategies: the profile's, moved towards those that meet what is rare and find
  /// what is new, none below a third of its own and none above three times it.
  gen::Profile steered(const gen::Profile& profile) const;

  const Counts& counts() const { return counts_; }

 private:
  void add(const CoverageKey& key, std::uint64_t n, Counts& stored);
  std::uint64_t count(const CoverageKey& key) const;

  Counts counts_;
  bool on_;
};

} // namespace thinair::campaign
