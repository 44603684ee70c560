// Stronger modes and more fences allow no more.
#include "gen/measure.h"
#include "health/edits.h"
#include "health/property.h"
#include "litmus/modes.h"

#include <algorithm>

namespace thinair::health {
namespace {

using litmus::Access;
using litmus::Block;
using litmus::Fence;
using litmus::Mode;
using litmus::Statement;

constexpr const char* lea =
    "Lea, Using JDK 9 Memory Order Modes (2018): each mode is stronger than those before it";

/// Whether each half of `a` is at most as strong as that of `b`, and one is weaker.
bool weaker(const litmus::MethodInfo& a, const litmus::MethodInfo& b) {
  const bool reads = litmus::reads(a.action), writes = litmus::writes(a.action);
  // acquire and release are equally strong, but no half of a method can be either
  const auto low =
      std::pair(reads ? gen::strength(a.read) : 0, writes ? gen::strength(a.write) : 0);
  const auto high =
      std::pair(reads ? gen::strength(b.read) : 0, writes ? gen::strength(b.write) : 0);
  return low != high && low.first <= high.first && low.second <= high.second;
}

/// JDK's documentation of VarHandle: acquireFence includes loadLoadFence, releaseFence
/// storeStoreFence, fullFence all of them.
bool weaker(Fence a, Fence b) {
  if (a == b) return false;
  return b == Fence::full || (b == Fence::acquire && a == Fence::load_load) ||
         (b == Fence::release && a == Fence::store_store);
}

/// The program with one access in a stronger mode.
std::vector<Variant> stronger_modes(const litmus::Program& program) {
  std::vector<Variant> out;
  for (const auto& other : litmus::methods())
    for (auto& changed : edited(program, 1, [&](const auto&, auto one) -> std::optional<Block> {
           const Access* access = access_in(one[0]);
           if (access == nullptr || info(access->method).action != other.action ||
               !weaker(info(access->method), other))
             return std::nullopt;
           Access stronger = *access;
           stronger.method = other.method;
           return Block{Statement{stronger, one[0].span}};
         }))
      out.push_back({std::move(changed)});
  return out;
}

/// The program with one fence more, or a stronger one.
std::vector<Variant> more_fences(const litmus::Program& program) {
  std::vector<Variant> out;
  for (const auto& fence : litmus::fences()) {
    const Block block = {Statement{litmus::FenceStatement{fence.fence}, {}}};
    for (auto& changed :
         edited(program, 0, [&](const auto&, auto) { return std::optional(block); }))
      out.push_back({std::move(changed)});
    for (auto& changed : edited(program, 1, [&](const auto&, auto one) -> std::optional<Block> {
           const auto* there = std::get_if<litmus::FenceStatement>(&one[0].node);
           if (there == nullptr || !weaker(there->fence, fence.fence)) return std::nullopt;
           return block;
         }))
      out.push_back({std::move(changed)});
  }
  return out;
}

} // namespace

void add_monotony(std::vector<Property>& out, const Settings& /*settings*/) {
  out.push_back({"monotone-modes", "Monotony", "an access in a stronger mode allows no more", lea,
                 adds_nothing(stronger_modes), 4});
  out.push_back({"monotone-fences", "Monotony", "a fence more, or a stronger one, allows no more",
                 lea, adds_nothing(more_fences), 16});
}

} // namespace thinair::health
