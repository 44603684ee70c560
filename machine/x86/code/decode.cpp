// Reads LLVM's instruction names: a stem, a width, and the kinds of operands ("ADD" "32" "rm").
#include "machine/x86/code/decode.h"

#include "litmus/text/ascii.h"
#include "litmus/text/error.h"
#include "machine/x86/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>

namespace thinair::lower::x86_code {
namespace {

using x86::Opcode;
using x86::Width;

// clang-format off
constexpr auto stem_table = std::to_array<StemRow>({
    {"MOV", Opcode::mov},   {"MOVZX", Opcode::movzx}, {"ADD", Opcode::add},   {"SUB", Opcode::sub},
    {"AND", Opcode::and_},  {"OR", Opcode::or_},      {"XOR", Opcode::xor_},  {"CMP", Opcode::cmp},
    {"TEST", Opcode::test}, {"INC", Opcode::inc},     {"DEC", Opcode::dec},   {"NEG", Opcode::neg},
    {"NOT", Opcode::not_},  {"SHL", Opcode::shl},     {"SHR", Opcode::shr},   {"SAR", Opcode::sar},
    {"IMUL", Opcode::imul}, {"XCHG", Opcode::xchg},   {"XADD", Opcode::xadd}, {"CMPXCHG", Opcode::cmpxchg},
    {"CMOV", Opcode::cmovcc},
});

/// The kinds of operands behind a name, one letter each: r(egister), m(emory), i(mmediate),
/// a(ccumulator), c(l), 1; more than two for the three-operand `imul`.
struct FormRow {
  std::string_view suffix, slots;
};
constexpr auto form_table = std::to_array<FormRow>({
    {"rr", "rr"},   {"rm", "rm"},   {"mr", "mr"},   {"ri", "ri"},     {"ri8", "ri"},    {"ri32", "ri"},
    {"mi", "mi"},   {"mi8", "mi"},  {"mi32", "mi"}, {"i8", "ai"},     {"i16", "ai"},    {"i32", "ai"},
    {"r", "r"},     {"m", "m"},     {"r1", "r1"},   {"m1", "m1"},     {"rCL", "rc"},    {"mCL", "mc"},
    {"rri", "rri"}, {"rri8", "rri"}, {"rri32", "rri"}, {"rmi", "rmi"}, {"rmi8", "rmi"}, {"rmi32", "rmi"},
    {"ar", "ar"},   {"rr8", "rr"},  {"rr16", "rr"}, {"rm8", "rm"},    {"rm16", "rm"},   {"ri64", "ri"},
    {"rr32", "rr"}, {"rm32", "rm"},
});
// clang-format on

/// "ADD32ri8" is {"ADD", 32, "ri8"}.
struct Name {
  std::string_view stem;
  unsigned bits = 0;
  std::string_view form;
};

Name split(std::string_view opcode) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto digits = std::ranges::find_if(opcode, is_digit);
  const auto behind = std::find_if_not(digits, opcode.end(), is_digit);
  Name name{{opcode.begin(), digits}, 0, {behind, opcode.end()}};
  for (const char c : std::string_view(digits, behind))
    name.bits = 10 * name.bits + static_cast<unsigned>(c - '0');
  for (const std::string_view ending : {"_REV", "_alt", "_NOREX"})
    if (name.form.ends_with(ending)) name.form.remove_suffix(ending.size());
  return name;
}

std::optional<Width> width_of(unsigned bits) {
  if (bits == 8) return Width::b;
  if (bits == 16) return Width::w;
  if (bits == 32) return Width::l;
  if (bits == 64) return Width::q;
  return std::nullopt;
}

bool is_register(const MachineOperand& operand, std::string_view name) {
  return operand.kind == MachineOperand::Kind::reg && operand.reg == name;
}

std::size_t length(char slot) { return slot == 'm' ? 5 : slot == 'r' || slot == 'i' ? 1 : 0; }

/// Reads the operands of one instruction in the order of its slots.
class Reader {
 public:
  Reader(const MachineInstruction& in, const AddressBook& addresses)
      : in_(in), addresses_(addresses) {}

