// What the rules of a scheme must satisfy before anything is lowered with them, by what each
// instruction reads and writes.
#pragma once

#include "lower/machine_words.h"
#include "lower/rule_text.h"

#include <array>
#include <vector>

namespace thinair::lower {

/// One rule as code of one operation.
struct RuleOfOperation {
  const text::Source& source;
  Operation operation;
  text::Span named; // where the operation is
  const TextRule& rule;
};

/// What an instruction of the rule reads and writes.
struct Effect {
  RegisterBits reads = 0, writes = 0;
};

/// The registers that stand for the roles and for the address of [x].
struct RoleBits {
  std::array<RegisterBits, role_count> roles{};
  RegisterBits address = 0;
};

/// Throws InputError: an operand that the operation has not, an argument or the address clobbered,
/// a register read before it is written, no access to the location, a result never written.
void check_rule(const RuleOfOperation& rule, const std::vector<Effect>& effects,
                const RoleBits& bits);

} // namespace thinair::lower
