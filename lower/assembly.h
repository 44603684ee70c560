// x86 programs as text for a real assembler.
#pragma once

#include "machine/x86/program.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace thinair::lower {

/// A function per thread, `P0`, `P1`, …, in AT&T syntax for GNU and LLVM assemblers: cells are
/// global symbols, every function ends with `ret`. `comment` may say something before an
/// instruction.
using Comment = std::function<std::string(std::size_t thread, std::size_t instruction)>;
std::string assembly(const x86::Program& program, const Comment& comment = {});

/// One instruction in AT&T syntax, without its labels: "lock cmpxchgl %edx, x(%rip)".
/// `label_prefix` goes before a jump's target.
std::string att(const x86::Program& program, const x86::Instruction& instruction,
                std::string_view label_prefix = {});

} // namespace thinair::lower