  /// Operands by slots, those that LLVM repeats because they are tied left out.
  std::vector<x86::Operand> operands(std::string_view slots, Width width, std::size_t behind) {
    std::size_t wanted = behind;
    for (const char slot : slots) wanted += length(slot);
    if (in_.operands.size() < wanted) unsupported(in_);
    const std::size_t tied = in_.operands.size() - wanted;
    std::vector<x86::Operand> result;
    std::size_t at = 0;
    for (const char slot : slots) {
      result.push_back(read(slot, at, width));
      at += length(slot);
      if (result.size() == 1 && tied == 1) ++at; // `dst, dst, src`
    }
    return result;
  }

  x86::Operand memory(std::size_t at) const {
    const MachineOperand &base = in_.operands[at], &index = in_.operands[at + 2],
                         &displacement = in_.operands[at + 3], &segment = in_.operands[at + 4];
    if (segment.kind != MachineOperand::Kind::none) unsupported(in_);
    if (index.kind != MachineOperand::Kind::none) return element(at);
    if (!in_.symbol.empty() &&
        (base.kind == MachineOperand::Kind::none || is_register(base, "RIP")))
      return cell();
    if (is_register(base, "RSP")) return addresses_.stack_slot(displacement.number);
    const auto reg = machine_register(base.reg);
    if (!reg || reg->width != Width::q || !in_.symbol.empty()) unsupported(in_);
    return x86::Memory{reg->reg, displacement.number};
  }

  /// A base, and an index times a scale.
  x86::Operand element(std::size_t at) const {
    const auto base = machine_register(in_.operands[at].reg),
               index = machine_register(in_.operands[at + 2].reg);
    const bool whole = base && index && base->width == Width::q && index->width == Width::q;
    if (!whole || base->reg == x86::Register::rsp || !in_.symbol.empty()) unsupported(in_);
    return x86::Memory{base->reg, in_.operands[at + 3].number, *index,
                       static_cast<std::uint8_t>(in_.operands[at + 1].number)};
  }

  x86::Operand cell() const {
    if (in_.symbol_offset != 0) unsupported(in_); // inside a cell
    return addresses_.cell(in_.symbol);
  }

  x86::RegisterOperand reg(std::size_t at) const {
    const auto found = machine_register(in_.operands[at].reg);
    if (!found || found->reg == x86::Register::rsp) unsupported(in_);
    return *found;
  }

 private:
  x86::Operand read(char slot, std::size_t at, Width width) const {
    switch (slot) {
    case 'r': return reg(at);
    case 'm': return memory(at);
    case 'a': return x86::RegisterOperand{x86::Register::rax, width};
    case 'c': return x86::RegisterOperand{x86::Register::rcx, Width::b};
    case '1': return x86::Immediate{1};
    }
    if (in_.operands[at].kind != MachineOperand::Kind::number) unsupported(in_);
    return x86::Immediate{
        litmus::sign_extended(static_cast<std::uint64_t>(in_.operands[at].number), width)};
  }

