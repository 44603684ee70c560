// AArch64 programs as litmus tests know them: instructions over registers and named memory cells.
// What each instruction is stands in table.cpp, a row a family; its meaning is in semantics.h.
#pragma once

#include "litmus/test.h"
#include "oracle/graph/term.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thinair::aarch64 {

using graph::TermOp;
using litmus::LocationId;
using litmus::Observable;
using litmus::Test;
using litmus::ThreadId;
using litmus::Type;
using litmus::Value;
using litmus::Width;

/// X0 to X30 and the zero register. (The stack pointer, which shares its number, is not done.)
enum class Register : std::uint8_t { x0 = 0, x30 = 30, zero = 31 };
constexpr std::size_t register_count = 31; // without the zero register
constexpr std::size_t index(Register reg) { return static_cast<std::size_t>(reg); }

/// "X3", "W3", "XZR", "WZR".
std::string name(Register reg, Width width);

/// Conditions, in the order of their encodings (DDI 0487, C1.2.4), so that they stand in pairs.
enum class Condition : std::uint8_t {
  eq,
  ne,
  cs,
  cc,
  mi,
  pl,
  vs,
  vc,
  hi,
  ls,
  ge,
  lt,
  gt,
  le,
  al,
  nv
};
std::string_view name(Condition condition);
/// Also "hs" and "lo".
std::optional<Condition> condition_named(std::string_view name);
Condition negation(Condition condition);

/// What a register operand goes through on its way: a shift, or an extension and a shift to the
/// left.
enum class Change : std::uint8_t {
  lsl,
  lsr,
  asr,
  ror,
  uxtb,
  uxth,
  uxtw,
  uxtx,
  sxtb,
  sxth,
  sxtw,
  sxtx
};
std::string_view name(Change change);
std::optional<Change> change_named(std::string_view name);
constexpr bool extends(Change change) { return change >= Change::uxtb; }

/// Barriers' options, in the order of their tags (front_end.h).
enum class Barrier : std::uint8_t {
  sy,
  ish,
  osh,
  ld,
  ishld,
  oshld,
  st,
  ishst,
  oshst,
  nsh,
  nshld,
  nshst
};
constexpr std::size_t barrier_count = 12;
std::string_view name(Barrier barrier);
std::optional<Barrier> barrier_named(std::string_view name);

struct RegisterOperand {
  Register reg = Register::zero;
  Width width = Width::l; // l: W3; q: X3
  Change change = Change::lsl;
  std::uint8_t amount = 0;
  friend bool operator==(const RegisterOperand&, const RegisterOperand&) = default;
};

/// The register and width of a name in lower case.
std::optional<RegisterOperand> register_named(std::string_view name);

struct Immediate {
  Value value = 0;
  std::uint8_t shift = 0; // `#1, lsl #16`
  friend bool operator==(const Immediate&, const Immediate&) = default;
};

/// `[x0]`, `[x0,#4]`, `[x0,w1,sxtw #2]`.
struct Memory {
  Register base = Register::zero;
  Value displacement = 0;
  std::optional<RegisterOperand> index = std::nullopt;
  friend bool operator==(const Memory&, const Memory&) = default;
};

using Operand = std::variant<Immediate, RegisterOperand, Memory, Condition, Barrier>;

/// Kinds of instruction: rows of one kind share their meaning.
enum class Does : std::uint8_t {
  move,
  move_not,      // mvn
  move_wide,     // movz
  move_not_wide, // movn
  move_part,     // movk
  negate,
  arithmetic, // by `op`: add, subtract
  logical,    // by `op`, the second operand inverted or not
  compare,    // by `op`: what an arithmetic or logical instruction does to the flags alone
  multiply,
  multiply_long,
  multiply_add,
  multiply_subtract,
  divide,
  shift,       // by `op`; shift_right with `inverted`: rotates
  extend,      // from `width`
  extract,     // ubfx, sbfx
  insert_zero, // ubfiz, sbfiz
  insert,      // bfi
  insert_low,  // bfxil
  select,      // csel, …: the second operand as it is, or changed by `op`
  set,         // cset, csetm
  change_if,   // cinc, cinv, cneg
  compare_if,  // ccmp, ccmn
  load,
  store,
  load_pair,
  store_pair,
  load_exclusive,
  store_exclusive,
  swap,
  fetch,         // by `op`: ldadd, ldclr, ldeor, ldset
  fetch_extreme, // by `op`, which compares: ldsmax, …
  compare_and_swap,
  fence,
  fence_dsb,
  fence_isb,
  nop,
  jump,
  jump_if,      // b.cond
  jump_if_zero, // cbz, cbnz
  jump_if_bit,  // tbz, tbnz
};

/// One mnemonic. `shape` has a letter an operand (docs/language-aarch64.md explains them), `=`
/// before one that is written, `+` before one that is read and written.
struct InstructionInfo {
  std::string mnemonic; // lower case; of b.cond without the condition: "b."
  Does does = Does::nop;
  std::string shape;
  TermOp op = TermOp::add;
  bool flags = false;     // sets them
  bool inverted = false;  // bic, cbnz, …: the opposite
  bool is_signed = false; // of loads, extensions, multiplications and divisions
  bool acquire = false, acquire_pc = false, release = false;
  bool for_herd = true;         // herd7 7.58 reads it, and rightly
  std::optional<Width> width{}; // of the access or the part, where the registers do not say it
};

/// All of them, in the order of the table.
std::span<const InstructionInfo> instructions();
/// By mnemonic in lower case; null where there is none.
const InstructionInfo* instruction_named(std::string_view mnemonic);
/// What an instruction is about that herd7 has and this machine not, as "the stack"; absent:
/// nothing known of it.
std::optional<std::string_view> not_done(std::string_view mnemonic);

struct Instruction {
  using Reg = Register;
  /// The register that questions and initial states call so.
  static std::optional<Register> register_named(std::string_view name);

  const InstructionInfo* info = nullptr; // of the table; not null where it was read
  Width width = Width::l;                // of the registers
  std::vector<Operand> operands;
  std::string target;              // of jumps
  std::vector<std::string> labels; // that stand before it
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// How many bytes it accesses.
inline Width access_width(const Instruction& in) { return in.info->width.value_or(in.width); }

using InitialRegister = litmus::InitialOf<Register>;
using Thread = litmus::ThreadOf<Instruction>;
using Program = litmus::ProgramOf<Instruction>;

inline const Program& program_of(const Test& test) { return test.code().of<Instruction>(); }

/// Why herd7 would not read the program, or would read it wrongly.
std::optional<std::string> beyond_herd(const Program& program);

/// `0:X3`.
Observable observable(ThreadId thread, Register reg);

/// What an instruction reads and writes: registers by their numbers, and behind them the flags and
/// the monitor of exclusives. The zero register is not among them.
using Slots = std::uint64_t;
constexpr Slots slot(Register reg) { return reg == Register::zero ? 0 : Slots{1} << index(reg); }
constexpr Slots flags_slot = Slots{1} << 31, monitor_slot = Slots{1} << 32;
constexpr Slots register_slots = flags_slot - 1;
Slots reads(const Instruction& in);
Slots writes(const Instruction& in);

} // namespace thinair::aarch64
