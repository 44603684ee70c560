// Shapes of x86 instructions, by LLVM's names of them.
#include "litmus/text/ascii.h"
#include "machine/x86/code/decode.h"
#include "machine/x86/code/jit.h"
#include "machine/x86/code/jit_vectors.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace thinair::lower::jit::x86_code {
namespace {

using Kind = MachineOperand::Kind;
constexpr std::size_t memory_operands = 5; // base, scale, index, displacement, segment

std::string whole(std::string_view name) { return whole_register(name); }

/// "MOV64rm_REV" in its parts: MOV, 64, rm.
struct Name {
  std::string_view stem, form;
  unsigned bits = 0;
};

Name split(std::string_view opcode) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto begin = std::ranges::find_if(opcode, digit);
  const auto end = std::find_if_not(begin, opcode.end(), digit);
  Name name{{opcode.begin(), begin}, {end, opcode.end()}, 0};
  for (auto i = begin; i != end; ++i) name.bits = 10 * name.bits + static_cast<unsigned>(*i - '0');
  if (const auto underscore = name.form.find('_'); underscore != std::string_view::npos)
    name.form = name.form.substr(0, underscore);
  return name;
}

Source source(const MachineOperand& operand) {
  if (operand.kind == Kind::number) return operand.number;
  return Reg{whole(operand.reg)};
}

/// Where the operands of a memory access begin, if there is one.
std::optional<std::size_t> memory_at(const MachineInstruction& in) {
  const auto& ops = in.operands;
  for (std::size_t i = 0; i + memory_operands <= ops.size(); ++i) {
    const bool scale =
        ops[i + 1].kind == Kind::number && (ops[i + 1].number == 1 || ops[i + 1].number == 2 ||
                                            ops[i + 1].number == 4 || ops[i + 1].number == 8);
    if (ops[i].kind != Kind::number && scale && ops[i + 2].kind != Kind::number &&
        ops[i + 3].kind == Kind::number && ops[i + 4].kind != Kind::number)
      return i;
  }
  return std::nullopt;
}

} // namespace

Place place_at(const MachineInstruction& in, std::size_t at) {
  const auto& ops = in.operands;
  if (ops[at + 4].kind != Kind::none) unsupported(in); // a segment
  const auto reg = [&](const MachineOperand& operand) {
    if (operand.kind == Kind::none) return std::string();
    const std::string name = whole(operand.reg);
    if (name.empty()) unsupported(in);
    return name;
  };
  return {reg(ops[at]), reg(ops[at + 2]), ops[at + 1].number, ops[at + 3].number};
}