  const MachineInstruction& in_;
  const AddressBook& addresses_;
};

x86::Instruction make(Opcode opcode, Width width, std::vector<x86::Operand> operands) {
  x86::Instruction result;
  result.opcode = opcode;
  result.width = width;
  result.operands = std::move(operands);
  return result;
}

x86::RegisterOperand at_width(x86::RegisterOperand reg, Width width) { return {reg.reg, width}; }

/// The condition is the last operand of jcc, setcc and cmovcc, encoded as in the manual.
x86::ConditionCode condition_of(const MachineInstruction& in) {
  return static_cast<x86::ConditionCode>(in.operands.back().number);
}

Meaning three_operand_multiply(std::vector<x86::Operand> operands, Width width) {
  Meaning result;
  if (operands[0] != operands[1])
    result.code.push_back(make(Opcode::mov, width, {operands[0], operands[1]}));
  result.code.push_back(make(Opcode::imul, width, {operands[0], operands[2]}));
  return result;
}

/// dst = base + index * scale + displacement, as arithmetic: right where the flags are dead.
Meaning sum_address(const MachineInstruction& in, const Reader& reader, Width width) {
  const auto dst = reader.reg(0);
  const MachineOperand &base = in.operands[1], &index = in.operands[3];
  const std::int64_t scale = in.operands[2].number, displacement = in.operands[4].number;
  const bool has_base = base.kind == MachineOperand::Kind::reg,
             has_index = index.kind == MachineOperand::Kind::reg;
  Meaning result{{}, true};
  const auto emit = [&](Opcode opcode, x86::Operand operand) {
    result.code.push_back(make(opcode, width, {dst, operand}));
  };
  const auto left = has_base ? at_width(reader.reg(1), width) : dst;
  const auto right = has_index ? at_width(reader.reg(3), width) : dst;
  if (!has_index) {
    if (!has_base) unsupported(in);
    if (dst != left) emit(Opcode::mov, left);
  } else if (has_base && left == dst && right == dst) {
    emit(Opcode::imul, x86::Immediate{scale + 1});
  } else if (has_base && left == dst) {
    for (std::int64_t i = 0; i < scale; ++i) emit(Opcode::add, right);
  } else {
    if (dst != right) emit(Opcode::mov, right);
    if (scale > 1)
      emit(Opcode::shl, x86::Immediate{std::countr_zero(static_cast<unsigned>(scale))});
    if (has_base) emit(Opcode::add, left);
  }
  if (displacement != 0) emit(Opcode::add, x86::Immediate{displacement});
  return result;
}

Meaning load_address(const MachineInstruction& in, const Reader& reader) {
  const auto dst = reader.reg(0);
  if (in.symbol.empty()) return sum_address(in, reader, dst.width);
  return {{make(Opcode::lea, Width::q, {at_width(dst, Width::q), reader.memory(1)})}, false};
}

/// `movsx`: to the left and back, behind a load where it is one.
Meaning sign_extend(Reader& reader, const Name& name, Width to) {
  const auto digits = name.form.substr(2);
  const auto from = digits == "8" ? Width::b : digits == "16" ? Width::w : Width::l;
  const auto operands = reader.operands(name.form.substr(0, 2), to, 0);
  const auto dst = std::get<x86::RegisterOperand>(operands[0]);
  const x86::Immediate shift{8 * (static_cast<int>(to) - static_cast<int>(from))};
  Meaning result{{}, true};
  if (const auto* source = std::get_if<x86::RegisterOperand>(&operands[1])) {
    if (dst.reg != source->reg)
      result.code.push_back(make(Opcode::mov, to, {dst, at_width(*source, to)}));
  } else {
    const auto loaded = at_width(dst, std::min(to, Width::l)); // which clears what is above
    result.code.push_back(
        make(from < Width::l ? Opcode::movzx : Opcode::mov, from, {loaded, operands[1]}));
  }
  result.code.push_back(make(Opcode::shl, to, {dst, shift}));
  result.code.push_back(make(Opcode::sar, to, {dst, shift}));
  return result;
}

Meaning sign_extended_accumulator(Width from, Width to) {
  const x86::RegisterOperand rax{x86::Register::rax, to};
  const x86::Immediate shift{8 * (static_cast<int>(to) - static_cast<int>(from))};
  return {{make(Opcode::shl, to, {rax, shift}), make(Opcode::sar, to, {rax, shift})}, true};
}

/// `adc` and `sbb`: the carry flag first, which a jump reads, then the rest.
Meaning with_carry(const MachineInstruction& in, Opcode opcode, std::vector<x86::Operand> operands,
                   Width width) {
  const x86::Operand dst = operands.at(0), source = operands.at(1);
  const auto* reg = std::get_if<x86::RegisterOperand>(&dst);
  const auto* memory = std::get_if<x86::Memory>(&source);
  const bool through_dst =
      reg && memory && memory->base == std::variant<litmus::LocationId, x86::Register>(reg->reg);
  if (!reg || dst == source || through_dst) unsupported(in);
  const std::string rest = fmt::format("C{}", in.address);
  x86::Instruction jump;
  jump.opcode = Opcode::jcc;
  jump.condition = x86::ConditionCode::ae;
  jump.target = rest;
  Meaning result{{std::move(jump)}, true};
  result.code.push_back(make(opcode, width, {dst, x86::Immediate{1}}));
  result.code.push_back(make(opcode, width, {dst, source}));
  result.code.back().labels.push_back(rest);
  return result;
}

/// `sbb r, r` is -1 if the carry flag is set, else 0. Its flags are those of `neg`.
Meaning carry_mask(const x86::RegisterOperand& dst) {
  Meaning result;
  const auto low = at_width(dst, Width::b);
  result.code.push_back(make(Opcode::setcc, Width::b, {low}));
  result.code.back().condition = x86::ConditionCode::b;
  if (dst.width != Width::b) result.code.push_back(make(Opcode::movzx, Width::b, {dst, low}));
  result.code.push_back(make(Opcode::neg, dst.width, {dst}));
  return result;
}

/// What has no width in its name.
std::optional<Meaning> widthless(const MachineInstruction& in, Reader& reader) {
  const std::string_view name = in.opcode;
  if (name == "MFENCE") return Meaning{{make(Opcode::mfence, Width::l, {})}, false};
  if (name == "LFENCE") return Meaning{{make(Opcode::lfence, Width::l, {})}, false};
  if (name == "SFENCE") return Meaning{{make(Opcode::sfence, Width::l, {})}, false};
  if (name == "CBW") return sign_extended_accumulator(Width::b, Width::w);
  if (name == "CWDE") return sign_extended_accumulator(Width::w, Width::l);
  if (name == "CDQE") return sign_extended_accumulator(Width::l, Width::q);
  if (name.starts_with("NOOP")) return Meaning{{make(Opcode::nop, Width::l, {})}, false};
  if (name == "SETCCr" || name == "SETCCm") {
    auto set = make(Opcode::setcc, Width::b, reader.operands(name.substr(5), Width::b, 1));
    set.condition = condition_of(in);
    return Meaning{{std::move(set)}, false};
  }
  if (name == "LEA32r" || name == "LEA64r" || name == "LEA64_32r") return load_address(in, reader);
  return std::nullopt;
}

const FormRow& form_of(const MachineInstruction& in, const Name& name) {
  const auto form = std::ranges::find(form_table, name.form, &FormRow::suffix);
  if (form == form_table.end()) unsupported(in);
  return *form;
}

Meaning carrying(const MachineInstruction& in, Reader& reader, const Name& name, Width width) {
  auto operands = reader.operands(form_of(in, name).slots, width, 0);
  const auto* dst = std::get_if<x86::RegisterOperand>(&operands.at(0));
  if (name.stem == "SBB" && dst && operands.at(1) == operands[0]) return carry_mask(*dst);
  return with_carry(in, name.stem == "ADC" ? Opcode::add : Opcode::sub, std::move(operands), width);
}

Meaning ordinary(const MachineInstruction& in, Reader& reader, const Name& name, Opcode opcode,
                 Width width) {
  const FormRow* form = &form_of(in, name);
  const bool conditional = opcode == Opcode::cmovcc;
  const std::string_view slots =
      opcode == Opcode::cmpxchg && form->slots == "rm" ? "mr" : form->slots;
  auto operands = reader.operands(slots, width, conditional ? 1 : 0);
  if (operands.size() == 3) return three_operand_multiply(std::move(operands), width);
  if (opcode == Opcode::imul && operands.size() == 1) unsupported(in); // to two registers
  const bool memory_second =
      operands.size() == 2 && std::holds_alternative<x86::Memory>(operands[1]);
  if (memory_second && (opcode == Opcode::xchg || opcode == Opcode::xadd))
    std::swap(operands[0], operands[1]); // its name says rm, but memory is what it updates
  auto result = make(opcode, width, std::move(operands));
  if (conditional) result.condition = condition_of(in);
  if (opcode == Opcode::movzx) result.width = name.form.ends_with("8") ? Width::b : Width::w;
  return {{std::move(result)}, false};
}

} // namespace

