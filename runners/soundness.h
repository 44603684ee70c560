// Is what a target makes of a program sound for a model: one program, one target, one model
// (jMT §5, equation 1).
#pragma once

#include "litmus/test.h"
#include "lower/target.h"
#include "oracle/answer.h"
#include "runners/hardware.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners {

enum class Soundness : std::uint8_t {
  sound,   // every behaviour of the code is one that the model allows the source; there may be
           // none, where no interleaving of the source ends either
  unsound, // some is not
  unknown, // a limit was reached before that was clear
  vacuous, // the code shows nothing though the source may end, or the model allows it nothing at
           // all
};
std::string_view name(Soundness verdict);

class SameProgram;
struct Judged;

struct SoundnessOptions {
  oracle::Options oracle;     // loops are unrolled to its bound on both sides
  bool rules_of_both = false; // its rules are those of a model as the implementation, too
  /// What else does with the test: behaviours that it shows, too, are excused. Asked only where
  /// something is forbidden; may be absent.
  std::function<Judged(const litmus::Test&)> baseline = {};
  SameProgram* same = nullptr; // what other targets of the test have found out; may be absent
};

/// What the oracle says of a target's behaviours.
struct Judged {
  Soundness verdict = Soundness::unknown;
  Reason reason;                               // of unknown and vacuous
  std::vector<litmus::Observable> observables; // all registers; memory where the model orders it
  std::vector<litmus::Behaviour> behaviours;   // of the code, in the source's terms, sorted
  std::vector<litmus::Behaviour> forbidden;    // those among them that the model forbids
  std::vector<litmus::Behaviour> excused;      // forbidden, too, and shown by the baseline as well
  bool whole = true;                           // `behaviours` are all there are
  std::uint64_t undecided = 0;                 // behaviours that the oracle could not judge
  /// The first forbidden behaviour, in the code's terms.
  std::optional<litmus::Proposition> witness;
};

struct SoundnessResult : Judged {
  lower::Lowered lowered;
  litmus::Test code; // what the hardware ran, its witness as a clause
};

/// Lowers the test, asks the hardware for what the code does, restores it to the source's registers
/// and asks the oracle about each behaviour. The test's clauses play no role; its filter does.
/// Throws Unsupported for what lowering, the hardware or the oracle lacks.
SoundnessResult check_soundness(const litmus::Test& test, const cat::Plan& model,
                                lower::Target& target, const Hardware& hardware,
                                const SoundnessOptions& options = {});

/// The same for a program lowered already.
SoundnessResult check_soundness(const litmus::Test& test, const cat::Plan& model,
                                lower::Lowered lowered, std::string_view target,
                                const Hardware& hardware, const SoundnessOptions& options = {});

/// Another model as the implementation: is all that it allows the test, under the causality rules
/// it is meant for (with `rules_of_both`, those of the options), allowed by `model`? Memory is
/// compared where both say what is in it at the end. `lowered` stays empty, `code` is the test
/// itself.
SoundnessResult check_soundness(const litmus::Test& test, const cat::Plan& model,
                                const cat::Plan& implementation,
                                const SoundnessOptions& options = {});

} // namespace thinair::runners
