// The instructions (Arm Architecture Reference Manual for A-profile, DDI 0487, C6.2), a row a
// family of mnemonics.
#include "machine/aarch64/program.h"

#include <algorithm>
#include <array>
#include <map>

namespace thinair::aarch64 {
namespace {

/// What of a row's mnemonics there is besides its stem.
enum Forms : unsigned {
  one = 0,
  sized = 1,    // with b and h: bytes and halfwords, whose registers are W
  ordered = 2,  // with a, l and al
  released = 4, // with l
};

/// What is so of all forms.
enum Traits : unsigned {
  none = 0,
  flags = 1,
  inverted = 2,
  is_signed = 4,
  acquire = 8,
  acquire_pc = 16,
  release = 32,
  byte = 64,
  half = 128,
  word = 256,
  lacking = 512, // herd7 7.58 does not read it, or takes it for something else
};

struct Family {
  std::string_view stem;
  Does does;
  std::string_view shape;
  TermOp op = TermOp::add;
  unsigned traits = none;
  unsigned forms = one;
};

using D = Does;
using T = TermOp;

// clang-format off
constexpr auto families = std::to_array<Family>({
    {"mov",   D::move,              "=rV"},
    {"mvn",   D::move_not,          "=rH"},
    {"movz",  D::move_wide,         "=ri"},
    {"movn",  D::move_not_wide,     "=ri"},
    {"movk",  D::move_part,         "+ri"},
    {"neg",   D::negate,            "=rH", T::subtract},
    {"negs",  D::negate,            "=rH", T::subtract, flags},
    {"add",   D::arithmetic,        "=rrA", T::add},
    {"adds",  D::arithmetic,        "=rrA", T::add, flags},
    {"sub",   D::arithmetic,        "=rrA", T::subtract},
    {"subs",  D::arithmetic,        "=rrA", T::subtract, flags},
    {"cmp",   D::compare,           "rA", T::subtract, flags},
    {"cmn",   D::compare,           "rA", T::add, flags | lacking},
    {"tst",   D::compare,           "rL", T::bit_and, flags},
    {"and",   D::logical,           "=rrL", T::bit_and},
    {"ands",  D::logical,           "=rrL", T::bit_and, flags},
    {"orr",   D::logical,           "=rrL", T::bit_or},
    {"eor",   D::logical,           "=rrL", T::bit_xor},
    {"bic",   D::logical,           "=rrH", T::bit_and, inverted},
    {"bics",  D::logical,           "=rrH", T::bit_and, inverted | flags},
    {"orn",   D::logical,           "=rrH", T::bit_or, inverted},
    {"eon",   D::logical,           "=rrH", T::bit_xor, inverted | lacking},
    {"mul",   D::multiply,          "=rrr"},
    {"mneg",  D::multiply,          "=rrr", T::multiply, inverted},
    {"smull", D::multiply_long,     "=xww", T::multiply, is_signed},
    {"umull", D::multiply_long,     "=xww", T::multiply},
    {"madd",  D::multiply_add,      "=rrrr", T::add},
    {"msub",  D::multiply_subtract, "=rrrr", T::subtract},
    {"sdiv",  D::divide,            "=rrr", T::divide, is_signed | lacking},
    {"udiv",  D::divide,            "=rrr", T::divide, lacking},
    {"lsl",   D::shift,             "=rrs", T::shift_left},
    {"lsr",   D::shift,             "=rrs", T::shift_right_unsigned},
    {"asr",   D::shift,             "=rrs", T::shift_right},
    {"ror",   D::shift,             "=rrs", T::shift_right_unsigned, inverted},
    {"sxtb",  D::extend,            "=rw", T::sign_extend, is_signed | byte | lacking},
    {"sxth",  D::extend,            "=rw", T::sign_extend, is_signed | half | lacking},
    {"sxtw",  D::extend,            "=xw", T::sign_extend, is_signed | word},
    {"uxtb",  D::extend,            "=rw", T::zero_extend, byte | lacking},
    {"uxth",  D::extend,            "=rw", T::zero_extend, half | lacking},
    {"uxtw",  D::extend,            "=xw", T::zero_extend, word | lacking},
    {"ubfx",  D::extract,           "=rrbk", T::shift_right_unsigned, lacking},
    {"sbfx",  D::extract,           "=rrbk", T::shift_right, is_signed | lacking},
    {"ubfiz", D::insert_zero,       "=rrbk", T::shift_right_unsigned, lacking},
    {"sbfiz", D::insert_zero,       "=rrbk", T::shift_right, is_signed | lacking},
    {"bfi",   D::insert,            "+rrbk", T::add, lacking},
    {"bfxil", D::insert_low,        "+rrbk", T::add, lacking},
    {"csel",  D::select,            "=rrrc", T::constant},
    {"csinc", D::select,            "=rrrc", T::add},
    {"csinv", D::select,            "=rrrc", T::bit_not},
    {"csneg", D::select,            "=rrrc", T::negate},
    {"cset",  D::set,               "=rc"},
    {"csetm", D::set,               "=rc", T::negate},
    {"cinc",  D::change_if,         "=rrc", T::add},
    {"cinv",  D::change_if,         "=rrc", T::bit_not, lacking},
    {"cneg",  D::change_if,         "=rrc", T::negate, lacking},
    {"ccmp",  D::compare_if,        "rpfc", T::subtract, flags | lacking},
    {"ccmn",  D::compare_if,        "rpfc", T::add, flags | lacking},
    {"ldr",   D::load,              "=rM", T::add, none, sized},
    {"ldrsb", D::load,              "=rM", T::add, is_signed | byte},
    {"ldrsh", D::load,              "=rM", T::add, is_signed | half},
    {"ldrsw", D::load,              "=xM", T::add, is_signed | word},
    {"ldur",  D::load,              "=rU"},
    {"ldurb", D::load,              "=wU", T::add, byte | lacking},
    {"ldurh", D::load,              "=wU", T::add, half | lacking},
    {"ldar",  D::load,              "=rm", T::add, acquire, sized},
    {"ldapr", D::load,              "=rm", T::add, acquire_pc, sized},
    {"ldapur", D::load,             "=rU", T::add, acquire_pc | lacking, sized},
    {"str",   D::store,             "rM", T::add, none, sized},
    {"stur",  D::store,             "rU", T::add, lacking, sized},
    {"stlr",  D::store,             "rm", T::add, release, sized},
    {"stlur", D::store,             "rU", T::add, release | lacking, sized},
    {"ldp",   D::load_pair,         "=r=rP"},
    {"stp",   D::store_pair,        "rrP"},
    {"ldxr",  D::load_exclusive,    "=rm", T::add, none, sized},
    {"ldaxr", D::load_exclusive,    "=rm", T::add, acquire, sized},
    {"stxr",  D::store_exclusive,   "=wrm", T::add, none, sized},
    {"stlxr", D::store_exclusive,   "=wrm", T::add, release, sized},
    {"swp",   D::swap,              "r=rm", T::add, none, sized | ordered},
    {"cas",   D::compare_and_swap,  "+rrm", T::add, none, sized | ordered},
    {"ldadd",  D::fetch,            "r=rm", T::add, none, sized | ordered},
    {"ldclr",  D::fetch,            "r=rm", T::bit_and, inverted, sized | ordered},
    {"ldeor",  D::fetch,            "r=rm", T::bit_xor, none, sized | ordered},
    {"ldset",  D::fetch,            "r=rm", T::bit_or, none, sized | ordered},
    {"ldsmax", D::fetch_extreme,    "r=rm", T::less, inverted, sized | ordered},
    {"ldsmin", D::fetch_extreme,    "r=rm", T::less, none, sized | ordered},
    {"ldumax", D::fetch_extreme,    "r=rm", T::below, inverted, sized | ordered},
    {"ldumin", D::fetch_extreme,    "r=rm", T::below, none, sized | ordered},
    {"stadd",  D::fetch,            "rm", T::add, none, sized | released},
    {"stclr",  D::fetch,            "rm", T::bit_and, inverted, sized | released},
    {"steor",  D::fetch,            "rm", T::bit_xor, none, sized | released},
    {"stset",  D::fetch,            "rm", T::bit_or, none, sized | released},
    {"stsmax", D::fetch_extreme,    "rm", T::less, inverted, sized | released},
    {"stsmin", D::fetch_extreme,    "rm", T::less, none, sized | released},
    {"stumax", D::fetch_extreme,    "rm", T::below, inverted, sized | released},
    {"stumin", D::fetch_extreme,    "rm", T::below, none, sized | released},
    {"dmb",   D::fence,             "B"},
    {"dsb",   D::fence_dsb,         "B"},
    {"isb",   D::fence_isb,         ""},
    {"nop",   D::nop,               ""},
    {"b",     D::jump,              "t"},
    {"b.",    D::jump_if,           "ct"},
    {"cbz",   D::jump_if_zero,      "rt"},
    {"cbnz",  D::jump_if_zero,      "rt", T::add, inverted},
    {"tbz",   D::jump_if_bit,       "rbt", T::add, inverted},
    {"tbnz",  D::jump_if_bit,       "rbt"},
});

struct NotDone {
  std::string_view prefix, what;
};

/// Longer prefixes first, where one begins another.
constexpr auto beyond = std::to_array<NotDone>({
    {"adrp", "addresses of code and data (adrp)"}, {"adr", "addresses of code and data (adr)"},
    {"blr", "calls (blr)"}, {"bl", "calls (bl)"}, {"br", "computed jumps (br)"},
    {"svc", "exceptions (svc)"}, {"hvc", "exceptions (hvc)"}, {"smc", "exceptions (smc)"},
    {"eret", "exceptions (eret)"}, {"udf", "exceptions (udf)"}, {"brk", "exceptions (brk)"},
    {"hlt", "exceptions (hlt)"}, {"mrs", "system registers (mrs)"}, {"msr", "system registers (msr)"},
    {"dc", "cache maintenance (dc)"}, {"ic", "cache maintenance (ic)"}, {"at", "address translation (at)"},
    {"tlbi", "address translation (tlbi)"}, {"sys", "system instructions (sys)"},
    {"casp", "pairs (casp)"}, {"ldxp", "pairs (ldxp)"}, {"ldaxp", "pairs (ldaxp)"}, {"stxp", "pairs (stxp)"},
    {"stlxp", "pairs (stlxp)"}, {"ldiapp", "pairs (ldiapp)"}, {"stilp", "pairs (stilp)"},
    {"ldpsw", "pairs (ldpsw)"}, {"ldnp", "pairs (ldnp)"}, {"stnp", "pairs (stnp)"},
    {"swpp", "pairs (swpp)"}, {"ldclrp", "pairs (ldclrp)"}, {"ldsetp", "pairs (ldsetp)"},
    {"rcw", "read-check-write instructions"},
    {"ldapursb", "ldapursb"}, {"ldapursh", "ldapursh"}, {"ldapursw", "ldapursw"},
    {"ldtr", "unprivileged accesses (ldtr)"}, {"sttr", "unprivileged accesses (sttr)"},
    {"ldlar", "limited ordering regions (ldlar)"}, {"stllr", "limited ordering regions (stllr)"},
    {"ldursb", "ldursb"}, {"ldursh", "ldursh"}, {"ldursw", "ldursw"},
    {"prfm", "prefetches (prfm)"}, {"prfum", "prefetches (prfum)"},
    {"ld1", "vectors (ld1)"}, {"ld2", "vectors (ld2)"}, {"ld3", "vectors (ld3)"}, {"ld4", "vectors (ld4)"},
    {"st1", "vectors (st1)"}, {"st2", "vectors (st2)"}, {"st3", "vectors (st3)"}, {"st4", "vectors (st4)"},
    {"fmov", "vectors (fmov)"}, {"movi", "vectors (movi)"}, {"mvni", "vectors (mvni)"}, {"dup", "vectors (dup)"},
    {"adc", "sums with carry (adc)"}, {"sbc", "differences with borrow (sbc)"}, {"extr", "extr"},
    {"rbit", "rbit"}, {"rev", "rev"}, {"clz", "clz"}, {"cls", "cls"}, {"cnt", "cnt"}, {"ctz", "ctz"}, {"abs", "abs"},
    {"smulh", "high products (smulh)"}, {"umulh", "high products (umulh)"}, {"smaddl", "smaddl"},
    {"umaddl", "umaddl"}, {"smsubl", "smsubl"}, {"umsubl", "umsubl"},
    {"smax", "smax"}, {"smin", "smin"}, {"umax", "umax"}, {"umin", "umin"},
    {"bfm", "bfm"}, {"ubfm", "ubfm"}, {"sbfm", "sbfm"}, {"bfc", "bfc"},
    {"irg", "memory tags (irg)"}, {"ldg", "memory tags (ldg)"}, {"stg", "memory tags (stg)"},
    {"stzg", "memory tags (stzg)"}, {"st2g", "memory tags (st2g)"}, {"addg", "memory tags (addg)"}, {"subg", "memory tags (subg)"},
    {"paci", "pointer authentication"}, {"pacd", "pointer authentication"}, {"auti", "pointer authentication"},
    {"autd", "pointer authentication"}, {"xpac", "pointer authentication"},
    {"wfe", "waiting for events (wfe)"}, {"wfi", "waiting for events (wfi)"}, {"sev", "waiting for events (sev)"},
    {"yield", "yield"}, {"hint", "hint"}, {"bti", "bti"}, {"ssbb", "speculation barriers (ssbb)"},
    {"pssbb", "speculation barriers (pssbb)"}, {"sb", "speculation barriers (sb)"}, {"csdb", "speculation barriers (csdb)"},
    {"clrex", "clrex"}, {"gcs", "guarded control stacks"}, {"tcommit", "transactions"}, {"tstart", "transactions"},
});
// clang-format on

InstructionInfo expanded(const Family& family, std::string_view order, std::string_view size) {
  const auto has = [&](unsigned trait) { return (family.traits & trait) != 0; };
  InstructionInfo info;
  info.mnemonic = std::string(family.stem).append(order).append(size);
  info.does = family.does;
  info.shape = family.shape;
  info.op = family.op;
  info.flags = has(flags);
  info.inverted = has(inverted);
  info.is_signed = has(is_signed);
  info.acquire = has(acquire) || order.starts_with('a');
  info.acquire_pc = has(acquire_pc);
  info.for_herd = !has(lacking);
  info.release = has(release) || order.ends_with('l');
  if (size == "b" || has(byte)) info.width = Width::b;
  if (size == "h" || has(half)) info.width = Width::w;
  if (has(word)) info.width = Width::l;
  if (!size.empty()) std::ranges::replace(info.shape, 'r', 'w');
  return info;
}

void expand(const Family& family, std::vector<InstructionInfo>& into) {
  std::vector<std::string_view> orders{""}, sizes{""};
  if ((family.forms & ordered) != 0) orders = {"", "a", "l", "al"};
  if ((family.forms & released) != 0) orders = {"", "l"};
  if ((family.forms & sized) != 0) sizes = {"", "b", "h"};
  for (const auto size : sizes)
    for (const auto order : orders) into.push_back(expanded(family, order, size));
}

const std::vector<InstructionInfo>& table() {
  static const std::vector<InstructionInfo> all = [] {
    std::vector<InstructionInfo> out;
    for (const Family& family : families) expand(family, out);
    return out;
  }();
  return all;
}

/// Calls `visit` with each register of the instruction, and whether it is read and written.
template <class Visit>
void each_role(const Instruction& in, Visit&& visit) {
  std::size_t operand = 0;
  bool read = true, written = false;
  for (const char c : in.info->shape) {
    if (c == '=' || c == '+') {
      written = true;
      read = c == '+';
      continue;
    }
    if (operand == in.operands.size()) return; // a target
    const Operand& o = in.operands[operand++];
    if (const auto* reg = std::get_if<RegisterOperand>(&o)) visit(reg->reg, read, written);
    if (const auto* memory = std::get_if<Memory>(&o)) {
      visit(memory->base, true, false);
      if (memory->index) visit(memory->index->reg, true, false);
    }
    read = true;
    written = false;
  }
}

} // namespace

std::span<const InstructionInfo> instructions() { return table(); }

const InstructionInfo* instruction_named(std::string_view mnemonic) {
  static const std::map<std::string_view, const InstructionInfo*> index = [] {
    std::map<std::string_view, const InstructionInfo*> out;
    for (const auto& row : table()) out.emplace(row.mnemonic, &row);
    return out;
  }();
  const auto found = index.find(mnemonic);
  return found == index.end() ? nullptr : found->second;
}

/// Of a few, forms with further letters exist as well: `casplb`, `ldtrh`.
std::optional<std::string_view> not_done(std::string_view mnemonic) {
  const NotDone* best = nullptr;
  for (const NotDone& row : beyond) {
    const bool whole = mnemonic == row.prefix;
    const bool longer = row.prefix.size() >= 3 && mnemonic.starts_with(row.prefix) &&
                        mnemonic.size() <= row.prefix.size() + 3;
    if ((whole || longer) && (best == nullptr || row.prefix.size() > best->prefix.size()))
      best = &row;
  }
  return best != nullptr ? std::optional(best->what) : std::nullopt;
}

Slots reads(const Instruction& in) {
  Slots out = 0;
  each_role(in, [&](Register reg, bool read, bool) { out |= read ? slot(reg) : 0; });
  for (const Operand& o : in.operands)
    if (std::holds_alternative<Condition>(o)) out |= flags_slot;
  if (in.info->does == Does::store_exclusive) out |= monitor_slot;
  return out;
}

Slots writes(const Instruction& in) {
  Slots out = in.info->flags && in.info->does != Does::compare_if ? flags_slot : 0;
  each_role(in, [&](Register reg, bool, bool written) { out |= written ? slot(reg) : 0; });
  if (in.info->does == Does::store_exclusive || in.info->does == Does::load_exclusive)
    out |= monitor_slot;
  return out;
}

} // namespace thinair::aarch64
