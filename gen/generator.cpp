// Choosing a strategy for each program of the stream.
#include "gen/generator.h"

#include "gen/mutate.h"
#include "gen/publication.h"
#include "gen/skeleton.h"
#include "gen/synchronise.h"
#include "gen/tidy.h"
#include "gen/types.h"

#include <algorithm>
#include <array>

namespace thinair::gen {
namespace {

constexpr std::size_t largest_pool = 512;

bool plain_features(const litmus::Program& program) {
  const auto has = litmus::features(program);
  return !has.loops && !has.monitors && !has.thread_lifetime && !has.final_fields &&
         !has.external_actions && !has.objects && !has.types;
}

} // namespace

std::string_view name(Strategy strategy) {
  switch (strategy) {
  case Strategy::cycle: return "cycle";
  case Strategy::mutation: return "mutation";
  case Strategy::noise: return "noise";
  case Strategy::publication: return "publication";
  case Strategy::exhaustive: return "exhaustive";
  }
  return "";
}

Generator::Generator(Profile profile, std::uint64_t seed, std::uint64_t stream)
    : profile_(std::move(profile)), seed_(seed), stream_(stream) {}

Generated Generator::next() {
  litmus::Random random(litmus::Random(seed_, stream_).next(), index_);
  const std::array<std::uint32_t, 4> weights{profile_.cycles, profile_.mutations, profile_.noise,
                                             profile_.publications};
  auto strategy = static_cast<Strategy>(random.weighted(weights));
  if (strategy == Strategy::mutation && pool_.empty()) strategy = Strategy::cycle;
  Generated made{draw(strategy, random), strategy, index_++};
  if (synchronises(profile_))
    made.program = synchronised(std::move(made.program), profile_, random);
  if (profile_.types > 0)
    made.program = with_types(std::move(made.program), profile_.types, profile_.floats, random);
  if (choices_.schemes > 1) choose(made.program, strategy, random);
  return made;
}

/// A mutant keeps three in four of its choices, where they are ones still.
void Generator::choose(litmus::Program& program, Strategy strategy, litmus::Random& random) const {
  const auto draw = [&](auto what, litmus::Choice& by) {
    const auto all = choices_.of(what);
    const bool keeps = strategy == Strategy::mutation && random.chance(3, 4);
    if (!keeps || std::ranges::find(all, by) == all.end()) by = random.pick(all);
  };
  litmus::each_choice(program, draw, draw);
}

litmus::Program Generator::draw(Strategy strategy, litmus::Random& random) const {
  switch (strategy) {
  case Strategy::cycle: return dress(draw_cycle(profile_, random), profile_, random);
  case Strategy::mutation:
    if (auto mutant = mutate(random.pick(pool_), profile_, random)) return *std::move(mutant);
    return draw(Strategy::cycle, random);
  case Strategy::noise: return dress(draw_noise(profile_, random), profile_, random);
  case Strategy::publication: return draw_publication(profile_, random);
  case Strategy::exhaustive: break; // not random: Enumerator
  }
  return {};
}

void Generator::offer(const litmus::Program& program) {
  if (pool_.size() >= largest_pool || !plain_features(program)) return;
  auto tidied = tidy(program);
  if (!tidied.threads.empty() && !tidied.locations.empty()) pool_.push_back(std::move(tidied));
}

} // namespace thinair::gen
