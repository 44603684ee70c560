// Gives locations types, then registers, then makes every expression fit.
#include "gen/types.h"

#include "gen/passes.h"
#include "gen/walk.h"
#include "litmus/floating.h"
#include "litmus/objects.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"

#include <algorithm>
#include <array>
#include <utility>

namespace thinair::gen {
namespace {

using litmus::Action;
using litmus::FieldOf;
using litmus::JavaType;
using litmus::Operator;
using litmus::TypeKind;
using litmus::Value;

/// Unless there are such arrays already.
void set_element(Program& program, litmus::Class& array, JavaType type) {
  const bool there = std::ranges::any_of(program.classes, [&](const litmus::Class& each) {
    return each.is_array && each.fields[0].type == type;
  });
  if (there) return;
  array.fields[0].type = type;
  array.name = litmus::to_string(program, type) + "[]";
}

/// Fields of one type have another one, and so have elements.
void set_fields(Program& program, TypeKind from, JavaType to) {
  for (auto& each : program.classes)
    for (auto& field : each.fields) {
      if (field.type.kind != from) continue;
      if (each.is_array)
        set_element(program, each, to);
      else
        field.type = to;
    }
}

class Typing {
 public:
  Typing(Program program, std::uint32_t share, std::uint32_t floats, litmus::Random& random)
      : program_(std::move(program)), share_(share), floats_(floats), random_(random) {
    for (auto& location : program_.locations) {
      before_.push_back(location.type.kind);
      location.type = drawn(location.type);
    }
    for (auto& each : program_.classes) {
      first_.push_back(wide_.size());
      for (auto& field : each.fields) {
        const auto type = drawn(field.type);
        if (each.is_array)
          set_element(program_, each, type);
        else
          field.type = type;
      }
    }
  }

  Program run() {
    while (!give_registers_types()) {
    }
    for (std::size_t l = 0; l < before_.size(); ++l) {
      auto& location = program_.locations[l];
      if (location.type.refers()) continue;
      location.initial = litmus::converted(before_[l], location.type.kind, location.initial);
    }
    for (auto& thread : program_.threads) {
      thread_ = &thread;
      block(thread.body);
    }
    litmus::order_arrays(program_);
    return std::move(program_);
  }

 private:
  /// Of a location, a field or elements, which have ints so far, or references.
  JavaType drawn(JavaType type) {
    constexpr std::array kinds{TypeKind::long_,  TypeKind::long_, TypeKind::byte,
                               TypeKind::short_, TypeKind::char_, TypeKind::boolean};
    wide_.push_back(false);
    if (type.refers() || !random_.chance(share_, 100)) return type;
    const bool floats = floats_ > 0 && random_.chance(floats_, 100);
    if (floats)
      type = random_.chance(1, 2) ? TypeKind::float_ : TypeKind::double_;
    else
      type = random_.pick(kinds);
    if (type.kind == (floats ? TypeKind::double_ : TypeKind::long_))
      wide_.back() = random_.chance(1, 2);
    return type;
  }
  std::size_t place_of(litmus::LocationId location, const std::optional<FieldOf>& field) const {
    if (!field) return location.value;
    return first_[thread_->registers[field->object.value].type.of.value] + field->field;
  }

