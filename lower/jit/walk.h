// Walks through compiled code from its entry: what each register holds of addresses and constants,
// which places instructions access, which way branches go that are decided, and what is only noise.
#pragma once

#include "lower/jit/method.h"
#include "lower/jit/rules.h"
#include "lower/jit/shape.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace thinair::lower::jit {

/// What an instruction that stays accesses.
struct Cell {
  enum class Kind : std::uint8_t {
    field,  // of the state: `number` counts from 0
    result, // of the result
    slot,   // of the frame: bytes from the stack pointer at the entry
    object, // of an object, its first one: a location beside the state's
  } kind = Kind::field;
  std::int64_t number = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// One of several words that a store writes.
struct Word {
  std::int64_t further = 0; // than the store's place
  unsigned bytes = 4;
  std::optional<std::int64_t> constant; // what it is, where that is known
  std::string reg;                      // whose low part it is; empty: nobody's
};

/// An instruction that can be reached.
struct Step {
  MachineInstruction instruction;
  Shape shape;
  enum class Stays : std::uint8_t {
    yes,
    no,       // goes by `rule`
    as_jump,  // a branch that is always taken
    as_trap,  // the method is left for the interpreter: 1 goes to what follows the result's fields
    as_throw, // the thread ends in an exception: an access by null stands there, which faults
    as_new,   // a register gets the address of the object `made`
    as_words, // a store of several words is one of each field among them: `words`
  } stays = Stays::yes;
  Rule rule = Rule::padding;
  std::optional<Cell> cell, second; // what it accesses; of a pair, both
  std::uint32_t made = 0;
  std::vector<Word> words;
};

/// The instructions in the order of their addresses. Where the interpreter would go on, the thread
/// leaves 1 in the cell that trap_cell() names, and ends. Throws Unsupported for what no rule
/// knows: a call that may be reached, an access to anything but the two objects, the frame and the
/// program's objects, a use of an address as a number.
std::vector<Step> walk(const Method& method, Machine machine, const Layout& layout,
                       Backend& backend);

Cell trap_cell(const Layout& layout);

/// The offset of the field that a getter reads. Throws Unsupported for code that does anything
/// else.
std::int64_t offset_read(const Method& getter, Machine machine, Backend& backend);

} // namespace thinair::lower::jit
