// A machine's words as instructions, and the code of expressions over a thread's registers in
// Java's arithmetic of ints and longs.
#pragma once

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "lower/constants.h"
#include "lower/homes.h"
#include "lower/machine_rule.h"
#include "lower/naming.h"

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
  std::map<std::string_view, Rule> of_types; // by their texts in TypeWords

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
    if (words.types != nullptr) read_type_words(*words.types);
    for (const OperatorWords& row : words.operators) {
      values[row.op] = rule(row.value);
      if (!row.jump_unless.empty()) jumps_unless[row.op] = rule(row.jump_unless);
      if (!row.by_number.empty()) by_number[row.op] = rule(row.by_number);
    }
  }
  void read_type_words(const TypeWords<Instruction>& types) {
    const auto note = [&](std::string_view text) {
      if (!text.empty()) of_types.try_emplace(text, rule(text));
    };
    note(types.narrow);
    for (const auto width : {litmus::Width::b, litmus::Width::w})
      for (const bool is_signed : {false, true}) note(types.extension({width, is_signed}));
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

  /// A value in a register: of an int, extended as in Java. One that is owned is scratch, which the
  /// holder may overwrite and must release.
  struct Held {
    Register reg{};
    bool owned = false;
  };

  /// Where spilled registers live: the first at `first`, whose address is in `base`, as many bytes
  /// each as `width` has.
  struct Spilled {
    Register base{};
    litmus::LocationId first;
    litmus::Width width = litmus::Width::l;
  };
  MachineExpressions(CodeWriter<Instruction>& code, std::span<const Home> homes, Spilled spilled,
                     const litmus::Program& program, const litmus::Thread& thread)
      : code_(code), homes_(homes), spilled_(spilled), program_(program), thread_(thread) {}

  /// At its own width. Throws Unsupported for division by what is no constant other than 0. The
  /// result is put into `wanted` where it has to be computed.
  Held value(const litmus::Expression& e, std::optional<Register> wanted = std::nullopt);
  /// As a long, or its low 32 bits.
  Held value(const litmus::Expression& e, litmus::Width width,
             std::optional<Register> wanted = std::nullopt);
  /// What one of TypeWords' texts makes of a value, in scratch of its own.
  Held changed(const Held& held, std::string_view text);
  void change(Register reg, std::string_view text);

  litmus::Width width_of(litmus::RegisterId reg) const {
    return register_type(thread_.registers[reg.value].type).width;
  }

  void release(const Held& held) {
    if (held.owned) code_.release(held.reg);
  }
  /// What has `width` goes to a register, which may be wider.
  void assign(litmus::RegisterId target, Register from, litmus::Width width);
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
    access(machine_.store, Role::arg, from, cell, litmus::Width::l);
  }

 private:
  struct Operands {
    std::optional<Held> arg, first, second;
  };
  Operands operands(const litmus::Expression& e, litmus::Width width, litmus::Width of_right);
  litmus::Width width_of(const litmus::Expression& e) const {
    return register_type(litmus::type_of(program_, thread_, e)).width;
  }
  litmus::Width working_width(const litmus::Expression& e) const;
  Held converted(Held held, litmus::Width from, litmus::Width to, std::optional<Register> wanted);
  Held casted(const litmus::Expression& e, std::optional<Register> wanted);
  void bind(const Operands& held, Bindings<Register>& bindings) const;
  void release(const Operands& held);
  Held computed(const litmus::Expression& e, std::optional<Register> wanted);
  Held shifted(const litmus::Expression& e, litmus::Value count, std::optional<Register> wanted);
  Held constant(litmus::Value number, litmus::Width width, std::optional<Register> wanted);
  /// `rule`, which is written for ints, on all 64 bits where that is the width.
  void emit(const Rule& rule, Bindings<Register> bindings, const std::string& label,
            litmus::Width width = litmus::Width::l);
  void copy(Register to, Register from, litmus::Width width);
  [[noreturn]] void lacks(std::string_view what) const {
    throw Unsupported(
        fmt::format("{} between registers, in {} code", what, machine_.words.machine));
  }
  const Rule& rule_of(const std::map<litmus::Operator, Rule>& rules, litmus::Operator op) const {
    const auto found = rules.find(op);
    if (found == rules.end()) lacks(fmt::format("\"{}\"", litmus::info(op).symbol));
    return found->second;
  }
  void access(const Rule& rule, Role role, Register reg, const PrivateCell<Register>& cell,
              litmus::Width width);
  PrivateCell<Register> cell_of(litmus::RegisterId reg) const;
  Held destination(std::optional<Register> wanted) {
    return wanted ? Held{*wanted, false} : Held{code_.take(), true};
  }
  unsigned pressure(const litmus::Expression& e) const;

  const MachineCode<Instruction>& machine_ = MachineCode<Instruction>::of_machine();
  CodeWriter<Instruction>& code_;
  std::span<const Home> homes_;
  Spilled spilled_;
  const litmus::Program& program_;
  const litmus::Thread& thread_;
};