  /// The widest of what is assigned. False: a register gets booleans and numbers; then the location
  /// is one of ints from now on.
  bool give_registers_types() {
    for (auto& thread : program_.threads) {
      for (auto& reg : thread.registers)
        if (!reg.type.refers()) reg.type = {};
      for (bool more = true; more;) {
        more = false;
        bool fits = true;
        std::vector<std::optional<TypeKind>> seen(thread.registers.size());
        litmus::for_each_statement(thread.body, [&](const Statement& statement) {
          const auto target = assigned(statement);
          if (!target || !fits || thread.registers[target->value].type.refers()) return;
          const auto* access = std::get_if<litmus::Access>(&statement.node);
          auto value = access ? Expression::of(access->method, access->location, {})
                              : std::get<litmus::Assign>(statement.node).value;
          if (access) value.field = access->field;
          const TypeKind kind = litmus::type_of(program_, thread, value).kind;
          auto& type = seen[target->value];
          const bool mixes =
              type && *type != kind && (*type == TypeKind::boolean || kind == TypeKind::boolean);
          if (mixes) {
            fits = false;
            return;
          }
          type = !type || *type == kind ? kind : litmus::working_type(Operator::add, *type, kind);
        });
        if (!fits) return without_booleans();
        for (std::size_t r = 0; r < seen.size(); ++r) {
          if (!seen[r] || thread.registers[r].type.kind == *seen[r]) continue;
          thread.registers[r].type = *seen[r];
          more = true;
        }
      }
    }
    return true;
  }
  bool without_booleans() {
    for (auto& location : program_.locations)
      if (location.type.kind == TypeKind::boolean) location.type = {};
    set_fields(program_, TypeKind::boolean, {});
    return false;
  }

  void block(Block& statements) {
    for (auto& statement : statements) {
      if (auto* assign = std::get_if<litmus::Assign>(&statement.node)) {
        inside(assign->value);
        fit(assign->value, thread_->registers[assign->target.value].type.kind);
      } else if (auto* access = std::get_if<litmus::Access>(&statement.node)) {
        arguments(*access);
      } else if (auto* made = std::get_if<litmus::New>(&statement.node)) {
        block(made->body);
      } else if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
        inside(branch->condition);
        test(branch->condition);
        block(branch->then_block);
        block(branch->else_block);
      } else if (auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
        inside(loop->condition);
        test(loop->condition);
        block(loop->body);
      }
    }
  }

  /// Of an access, or an expression that is one.
  template <class Node>
  void arguments(Node& access) {
    const auto location = access.location;
    const TypeKind type = litmus::type_of(program_, *thread_, location, access.field).kind;
    const bool wide = wide_[place_of(location, access.field)];
    if (type == TypeKind::boolean) access.method = without_sums(access.method);
    if (litmus::is_floating(type)) access.method = without_masks(access.method);
    std::span<Expression> all = access.arguments;
    if (litmus::element_index(access) != nullptr) {
      index(all.front());
      all = all.subspan(1);
    }
    for (auto& argument : all) {
      inside(argument);
      if (litmus::is_floating(type)) {
        fit(argument, type);
        vary(argument, wide);
        continue;
      }
      if (wide && argument.op == Operator::constant && argument.type.is_int()) {
        const auto low = static_cast<std::uint64_t>(argument.constant);
        argument.constant = static_cast<Value>((low << 32) + low); // both halves tell
        argument.type = TypeKind::long_;
      }
      fit(argument, type);
      if (access.field) to_the_edge(argument, type);
    }
  }

  /// A constant that goes into an object is at times the least or the greatest of its type, so that
  /// it shows where one is cut or extended.
  void to_the_edge(Expression& e, TypeKind type) {
    if (e.op != Operator::constant || type == TypeKind::int_ || !litmus::is_integral(type)) return;
    if (!random_.chance(1, 3)) return;
    e.constant = random_.chance(1, 2) ? litmus::least_of(type) : litmus::greatest_of(type);
    if (type == TypeKind::long_) e.type = type;
  }

  /// JLS 15.10.3: what is promoted to int stays.
  void index(Expression& e) {
    inside(e);
    const auto type = litmus::type_of(program_, *thread_, e);
    if (litmus::working_type(Operator::add, type.kind, TypeKind::int_) != TypeKind::int_)
      fit(e, TypeKind::int_);
  }

  /// A boolean is flipped where a number is added to; modes stay.
  static litmus::Method without_sums(litmus::Method method) {
    if (litmus::info(method).action != Action::get_and_add) return method;
    const auto mode = static_cast<int>(method) - static_cast<int>(litmus::Method::getAndAdd);
    return static_cast<litmus::Method>(static_cast<int>(litmus::Method::getAndBitwiseXor) + mode);
  }

