// From decoded machine instructions back to an x86 litmus thread.
#pragma once

#include "lower/backend.h"
#include "lower/lowered.h"
#include "machine/x86/program.h"

#include <map>
#include <string>

namespace thinair::lower::x86_code {

struct LiftOptions {
  /// The instruction at which a thread ends, `ret` or, where a prologue and an epilogue surround
  /// the body, a `hlt` that the compiler was made to place (ir.h). Code behind it is not looked at.
  std::string end = "RET64";
  bool keep_nops = false; // otherwise they are padding
};

/// Where slots of the stack went, by their distance from %rsp at the function's entry: a register
/// or a cell.
using SlotHomes = std::map<std::int64_t, x86::Operand>;

/// The function as a thread of `program`. Symbols name cells; slots of the stack become spare
/// registers, or new cells of the program where there are none. Throws Unsupported
/// ("unsupported: INSTRUCTION [BYTES]") for anything that our dialect cannot say exactly.
x86::Thread lift(const MachineFunction& function, const LiftOptions& options,
                 const std::map<std::string, litmus::LocationId>& symbols, std::size_t number,
                 x86::Program& program, SlotHomes* homes = nullptr);

} // namespace thinair::lower::x86_code
