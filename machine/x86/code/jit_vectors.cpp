// Renames registers and instructions.
#include "machine/x86/code/jit_vectors.h"

#include "litmus/machine/cells.h"
#include "litmus/text/error.h"
#include "machine/x86/code/jit.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace thinair::lower::jit::x86_code {
namespace {

/// What stands for an instruction that moves the lowest bits of a vector register.
struct Row {
  std::string_view through; // without the V of AVX and the Z of AVX-512
  Does does;
  unsigned bytes;
  std::string_view instead;
};

constexpr auto rows = std::to_array<Row>({
    {"MOVSSrm", Does::load, 4, "MOV32rm"},
    {"MOVDI2PDIrm", Does::load, 4, "MOV32rm"},
    {"MOVSSmr", Does::store, 4, "MOV32mr"},
    {"MOVPDI2DImr", Does::store, 4, "MOV32mr"},
    {"MOVPDI2DIrr", Does::move, 4, "MOV32rr"},
    {"MOVDI2PDIrr", Does::move, 4, "MOV32rr"},
    {"MOVSDrm", Does::load, 8, "MOV64rm"},
    {"MOVQI2PQIrm", Does::load, 8, "MOV64rm"},
    {"MOVSDmr", Does::store, 8, "MOV64mr"},
    {"MOVPQIto64rr", Does::move, 8, "MOV64rr"},
    {"MOV64toPQIrr", Does::move, 8, "MOV64rr"},
    {"MOVZPQILo2PQIrr", Does::move, 8, "MOV64rr"},
    {"MOVAPSrr", Does::move, 8, "MOV64rr"},
    {"MOVAPDrr", Does::move, 8, "MOV64rr"},
});

constexpr std::string_view number_of_4 = "MOV32ri", number_of_8 = "MOV64ri";

/// "MOVSSrm" of "VMOVSSZrm_alt".
std::string without_extensions(std::string_view opcode) {
  if (opcode.starts_with("VMOV") || opcode.starts_with("VXOR") || opcode.starts_with("VPXOR"))
    opcode.remove_prefix(1);
  opcode = opcode.substr(0, opcode.find('_'));
  constexpr std::size_t form = 2; // rm
  if (opcode.size() < form) return std::string(opcode);
  std::string_view stem = opcode.substr(0, opcode.size() - form);
  for (const std::string_view length : {"Z128", "Z"})
    if (stem.ends_with(length)) {
      stem.remove_suffix(length.size());
      break;
    }
  return std::string(stem) + std::string(opcode.substr(opcode.size() - form));
}

const Row* row_of(const MachineInstruction& in) {
  const auto found = std::ranges::find(rows, without_extensions(in.opcode), &Row::through);
  return found == rows.end() ? nullptr : found;
}

bool is_vector(const MachineOperand& operand) { return operand.reg.starts_with("XMM"); }

/// A constant that fold() put there.
bool is_folded(const MachineInstruction& in) {
  return (in.opcode == number_of_4 || in.opcode == number_of_8) && is_vector(in.operands[0]);
}

bool makes_zero(const MachineInstruction& in) {
  constexpr auto names =
      std::to_array<std::string_view>({"XORPSrr", "XORPDrr", "PXORrr", "PXORDrr", "PXORQrr"});
  return std::ranges::find(names, without_extensions(in.opcode)) != names.end() &&
         is_vector(in.operands[0]);
}

/// Those that any instruction names, in whatever part of them.
std::set<std::string> registers_in(const MachineFunction& function) {
  std::set<std::string> out;
  for (const auto& in : function.code) {
    for (const auto& operand : in.operands) out.insert(whole_register(operand.reg));
    for (const auto& name : in.reads) out.insert(whole_register(name));
    for (const auto& name : in.writes) out.insert(whole_register(name));
  }
  return out;
}

class Renaming {
 public:
  explicit Renaming(std::set<std::string> taken) : taken_(std::move(taken)) {}

  const std::string& of(const MachineInstruction& in, const std::string& vector) {
    if (const auto found = names_.find(vector); found != names_.end()) return found->second;
    constexpr std::array<std::string_view, 11> general{"R14", "R13", "R11", "R10", "R9", "R8",
                                                       "RBX", "RDI", "RSI", "RCX", "RDX"};
    for (const auto name : general)
      if (taken_.insert(std::string(name)).second) return names_[vector] = name;
    throw Unsupported("compiled code that leaves no register alone, with " + text_of(in));
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, std::string> names_;
};

} // namespace

void fold(MachineInstruction& in, const Method& method) {
  constexpr std::size_t base = 1, displacement = 4;
  const Row* row = row_of(in);
  if (row == nullptr || row->does != Does::load || in.operands.at(base).reg != "RIP") return;
  const auto at =
      static_cast<std::int64_t>(in.address + in.bytes.size()) + in.operands.at(displacement).number;
  const auto low = method.constants.find(at), high = method.constants.find(at + 4);
  if (low == method.constants.end() || (row->bytes == 8 && high == method.constants.end())) return;
  const std::uint64_t whole =
      row->bytes == 8 ? low->second | (std::uint64_t{high->second} << 32U) : low->second;
  in.opcode = row->bytes == 8 ? number_of_8 : number_of_4;
  in.operands = {in.operands[0],
                 {MachineOperand::Kind::number, "",
                  litmus::sign_extended(whole, static_cast<litmus::Width>(row->bytes))}};
  in.accesses_memory = false;
}

std::optional<Shape> shape_of_vectors(const MachineInstruction& in) {
  const auto& ops = in.operands;
  const auto reg = [](const MachineOperand& operand) {
    return is_vector(operand) ? operand.reg : whole_register(operand.reg);
  };
  Shape out;
  if (is_folded(in)) {
    out.does = Does::move;
    out.to = ops[0].reg;
    out.from = {ops[1].number};
    out.bytes = in.opcode == number_of_8 ? 8 : 4;
    return out;
  }
  const Row* row = row_of(in);
  if (row == nullptr) return std::nullopt;
  out.does = row->does;
  out.bytes = row->bytes;
  if (row->does == Does::store) {
    out.place = place_at(in, 0);
    out.from = {Reg{reg(ops.back())}};
    return out;
  }
  out.to = reg(ops[0]);
  if (row->does == Does::load)
    out.place = place_at(in, 1);
  else
    out.from = {Reg{reg(ops[1])}};
  return out;
}

void leave_vectors(MachineFunction& function) {
  const auto passes = [](const MachineInstruction& in) {
    return row_of(in) != nullptr || is_folded(in) || makes_zero(in);
  };
  if (std::ranges::none_of(function.code, passes)) return;
  Renaming renaming(registers_in(function));
  for (auto& in : function.code) {
    if (!passes(in)) continue;
    if (makes_zero(in)) {
      in.opcode = number_of_4; // all 64 bits become 0
      in.operands = {in.operands[0], {MachineOperand::Kind::number, "", 0}};
    }
    for (auto& operand : in.operands)
      if (is_vector(operand)) operand.reg = renaming.of(in, operand.reg);
    if (const Row* row = row_of(in)) in.opcode = row->instead;
  }
}

} // namespace thinair::lower::jit::x86_code
