// Which rules of a scheme are at fault in a program: those that, exchanged for the strongest code
// that the machine has, make it right.
#pragma once

#include "campaign/judge.h"
#include "lower/target.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::campaign {

/// What a program would show if it were compiled by another target.
using JudgeWith = std::function<Verdict(const litmus::Program&, lower::Target&)>;

/// Rules of a scheme, sorted.
using Rules = std::vector<lower::RuleName>;

/// How rules are strengthened, the least change first.
enum class Strengthening : std::uint8_t {
  fence_behind,
  fence_before,
  fences_around,
  exchanged, // for the rule of NAME:fenced
};

/// Code that shows nothing is right, too: two threads that enter a monitor and never leave it do
/// not both end. That the verdict is vacuous as the *model* allows nothing does not occur where a
/// find is mended: then the program would have been no find.
inline bool is_right(Verdict verdict) {
  return verdict == Verdict::sound || verdict == Verdict::vacuous;
}

class SchemeMending {
 public:
  /// Whether the machine of that scheme has one that rules can be taken from, NAME:fenced.
  static bool is_possible(const std::string& name);
  /// That scheme, of a machine by its name: "x86:fenced".
  static std::string strongest_of(std::string_view machine);

  /// `name`: of a scheme, shipped or a file.
  SchemeMending(const std::string& name, JudgeWith judge);

  /// Whether some other shipped scheme of the machine is right on the program: where all are wrong,
  /// no rule of this one is to blame. Absent: none is known to be right, and not all to be wrong.
  std::optional<bool> others_are_right(const litmus::Program& program) const;

  /// The smallest sets of rules without which the program is right, of at most three rules, the
  /// likeliest to be at fault first. Empty: there are none.
  std::vector<Rules> mends(const litmus::Program& program) const;

  /// The likelier to be at fault comes first. A rule that no shipped scheme has in that form is
  /// likelier than one that does, and what is rare in programs is easier to strengthen: fences,
  /// then updates, writes, reads.
  bool likelier(const Rules& a, const Rules& b) const;

  /// The least change of these rules that mends all of the programs.
  Strengthening least_change(const Rules& rules,
                             const std::vector<litmus::Program>& programs) const;

  /// "mine.scheme:9".
  std::string place(const lower::RuleName& rule) const;

  /// What is wrong with the rules, in words, and what mends them.
  std::string sentence(const Rules& rules, Strengthening change,
                       const std::vector<litmus::Program>& programs) const;
  std::string change(const Rules& rules, Strengthening change) const;

 private:
  struct Other {
    std::string name;
    lower::SchemeText text;
  };

  bool mended(const litmus::Program& program, const Rules& rules, Strengthening change) const;
  lower::Target changed(const Rules& rules, Strengthening change) const;
  std::array<int, 2> rank(const lower::RuleName& rule) const;

  lower::SchemeText scheme_, fenced_;
  std::vector<Other> others_;
  JudgeWith judge_;
};

} // namespace thinair::campaign
