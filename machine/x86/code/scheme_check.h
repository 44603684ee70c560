// What a scheme's instructions and rules must satisfy before anything is lowered with them.
#pragma once

#include "machine/x86/code/rules.h"

namespace thinair::lower::x86_code {

/// The number, kinds and widths of the operands, and `lock`. Sets `instruction.width`.
void check_operands(const text::Source& source, TemplateInstruction& instruction);

/// The whole rule as code of what `name` says, which stands at `named`: what is read and written,
/// and labels. Returns it with what the checks found out.
Rule checked(const text::Source& source, text::Span named, const RuleName& name, Rule rule);

} // namespace thinair::lower::x86_code
