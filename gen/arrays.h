// Programs that make an array, hand it over, and access its elements by indices that they read.
#pragma once

#include "gen/profile.h"
#include "litmus/program.h"
#include "litmus/random.h"

namespace thinair::gen {

/// A thread makes an array of ints, or of references to objects that it makes as well, writes some
/// elements, and publishes the array: by itself, or in a field of an object (a final one, as the
/// profile has it). All threads then access elements; an index is a constant, or a register with
/// something in front that has no influence on it or that has, and now and then it is out of
/// bounds.
litmus::Program draw_arrays(const Profile& profile, litmus::Random& random);

} // namespace thinair::gen
