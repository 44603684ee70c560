// Schemes around a scheme: which of its orderings are not needed, and what it lacks.
//
// Both searches keep the programs that told schemes apart: a program that one candidate gets wrong
// is asked of every other before any new one is. What no program tells apart is said with how far
// the search went, never as proved.
#pragma once

#include "campaign/target.h"
#include "gen/exhaustive.h"
#include "gen/profile.h"
#include "lower/lattice.h"
#include "lower/target.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::campaign {

struct SchemeSearch {
  std::string scheme;            // by name or path
  std::vector<std::string> with; // schemes whose code the same threads may run
  gen::Space space; // the accesses and fences around those that are asked about, and how many
  std::vector<gen::Profile> profiles; // of random programs, in turn
  std::uint64_t programs = 1000;      // random ones: for each operation, or for a whole scheme
  std::uint64_t seed = 1;
  std::optional<double> seconds;            // for everything
  std::vector<lower::Operation> operations; // that may change; empty: all
  bool within = false; // what relax() draws at random, too, has no operations but these and the
                       // space's, as what repair() draws has where `operations` are named
};

/// A program on which a scheme shows what the model forbids.
struct SchemeWitness {
  litmus::Program program;
  litmus::State behaviour;
};

/// How far a search went that found nothing.
struct Extent {
  std::uint32_t accesses = 0;  // all programs of at most so many accesses were judged
  std::uint64_t programs = 0;  // of the space, that were judged
  std::uint64_t random = 0;    // and so many at random
  std::uint64_t undecided = 0; // of all of these
  bool late = false;           // the time was over
};
std::string to_string(const Extent& extent);

/// A weakening, and what speaks against it.
struct Weakened {
  lower::Step step;
  std::optional<SchemeWitness> witness; // absent: nothing within `extent`
  Extent extent;
};

/// A scheme of which no weakening is known to be possible.
struct MinimalScheme {
  std::vector<Weakened> taken; // what it does without, by operation
  lower::SchemeText scheme;
  std::uint64_t cost = 0;
  Extent extent; // of programs with any of the operations
};

struct Relaxation {
  std::vector<Weakened> single; // every weakening of the scheme itself
  /// The cheapest first; none where nothing can go. Beside the one that takes what saves most, one
  /// for each weakening that it had to leave, taken first.
  std::vector<MinimalScheme> minimal;
  std::uint64_t cost_before = 0;
};

/// A change that makes a scheme sound, and the program that needs it.
struct Strengthened {
  lower::Step step;
  std::optional<SchemeWitness> needed_by; // absent: the time was over
};

struct Repair {
  std::vector<Strengthened> changes; // none: nothing is wrong within `extent`
  lower::SchemeText scheme;
  std::uint64_t cost_before = 0, cost_after = 0;
  std::uint64_t candidates = 0;          // schemes that were looked at
  Extent extent;                         // of the result
  std::uint32_t accesses_of_changed = 0; // how far programs with a changed operation were asked
  bool found = true;                     // false: none was found, or none in time
};

/// What of the scheme nothing needs. Takes the weakening that saves most, then the next, as long as
/// the scheme with all of them shows nothing new. Throws InputError for what is no scheme, and for
/// schemes of several machines.
Relaxation relax(const Against& against, const SchemeSearch& settings, const lower::Costs& costs,
                 const std::atomic<bool>& stop);

/// The cheapest scheme that shows nothing forbidden: more ordering in the rules of programs that
/// show something, or, where all the ordering there is does not mend a program, the code that some
/// other scheme of the machine has. Throws InputError likewise.
Repair repair(const Against& against, const SchemeSearch& settings, const lower::Costs& costs,
              const std::atomic<bool>& stop);

} // namespace thinair::campaign
