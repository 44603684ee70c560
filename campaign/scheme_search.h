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
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace thinair::campaign {

struct SchemeSearch {
  std::string scheme;            // by name or path
  std::vector<std::string> with; // schemes whose code the same threads may run
  gen::Space space;     // the accesses and fences around those that are asked about, and how many
  gen::Profile profile; // of random programs
  std::uint64_t programs = 1000; // random ones, for each question
  std::uint64_t seed = 1;
  std::optional<double> seconds;       // for everything
  std::vector<std::size_t> operations; // that may change; empty: all
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

struct Relaxation {
  std::vector<Weakened> single; // every weakening of the scheme itself
  std::vector<Weakened> taken;  // those that the result has, in the order in which it got them
  lower::RuleTexts rules;       // of the result: no weakening of it is known to be possible
  std::uint64_t cost_before = 0, cost_after = 0;
  Extent extent; // of the result
};

/// A change that makes a scheme sound, and the program that needs it.
struct Strengthened {
  lower::Step step;
  std::optional<SchemeWitness> needed_by; // absent: the time was over
};

struct Repair {
  std::vector<Strengthened> changes; // none: nothing is wrong within `extent`
  lower::RuleTexts rules;
  std::uint64_t cost_before = 0, cost_after = 0;
  std::uint64_t candidates = 0; // schemes that were looked at
  Extent extent;                // of the result
  bool found = true;            // false: none within the lattice, or none in time
};

class SchemeSearcher {
 public:
  /// Throws InputError for what is no scheme, and for schemes of several machines.
  SchemeSearcher(const Against& against, const SchemeSearch& settings, lower::Costs costs,
                 const std::atomic<bool>& stop);
  ~SchemeSearcher();

  Relaxation relax();
  Repair repair();

  lower::Machine machine() const;
  /// A scheme file with these rules, the remark in its first line.
  std::string text_of(const lower::RuleTexts& rules, const std::string& remark) const;

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

} // namespace thinair::campaign
