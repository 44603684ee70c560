// What programs of every machine have in common: cells, threads, registers with initial values,
// code with labels.
#pragma once

#include "litmus/machine/cells.h"
#include "litmus/text/error.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace thinair::litmus {

/// `0:rdi=x`, `0:rax=5` or `uint64_t 0:rax`.
template <class Register>
struct InitialOf {
  Register reg{};
  std::variant<Value, LocationId> value;
  Type type;
  friend bool operator==(const InitialOf&, const InitialOf&) = default;
};

/// An Instruction has `Reg`, its machine's registers; `labels` that stand before it; `target`, the
/// label that it may go to (empty: none); `register_named`, the register that a condition's name is
/// of.
template <class Instruction>
struct ThreadOf {
  std::string name; // "P0"
  std::vector<InitialOf<typename Instruction::Reg>> initial;
  std::vector<Instruction> code;
  std::vector<std::string> end_labels; // labels after the last instruction
  friend bool operator==(const ThreadOf&, const ThreadOf&) = default;
};

/// The index of the instruction behind a label; the length of the code for a label at its end.
template <class Instruction>
std::size_t position_of(const ThreadOf<Instruction>& thread, const std::string& label) {
  for (std::size_t i = 0; i < thread.code.size(); ++i)
    if (std::ranges::find(thread.code[i].labels, label) != thread.code[i].labels.end()) return i;
  THINAIR_CHECK(std::ranges::find(thread.end_labels, label) != thread.end_labels.end(),
                "a jump to no label");
  return thread.code.size();
}

template <class Instruction>
struct ProgramOf {
  std::vector<Cell> locations;
  std::vector<ThreadOf<Instruction>> threads;
  friend bool operator==(const ProgramOf&, const ProgramOf&) = default;
};

} // namespace thinair::litmus
