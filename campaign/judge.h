// What a campaign asks of each program, without knowing who answers.
#pragma once

#include "gen/reduce.h"
#include "litmus/condition.h"
#include "litmus/program.h"
#include "litmus/test.h"
#include "oracle/explain/core.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace thinair::runners {
class SameProgram;
}

namespace thinair::campaign {

/// What is known of a program on one target. Stores keep the numbers.
enum class Verdict : std::uint8_t {
  sound,       // everything that the target does is allowed
  unsupported, // an engine lacks something that the program uses
  unknown,     // a limit was reached: never counted as sound
  unsound,     // the target does what the model forbids
  vacuous,     // the model allows the program nothing at all, or the target shows nothing, and
               // some interleaving of its threads ends
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
  std::optional<explain::Core> reason = {}; // the model's, where it was asked for
  std::string seen = {}; // how often, where that is chance: "3 of 3 runs, 7 of 9000 samples, on .."
  friend bool operator==(const Finding&, const Finding&) = default;
};

/// What was worked out and asked for in vain, or not at all, begins so where others say how often.
inline constexpr std::string_view may_happen = "may happen";
/// What is shown of a reason; empty where none was asked for.
std::string as_text(const std::optional<explain::Core>& reason);
/// ", seen in 3 of 9,000 samples, on …", ", may happen: …", or nothing.
std::string in_a_row(std::string_view seen);
/// "Seen in 3 of 9,000 samples, on …", "May happen: …".
std::string as_sentence(std::string_view seen);

/// Why the model forbids a finding, and how often it was seen.
struct Why {
  explain::Core reason;
  std::string seen;
};

struct Judgement {
  Verdict verdict = Verdict::sound;
  Reason reason;                 // of what is undecided
  std::vector<Finding> findings; // of unsound: at least one, the least behaviour first
  friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// A program on which a baseline itself shows what the model forbids.
struct BaselineFault {
  std::uint32_t accesses = 0;
  std::string program; // as a litmus test
  litmus::State behaviour;
  /// Of two the smaller one is told.
  friend bool operator<(const BaselineFault& a, const BaselineFault& b) {
    return std::tie(a.accesses, a.program) < std::tie(b.accesses, b.program);
  }
};
std::string as_text(const BaselineFault& fault, std::string_view baseline, std::string_view model);

/// Judges a program on one target (by its place in the campaign's list). Called from several
/// threads at once; the same program always gets the same answer.
class Judge {
 public:
  using Same = runners::SameProgram;

  /// `judge(program, target)`, or `judge(program, target, same)` where targets that judge the same
  /// program have something in common, which is then kept in `same`; it may be null.
  template <class F>
  Judge(F judge) { // NOLINT(google-explicit-constructor): callers write a function
    if constexpr (std::is_invocable_v<F, const litmus::Program&, std::size_t, Same*>)
      judge_ = std::move(judge);
    else
      judge_ = [judge = std::move(judge)](const litmus::Program& program, std::size_t target,
                                          Same*) { return judge(program, target); };
  }

  Judgement operator()(const litmus::Program& program, std::size_t target,
                       Same* same = nullptr) const {
    return judge_(program, target, same);
  }

 private:
  std::function<Judgement(const litmus::Program&, std::size_t target, Same*)> judge_;
};

/// A program as a test without questions.
litmus::Test as_test(const litmus::Program& program, std::string name);

} // namespace thinair::campaign
