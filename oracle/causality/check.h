// An independent check of justifications against the letter of the rules.
#pragma once

#include "oracle/causality/justify.h"

#include <optional>
#include <string>

namespace thinair::causality {

/// Goes through the stages with sets and pairs, sharing nothing with the search. Returns the first
/// violation ("stage 3: reads-from: …"); absent: the justification stands.
std::optional<std::string> violation(const GraphSet& set, const Justification& justification,
                                     const Rules& rules, const Switches& switches);

} // namespace thinair::causality