/// The rule for a location, or values, of the type; absent: the machine has no such instructions.
template <class Instruction>
std::optional<MachineRule<Instruction>> scaled(const MachineRule<Instruction>& rule,
                                               litmus::Type type) {
  if (type == litmus::Type{}) return rule;
  const auto* types = words<Instruction>().types;
  if (types == nullptr)
    throw Unsupported(
        fmt::format("values of other types than int in {} code", words<Instruction>().machine));
  auto out = rule;
  for (Instruction& in : out.code)
    if (!types->scale(in, type)) return std::nullopt;
  return out;
}

template <class Instruction>
void MachineExpressions<Instruction>::emit(const Rule& rule, Bindings<Register> bindings,
                                           const std::string& label, litmus::Width width) {
  if (rule.code.empty()) lacks("moves and jumps");
  bindings.outside = label;
  if (width == litmus::Width::l) return emit_rule(rule, machine_.words, bindings, code_);
  const auto wide = scaled(rule, {width, true});
  THINAIR_CHECK(wide.has_value(), "a machine computes with ints alone");
  emit_rule(*wide, machine_.words, bindings, code_);
}

template <class Instruction>
auto MachineExpressions<Instruction>::cell_of(litmus::RegisterId reg) const
    -> PrivateCell<Register> {
  const auto cell = std::get<litmus::LocationId>(homes_[reg.value]);
  return {spilled_.base, static_cast<litmus::Value>(spilled_.width) *
                             (litmus::Value{cell.value} - litmus::Value{spilled_.first.value})};
}

