// What a machine says of the code that HotSpot compiles for it.
#pragma once

#include "lower/jit/machine_lift.h"
#include "lower/jit/shape.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace thinair::lower::jit {

/// How code is written that is lifted as text.
struct CodeWords {
  std::string_view nop; // "\tnop"
  int registers, first; // those that numbers stand for, from the first
  std::string (*name)(int reg, unsigned bytes, bool as_in_tests); // as_in_tests: in initial states
  std::string_view (*zero)(unsigned bytes);
  std::string (*move)(const std::string& to, const std::string& from, unsigned bytes);
  std::string_view load, store; // of 32 bits
  /// A store of that many bytes; null: none but those of 32 bits are known.
  std::string_view (*store_of)(unsigned bytes) = nullptr;
  std::string (*constant)(const std::string& to, std::int32_t number); // below 2048 either way
  std::string (*sum)(const std::string& to, const std::string& from, std::int64_t number);
  std::string (*place)(const std::string& base, std::int64_t displacement);
  char open, close;        // around an address
  std::string_view number; // that stands before it where nothing is added: "0"; empty: none does
};

struct CompiledCode {
  std::string_view system; // what Linux, Debian and QEMU call the machine
  /// HotSpot's flag for atomic instructions, without which it emits loops: "UseLSE"; empty: none.
  std::string_view atomics = {};
  /// What HotSpot may emit beside what LLVM is asked to emit for tests: it looks at its processor.
  std::string_view features;
  Fixed fixed;
  /// Three instructions: 1 is put into a register, stored to where an argument points, and the
  /// method returns. Stand where the interpreter would go on.
  std::span<const std::uint8_t> trap;
  std::span<const std::uint8_t> fault;      // an access by null, and the method returns
  std::span<const std::uint8_t> full_fence; // one instruction
  /// HotSpot's code for it loses signs in exchanges of bytes and shorts (docs/hotspot-faults.md).
  bool cuts_witnesses = false;
  std::uint64_t places_of_notes = 1; // a note's place is rounded down to a multiple of it
  std::string (*whole_register)(std::string_view llvm_name);
  std::string (*listed_register)(std::string_view name);
  Shape (*shape)(const MachineInstruction& instruction) = nullptr; // null: no code is lifted
  Lowered (*lifted)(const Compilation& compilation, Walked threads) = nullptr; // null: as text
  /// Floats and doubles in general registers; null: code with them is not lifted, or changed by
  /// `lifted`.
  Method (*without_vectors)(const Method& method, Backend& backend) = nullptr;
  /// Puts what an instruction loads from the constants of its method into the instruction; null: no
  /// such instruction is lifted.
  void (*fold)(MachineInstruction& instruction, const Method& method) = nullptr;
  const CodeWords* words = nullptr; // of code that is lifted as text
};

/// Throws Unsupported where nothing is known of the machine's.
const CompiledCode& compiled_code(Machine machine);

/// Java's first arguments are C's from the second on ("c_rarg1"), so that native methods can be
/// called with the registers as they are. `first`: the number of the first register for arguments.
std::string listed_argument(std::string_view name, int first);

} // namespace thinair::lower::jit
