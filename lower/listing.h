// Programs of machines that we have no semantics of: instructions as herd7 reads them.
#pragma once

#include "litmus/condition.h"
#include "litmus/program.h"
#include "litmus/test.h"
#include "lower/backend.h"
#include "lower/lowered.h"
#include "lower/machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::lower {

/// A built-in engine for these machines would start here: give an instruction its operands and
/// its meaning (as litmus/x86 does for x86), and answer runners::ListingHardware.
struct ListingLine {
  std::vector<std::string> labels; // that stand before it
  std::string text;                // "ldar w8, [x0]"; of a branch without its target: "cbz w8"
  std::string target;              // the label that a branch goes to
  friend bool operator==(const ListingLine&, const ListingLine&) = default;
};

struct ListingThread {
  std::string name;
  /// Registers that hold a cell's address at the start, by herd7's name of them: (X0, x).
  std::vector<std::pair<std::string, litmus::LocationId>> addresses;
  std::vector<ListingLine> code;
  std::vector<std::string> end_labels;
  friend bool operator==(const ListingThread&, const ListingThread&) = default;
};

struct Listing {
  struct Cell {
    std::string name;
    std::int32_t initial = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  Machine machine = Machine::aarch64;
  std::vector<Cell> cells;
  std::vector<ListingThread> threads;
  friend bool operator==(const Listing&, const Listing&) = default;
};

/// A source program as such code, and the way back. Registers are named as herd7 names them.
struct LoweredListing {
  Listing program;
  Restoration restoration;
  litmus::Program source; // what was lowered
};

/// A function's code as a thread: branches by labels, immediates in decimal, what herd7 lacks
/// rewritten. `cells` are the names that its first arguments point at. Throws Unsupported
/// ("unsupported: INSTRUCTION [BYTES]") for what herd7 does not read or reads wrongly.
ListingThread listed(const MachineFunction& function, Machine machine,
                     const std::vector<litmus::LocationId>& arguments, std::size_t number);

/// The whole line, with `prefix` before the target: "cbz w8, L0".
std::string to_string(const ListingLine& line, std::string_view prefix = {});

/// What herd7 calls the register that LLVM's inline assembly calls `name`.
std::string herd_register(Machine machine, std::string_view name);

/// A herd7 test behind its first line: the initial state, the code (labels that stand in two
/// threads are renamed), what is shown, the filter, and a question.
std::string herd_body(Listing program, const std::vector<litmus::Observable>& shown,
                      const std::optional<litmus::Proposition>& filter,
                      const litmus::Proposition& question);

/// The source and its code side by side, thread by thread.
std::string side_by_side(const LoweredListing& lowered);

/// The code as assembly; cells are what the arguments point at.
std::string assembly_text(const LoweredListing& lowered);

} // namespace thinair::lower
