// Which of a scheme's rules make a program's code.
#pragma once

#include "litmus/steps.h"
#include "lower/scheme_text.h"

#include <set>
#include <vector>

namespace thinair::campaign {

/// The rule that makes the code of a step.
lower::RuleName rule_of(const lower::SchemeText& scheme, const litmus::Program& program,
                        const litmus::Thread& thread, const litmus::Step& step);

/// What a program asks of a compiler. A start and a join have another side: what the thread does
/// that they are about.
std::set<lower::Operation> operations_in(const litmus::Program& program);

/// The rules for these, in order.
std::vector<lower::RuleName> rules_of(const lower::SchemeText& scheme,
                                      const litmus::Program& program);

} // namespace thinair::campaign