namespace {

Shape other(const MachineInstruction& in) {
  Shape out;
  const auto add = [](std::vector<std::string>& to, const std::vector<std::string>& from,
                      bool& flags) {
    for (const auto& name : from) {
      flags |= name == "EFLAGS";
      if (auto reg = whole(name); !reg.empty()) to.push_back(std::move(reg));
    }
  };
  bool reads_flags = false;
  add(out.reads, in.reads, reads_flags);
  add(out.writes, in.writes, out.sets_flags);
  if (reads_flags) out.reads.emplace_back("flags");
  if (const auto at = memory_at(in); at && in.accesses_memory) {
    out.place = place_at(in, *at);
    for (const auto& part : {out.place->base, out.place->index})
      if (const auto found = std::ranges::find(out.reads, part); found != out.reads.end())
        out.reads.erase(found);
    const Name name = split(in.opcode);
    out.bytes = name.bits / 8;
    out.adds_nothing =
        name.stem == "ADD" && name.form.starts_with("mi") && in.operands.back().number == 0;
  }
  return out;
}

When when_of(std::int64_t condition) {
  const auto code = static_cast<x86::ConditionCode>(condition);
  return code == x86::ConditionCode::e    ? When::equal
         : code == x86::ConditionCode::ne ? When::not_equal
         : code == x86::ConditionCode::a  ? When::above
                                          : When::other;
}

Shape branch(const MachineInstruction& in) {
  Shape out;
  out.does = in.opcode.starts_with("JMP") ? Does::jump : Does::branch;
  if (out.does == Does::branch) out.when = when_of(in.operands.back().number);
  out.target = in.address + in.bytes.size() + static_cast<std::uint64_t>(in.operands[0].number);
  return out;
}

/// `movzbl x, r` and `movswq x, r`: what is loaded is narrower than the register.
Shape extending(const MachineInstruction& in, const Name& name) {
  const auto at = memory_at(in);
  constexpr std::string_view memory = "rm";
  if (!at || !name.form.starts_with(memory)) return other(in);
  Shape out;
  for (const char digit : name.form.substr(memory.size()))
    if (std::isdigit(static_cast<unsigned char>(digit)) != 0)
      out.bytes = 10 * out.bytes + static_cast<unsigned>(digit - '0');
  out.bytes /= 8;
  out.does = Does::load;
  out.to = whole(in.operands[0].reg);
  out.place = place_at(in, *at);
  return out;
}

Shape moving(const MachineInstruction& in, const Name& name) {
  const auto at = memory_at(in);
  const bool narrow = name.bits == 8 || name.bits == 16;
  if (narrow && (!at || !name.form.starts_with("m"))) return other(in); // a part of a register
  Shape out;
  out.bytes = name.bits / 8;
  if (name.form == "rr" || name.form.starts_with("ri")) {
    out.does = Does::move;
    out.to = whole(in.operands[0].reg);
    out.from = {source(in.operands[1])};
  } else if (name.form == "rm" && at) {
    out.does = Does::load;
    out.to = whole(in.operands[0].reg);
    out.place = place_at(in, *at);
  } else if (name.form.starts_with("m") && at) {
    out.does = Does::store;
    out.place = place_at(in, *at);
    out.from = {source(in.operands.back())};
  } else {
    return other(in);
  }
  return out;
}

Shape comparing(const MachineInstruction& in, const Name& name) {
  if (name.bits != 32 && name.bits != 64) return other(in);
  Shape out;
  out.does = name.stem == "CMP" ? Does::compare : Does::test;
  out.sets_flags = true;
  out.bytes = name.bits / 8;
  const auto at = memory_at(in);
  if (at && name.form.starts_with("m"))
    out.from = {place_at(in, *at), source(in.operands.back())};
  else if (at)
    out.from = {source(in.operands.front()), place_at(in, *at)};
  else if (in.operands.size() == 2)
    out.from = {source(in.operands[0]), source(in.operands[1])};
  else
    return other(in);
  return out;
}

/// `add r, i`, `sub r, i` and `add r, r` of 64 bits, of which addresses are made.
Shape summing(const MachineInstruction& in, const Name& name) {
  if (name.bits != 64 || !name.form.starts_with("r") || memory_at(in) || in.operands.size() != 3)
    return other(in);
  Shape out;
  out.does = Does::sum;
  out.sets_flags = true;
  out.to = whole(in.operands[0].reg);
  out.from = {source(in.operands[1])};
  const bool minus = name.stem == "SUB";
  if (in.operands[2].kind == Kind::number)
    out.number = minus ? -in.operands[2].number : in.operands[2].number;
  else if (minus)
    return other(in);
  else
    out.from.push_back(source(in.operands[2]));
  return out;
}

/// `shr r, i` of 64 bits: numbers of programs have 32.
Shape shifting(const MachineInstruction& in, const Name& name) {
  const auto& ops = in.operands;
  const bool by_constant = name.bits == 64 && name.form == "ri" && ops.size() == 3;
  if (!by_constant || ops[2].kind != Kind::number) return other(in);
  Shape out;
  out.does = Does::shift;
  out.bytes = 8;
  out.sets_flags = true;
  out.to = whole(ops[0].reg);
  out.from = {source(ops[1])};
  out.number = ops[2].number;
  return out;
}

/// An address in the code itself is that of a register of which nothing is known.
Shape address(const MachineInstruction& in) {
  Shape out;
  out.does = Does::sum;
  out.to = whole(in.operands[0].reg);
  if (in.operands.at(1).reg == "RIP") {
    out.from = {Reg{"RIP"}};
    return out;
  }
  const Place place = place_at(in, 1);
  out.from = {place.base.empty() ? Source(std::int64_t{0}) : Source(Reg{place.base})};
  if (!place.index.empty()) out.from.emplace_back(Reg{place.index});
  out.scale = place.scale;
  out.number = place.displacement;
  return out;
}

Shape on_stack(const MachineInstruction& in) {
  Shape out;
  out.does = Does::sum;
  out.to = "RSP";
  out.from = {Reg{"RSP"}};
  out.number = in.opcode.starts_with("PUSH") ? -8 : 8;
  return out;
}

/// "XMM3" of "YMM3".
std::string vector_register(const MachineOperand& operand) {
  return operand.reg.size() > 3 ? "XMM" + operand.reg.substr(3) : "";
}

/// By which new objects are filled with zeros: a register is made 0, and stored.
std::optional<Shape> of_vectors(const MachineInstruction& in) {
  struct Row {
    std::string_view opcode;
    unsigned bytes;
  };
  static constexpr auto zeros = std::to_array<std::string_view>(
      {"VPXORrr", "VPXORYrr", "PXORrr", "VXORPSrr", "VXORPSYrr", "XORPSrr", "VXORPDrr", "XORPDrr",
       "VXORPSZ128rr", "VXORPDZ128rr", "VPXORDZ128rr", "VPXORQZ128rr"});
  static constexpr auto stores = std::to_array<Row>({{"VMOVPQI2QImr", 8},
                                                     {"MOVPQI2QImr", 8},
                                                     {"VMOVDQUmr", 16},
                                                     {"MOVDQUmr", 16},
                                                     {"VMOVDQUYmr", 32},
                                                     {"VMOVDQU64Z128mr", 16},
                                                     {"VMOVDQU64Z256mr", 32},
                                                     {"VMOVDQU64Zmr", 64}});
  const auto& ops = in.operands;
  Shape out;
  if (std::ranges::find(zeros, in.opcode) != zeros.end()) {
    if (ops.size() != 3 || !(ops[1] == ops[2])) unsupported(in);
    out.does = Does::move;
    out.to = vector_register(ops[0]);
    out.from = {std::int64_t{0}};
    out.bytes = 8;
    return out;
  }
  const auto row = std::ranges::find(stores, in.opcode, &Row::opcode);
  if (row == stores.end()) return std::nullopt;
  out.does = Does::store;
  out.bytes = row->bytes;
  out.place = place_at(in, 0);
  out.from = {Reg{vector_register(ops.back())}};
  return out;
}

bool is_leave(std::string_view opcode) {
  return opcode.starts_with("CALL") || opcode == "HLT" || opcode.starts_with("INT") ||
         opcode == "UD2" || opcode == "TRAP";
}

} // namespace

