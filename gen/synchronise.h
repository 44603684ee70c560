// Monitors, starts, joins and prints, added to a program that has none.
#pragma once

#include "gen/profile.h"
#include "litmus/program.h"
#include "litmus/random.h"

namespace thinair::gen {

/// Whether the profile draws any of it.
bool synchronises(const Profile& profile);

/// Puts runs of statements under monitors, has threads start and wait for others, prints what was
/// read, by the profile's shares. What is locked is unlocked in the same block, sections nest, a
/// thread is started once and by a thread that comes before it.
litmus::Program synchronised(litmus::Program program, const Profile& profile,
                             litmus::Random& random);

} // namespace thinair::gen
