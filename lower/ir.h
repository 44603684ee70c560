// Source programs as LLVM IR with atomic accesses.
#pragma once

#include "litmus/modes.h"
#include "litmus/program.h"
#include "lower/machine.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::lower {

/// The atomic ordering that an access has in LLVM IR. Plain accesses are `unordered` (racy
/// non-atomic reads are undefined), opaque ones `monotonic`; LLVM allows no `unordered` on updates.
std::string_view ordering(litmus::Mode mode);

/// Where a thread's registers are at its end: in x86 registers through the operands of its last
/// inline assembly, or, past those, in private globals.
struct Pin {
  litmus::RegisterId reg;
  std::optional<std::size_t> pin;       // an index into the machine's pins
  std::optional<std::int32_t> constant; // known without running
  std::string cell;                     // the private global, where neither
};

/// The functions of one program in a module of many. Symbols are prefixed: `p7.x`, `p7.P0`.
struct ProgramIr {
  std::string text;
  std::string prefix;                 // "p7."
  std::vector<std::string> cells;     // private globals, prefix included
  std::vector<std::string> cuts;      // private globals that paths cut off by a loop's bound set
  std::vector<std::vector<Pin>> pins; // by thread, one for each register of it
};

/// The program as a module's text. Each thread ends with the machine's `end_of_thread`, emitted by
/// the inline assembly that pins its registers. Throws Unsupported for what the IR written here
/// cannot express.
ProgramIr to_ir(const litmus::Program& program, std::size_t number, Machine machine = Machine::x86);

} // namespace thinair::lower
