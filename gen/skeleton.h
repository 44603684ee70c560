// The bare bones of a program, who reads and writes where, and how they are dressed with modes,
// values and dependencies.
#pragma once

#include "gen/profile.h"
#include "litmus/program.h"
#include "litmus/random.h"

#include <cstddef>
#include <vector>

namespace thinair::gen {

/// One access: its direction and location.
struct Slot {
  bool write = false;
  std::size_t location = 0;
  friend bool operator==(const Slot&, const Slot&) = default;
};

using Skeleton = std::vector<std::vector<Slot>>; // a row a thread

std::size_t count_slots(const Skeleton& skeleton);

/// A critical cycle (Shasha and Snir; the shapes of diy): threads linked by external reads-from,
/// from-reads and coherence edges, at most two cycle events a thread, to different locations unless
/// the cycle has one location only; then same-location neighbours, unrelated accesses and observer
/// threads as the profile asks.
Skeleton draw_cycle(const Profile& profile, litmus::Random& random);

/// Accesses drawn one by one.
Skeleton draw_noise(const Profile& profile, litmus::Random& random);

/// Modes, read-modify-writes, constants, fences, dependencies and branches, drawn by the profile's
/// weights.
litmus::Program dress(const Skeleton& skeleton, const Profile& profile, litmus::Random& random);

} // namespace thinair::gen
