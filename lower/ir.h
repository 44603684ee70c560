// Source programs as LLVM IR with atomic accesses.
#pragma once

#include "litmus/modes.h"
#include "litmus/program.h"
#include "lower/machine.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::lower {

/// The atomic ordering that an access has in LLVM IR. Plain accesses are `unordered` (racy
/// non-atomic reads are undefined), opaque ones `monotonic`; LLVM allows no `unordered` on updates.
std::string_view ordering(litmus::Mode mode);

/// Where a thread's registers are at its end: in machine registers through the operands of its last
/// inline assembly, or, past those, in private globals.
struct Pin {
  litmus::RegisterId reg;
  std::optional<std::size_t> pin;        // an index into the machine's pins
  std::optional<litmus::Value> constant; // known without running
  std::optional<std::size_t> cell;       // an index into the thread's cells, where neither
};

/// One thread as a function without a name. Its text does not depend on what things are called, nor
/// on other threads: globals are @"g0", @"g1", … in the order of their first use.
struct ThreadIr {
  struct Cell {
    std::string name; // "P0_r7"
    bool cut = false; // set on paths cut off by a loop's bound
  };
  std::string body;
  std::vector<std::size_t> globals; // by number: a location of the program, one of RuntimeWords,
                                    // or, past those, a cell
  std::vector<Cell> cells;          // private to the thread
  std::vector<Pin> pins;            // one for each register of it
};

/// The thread ends with the machine's `end_of_thread`, emitted by the inline assembly that pins its
/// registers. Throws Unsupported for what the IR written here cannot express.
ThreadIr to_ir(const litmus::Program& program, std::size_t thread, Machine machine = {});

/// A function of a module, and what it calls its globals, by number.
struct IrFunction {
  std::string name;
  const std::string* body = nullptr;
  std::vector<std::string> globals;
};

/// Functions, then the globals that they share.
std::string module_of(std::span<const IrFunction> functions);

} // namespace thinair::lower
