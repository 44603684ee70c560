// The machines that programs are lowered to: what lowering asks of each.
#pragma once

#include "litmus/condition.h"
#include "litmus/test.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::text {
struct Source;
}

namespace thinair::lower {

namespace jit {
struct CompiledCode;
}
struct Lattice;
struct MachineFunction;
struct SchemeRules;

/// What a thread's code leaves behind.
struct TargetOutcome {
  std::vector<std::uint64_t> registers; // by their places in the machine's table
  std::vector<std::uint64_t> memory;    // by LocationId
};

/// A thread's code, and the cells that its symbols are.
struct SymbolicFunction {
  const MachineFunction* code = nullptr;
  std::map<std::string, litmus::LocationId> symbols;
};

/// A machine; what has no value is what the machine lacks.
struct MachineInfo {
  std::string_view prefix;                     // of targets: "aarch64" of aarch64:llvm-O2
  std::string_view title;                      // in words: "RISC-V"
  std::string_view form;                       // of its targets' names, for help
  std::string_view help;                       // what they are, a phrase
  std::string_view word;                       // the first of its tests: "AArch64"
  bool (*is_cell_name)(std::string_view name); // may name a cell of its code
  /// What its tests call the register that LLVM's inline assembly calls `name`.
  std::string (*register_in_tests)(std::string_view name) = nullptr;

  /// Reads and checks the rules of a scheme file; `base` has what the file leaves out, or is null.
  std::unique_ptr<const SchemeRules> (*read_rules)(const text::Source& source,
                                                   const SchemeRules* base) = nullptr;
  const Lattice* lattice = nullptr; // of its instructions, for those who change rules
  /// Runs a thread alone from `memory`, by LocationId. Throws LimitReached for one that does not
  /// end.
  TargetOutcome (*run_alone)(const litmus::Code& code, litmus::ThreadId thread,
                             std::vector<std::uint64_t> memory) = nullptr;
  /// Whether the loop from `from` to the jump at `jump` only tries a failed update again, and
  /// nothing else is written on the way. Null: that is not known of any.
  bool (*only_retries)(const litmus::Test& test, std::size_t thread, std::size_t from,
                       std::size_t jump) = nullptr;

  // LLVM; without a triple there are no compilers for the machine
  std::string_view triple = {};
  std::string_view features = {};                   // beside the triple's
  bool is_without_optimizer = false;                // -O0 is a target
  std::span<const std::string_view> pins = {};      // see ir.h: as inline assembly names them
  std::span<const std::string_view> addresses = {}; // where the first pointer arguments are passed
  std::string_view end_of_thread = {};              // an instruction that no body contains: ir.h
  std::string_view end_opcode = {};                 // LLVM's name of it
  std::string_view jump = {};                       // the mnemonic of an unconditional one
  /// Where addresses are in the code: its threads' functions as the machine's code, with `cells` as
  /// its first. Null: addresses are arguments, and LLVM's text is read as a test.
  litmus::Code (*lift)(std::span<const SymbolicFunction> functions,
                       const std::vector<litmus::Cell>& cells) = nullptr;
  const jit::CompiledCode* compiled = nullptr; // what HotSpot emits
};

/// One of the machines, by its row.
class Machine {
 public:
  Machine(); // the first of the table
  Machine(const MachineInfo& row) : row_(&row) {}

  const MachineInfo* operator->() const { return row_; }
  const MachineInfo& operator*() const { return *row_; }
  friend bool operator==(Machine, Machine) = default;

 private:
  const MachineInfo* row_;
};

/// The table, which is made of rows of all machines' folders (machine/machines.inc).
std::span<const Machine> machines();

inline const MachineInfo& info(Machine machine) { return *machine; }

/// "aarch64:cxx" is aarch64's; the first machine's for a name without a machine in front.
Machine machine_of(std::string_view target);

} // namespace thinair::lower