template <class Instruction>
void MachineExpressions<Instruction>::access(const Rule& rule, Role role, Register reg,
                                             const PrivateCell<Register>& cell,
                                             litmus::Width width) {
  Rule displaced = rule;
  for (Instruction& in : displaced.code) machine_.words.set_number(in, cell.offset);
  Bindings<Register> bindings;
  bindings[role] = reg;
  bindings.address = cell.base;
  emit(displaced, bindings, {}, width);
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
auto MachineExpressions<Instruction>::constant(litmus::Value number, litmus::Width width,
                                               std::optional<Register> wanted) -> Held {
  const Held out = destination(wanted);
  if (width == litmus::Width::q) {
    for (Instruction& in : machine_.words.types->constant(out.reg, number))
      code_.emit(std::move(in));
    return out;
  }
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
auto MachineExpressions<Instruction>::operands(const litmus::Expression& e, litmus::Width width,
                                               litmus::Width of_right) -> Operands {
  Operands out;
  if (e.arguments.size() == 1) {
    out.arg = value(e.arguments[0], width);
  } else if (pressure(e.arguments[1]) > pressure(e.arguments[0])) {
    out.second = value(e.arguments[1], of_right);
    out.first = value(e.arguments[0], width);
  } else {
    out.first = value(e.arguments[0], width);
    out.second = value(e.arguments[1], of_right);
  }
  return out;
}

/// In which its operands are put together; of a cast that of its operand.
template <class Instruction>
litmus::Width MachineExpressions<Instruction>::working_width(const litmus::Expression& e) const {
  const auto kind = [&](std::size_t i) {
    return kind_of(litmus::type_of(program_, thread_, e.arguments[i]));
  };
  const auto left = kind(0), right = e.arguments.size() < 2 ? left : kind(1);
  return register_type(litmus::working_type(e.op, left, right)).width;
}

template <class Instruction>
auto MachineExpressions<Instruction>::changed(const Held& held, std::string_view text) -> Held {
  const Held out = held.owned ? held : Held{code_.take(), true};
  Bindings<Register> bindings;
  bindings[Role::arg] = held.reg;
  bindings[Role::dst] = out.reg;
  emit(machine_.of_types.at(text), bindings, {});
  return out;
}

template <class Instruction>
void MachineExpressions<Instruction>::change(Register reg, std::string_view text) {
  changed({reg, true}, text);
}

template <class Instruction>
auto MachineExpressions<Instruction>::converted(Held held, litmus::Width from, litmus::Width to,
                                                std::optional<Register> wanted) -> Held {
  const auto* types = machine_.words.types;
  const bool widens = from < to;
  if (from == to || (widens ? types->widen == nullptr : types->narrow.empty())) return held;
  release(held); // the result may go to its register
  const Held out = destination(wanted);
  if (widens) {
    code_.emit(types->widen(out.reg, held.reg));
    return out;
  }
  Bindings<Register> bindings;
  bindings[Role::arg] = held.reg;
  bindings[Role::dst] = out.reg;
  emit(machine_.of_types.at(types->narrow), bindings, {});
  return out;
}

template <class Instruction>
auto MachineExpressions<Instruction>::value(const litmus::Expression& e, litmus::Width width,
                                            std::optional<Register> wanted) -> Held {
  if (const auto number = constant_value(e))
    return constant(width == litmus::Width::l ? litmus::narrowed(litmus::TypeKind::int_, *number)
                                              : *number,
                    width, wanted);
  const auto own = width_of(e);
  return converted(value(e, own == width ? wanted : std::nullopt), own, width, wanted);
}

/// JLS 5.1.3: the low bits, and as a smaller type extended again.
template <class Instruction>
auto MachineExpressions<Instruction>::casted(const litmus::Expression& e,
                                             std::optional<Register> wanted) -> Held {
  const auto type = cell_type(e.type);
  const bool extends = type.width < litmus::Width::l && e.type.kind != litmus::TypeKind::boolean;
  const auto width = register_type(e.type).width;
  if (!extends) return value(e.arguments[0], width, wanted);
  const Held held = value(e.arguments[0], width);
  release(held);
  const Held out = destination(wanted);
  Bindings<Register> bindings;
  bindings[Role::arg] = held.reg;
  bindings[Role::dst] = out.reg;
  emit(machine_.of_types.at(machine_.words.types->extension(type)), bindings, {});
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
  if (e.op == Operator::cast) return casted(e, wanted);
  if (const auto count = is_shift(e.op) ? constant_value(e.arguments[1]) : std::nullopt)
    return shifted(e, *count, wanted);
  const Rule& rule = rule_of(machine_.values, e.op);
  const auto width = working_width(e);
  const Operands held = operands(e, width, is_shift(e.op) ? litmus::Width::l : width);
  Bindings<Register> bindings;
  bind(held, bindings);
  std::optional<Register> tmp;
  if (rule.uses_role(Role::tmp)) tmp = bindings[Role::tmp] = code_.take();
  release(held); // the result may go to the register of an operand
  const Held out = destination(wanted);
  bindings[Role::dst] = out.reg;
  emit(rule, bindings, {}, width);
  if (tmp) code_.release(*tmp);
  return out;
}

/// The low five bits of the count are what shifts an int, six of a long's (JLS 15.19).
template <class Instruction>
auto MachineExpressions<Instruction>::shifted(const litmus::Expression& e, litmus::Value count,
                                              std::optional<Register> wanted) -> Held {
  Rule rule = rule_of(machine_.by_number, e.op);
  const auto width = working_width(e);
  for (Instruction& in : rule.code)
    machine_.words.set_number(in, count & (litmus::bits_of(width) - 1));
  const Held held = value(e.arguments[0], width);
  release(held);
  const Held out = destination(wanted);
  Bindings<Register> bindings;
  bindings[Role::exp] = held.reg;
  bindings[Role::dst] = out.reg;
  emit(rule, bindings, {}, width);
  return out;
}

template <class Instruction>
auto MachineExpressions<Instruction>::value(const litmus::Expression& e,
                                            std::optional<Register> wanted) -> Held {
  if (const auto number = constant_value(e)) return constant(*number, width_of(e), wanted);
  THINAIR_CHECK(e.op != litmus::Operator::access,
                "an access inside an expression reached lowering");
  if (e.op != litmus::Operator::reg) return computed(e, wanted);
  if (const auto reg = in_register(e.reg)) return {*reg, false};
  const Held out = destination(wanted);
  access(machine_.load, Role::dst, out.reg, cell_of(e.reg), spilled_.width);
  return out;
}

template <class Instruction>
void MachineExpressions<Instruction>::copy(Register to, Register from, litmus::Width width) {
  if (to == from) return;
  Bindings<Register> bindings;
  bindings[Role::dst] = to;
  bindings[Role::arg] = from;
  emit(machine_.move, bindings, {}, width);
}

template <class Instruction>
void MachineExpressions<Instruction>::assign(litmus::RegisterId target, Register from,
                                             litmus::Width width) {
  const auto home = in_register(target);
  const auto wanted = std::max(width, width_of(target));
  const Held held = converted({from, false}, width, wanted, home);
  if (home)
    copy(*home, held.reg, wanted);
  else
    access(machine_.store, Role::arg, held.reg, cell_of(target), spilled_.width);
  release(held);
}

template <class Instruction>
void MachineExpressions<Instruction>::assign(litmus::RegisterId target,
                                             const litmus::Expression& e) {
  const auto width = width_of(target);
  const Held held = value(e, width, in_register(target));
  assign(target, held.reg, width);
  release(held);
}

template <class Instruction>
void MachineExpressions<Instruction>::jump_unless(const litmus::Expression& condition,
                                                  const std::string& label) {
  Bindings<Register> bindings;
  const auto comparison = machine_.jumps_unless.find(condition.op);
  if (comparison != machine_.jumps_unless.end() && !constant_value(condition)) {
    const auto width = working_width(condition);
    const Operands held = operands(condition, width, width);
    bind(held, bindings);
    emit(comparison->second, bindings, label, width);
    return release(held);
  }
  const Held held = value(condition);
  bindings[Role::arg] = held.reg;
  emit(machine_.jump_if_zero, bindings, label, width_of(condition));
  release(held);
}

} // namespace thinair::lower
