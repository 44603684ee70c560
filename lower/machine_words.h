// What lowering by schemes asks of a machine of loads and stores: its words for what stands between
// accesses. A machine's row of this kind is in its folder.
#pragma once

#include "litmus/expression.h"
#include "litmus/language.h"
#include "litmus/machine/reader.h"
#include "lower/machine.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::lower {

/// Instructions as a scheme's rule has them, with `;` between: `dst` is the result, `arg` the one
/// operand, `exp` and `new` are the first and second of two, `tmp` is scratch. `dst` may be the
/// register of an operand, so no operand is read after `dst` is written.
struct OperatorWords {
  litmus::Operator op;
  std::string_view value;
  std::string_view jump_unless; // of comparisons: goes to `away` where it is false
  std::string_view by_number{}; // of shifts: by a number from 0 to 31
};

/// What a machine has for values that are no ints. Rules and operators are written for ints, which
/// registers hold sign-extended to 32 bits at least.
template <class Instruction>
struct TypeWords {
  using Register = typename Instruction::Reg;

  /// The same instruction for a location or a value of the type: of one that accesses memory, the
  /// access of that width; of others, on all 64 bits where the type has those. One that says its
  /// width stays. False: the machine has none such.
  bool (*scale)(Instruction&, litmus::Type) = nullptr;
  /// dst becomes what an int has in arg's low bits: a value of the type. Empty: it is that already.
  std::string_view (*extension)(litmus::Type) = nullptr;
  /// What makes such an int of a rule's result, by how its code reads memory.
  std::string_view (*of_result)(std::span<const Instruction> code, litmus::Type) = nullptr;
  /// What makes of an expected value, extended as in Java, one that updates of such a location
  /// compare with what they read.
  std::string_view (*of_expected)(litmus::Type) = nullptr;
  /// A long's low half becomes an int.
  std::string_view narrow;
  /// An int becomes a long; null: registers hold it as one.
  Instruction (*widen)(Register to, Register from) = nullptr;
  std::vector<Instruction> (*constant)(Register to, litmus::Value number) = nullptr; // a long
};

/// Registers by their numbers.
template <class Register, std::size_t n>
constexpr std::array<Register, n> numbered(const int (&numbers)[n]) {
  std::array<Register, n> out{};
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Register>(numbers[i]);
  return out;
}

/// An instruction's registers are told apart by bits: that of x3 is bit 3.
using RegisterBits = std::uint64_t;

/// A machine may lack what stands between accesses, but for constants: an empty text, no row of an
/// operator. Code that needs it is then unsupported.
template <class Instruction>
struct MachineWords {
  using Register = typename Instruction::Reg;

  std::string_view machine; // for messages
  const litmus::Language* language = nullptr;

  /// The registers that may be used, all of them twice: in the order in which values get them, and
  /// in that in which addresses of locations do.
  std::span<const Register> values, addresses;
  std::string (*value_name)(Register) = nullptr; // as it stands in instructions on ints: "w9"
  std::string (*at_address)(Register) = nullptr; // "[x9]"
  bool (*is_zero)(Register) = nullptr;           // the one that schemes may name
  litmus::Observable (*observable)(litmus::ThreadId, Register) = nullptr;

  Instruction (*read)(litmus::Lexer&, const litmus::Surroundings<Register>&) = nullptr;
  std::string (*print)(const Instruction&) = nullptr;
  RegisterBits (*reads)(const Instruction&) = nullptr;
  RegisterBits (*writes)(const Instruction&) = nullptr;
  /// Puts other registers in the place of those that an instruction names.
  void (*rename)(Instruction&, std::span<const Register> by_index) = nullptr;
  /// The number of an instruction that has one: a constant, or what is added to an address.
  void (*set_number)(Instruction&, litmus::Value) = nullptr;

  /// `dst` becomes a number that `numbers_of` splits: one for each instruction, which may be fewer
  /// than there are.
  std::string_view constant = {};
  std::vector<litmus::Value> (*numbers_of)(litmus::Value) = nullptr;
  std::string_view move = {}, load = {}, store = {}; // arg to dst; [x] to dst; arg to [x]
  std::string_view displace = {};                // dst becomes arg and a number: a field's address
  std::string_view jump = {}, jump_if_zero = {}; // to `away`; where `arg` is 0
  std::span<const OperatorWords> operators = {};
  const TypeWords<Instruction>* types = nullptr; // null: ints alone
};

template <class Instruction>
const MachineWords<Instruction>& words();

} // namespace thinair::lower
