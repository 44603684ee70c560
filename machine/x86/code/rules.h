// The rules of x86 schemes.
#pragma once

#include "lower/scheme.h"
#include "machine/x86/code/forms.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thinair::lower::x86_code {

struct RoleOperand {
  Role role = Role::dst;
  x86::Width width = x86::Width::l;
  friend bool operator==(const RoleOperand&, const RoleOperand&) = default;
};

using TemplateOperand = std::variant<x86::Immediate, RoleOperand, x86::RegisterOperand, Place>;

/// An x86::Instruction over roles. Labels are local to the rule.
struct TemplateInstruction {
  x86::Opcode opcode = x86::Opcode::nop;
  bool lock = false;
  x86::Width width = x86::Width::l;
  x86::ConditionCode condition = x86::ConditionCode::e;
  std::vector<TemplateOperand> operands; // destination first
  std::string target;
  std::vector<std::string> labels;
  text::Span span;
};

struct PlaceName {
  Place place;
  std::string_view name;
};
/// What stands in brackets, in the order of Place.
inline constexpr std::array<PlaceName, 4> places{{{Place::location, "x"},
                                                  {Place::stack, "stack"},
                                                  {Place::low, "x.low"},
                                                  {Place::high, "x.high"}}};

/// The code of one operation, and what the checks found out about it.
struct Rule {
  std::vector<TemplateInstruction> code;
  std::vector<std::string> end_labels;
  std::array<bool, role_count> uses{};
  std::array<bool, role_count> needs_register{}; // stands where no immediate may
  bool is_unsupported = false;                   // lower::no_code
  bool takes_halves = false;                     // [x.low] and [x.high], never [x]
  bool writes_dst_early = false; // before its last read of an argument: dst must not be one
  std::vector<x86::Register> machine_registers; // named outright, as `eax`: clobbered
  std::vector<Mark> marks;                      // of `code`, by the scheme's peepholes
};

/// The instructions of a rule, one a line; of one instruction without its labels.
std::string print(const Rule& rule);
std::string print(const TemplateInstruction& instruction);

struct Rules : SchemeRules {
  Rules(SchemeText text, RuleTable<Rule> rules);

  /// Throws Unsupported for what the emitted code cannot express: division, loops, monitors, …
  Lowered lower(std::span<const SchemeRules* const> mix,
                const litmus::Program& program) const override;

  RuleTable<Rule> of;
};

/// As MachineInfo::read_rules.
std::unique_ptr<const SchemeRules> read_rules(const text::Source& source, const SchemeRules* base);

} // namespace thinair::lower::x86_code
