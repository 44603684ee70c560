// What herd7 7.58 lacks of AArch64, or computes wrongly, written otherwise (docs/lowering.md lists
// it).
#include "machine/common/herd_export.h"

#include "litmus/text/error.h"
#include "machine/aarch64/assembly.h"
#include "machine/aarch64/format.h"

#include <fmt/format.h>

namespace thinair::aarch64 {
namespace {

RegisterOperand zero_of(Width width) { return {Register::zero, width}; }

bool is_zero(const Operand& operand) {
  const auto* reg = std::get_if<RegisterOperand>(&operand);
  return reg != nullptr && reg->reg == Register::zero;
}

/// Computed wrongly: shifts by a register (counts past 31), and an update by 0 (executions in which
/// a compare-and-set reads from it are lost).
bool is_wrong(const Instruction& in) {
  if (in.info->does == Does::shift)
    return std::holds_alternative<RegisterOperand>(in.operands.back());
  if (in.info->does == Does::move_not) {
    const auto& from = std::get<RegisterOperand>(in.operands.back());
    return from.amount != 0;
  }
  return in.info->does == Does::fetch && in.operands.size() == 3 && is_zero(in.operands.front());
}

Instruction made(std::string_view mnemonic, const Instruction& in, std::vector<Operand> operands) {
  Instruction out = in;
  out.info = instruction_named(mnemonic);
  out.operands = std::move(operands);
  return out;
}

/// `cset`, `csetm` and `cinc` on `ge`, which herd7 takes for always, as what they stand for.
Instruction without_ge(const Instruction& in) {
  const auto* condition =
      in.operands.empty() ? nullptr : std::get_if<Condition>(&in.operands.back());
  if (condition == nullptr || *condition != Condition::ge) return in;
  const Operand zero = zero_of(in.width);
  if (in.info->mnemonic == "cset")
    return made("csinc", in, {in.operands[0], zero, zero, Condition::lt});
  if (in.info->mnemonic == "csetm")
    return made("csinv", in, {in.operands[0], zero, zero, Condition::lt});
  if (in.info->mnemonic == "cinc")
    return made("csinc", in, {in.operands[0], in.operands[1], in.operands[1], Condition::lt});
  return in;
}

/// `sxtb` and its kin: a mask for those without a sign, for the others up by so many bits and down
/// again.
std::vector<Instruction> extended(const Instruction& in) {
  const auto bits = static_cast<Value>(litmus::bits_of(*in.info->width));
  auto from = std::get<RegisterOperand>(in.operands[1]);
  from.width = in.width;
  if (in.info->op == TermOp::zero_extend)
    return {made("and", in, {in.operands[0], from, Immediate{(Value{1} << bits) - 1}})};
  const Immediate up{static_cast<Value>(litmus::bits_of(in.width)) - bits};
  return {made("lsl", in, {in.operands[0], from, up}),
          made("asr", in, {in.operands[0], in.operands[0], up})};
}

std::vector<Instruction> written(const Instruction& in) {
  if (is_wrong(in)) throw Unsupported(fmt::format("{} in herd7", print_instruction(in)));
  if (in.info->does == Does::extend && !in.info->for_herd) return extended(in);
  if (in.info->mnemonic == "cmn")
    return {made("adds", in, {zero_of(in.width), in.operands[0], in.operands[1]})};
  return {without_ge(in)};
}

} // namespace

litmus::HerdExport herd_export(const Test& test, bool all_registers) {
  return machine::herd_export<Instruction>(
      test, all_registers, [](const Instruction& in, const Thread&) { return written(in); });
}

} // namespace thinair::aarch64
