// A machine's words as instructions, and the code of expressions over a thread's registers in
// Java's int arithmetic.
#pragma once

#include "litmus/text/error.h"
#include "lower/constants.h"
#include "lower/homes.h"
#include "lower/machine_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thinair::lower {

/// MachineWords, read.
template <class Instruction>
struct MachineCode {
  using Rule = MachineRule<Instruction>;

  const MachineWords<Instruction>& words;
  Rule constant, move, load, store, displace, jump, jump_if_zero;
  std::map<litmus::Operator, Rule> values, jumps_unless, by_number;

  /// The machine's, read once.
  static const MachineCode& of_machine() {
    static const MachineCode all(lower::words<Instruction>());
    return all;
  }

 private:
  explicit MachineCode(const MachineWords<Instruction>& of)
      : words(of), constant(rule(of.constant)), move(rule(of.move)), load(rule(of.load)),
        store(rule(of.store)), displace(rule(of.displace)), jump(rule(of.jump)),
        jump_if_zero(rule(of.jump_if_zero)) {
    for (const OperatorWords& row : words.operators) {
      values[row.op] = rule(row.value);
      if (!row.jump_unless.empty()) jumps_unless[row.op] = rule(row.jump_unless);
      if (!row.by_number.empty()) by_number[row.op] = rule(row.by_number);
    }
  }
  Rule rule(std::string_view text) const {
    const text::Source source{std::string(words.machine), std::string(text)};
    return RuleReader<Instruction>(source, words).read(read_rule_text(source), outside_label);
  }
};

/// A private location of a thread: an offset from the address in a register.
template <class Register>
struct PrivateCell {
  Register base{};
  litmus::Value offset = 0;
};

template <class Instruction>
class MachineExpressions {
 public:
  using Register = typename Instruction::Reg;
  using Home = HomeIn<Register>;
  using Rule = MachineRule<Instruction>;

  /// A value in a register. One that is owned is scratch, which the holder may overwrite and must
  /// release.
  struct Held {
    Register reg{};
    bool owned = false;
  };

  /// The first spilled register lives at `spilled`, whose address is in `base`.
  MachineExpressions(CodeWriter<Instruction>& code, std::span<const Home> homes, Register base,
                     litmus::LocationId spilled)
      : code_(code), homes_(homes), base_(base), spilled_(spilled) {}

  /// Throws Unsupported for division by what is no constant other than 0. The result is put into
  /// `wanted` where it has to be computed.
  Held value(const litmus::Expression& e, std::optional<Register> wanted = std::nullopt);

  void release(const Held& held) {
    if (held.owned) code_.release(held.reg);
  }
  void assign(litmus::RegisterId target, Register from);
  void assign(litmus::RegisterId target, const litmus::Expression& e);
  /// The machine register that a source register lives in, if it is one.
  std::optional<Register> in_register(litmus::RegisterId reg) const {
    const auto* found = std::get_if<Register>(&homes_[reg.value]);
    return found ? std::optional(*found) : std::nullopt;
  }

  /// An address that lies so far behind the one in a source register.
  Held displaced(litmus::RegisterId from, std::int32_t offset);

  void jump_unless(const litmus::Expression& condition, const std::string& label);
  void jump(const std::string& label) { emit(machine_.jump, {}, label); }
  void store(Register from, const PrivateCell<Register>& cell) {
    access(machine_.store, Role::arg, from, cell);
  }

 private:
  struct Operands {
    std::optional<Held> arg, first, second;
  };
  Operands operands(const litmus::Expression& e);
  void bind(const Operands& held, Bindings<Register>& bindings) const;
  void release(const Operands& held);
  Held computed(const litmus::Expression& e, std::optional<Register> wanted);
  Held shifted(const litmus::Expression& e, litmus::Value count, std::optional<Register> wanted);
  Held constant(litmus::Value number, std::optional<Register> wanted);
  void emit(const Rule& rule, Bindings<Register> bindings, const std::string& label);
  [[noreturn]] void lacks(std::string_view what) const {
    throw Unsupported(
        fmt::format("{} between registers, in {} code", what, machine_.words.machine));
  }
  const Rule& rule_of(const std::map<litmus::Operator, Rule>& rules, litmus::Operator op) const {
    const auto found = rules.find(op);
    if (found == rules.end()) lacks(fmt::format("\"{}\"", litmus::info(op).symbol));
    return found->second;
  }
  void access(const Rule& rule, Role role, Register reg, const PrivateCell<Register>& cell);
  PrivateCell<Register> cell_of(litmus::RegisterId reg) const;
  Held destination(std::optional<Register> wanted) {
    return wanted ? Held{*wanted, false} : Held{code_.take(), true};
  }
  unsigned pressure(const litmus::Expression& e) const;