Shape shape_of(const MachineInstruction& in) {
  const std::string_view opcode = in.opcode;
  Shape out;
  if (is_leave(opcode) || (opcode.starts_with("JMP") && in.operands[0].kind != Kind::number))
    out.does = Does::leave;
  else if (opcode == "RET64")
    out.does = Does::end;
  else if (opcode.starts_with("JMP_") || opcode.starts_with("JCC_"))
    return branch(in);
  else if (opcode.starts_with("NOOP") || opcode.starts_with("PREFETCH") || opcode == "VZEROUPPER" ||
           (opcode == "XCHG16ar" && in.operands[0].reg == "AX"))
    out.does = Does::nothing; // of a vector register, the lowest 64 bits stay
  else if (opcode.starts_with("PUSH64r") || opcode.starts_with("POP64r"))
    return on_stack(in);
  else if (opcode == "LEA64r")
    return address(in);
  else if (auto vector = of_vectors(in))
    return *std::move(vector);
  else if (auto through = shape_of_vectors(in))
    return *std::move(through);
  else {
    const Name name = split(opcode);
    const bool same = in.operands.size() == 3 && in.operands[1] == in.operands[2] &&
                      in.operands[1].kind == Kind::reg;
    if (name.stem == "MOV") return moving(in, name);
    if (name.stem == "MOVZX" || name.stem == "MOVSX") return extending(in, name);
    if (name.stem == "CMP" || name.stem == "TEST") return comparing(in, name);
    if (name.stem == "XOR" && same) { // zero, whatever was in the register
      out.does = Does::move;
      out.to = whole(in.operands[0].reg);
      out.from = {std::int64_t{0}};
      out.bytes = name.bits / 8;
      out.sets_flags = true;
      return out;
    }
    if (name.stem == "ADD" || name.stem == "SUB") return summing(in, name);
    if (name.stem == "SHR") return shifting(in, name);
    return other(in);
  }
  return out;
}

} // namespace thinair::lower::jit::x86_code
