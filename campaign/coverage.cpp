// Pairs of accesses, parts of the model, and the weights that follow from how often they were met.
#include "campaign/coverage.h"

#include "gen/walk.h"

#include <algorithm>
#include <array>
#include <set>

namespace thinair::campaign {
namespace {

using litmus::Access;
using litmus::FenceStatement;

/// What a thread does, in program order; branches' arms one after the other.
struct Deed {
  std::string_view name; // of the method or fence
  bool is_access = false;
  bool writes = false;
  litmus::LocationId location;
};

std::vector<std::vector<Deed>> deeds_of(const litmus::Program& program) {
  std::vector<std::vector<Deed>> threads(program.threads.size());
  gen::each_statement(program, [&](litmus::ThreadId thread, const litmus::Statement& statement) {
    if (const auto* access = std::get_if<Access>(&statement.node)) {
      const auto& method = info(access->method);
      threads[thread.value].push_back(
          {method.name, true, litmus::writes(method.action), access->location});
    } else if (const auto* fence = std::get_if<FenceStatement>(&statement.node)) {
      threads[thread.value].push_back({info(fence->fence).name, false, false, {}});
    }
  });
  return threads;
}

std::string key(std::string_view kind, const Deed& a, const Deed& b) {
  return std::string(kind) + " " + std::string(a.name) + " " + std::string(b.name);
}

std::string_view order_kind(const Deed& a, const Deed& b) {
  if (!a.is_access || !b.is_access) return "po-fence";
  return a.location == b.location ? "po-same" : "po-diff";
}

} // namespace

std::vector<std::string> coverage_keys(const litmus::Program& program) {
  std::set<std::string> keys;
  const auto threads = deeds_of(program);
  for (const auto& thread : threads)
    for (std::size_t i = 0; i + 1 < thread.size(); ++i)
      keys.insert(key(order_kind(thread[i], thread[i + 1]), thread[i], thread[i + 1]));
  for (std::size_t s = 0; s < threads.size(); ++s)
    for (std::size_t t = s + 1; t < threads.size(); ++t)
      for (const auto& a : threads[s])
        for (const auto& b : threads[t])
          if (a.is_access && b.is_access && a.location == b.location && (a.writes || b.writes))
            keys.insert(a.name <= b.name ? key("com", a, b) : key("com", b, a));
  return {keys.begin(), keys.end()};
}

std::vector<std::string> coverage_keys(const std::vector<explain::ModelPart>& parts) {
  std::vector<std::string> keys;
  for (const auto& part : parts)
    keys.push_back((part.kind == explain::ModelPart::Kind::axiom ? "axiom " : "let ") + part.name);
  return keys;
}

// ---- steering ------------------------------------------------------------------------------

namespace {

constexpr std::uint64_t find_worth = 64; // of a new minimal program, in such keys
constexpr std::uint64_t doubt = 32;      // programs that count as drawn before any was

constexpr std::array<std::string_view, 4> pair_kinds{"com ", "po-diff ", "po-fence ", "po-same "};
constexpr std::array<std::string_view, 2> part_kinds{"let ", "axiom "};

template <std::size_t N>
std::uint64_t count_kinds(const Counts& counts, const std::array<std::string_view, N>& kinds) {
  return static_cast<std::uint64_t>(std::ranges::count_if(counts, [&](const auto& entry) {
    return std::ranges::any_of(
        kinds, [&](std::string_view kind) { return entry.first.starts_with(kind); });
  }));
}

std::string drawn_key(gen::Strategy strategy) {
  return "drawn " + std::string(gen::name(strategy));
}
std::string worth_key(gen::Strategy strategy) {
  return "worth " + std::string(gen::name(strategy));
}

} // namespace

std::uint64_t combinations_covered(const Counts& counts) { return count_kinds(counts, pair_kinds); }
std::uint64_t parts_covered(const Counts& counts) { return count_kinds(counts, part_kinds); }

std::uint64_t Steering::count(const std::string& key) const {
  const auto found = counts_.find(key);
  return found == counts_.end() ? 0 : found->second;
}

void Steering::add(const std::string& key, std::uint64_t n, Counts& stored) {
  counts_[key] += n;
  stored[key] += n;
}

std::uint64_t Steering::novelty(const std::vector<std::string>& keys) const {
  std::uint64_t sum = 0;
  for (const auto& key : keys) sum += unit / (1 + count(key));
  return sum;
}

void Steering::learn(gen::Strategy strategy, const std::vector<std::string>& keys, Counts& stored) {
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
                                  gen::Strategy::noise};
  gen::Profile out = profile;
  const std::array<std::uint32_t*, 3> weights{&out.cycles, &out.mutations, &out.noise};
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
