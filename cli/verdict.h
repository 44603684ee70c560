// What a run says about a test's clauses: one function decides, every command shows the same.
#pragma once

#include "litmus/test.h"
#include "litmus/text/error.h"
#include "oracle/answer.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace thinair::cli {

/// Whether a clause holds. `undecided`: the states are a lower bound, and more of them could change
/// the answer. `vacuous`: nothing is allowed, so that it says nothing whether it holds.
enum class Decision : std::uint8_t { holds, fails, undecided, vacuous };

/// No state is allowed, and none was left out.
bool is_empty(const oracle::Result& result);

/// `vacuous`: what is empty says nothing (oracle::why_nothing).
Decision decide(const litmus::Clause& clause, const oracle::Result& result, bool vacuous = false);

/// How often a clause was met, as herd counts: what meets `~exists p` does not satisfy `p`.
struct Tally {
  std::uint64_t positive = 0, negative = 0;
};

/// Of behaviours.
Tally tally(const litmus::Clause& clause, const oracle::Result& result);

/// Whether the clause asks for its proposition's absence: `~exists`, `forbidden`.
bool negated(litmus::Quantifier quantifier);

/// "exists", "~exists", "forall", "required", …, as the formats write them.
std::string_view word(litmus::Quantifier quantifier);
std::string_view word(Decision decision);

/// `exists (0:r1=0)`, a label included.
std::string text_of(const litmus::Clause& clause);

/// herd's summary of how often a clause's proposition was satisfied: "Never", "Sometimes" or
/// "Always".
std::string_view observation(litmus::Quantifier quantifier, const Tally& tally);

/// A test's answer as an exit code: a `required` or `forbidden` clause that fails is a finding;
/// `exists`, `~exists` and `forall` ask, and either answer is clean; what is unknown or vacuous is
/// undecided.
Exit exit_of(const litmus::Test& test, const oracle::Result& result, bool vacuous = false);

} // namespace thinair::cli
