// x86 programs as litmus tests know them: instructions over registers and named memory cells.
#pragma once

#include "litmus/ids.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thinair::litmus::x86 {

/// Operand width. Names of a register at the four widths are one register.
enum class Width : std::uint8_t { b = 1, w = 2, l = 4, q = 8 };

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
};
constexpr std::size_t register_count = 16;

/// "eax" for (rax, l) and so on, lower case, without '%'.
std::string_view name(Register reg, Width width);

/// Conditions of jcc, setcc and cmovcc, with the processor's semantics (Intel SDM vol. 2, appendix
/// B).
enum class ConditionCode : std::uint8_t { o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g };

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
  int operands;              // exactly
  bool may_lock;             // legal after `lock` with a memory destination
  bool writes_flags;
  bool reads_flags;
};
std::span<const OpcodeInfo> opcodes();
const OpcodeInfo& info(Opcode opcode);

struct Immediate {
  std::int64_t value = 0;
  friend bool operator==(const Immediate&, const Immediate&) = default;
};

struct RegisterOperand {
  Register reg = Register::rax;
  Width width = Width::l;
  friend bool operator==(const RegisterOperand&, const RegisterOperand&) = default;
};

/// A memory cell: by name, `(x)`; or through a register that the initial state points at one,
/// `(%rdi)`.
struct Memory {
  std::variant<LocationId, Register> base;
  friend bool operator==(const Memory&, const Memory&) = default;
};

using Operand = std::variant<Immediate, RegisterOperand, Memory>;

/// One instruction. `operands` are destination first (Intel order) whatever the dialect it was read
/// from.
struct Instruction {
  Opcode opcode = Opcode::nop;
  bool lock = false;
  Width width = Width::l;                     // of the operation; the source's for movzx
  ConditionCode condition = ConditionCode::e; // jcc, setcc, cmovcc
  std::vector<Operand> operands;
  std::string target;              // jmp, jcc
  std::vector<std::string> labels; // that stand before it
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct Location {
  std::string name;
  Width width = Width::l; // `int`; `long`/`uint64_t` are 8 bytes
  bool is_signed = true;
  std::int64_t initial = 0;
  friend bool operator==(const Location&, const Location&) = default;
};

/// `0:rdi=x` or `0:rax=5`.
struct InitialRegister {
  Register reg = Register::rax;
  std::variant<std::int64_t, LocationId> value;
  friend bool operator==(const InitialRegister&, const InitialRegister&) = default;
};

struct Thread {
  std::string name; // "P0"
  std::vector<InitialRegister> initial;
  std::vector<Instruction> code;
  std::vector<std::string> end_labels; // labels after the last instruction
  friend bool operator==(const Thread&, const Thread&) = default;
};

struct Program {
  std::vector<Location> locations;
  std::vector<Thread> threads;
  friend bool operator==(const Program&, const Program&) = default;
};

/// Why herd7's front end for this dialect would not read the program; absent where it would
/// (`xadd`, `setcc`, `sub`, `test`, `movzx` …: facts recorded in docs/language.md).
std::optional<std::string> beyond_herd(const Program& program);

} // namespace thinair::litmus::x86
