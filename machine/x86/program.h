// x86 programs as litmus tests know them: instructions over registers and named memory cells.
#pragma once

#include "litmus/test.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thinair::x86 {

using litmus::LocationId;
using litmus::Observable;
using litmus::Proposition;
using litmus::Test;
using litmus::ThreadId;
using litmus::Type;
using litmus::Value;
using litmus::Width;

/// How the text of a program is written.
enum class Syntax : std::uint8_t {
  att,   // `X86_64`: source first, 64 bits
  intel, // `X86`: destination first, 32 bits
};

/// The general registers, and two that no instruction here names: herd's tests may give them an
/// initial value, which is their final one.
enum class Register : std::uint8_t {
  rax,
  rbx,
  rcx,
  rdx,
  rsi,
  rdi,
  rbp,
  rsp,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15,
  rip,
  cs,
};
constexpr std::size_t register_count = 16; // general ones
constexpr std::size_t every_register = 18;
constexpr bool is_general(Register reg) { return static_cast<std::size_t>(reg) < register_count; }

/// "eax" for (rax, l) and so on, lower case, without '%'; empty where there is no such name.
std::string_view name(Register reg, Width width);

/// Conditions of jcc, setcc and cmovcc, with the processor's semantics (Intel SDM vol. 2, appendix
/// B).
enum class ConditionCode : std::uint8_t { o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g };

/// "ae"; and back, every name that assemblers know included ("nb", "nc").
std::string_view name(ConditionCode condition);
std::optional<ConditionCode> condition_named(std::string_view name);
ConditionCode negation(ConditionCode condition);

enum class Opcode : std::uint8_t {
  mov,
  movzx,
  lea,
  add,
  sub,
  and_,
  or_,
  xor_,
  cmp,
  test,
  inc,
  dec,
  neg,
  not_,
  shl,
  shr,
  sar,
  imul,
  xchg,
  xadd,
  cmpxchg,
  jmp,
  jcc,
  setcc,
  cmovcc,
  mfence,
  lfence,
  sfence,
  nop,
};

struct OpcodeInfo {
  Opcode opcode;
  std::string_view mnemonic; // without suffix; jcc, setcc and cmovcc as "j", "set", "cmov"
  int operands;              // exactly; a jump's target is none
  bool may_lock;             // legal after `lock` with a memory destination
  bool writes_flags;
  bool reads_flags;
};
std::span<const OpcodeInfo> opcodes();
const OpcodeInfo& info(Opcode opcode);

struct Immediate {
  Value value = 0;
  friend bool operator==(const Immediate&, const Immediate&) = default;
};

struct RegisterOperand {
  Register reg = Register::rax;
  Width width = Width::l;
  friend bool operator==(const RegisterOperand&, const RegisterOperand&) = default;
};

/// The register and width of a name in lower case, without '%'.
std::optional<RegisterOperand> register_named(std::string_view name);

/// A memory cell: by name, `(x)`, of an array the first; or by an address that is computed from a
/// register which the initial state points at a cell, `(%rdi)`, `8(%rdi,%rbx,4)`.
struct Memory {
  std::variant<LocationId, Register> base;
  Value displacement = 0; // of a register, as what follows
  std::optional<RegisterOperand> index = std::nullopt;
  std::uint8_t scale = 1;
  friend bool operator==(const Memory&, const Memory&) = default;
};

using Operand = std::variant<Immediate, RegisterOperand, Memory>;

/// One instruction. `operands` are destination first (Intel order) whatever the dialect it was read
/// from.
struct Instruction {
  using Reg = Register;
  /// The register that questions and initial states call so.
  static std::optional<Register> register_named(std::string_view name);

  Opcode opcode = Opcode::nop;
  bool lock = false;
  Width width = Width::l;                     // of the operation; the source's for movzx
  ConditionCode condition = ConditionCode::e; // jcc, setcc, cmovcc
  std::vector<Operand> operands;
  std::string target;              // jmp, jcc
  std::vector<std::string> labels; // that stand before it
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

using Location = litmus::Cell;
using InitialRegister = litmus::InitialOf<Register>;
using Thread = litmus::ThreadOf<Instruction>;
using Program = litmus::ProgramOf<Instruction>;

/// The program of an x86 test.
inline const Program& program_of(const litmus::Code& code) { return code.of<Instruction>(); }
inline const Program& program_of(const litmus::Test& test) { return program_of(test.code()); }

/// How conditions and final states name a register: `0:rax`, in X86 `0:EAX`; and back.
Observable observable(ThreadId thread, Register reg, Syntax syntax);
std::optional<Register> register_of(const Observable& observable);

/// Why herd7 would not read the program in this syntax, or would read it wrongly; absent where it
/// reads it right, negative numbers aside (docs/language-x86.md).
std::optional<std::string> beyond_herd(const Program& program, Syntax syntax);

} // namespace thinair::x86
