// Checks of scheme files: operands by the table of forms, data flow in the order of the text.
#include "machine/x86/code/scheme_check.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace thinair::lower::x86_code {
namespace {

using x86::Opcode;
using x86::Width;

Kinds kind_of(const TemplateOperand& operand) {
  if (std::holds_alternative<x86::Immediate>(operand)) return immediate;
  if (std::holds_alternative<Place>(operand)) return in_memory;
  const auto* reg = std::get_if<x86::RegisterOperand>(&operand);
  if (reg && reg->reg == x86::Register::rcx && reg->width == Width::b) return in_register | in_cl;
  return in_register;
}

std::optional<Width> width_of(const TemplateOperand& operand) {
  if (const auto* role = std::get_if<RoleOperand>(&operand)) return role->width;
  if (const auto* reg = std::get_if<x86::RegisterOperand>(&operand)) return reg->width;
  return std::nullopt;
}

std::string spelled(Kinds kinds) {
  std::vector<std::string_view> words;
  if (kinds & in_register) words.push_back("a register");
  if (kinds & in_memory) words.push_back("[x] or [stack]");
  if (kinds & immediate) words.push_back("a number");
  if (kinds & in_cl) words.push_back("cl");
  return fmt::format("{}", fmt::join(words, " or "));
}

bool is_shift(Opcode opcode) {
  return opcode == Opcode::shl || opcode == Opcode::shr || opcode == Opcode::sar;
}

/// Arguments may be constants, so they may stand where a number may.
bool fits(const TemplateOperand& operand, Kinds allowed) { return kind_of(operand) & allowed; }

void check_kinds(const text::Source& source, const TemplateInstruction& in) {
  const Form& row = form(in.opcode);
  const Kinds allowed[] = {row.first, row.second};
  const std::size_t wanted = (row.first != no_operand) + (row.second != no_operand);
  if (in.operands.size() != wanted)
    throw InputError::at(source, in.span,
                         fmt::format("expected {} operands, found {}", wanted, in.operands.size()));
  bool memory = false;
  for (std::size_t i = 0; i < in.operands.size(); ++i) {
    if (!fits(in.operands[i], allowed[i]))
      throw InputError::at(
          source, in.span,
          fmt::format("operand {} of this instruction must be {}", i + 1, spelled(allowed[i])));
    if (std::holds_alternative<Place>(in.operands[i]) && std::exchange(memory, true))
      throw InputError::at(source, in.span, "an instruction has at most one operand in memory",
                           "move one of them through tmp");
  }
  const bool may_lock = x86::info(in.opcode).may_lock && !in.operands.empty() &&
                        std::holds_alternative<Place>(in.operands[0]);
  if (in.lock && !may_lock)
    throw InputError::at(source, in.span,
                         "lock needs an instruction that updates its first operand, in memory");
}

Width operation_width(const text::Source& source, const TemplateInstruction& in) {
  if (in.opcode == Opcode::setcc) {
    if (width_of(in.operands[0]).value_or(Width::b) != Width::b)
      throw InputError::at(source, in.span, "this instruction writes one byte",
                           "write the register as tmp.b, then movzx dst, tmp.b");
    return Width::b;
  }
  if (in.opcode == Opcode::movzx) {
    const Width from = width_of(in.operands[1]).value_or(Width::b);
    if (from >= width_of(in.operands[0]).value())
      throw InputError::at(source, in.span,
                           "movzx widens: its source must be the narrower operand");
    return from;
  }
  std::optional<Width> width;
  for (std::size_t i = 0; i < in.operands.size(); ++i) {
    const auto own = i == 1 && is_shift(in.opcode) ? std::nullopt : width_of(in.operands[i]);
    if (own && width && *own != *width)
      throw InputError::at(source, in.span, "the operands differ in width");
    if (own) width = own;
  }
  return width.value_or(Width::l);
}

/// Follows one rule's text from top to bottom.
class Flow {
 public:
  Flow(const text::Source& source, text::Span named, const RuleName& name, Rule rule)
      : source_(source), named_(named), operation_(name.operation), type_(name.type),
        rule_(std::move(rule)) {}

