// The tables of registers, conditions and opcodes (Intel SDM vol. 1, 3.4; vol. 2).
#include "machine/x86/program.h"

#include "litmus/text/ascii.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace thinair::x86 {
namespace {

struct RegisterRow {
  Register reg;
  std::string_view b, w, l, q;
};

using R = Register;
// clang-format off
constexpr std::array<RegisterRow, every_register> register_table{{
    {R::rax, "al",   "ax",   "eax",  "rax"}, {R::rbx, "bl",   "bx",   "ebx",  "rbx"},
    {R::rcx, "cl",   "cx",   "ecx",  "rcx"}, {R::rdx, "dl",   "dx",   "edx",  "rdx"},
    {R::rsi, "sil",  "si",   "esi",  "rsi"}, {R::rdi, "dil",  "di",   "edi",  "rdi"},
    {R::rbp, "bpl",  "bp",   "ebp",  "rbp"}, {R::rsp, "spl",  "sp",   "esp",  "rsp"},
    {R::r8,  "r8b",  "r8w",  "r8d",  "r8"},  {R::r9,  "r9b",  "r9w",  "r9d",  "r9"},
    {R::r10, "r10b", "r10w", "r10d", "r10"}, {R::r11, "r11b", "r11w", "r11d", "r11"},
    {R::r12, "r12b", "r12w", "r12d", "r12"}, {R::r13, "r13b", "r13w", "r13d", "r13"},
    {R::r14, "r14b", "r14w", "r14d", "r14"}, {R::r15, "r15b", "r15w", "r15d", "r15"},
    {R::rip, "",     "",     "eip",  "rip"}, {R::cs,  "",     "",     "",     "cs"},
}};

struct ConditionRow {
  ConditionCode condition;
  std::array<std::string_view, 4> names; // the first is printed; the last may be herd's own
};

using C = ConditionCode;
constexpr std::array<ConditionRow, 16> condition_table{{
    {C::o,  {"o"}},               {C::no, {"no"}},
    {C::b,  {"b", "c", "nae"}},   {C::ae, {"ae", "nb", "nc"}},
    {C::e,  {"e", "z"}},          {C::ne, {"ne", "nz"}},
    {C::be, {"be", "na"}},        {C::a,  {"a", "nbe"}},
    {C::s,  {"s"}},               {C::ns, {"ns"}},
    {C::p,  {"p", "pe"}},         {C::np, {"np", "po"}},
    {C::l,  {"l", "nge", "lt"}},  {C::ge, {"ge", "nl"}},
    {C::le, {"le", "ng"}},        {C::g,  {"g", "nle", "gt"}},
}};

using O = Opcode;
//                           operands  may_lock  writes_flags  reads_flags
constexpr std::array<OpcodeInfo, 29> opcode_table{{
    {O::mov,     "mov",      2, false, false, false},
    {O::movzx,   "movzx",    2, false, false, false},
    {O::lea,     "lea",      2, false, false, false},
    {O::add,     "add",      2, true,  true,  false},
    {O::sub,     "sub",      2, true,  true,  false},
    {O::and_,    "and",      2, true,  true,  false},
    {O::or_,     "or",       2, true,  true,  false},
    {O::xor_,    "xor",      2, true,  true,  false},
    {O::cmp,     "cmp",      2, false, true,  false},
    {O::test,    "test",     2, false, true,  false},
    {O::inc,     "inc",      1, true,  true,  false},
    {O::dec,     "dec",      1, true,  true,  false},
    {O::neg,     "neg",      1, true,  true,  false},
    {O::not_,    "not",      1, true,  false, false},
    {O::shl,     "shl",      2, false, true,  false},
    {O::shr,     "shr",      2, false, true,  false},
    {O::sar,     "sar",      2, false, true,  false},
    {O::imul,    "imul",     2, false, true,  false},
    {O::xchg,    "xchg",     2, true,  false, false},
    {O::xadd,    "xadd",     2, true,  true,  false},
    {O::cmpxchg, "cmpxchg",  2, true,  true,  false},
    {O::jmp,     "jmp",      0, false, false, false},
    {O::jcc,     "j",        0, false, false, true},
    {O::setcc,   "set",      1, false, false, true},
    {O::cmovcc,  "cmov",     2, false, false, true},
    {O::mfence,  "mfence",   0, false, false, false},
    {O::lfence,  "lfence",   0, false, false, false},
    {O::sfence,  "sfence",   0, false, false, false},
    {O::nop,     "nop",      0, false, false, false},
}};

// clang-format on

consteval bool in_order() {
  for (std::size_t i = 0; i < register_table.size(); ++i)
    if (register_table[i].reg != static_cast<Register>(i)) return false;
  for (std::size_t i = 0; i < condition_table.size(); ++i)
    if (condition_table[i].condition != static_cast<ConditionCode>(i)) return false;
  for (std::size_t i = 0; i < opcode_table.size(); ++i)
    if (opcode_table[i].opcode != static_cast<Opcode>(i)) return false;
  return true;
}
static_assert(in_order(), "rows stand in the order of their enum");

} // namespace

std::string_view name(Register reg, Width width) {
  const RegisterRow& row = register_table.at(static_cast<std::size_t>(reg));
  switch (width) {
  case Width::b: return row.b;
  case Width::w: return row.w;
  case Width::l: return row.l;
  case Width::q: return row.q;
  }
  return {};
}

std::optional<RegisterOperand> register_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const RegisterRow& row : register_table) {
    if (name == row.b) return RegisterOperand{row.reg, Width::b};
    if (name == row.w) return RegisterOperand{row.reg, Width::w};
    if (name == row.l) return RegisterOperand{row.reg, Width::l};
    if (name == row.q) return RegisterOperand{row.reg, Width::q};
  }
  return std::nullopt;
}

std::string_view name(ConditionCode condition) {
  return condition_table.at(static_cast<std::size_t>(condition)).names[0];
}

std::optional<ConditionCode> condition_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const ConditionRow& row : condition_table)
    if (std::ranges::find(row.names, name) != row.names.end()) return row.condition;
  return std::nullopt;
}

/// Conditions stand in pairs, as their encodings do (SDM vol. 2, B.1.4.7).
ConditionCode negation(ConditionCode condition) {
  return static_cast<ConditionCode>(static_cast<std::uint8_t>(condition) ^ 1U);
}

std::span<const OpcodeInfo> opcodes() { return opcode_table; }

const OpcodeInfo& info(Opcode opcode) { return opcode_table.at(static_cast<std::size_t>(opcode)); }

Observable observable(ThreadId thread, Register reg, Syntax syntax) {
  std::string text(name(reg, syntax == Syntax::att ? Width::q : Width::l));
  if (syntax == Syntax::intel)
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return {thread, std::move(text)};
}

std::optional<Register> Instruction::register_named(std::string_view name) {
  const auto found = x86::register_named(text::lower_case(name));
  return found ? std::optional(found->reg) : std::nullopt;
}

std::optional<Register> register_of(const Observable& observable) {
  if (!observable.thread) return std::nullopt;
  return Instruction::register_named(observable.name);
}

} // namespace thinair::x86
