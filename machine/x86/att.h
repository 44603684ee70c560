// x86 instructions as GNU and LLVM assemblers take them.
#pragma once

#include "machine/x86/program.h"

#include <string>
#include <string_view>

namespace thinair::x86 {

/// One instruction in AT&T syntax, without its labels: "lock cmpxchgl %edx, x(%rip)".
/// `label_prefix` goes before a jump's target.
std::string att_text(const Program& program, const Instruction& instruction,
                     std::string_view label_prefix = {});

} // namespace thinair::x86