  /// What would be masked is exchanged; modes stay.
  static litmus::Method without_masks(litmus::Method method) {
    for (const auto first : {litmus::Method::getAndBitwiseOr, litmus::Method::getAndBitwiseAnd,
                             litmus::Method::getAndBitwiseXor}) {
      if (litmus::info(method).action != litmus::info(first).action) continue;
      const auto mode = static_cast<int>(method) - static_cast<int>(first);
      return static_cast<litmus::Method>(static_cast<int>(litmus::Method::getAndSet) + mode);
    }
    return method;
  }

  /// A constant that goes to a float or double is at times one whose bits and whose value are two
  /// things; one in both halves has a fraction that no bits are enough for.
  void vary(Expression& e, bool in_both_halves) {
    if (e.op != Operator::constant || !litmus::is_floating(e.type.kind)) return;
    const unsigned bits = litmus::info(e.type.kind).bits;
    const auto zero = litmus::floating::of_integer(bits, 0);
    if (random_.chance(1, 12)) {
      e.constant = random_.chance(1, 2) ? litmus::floating::negation(bits, zero)
                                        : litmus::floating::canonical_nan(bits);
    } else if (in_both_halves) {
      e.constant =
          litmus::floating::sum(bits, e.constant, *litmus::floating::of_decimal(bits, "0.1"));
    }
  }

  bool is_float(const Expression& e) const {
    return litmus::is_floating(litmus::type_of(program_, *thread_, e).kind);
  }
  /// A float is compared where it would be a condition.
  void test(Expression& e) const {
    if (is_float(e))
      e = Expression::binary(Operator::not_equal, std::move(e), Expression::number(0));
  }

  static bool is_of_integers(Operator op) {
    using enum Operator;
    return op == bit_and || op == bit_or || op == bit_xor || op == bit_not || op == shift_left ||
           op == shift_right || op == shift_right_unsigned;
  }
  static bool is_logical(Operator op) {
    return op == Operator::logical_and || op == Operator::logical_or || op == Operator::logical_not;
  }

  /// A boolean among numbers is compared; a float among integers is cast.
  void inside(Expression& e) {
    if (e.op == Operator::access) return arguments(e);
    for (auto& argument : e.arguments) inside(argument);
    for (auto& argument : e.arguments) {
      if (is_logical(e.op)) test(argument);
      if (is_of_integers(e.op) && is_float(argument)) {
        argument = Expression::unary(Operator::cast, std::move(argument));
        argument.type = TypeKind::int_;
      }
    }
    const bool is_boolean =
        e.op == Operator::reg && thread_->registers[e.reg.value].type.kind == TypeKind::boolean;
    if (is_boolean) e = Expression::binary(Operator::equal, e, truth(true));
  }

  static Expression truth(bool value) {
    auto e = Expression::number(value ? 1 : 0);
    e.type = TypeKind::boolean;
    return e;
  }

  void fit(Expression& e, TypeKind wanted) const {
    if (wanted == TypeKind::reference) return;
    const TypeKind type = litmus::type_of(program_, *thread_, e).kind;
    const bool literal = e.op == Operator::constant && e.type.is_int();
    if (litmus::is_floating(wanted) && literal) {
      e.constant = litmus::converted(TypeKind::int_, wanted, e.constant);
      e.type = wanted;
      return;
    }
    const bool widens =
        litmus::is_floating(wanted) && litmus::working_type(Operator::add, wanted, type) == wanted;
    if (widens && type != TypeKind::boolean) return;
    if (wanted == type || (literal && wanted != TypeKind::boolean &&
                           litmus::narrowed(wanted, e.constant) == e.constant))
      return;
    if (wanted == TypeKind::boolean) {
      e = literal ? truth(e.constant != 0)
                  : Expression::binary(Operator::not_equal, std::move(e), Expression::number(0));
    } else if (wanted != TypeKind::long_ || litmus::is_floating(type)) {
      e = Expression::unary(Operator::cast, std::move(e));
      e.type = wanted;
    }
  }