std::span<const StemRow> stems() { return stem_table; }

std::optional<x86::RegisterOperand> machine_register(std::string_view llvm_name) {
  const auto found = x86::register_named(text::lower_case(llvm_name));
  return found && x86::is_general(found->reg) ? found : std::nullopt;
}

Meaning meaning_of(const MachineInstruction& in, const AddressBook& addresses) {
  Reader reader(in, addresses);
  if (auto done = widthless(in, reader)) return std::move(*done);
  const Name name = split(in.opcode);
  const auto width = width_of(name.bits);
  if (!width) unsupported(in);
  if (name.stem == "MOVSX" && (name.form.starts_with("rr") || name.form.starts_with("rm")))
    return sign_extend(reader, name, *width);
  if (name.stem == "MOV" && !in.symbol.empty() && name.form.starts_with("ri"))
    return {{make(Opcode::lea, Width::q, {at_width(reader.reg(0), Width::q), reader.cell()})},
            false};
  if (name.stem == "ADC" || name.stem == "SBB") return carrying(in, reader, name, *width);
  const auto row = std::ranges::find(stem_table, name.stem, &StemRow::stem);
  if (row == stem_table.end()) unsupported(in);
  return ordinary(in, reader, name, row->opcode, *width);
}

} // namespace thinair::lower::x86_code