  const MachineCode<Instruction>& machine_ = MachineCode<Instruction>::of_machine();
  CodeWriter<Instruction>& code_;
  std::span<const Home> homes_;
  Register base_;
  litmus::LocationId spilled_;
};

template <class Instruction>
void MachineExpressions<Instruction>::emit(const Rule& rule, Bindings<Register> bindings,
                                           const std::string& label) {
  if (rule.code.empty()) lacks("moves and jumps");
  bindings.outside = label;
  emit_rule(rule, machine_.words, bindings, code_);
}

template <class Instruction>
auto MachineExpressions<Instruction>::cell_of(litmus::RegisterId reg) const
    -> PrivateCell<Register> {
  const auto cell = std::get<litmus::LocationId>(homes_[reg.value]);
  return {base_, 4 * (litmus::Value{cell.value} - litmus::Value{spilled_.value})};
}

template <class Instruction>
void MachineExpressions<Instruction>::access(const Rule& rule, Role role, Register reg,
                                             const PrivateCell<Register>& cell) {
  Rule displaced = rule;
  for (Instruction& in : displaced.code) machine_.words.set_number(in, cell.offset);
  Bindings<Register> bindings;
  bindings[role] = reg;
  bindings.address = cell.base;
  emit(displaced, bindings, {});
}

template <class Instruction>
auto MachineExpressions<Instruction>::displaced(litmus::RegisterId from, std::int32_t offset)
    -> Held {
  const Held base = value(litmus::Expression::of(from));
  if (offset == 0) return base;
  release(base);
  const Held out{code_.take(), true};
  Rule filled = machine_.displace;
  for (Instruction& in : filled.code) machine_.words.set_number(in, offset);
  Bindings<Register> bindings;
  bindings[Role::arg] = base.reg;
  bindings[Role::dst] = out.reg;
  emit(filled, bindings, {});
  return out;
}

template <class Instruction>
auto MachineExpressions<Instruction>::constant(litmus::Value number, std::optional<Register> wanted)
    -> Held {
  const Held out = destination(wanted);
  const auto numbers = machine_.words.numbers_of(number);
  Rule filled = machine_.constant;
  filled.code.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    machine_.words.set_number(filled.code[i], numbers[i]);
  Bindings<Register> bindings;
  bindings[Role::dst] = out.reg;
  emit(filled, bindings, {});
  return out;
}

/// How many registers a subtree needs (Sethi and Ullman); a register's own home needs none.
template <class Instruction>
unsigned MachineExpressions<Instruction>::pressure(const litmus::Expression& e) const {
  if (constant_value(e)) return 1;
  if (e.arguments.empty()) return in_register(e.reg) ? 0 : 1;
  const unsigned left = pressure(e.arguments[0]);
  if (e.arguments.size() == 1) return std::max(1U, left);
  const unsigned right = pressure(e.arguments[1]);
  return left == right ? left + 1 : std::max(left, right);
}

/// The side that needs more registers first: there are no effects.
template <class Instruction>
auto MachineExpressions<Instruction>::operands(const litmus::Expression& e) -> Operands {
  Operands out;
  if (e.arguments.size() == 1) {
    out.arg = value(e.arguments[0]);
  } else if (pressure(e.arguments[1]) > pressure(e.arguments[0])) {
    out.second = value(e.arguments[1]);
    out.first = value(e.arguments[0]);
  } else {
    out.first = value(e.arguments[0]);
    out.second = value(e.arguments[1]);
  }
  return out;
}

