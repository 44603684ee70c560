// Renames registers and instructions.
#include "machine/x86/code/jit_vectors.h"

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

struct Row {
  std::string_view through, instead;
};

constexpr auto rows = std::to_array<Row>({{"VMOVSDrm", "MOV64rm"},
                                          {"MOVSDrm", "MOV64rm"},
                                          {"VMOVSDmr", "MOV64mr"},
                                          {"MOVSDmr", "MOV64mr"},
                                          {"VMOVPQIto64rr", "MOV64rr"},
                                          {"MOVPQIto64rr", "MOV64rr"},
                                          {"VMOV64toPQIrr", "MOV64rr"},
                                          {"MOV64toPQIrr", "MOV64rr"}});

const Row* row_of(const MachineInstruction& in) {
  const auto found = std::ranges::find(rows, in.opcode, &Row::through);
  return found == rows.end() ? nullptr : found;
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

void leave_vectors(MachineFunction& function) {
  if (std::ranges::none_of(function.code, [](const auto& in) { return row_of(in) != nullptr; }))
    return;
  Renaming renaming(registers_in(function));
  for (auto& in : function.code) {
    const Row* row = row_of(in);
    if (row == nullptr) continue;
    for (auto& operand : in.operands)
      if (operand.reg.starts_with("XMM")) operand.reg = renaming.of(in, operand.reg);
    in.opcode = row->instead;
  }
}

} // namespace thinair::lower::jit::x86_code