  Program program_;
  std::uint32_t share_, floats_;
  litmus::Random& random_;
  std::vector<bool> wide_;         // of locations, then of all fields
  std::vector<std::size_t> first_; // of a class's fields, by class
  std::vector<TypeKind> before_;   // by location: a mutant may have types already
  litmus::Thread* thread_ = nullptr;
};

/// A number of the program's without its casts to the type, literals of it ints.
void without(TypeKind kind, Expression& e) {
  for (auto& argument : e.arguments) without(kind, argument);
  if (e.type.kind != kind) return;
  if (e.op == Operator::cast) {
    auto operand = std::move(e.arguments[0]);
    e = std::move(operand);
  } else {
    e.type = {};
    e.constant = litmus::converted(kind, TypeKind::int_, e.constant);
  }
}

void without(TypeKind kind, Block& block) {
  for (auto& statement : block) {
    if (auto* assign = std::get_if<litmus::Assign>(&statement.node)) {
      without(kind, assign->value);
    } else if (auto* access = std::get_if<litmus::Access>(&statement.node)) {
      for (auto& argument : access->arguments) without(kind, argument);
    } else if (auto* made = std::get_if<litmus::New>(&statement.node)) {
      without(kind, made->body);
    } else if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
      without(kind, branch->condition);
      without(kind, branch->then_block);
      without(kind, branch->else_block);
    } else if (auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
      without(kind, loop->condition);
      without(kind, loop->body);
    }
  }
}

} // namespace

Program with_types(Program program, std::uint32_t share, std::uint32_t floats,
                   litmus::Random& random) {
  return Typing(std::move(program), share, floats, random).run();
}

bool types_fit(const Program& program) {
  litmus::Test test;
  test.name = "t";
  test.program = program;
  try {
    litmus::parse({"t", litmus::print(test)});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::uint64_t count_types(const Program& program) {
  std::uint64_t count = 0;
  const auto note = [&](litmus::JavaType type) { count += type.is_int() || type.refers() ? 0 : 1; };
  for (const auto& location : program.locations) note(location.type);
  for (const auto& each : program.classes)
    for (const auto& field : each.fields) note(field.type);
  for (const auto& thread : program.threads)
    for (const auto& reg : thread.registers) note(reg.type);
  each_expression(program, [&](ThreadId, const Expression& e) { note(e.type); });
  return count;
}

namespace pass {

/// A type becomes int wherever it stands, or in literals alone; what then does not fit is no
/// proposal.
Proposals narrow_types(const Program& program) {
  Proposals out;
  Program literals = program;
  each_expression(literals, [](ThreadId, Expression& e) {
    const bool fits = litmus::narrowed(TypeKind::int_, e.constant) == e.constant;
    if (e.op == Operator::constant && e.type.kind == TypeKind::long_ && fits) e.type = {};
  });
  if (literals != program) out.push_back(std::move(literals));
  for (const auto& row : litmus::value_types()) {
    if (row.kind == TypeKind::int_) continue;
    Program copy = program;
    const auto plain = [&](auto& each) {
      if (each.type.kind != row.kind) return;
      each.type = {};
      each.initial = litmus::converted(row.kind, TypeKind::int_, each.initial);
    };
    std::ranges::for_each(copy.locations, plain);
    set_fields(copy, row.kind, {});
    litmus::order_arrays(copy);
    for (auto& thread : copy.threads) {
      std::ranges::for_each(thread.registers, plain);
      without(row.kind, thread.body);
    }
    if (copy != program) out.push_back(std::move(copy));
  }
  return out;
}

} // namespace pass
} // namespace thinair::gen