  Rule run() {
    for (std::size_t i = 0; i < rule_.code.size(); ++i) visit(i);
    labels();
    result();
    rule_.writes_dst_early = dst_written_ && (last_argument_read_ >= *dst_written_ || loops_);
    return std::move(rule_);
  }

 private:
  void visit(std::size_t at);
  void reads(const TemplateInstruction& in, const TemplateOperand& operand, std::size_t at);
  void writes(const TemplateInstruction& in, const TemplateOperand& operand, std::size_t at);
  void note(const TemplateInstruction& in);
  void allow(const TemplateInstruction& in, Role role);
  void touch(const TemplateInstruction& in, Place place);
  void labels();
  void result();
  [[noreturn]] void fail(text::Span span, std::string_view message,
                         std::string_view hint = {}) const {
    throw InputError::at(source_, span, message, hint);
  }

  const text::Source& source_;
  text::Span named_;
  Operation operation_;
  std::optional<litmus::TypeKind> type_;
  Rule rule_;
  std::set<Role> written_;
  std::set<x86::Register> machine_written_;
  std::optional<std::size_t> dst_written_;
  std::size_t last_argument_read_ = 0;
  bool touches_location_ = false, touches_whole_ = false, loops_ = false;
};

bool is_argument(Role role) { return role == Role::arg || role == Role::exp || role == Role::new_; }

/// `dst` belongs to what returns a value, `arg`, `exp` and `new` to what takes it.
void Flow::allow(const TemplateInstruction& in, Role role) {
  const auto* method = std::get_if<litmus::Method>(&operation_);
  const int arguments = method ? litmus::info(*method).arguments : 0;
  const bool has_result = method && litmus::reads(litmus::info(*method).action);
  const bool fine = role == Role::dst   ? has_result
                    : role == Role::arg ? arguments == 1
                    : is_argument(role) ? arguments == 2
                                        : true;
  if (!fine) fail(in.span, fmt::format("{} has no {}", lower::name(operation_), lower::name(role)));
}

void Flow::note(const TemplateInstruction& in) {
  const Form& row = form(in.opcode);
  const Kinds allowed[] = {row.first, row.second};
  for (std::size_t i = 0; i < in.operands.size(); ++i) {
    const TemplateOperand& operand = in.operands[i];
    if (const auto* role = std::get_if<RoleOperand>(&operand)) {
      allow(in, role->role);
      const auto index = static_cast<std::size_t>(role->role);
      rule_.uses[index] = true;
      if (!(allowed[i] & immediate)) rule_.needs_register[index] = true;
    } else if (const auto* reg = std::get_if<x86::RegisterOperand>(&operand)) {
      if (reg->reg == x86::Register::rsp) fail(in.span, "rsp is not a scheme's to use");
      if (std::ranges::find(rule_.machine_registers, reg->reg) == rule_.machine_registers.end())
        rule_.machine_registers.push_back(reg->reg);
    } else if (const auto* place = std::get_if<Place>(&operand)) {
      touch(in, *place);
    }
  }
}

/// A rule takes a long whole or in halves: code has no accesses that overlap.
void Flow::touch(const TemplateInstruction& in, Place place) {
  if (place == Place::stack) return;
  if (!has_location(operation_))
    fail(in.span, fmt::format("{} has no location", lower::name(operation_)));
  touches_location_ = true;
  (is_half(place) ? rule_.takes_halves : touches_whole_) = true;
  const bool has_halves =
      type_ && *type_ != litmus::TypeKind::reference && litmus::info(*type_).bits == 64;
  if (rule_.takes_halves && !has_halves)
    fail(in.span, "[x.low] and [x.high] are halves of a long or a double",
         fmt::format("say of which: {} long {{ … }}", lower::name(operation_)));
  if (is_half(place) && in.width != Width::l) fail(in.span, "[x.low] and [x.high] have 32 bits");
  if (rule_.takes_halves && touches_whole_)
    fail(in.span, "a rule accesses [x] or its halves, not both");
}

void Flow::reads(const TemplateInstruction& in, const TemplateOperand& operand, std::size_t at) {
  if (const auto* role = std::get_if<RoleOperand>(&operand)) {
    if (is_argument(role->role))
      last_argument_read_ = at;
    else if (!written_.contains(role->role))
      fail(in.span,
           fmt::format("{} is read before anything is written to it", lower::name(role->role)));
  } else if (const auto* reg = std::get_if<x86::RegisterOperand>(&operand)) {
    if (!machine_written_.contains(reg->reg))
      fail(in.span, fmt::format("{} is read before anything is written to it",
                                x86::name(reg->reg, reg->width)));
  }
}

void Flow::writes(const TemplateInstruction& in, const TemplateOperand& operand, std::size_t at) {
  if (const auto* role = std::get_if<RoleOperand>(&operand)) {
    if (is_argument(role->role))
      fail(in.span,
           fmt::format("this overwrites {}, which the rule must leave as it is",
                       lower::name(role->role)),
           "copy it to tmp first");
    written_.insert(role->role);
    if (role->role == Role::dst && !dst_written_) dst_written_ = at;
  } else if (const auto* reg = std::get_if<x86::RegisterOperand>(&operand)) {
    machine_written_.insert(reg->reg);
  }
}

/// `xor r, r` and `sub r, r` give 0 whatever r held.
bool clears(const TemplateInstruction& in) {
  return (in.opcode == Opcode::xor_ || in.opcode == Opcode::sub) &&
         in.operands[0] == in.operands[1];
}

void Flow::visit(std::size_t at) {
  const TemplateInstruction& in = rule_.code[at];
  const Form& row = form(in.opcode);
  note(in);
  if (!clears(in)) {
    if (row.reads_first) reads(in, in.operands[0], at);
    if (row.second != no_operand && in.opcode != Opcode::lea) reads(in, in.operands[1], at);
  }
  if (in.opcode == Opcode::cmpxchg)
    reads(in, x86::RegisterOperand{x86::Register::rax, in.width}, at);
  if (row.writes_first) writes(in, in.operands[0], at);
  if (row.writes_second) writes(in, in.operands[1], at);
}

void Flow::labels() {
  std::vector<std::string> seen;
  const auto define = [&](const std::string& label, text::Span span) {
    if (std::ranges::find(seen, label) != seen.end())
      fail(span, fmt::format("label {} stands twice", label));
    seen.push_back(label);
  };
  for (const auto& in : rule_.code) {
    for (const auto& label : in.labels) define(label, in.span);
    if (!in.target.empty() && std::ranges::find(seen, in.target) != seen.end()) loops_ = true;
  }
  for (const auto& label : rule_.end_labels) define(label, named_);
  for (const auto& in : rule_.code)
    if (!in.target.empty() && std::ranges::find(seen, in.target) == seen.end())
      fail(in.span, fmt::format("no label {} in this rule", in.target));
}

void Flow::result() {
  if (!has_location(operation_)) return;
  if (!touches_location_)
    fail(named_, fmt::format("the rule for {} never accesses [x]", lower::name(operation_)));
  const auto* method = std::get_if<litmus::Method>(&operation_);
  if (method && litmus::reads(litmus::info(*method).action) && !dst_written_)
    fail(named_, fmt::format("the rule for {} never writes dst", lower::name(operation_)));
}

} // namespace

void check_operands(const text::Source& source, TemplateInstruction& instruction) {
  check_kinds(source, instruction);
  instruction.width = operation_width(source, instruction);
}

Rule checked(const text::Source& source, text::Span named, const RuleName& name, Rule rule) {
  return Flow(source, named, name, std::move(rule)).run();
}

} // namespace thinair::lower::x86_code
