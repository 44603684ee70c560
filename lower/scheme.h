// Compilation schemes: for each VarHandle operation, the x86 instructions that implement it.
#pragma once

#include "litmus/modes.h"
#include "litmus/program.h"
#include "litmus/text/source.h"
#include "lower/forms.h"
#include "lower/machine.h"
#include "lower/peephole.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thinair::lower {

/// What a rule calls a register (docs/lowering.md). Only `dst` and the temporaries may be written.
enum class Role : std::uint8_t { dst, arg, exp, new_, tmp, tmp2 };
constexpr std::size_t role_count = 6;
std::string_view name(Role role);
/// Of an argument of an access, by its place.
Role role_of(const litmus::Access& access, std::size_t argument);

struct RoleOperand {
  Role role = Role::dst;
  x86::Width width = x86::Width::l;
  friend bool operator==(const RoleOperand&, const RoleOperand&) = default;
};

/// `[x]`, the location accessed, or `[stack]`, a cell of the thread's own.
enum class Place : std::uint8_t { location, stack };

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

/// The code of one operation, and what the checks found out about it.
struct Rule {
  std::vector<TemplateInstruction> code;
  std::vector<std::string> end_labels;
  std::array<bool, role_count> uses{};
  std::array<bool, role_count> needs_register{}; // stands where no immediate may
  bool writes_dst_early = false; // before its last read of an argument: dst must not be one
  std::vector<x86::Register> machine_registers; // named outright, as `eax`: clobbered
  std::vector<Mark> marks;                      // of `code`, by the scheme's peepholes
};

using litmus::index_of;
using litmus::name;
using litmus::Operation;
using litmus::operation_at;
using litmus::operation_count;
using litmus::operation_named;

struct Scheme {
  std::string name;  // "x86:table2"
  std::string title; // where it comes from
  std::array<Rule, operation_count> rules;
  std::vector<Peephole> peepholes;

  const Rule& rule(Operation operation) const { return rules[index_of(operation)]; }
};

/// What a scheme file calls itself, before its rules are looked at; empty where it does not begin
/// as one.
struct SchemeHead {
  std::string name, title;
  std::string like; // the scheme that has what this one leaves out; may be empty
};
SchemeHead scheme_head(const text::Source& source);

/// Reads and checks a scheme file. Throws InputError: a syntax error, an unknown operation,
/// instruction or operand, an operation missing or given twice, an argument clobbered, a register
/// read before it is written, a result never written.
/// `depth`: how many schemes are like this one on the way here.
Scheme parse_scheme(const text::Source& source, int depth = 0);

/// The file format again, operations with equal code together.
std::string print(const Scheme& scheme);
/// The instructions of a rule, one a line; of one instruction without its labels.
std::string print(const Rule& rule);
std::string print(const TemplateInstruction& instruction);
std::string print(const Peephole& peephole);

/// The source of the scheme that `head` says it is like: a shipped one, or a file beside `from`.
/// Throws InputError where there is none, where it is of another machine, and where `depth` says
/// that there is no end.
text::Source base_of(const text::Source& from, const SchemeHead& head, int depth);

/// A scheme file that is part of the program: "x86-table2.scheme" is called x86:table2.
struct ShippedScheme {
  std::string_view file;
  std::string_view text;
};
std::vector<ShippedScheme> shipped_schemes(Machine machine = Machine::x86);
std::optional<ShippedScheme> shipped_file(std::string_view name); // by the scheme's name
std::optional<Scheme> find_scheme(std::string_view name);         // x86's

} // namespace thinair::lower
