// One machine instruction as far as addresses, constants and jumps go, the same for all machines.
#pragma once

#include "lower/backend.h"
#include "lower/machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace thinair::lower::jit {

/// A register, whole, by the name that all its parts share ("RAX", "X8"). The zero registers of
/// AArch64 and RISC-V are the number 0.
struct Reg {
  std::string name;
};

/// base + index * scale + displacement; without either register, an address in the code.
struct Place {
  std::string base, index;
  std::int64_t scale = 1, displacement = 0;
};

struct Nowhere {}; // a result that goes to a zero register
using Source = std::variant<std::int64_t, Reg, Place>;

enum class Does : std::uint8_t {
  other,   // whatever: reads `reads`, writes `writes`, accesses `place` where there is one
  move,    // to = from[0]
  sum,     // to = from[0] + from[1] * scale + number, of `bytes`, where there are any
  bits,    // to = from[0] with the bits of `mask` as in `number`; without a mask, from[0] * scale
           // or, where that is 1, something else: constants and classes are put together so
  shift,   // to = the 64 bits of from[0], unsigned, to the right by `number`
  load,    // to = place, no more than that
  store,   // place = from[0], no more than that
  compare, // flags of from[0] - from[1]
  test,    // flags of from[0] & from[1]
  branch,  // to `target` where `when` holds of the flags, or of from[0] and from[1]
  jump,    // to `target`
  leave,   // a call, or a jump out of the method
  end,     // returns
  nothing,
};

enum class When : std::uint8_t { equal, not_equal, above, not_above, other };

struct Shape {
  Does does = Does::other;
  std::string to; // a register; empty: none
  std::vector<Source> from;
  std::int64_t scale = 1, number = 0, mask = 0;
  std::optional<Place> place;
  unsigned bytes = 0; // of an access
  When when = When::other;
  bool compares = false; // a branch that looks at from, not at the flags
  std::uint64_t target = 0;
  bool sets_flags = false;
  bool adds_nothing = false;              // a number in memory gets 0 added: under `lock`, a fence
  std::vector<std::string> reads, writes; // of other
  std::int64_t moves_base = 0; // the register of a place gets as much added, behind the access
  bool pair = false;           // a load or store of two registers: the second is at place + bytes
};

/// Throws Unsupported for what cannot be told.
Shape shape_of(const MachineInstruction& instruction, Machine machine);

/// The whole register that LLVM's name is a part of; empty for flags, segments and the like, and
/// for zero registers.
std::string whole_register(Machine machine, std::string_view llvm_name);

/// The register that a listing calls so: "rsi:rsi", "c_rarg1:c_rarg1".
std::string listed_register(Machine machine, std::string_view name);

/// What compiled code finds in registers: the stack pointer, the thread, and a register that is 0
/// (empty: none).
struct Fixed {
  std::string_view stack, thread, zero;
};
Fixed fixed_registers(Machine machine);

} // namespace thinair::lower::jit
