// Programs that make objects and hand them over: safely, by a race, too early, lazily.
#pragma once

#include "gen/profile.h"
#include "litmus/program.h"
#include "litmus/random.h"

namespace thinair::gen {

/// A thread makes an object (its fields written in a constructor, which may leak it), perhaps with
/// another one inside, and publishes it by a write, an exchange or a compare-and-set; others read
/// the reference, some twice, some hand it on, and read what they reach by it. Or all threads look
/// for the object and make it where there is none (double-checked locking). Or two threads make one
/// each, hand it to the other, and look for what the other has for them, as at an exchange. Or
/// they are about an array (arrays.h).
litmus::Program draw_publication(const Profile& profile, litmus::Random& random);

} // namespace thinair::gen
