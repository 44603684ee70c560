// What a campaign asks of each program, without knowing who answers.
#pragma once

#include "gen/reduce.h"
#include "litmus/condition.h"
#include "litmus/program.h"
#include "litmus/test.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::campaign {

/// What is known of a program on one target. Stores keep the numbers.
enum class Verdict : std::uint8_t {
  sound,       // everything that the target does is allowed
  unsupported, // an engine lacks something that the program uses
  unknown,     // a limit was reached: never counted as sound
  unsound,     // the target does what the model forbids
  vacuous,     // the model allows the program nothing at all, or the target shows nothing
};
inline constexpr std::size_t verdict_count = 5;

std::string_view name(Verdict verdict);
/// There is no answer, and a reason for that: never counted as sound.
bool is_undecided(Verdict verdict);
/// What a verdict says to a reduction.
gen::Interest interest_of(Verdict verdict);

/// A behaviour that the target shows and the model forbids.
struct Finding {
  litmus::State behaviour;
  std::string reason;    // the model's: the axioms that fail
  std::string seen = {}; // how often, where that is chance: "3 of 3 runs, 7 of 9000 samples, on .."
  friend bool operator==(const Finding&, const Finding&) = default;
};

/// Why the model forbids a finding, and how often it was seen.
struct Why {
  std::string reason, seen;
};

struct Judgement {
  Verdict verdict = Verdict::sound;
  Reason reason;                 // of what is undecided
  std::vector<Finding> findings; // of unsound: at least one, the least behaviour first
  friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// Judges a program on one target (by its place in the campaign's list). Called from several
/// threads at once; the same program always gets the same answer.
using Judge = std::function<Judgement(const litmus::Program&, std::size_t target)>;

/// A program as a test without questions.
litmus::Test as_test(const litmus::Program& program, std::string name);

} // namespace thinair::campaign
