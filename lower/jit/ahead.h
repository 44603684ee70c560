// Compiled code as it is decoded, and what can be told of a place by looking at what follows it.
#pragma once

#include "lower/jit/method.h"
#include "lower/jit/shape.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace thinair::lower::jit {

/// C2 calls UncommonTrapBlob, Graal's compiler DeoptimizationBlob. RISC-V's listings have no name
/// for what is called, but say that the interpreter is to execute the bytecode again.
inline constexpr std::array<std::string_view, 3> traps{"UncommonTrapBlob", "DeoptimizationBlob",
                                                       "{reexecute=1"};

/// The exception of an access by null; nothing of a litmus test's makes one but to throw it.
inline constexpr std::string_view null_pointer = "java/lang/NullPointerException";

/// What code does that takes a word of the thread for the end of a new object's room.
struct Allocation {
  bool throws = false;    // it is of an exception, which the code throws
  std::uint32_t line = 0; // else of the source: there stands the `new`; 0: the listing has none
  std::string of = {};    // its class, where the listing names one
};

class CodeAhead {
 public:
  struct Decoded {
    MachineInstruction instruction;
    Shape shape;
  };

  CodeAhead(const Method& method, Machine machine, Backend& backend)
      : method_(method), machine_(machine), backend_(backend) {}

  std::size_t size() const { return method_.code.size(); }
  const Decoded& at(std::uint64_t address);
  /// All that the listing says where an instruction stands.
  std::string notes(const MachineInstruction& in) const;

  /// What it says of a call, which stands where the call does or where that returns to.
  std::string frames_at(std::uint64_t call, std::uint64_t behind) const;

  /// Whether code that begins there goes to what the listing calls so, without a branch on the way.
  bool leads_to(std::uint64_t address, std::string_view note);
  /// Whether it goes to a trap.
  bool leads_to_trap(std::uint64_t address);
  /// Whether code that begins there does no more than to put an address together, call it, and go
  /// `back`: RISC-V's listings, and those of 21 for C1, have no name for the call of the entry
  /// barrier.
  bool calls_and_returns(std::uint64_t address, std::uint64_t back);

  /// What begins with the load at `address` of the thread's word `top`, if an object is made there:
  /// a branch follows, of which one way calls `new_instance`, and the other one writes the word.
  std::optional<Allocation> allocation(std::uint64_t address, std::int64_t top);
  /// Of two ways, whether the first one calls `new_instance` and the second one does not; absent:
  /// neither is so.
  std::optional<bool> first_is_slow(std::uint64_t first, std::uint64_t second);

 private:
  bool decodes(std::uint64_t address);
  std::optional<Allocation> slow_way(std::uint64_t address);
  bool is_word(const Shape& shape, std::int64_t top) const;

  const Method& method_;
  const Machine machine_;
  Backend& backend_;
  std::map<std::uint64_t, Decoded> decoded_;
};

} // namespace thinair::lower::jit