template <class Instruction>
void MachineExpressions<Instruction>::bind(const Operands& held,
                                           Bindings<Register>& bindings) const {
  if (held.arg) bindings[Role::arg] = held.arg->reg;
  if (held.first) bindings[Role::exp] = held.first->reg;
  if (held.second) bindings[Role::new_] = held.second->reg;
}

template <class Instruction>
void MachineExpressions<Instruction>::release(const Operands& held) {
  for (const auto& each : {held.arg, held.first, held.second})
    if (each) release(*each);
}

template <class Instruction>
auto MachineExpressions<Instruction>::computed(const litmus::Expression& e,
                                               std::optional<Register> wanted) -> Held {
  using litmus::Operator;
  const bool divides = e.op == Operator::divide || e.op == Operator::remainder;
  if (divides && constant_value(e.arguments[1]).value_or(0) == 0)
    throw Unsupported(fmt::format("\"{}\" by what is no constant other than 0, in lowered code",
                                  litmus::info(e.op).symbol));
  if (const auto count = is_shift(e.op) ? constant_value(e.arguments[1]) : std::nullopt)
    return shifted(e, *count, wanted);
  const Rule& rule = rule_of(machine_.values, e.op);
  const Operands held = operands(e);
  Bindings<Register> bindings;
  bind(held, bindings);
  std::optional<Register> tmp;
  if (rule.uses_role(Role::tmp)) tmp = bindings[Role::tmp] = code_.take();
  release(held); // the result may go to the register of an operand
  const Held out = destination(wanted);
  bindings[Role::dst] = out.reg;
  emit(rule, bindings, {});
  if (tmp) code_.release(*tmp);
  return out;
}

/// The low five bits of the count are what shifts (JLS 15.19).
template <class Instruction>
auto MachineExpressions<Instruction>::shifted(const litmus::Expression& e, litmus::Value count,
                                              std::optional<Register> wanted) -> Held {
  Rule rule = rule_of(machine_.by_number, e.op);
  for (Instruction& in : rule.code) machine_.words.set_number(in, count & 31);
  const Held held = value(e.arguments[0]);
  release(held);
  const Held out = destination(wanted);
  Bindings<Register> bindings;
  bindings[Role::exp] = held.reg;
  bindings[Role::dst] = out.reg;
  emit(rule, bindings, {});
  return out;
}

template <class Instruction>
auto MachineExpressions<Instruction>::value(const litmus::Expression& e,
                                            std::optional<Register> wanted) -> Held {
  if (const auto number = constant_value(e)) return constant(*number, wanted);
  THINAIR_CHECK(e.op != litmus::Operator::access,
                "an access inside an expression reached lowering");
  if (e.op != litmus::Operator::reg) return computed(e, wanted);
  if (const auto reg = in_register(e.reg)) return {*reg, false};
  const Held out = destination(wanted);
  access(machine_.load, Role::dst, out.reg, cell_of(e.reg));
  return out;
}

template <class Instruction>
void MachineExpressions<Instruction>::assign(litmus::RegisterId target, Register from) {
  const auto home = in_register(target);
  if (!home) return access(machine_.store, Role::arg, from, cell_of(target));
  if (*home == from) return;
  Bindings<Register> bindings;
  bindings[Role::dst] = *home;
  bindings[Role::arg] = from;
  emit(machine_.move, bindings, {});
}

template <class Instruction>
void MachineExpressions<Instruction>::assign(litmus::RegisterId target,
                                             const litmus::Expression& e) {
  const Held held = value(e, in_register(target));
  assign(target, held.reg);
  release(held);
}

template <class Instruction>
void MachineExpressions<Instruction>::jump_unless(const litmus::Expression& condition,
                                                  const std::string& label) {
  Bindings<Register> bindings;
  const auto comparison = machine_.jumps_unless.find(condition.op);
  if (comparison != machine_.jumps_unless.end() && !constant_value(condition)) {
    const Operands held = operands(condition);
    bind(held, bindings);
    emit(comparison->second, bindings, label);
    return release(held);
  }
  const Held held = value(condition);
  bindings[Role::arg] = held.reg;
  emit(machine_.jump_if_zero, bindings, label);
  release(held);
}

} // namespace thinair::lower
