// The stream of programs that a campaign tests: a function of profile, seed and stream number
// alone.
#pragma once

#include "gen/profile.h"
#include "litmus/choices.h"
#include "litmus/program.h"
#include "litmus/random.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace thinair::gen {

enum class Strategy : std::uint8_t { cycle, mutation, noise, publication, exhaustive };
std::string_view name(Strategy strategy);

struct Generated {
  litmus::Program program;
  Strategy strategy = Strategy::cycle;
  std::uint64_t index = 0; // its place in the stream
};

/// Program `index` depends on (profile, seed, stream, index) and, for mutants, on what the pool
/// held when it was drawn.
class Generator {
 public:
  Generator(Profile profile, std::uint64_t seed, std::uint64_t stream);

  Generated next();

  /// Goes on at place `index` of the stream; what was offered before it must have been offered
  /// again.
  void resume_at(std::uint64_t index) { index_ = index; }

  /// Something worth mutating: a corpus test, a mismatch. Programs with features that generated
  /// ones lack are refused.
  void offer(const litmus::Program& program);

  /// Other weights of the strategies from now on (coverage that steers).
  void set_profile(const Profile& profile) { profile_ = profile; }
  /// What accesses and fences may be compiled by, drawn for each; of a mutant for some.
  void set_choices(litmus::Choices choices) { choices_ = std::move(choices); }
  const Profile& profile() const { return profile_; }

 private:
  litmus::Program draw(Strategy strategy, litmus::Random& random) const;
  void choose(litmus::Program& program, Strategy strategy, litmus::Random& random) const;

  Profile profile_;
  litmus::Choices choices_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t index_ = 0;
  std::vector<litmus::Program> pool_;
};

} // namespace thinair::gen
