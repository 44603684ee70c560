// An independent check of justifications against the letter of the rules.
#pragma once

#include "oracle/causality/justify.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thinair::causality {

/// Goes through the stages with sets and pairs, sharing nothing with the search. Returns the first
/// violation ("stage 3: reads-from: …"); absent: the justification stands.
std::optional<std::string> violation(const GraphSet& set, const Justification& justification,
                                     const Rules& rules, const Switches& switches);

/// Of stages that lead somewhere, though not to the whole target: the same, but for what the last
/// stage has to be.
std::optional<std::string> violation_on_the_way(const GraphSet& set, const Justification& stages,
                                                const Rules& rules, const Switches& switches);

/// What one more stage would break.
class NextStage {
 public:
  /// All outlive it.
  NextStage(const GraphSet& set, const Justification& stages, const Rules& rules,
            const Switches& switches);
  ~NextStage();

  /// The rules that an execution breaks as the stage that commits some actions besides what is
  /// committed already: for each choice of actions, in the order of rules().
  std::vector<std::vector<Rule>> broken(std::uint32_t graph, std::uint32_t labelling,
                                        const std::vector<std::vector<ActionIndex>>& some) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace thinair::causality
