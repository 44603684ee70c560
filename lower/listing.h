// LLVM's text of machine code on its way to the machine's language.
#pragma once

#include "litmus/language.h"
#include "lower/backend.h"
#include "lower/machine.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::lower {

struct ListingLine {
  std::vector<std::string> labels; // that stand before it
  std::string text;                // "ldar w8, [x0]", "cbz w8, L0"
  friend bool operator==(const ListingLine&, const ListingLine&) = default;
};

struct ListingThread {
  /// Registers that hold a cell's address at the start: (X0, x).
  std::vector<std::pair<std::string, litmus::LocationId>> addresses;
  std::vector<ListingLine> code;
  std::vector<std::string> end_labels;
  std::vector<std::string> longs = {}; // registers that are read whole at the end
};

struct Listing {
  Machine machine;
  std::vector<litmus::Cell> cells;
  std::vector<ListingThread> threads;
};

/// A function's code as a thread: branches by labels, immediates in decimal, without what only
/// keeps registers for the caller. `arguments` are the cells that its first arguments point at.
/// Throws Unsupported
/// ("unsupported: INSTRUCTION [BYTES]") for values on the stack.
ListingThread listed(const MachineFunction& function, Machine machine,
                     const std::vector<litmus::LocationId>& arguments);

/// The language of the machine's tests that code is read as.
const litmus::Language& language_of(Machine machine);

/// The program in that language. Throws Unsupported for an instruction that it lacks, and for a
/// register that holds an address first and a long at the end.
litmus::Code read(const Listing& listing);

} // namespace thinair::lower
