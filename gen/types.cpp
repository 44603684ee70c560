// Gives locations types, then registers, then makes every expression fit.
#include "gen/types.h"

#include "gen/passes.h"
#include "gen/walk.h"
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
using litmus::Operator;
using litmus::TypeKind;
using litmus::Value;

class Typing {
 public:
  Typing(Program program, std::uint32_t share, litmus::Random& random)
      : program_(std::move(program)), wide_(program_.locations.size(), false) {
    for (std::size_t l = 0; l < program_.locations.size(); ++l) {
      constexpr std::array kinds{TypeKind::long_,  TypeKind::long_, TypeKind::byte,
                                 TypeKind::short_, TypeKind::char_, TypeKind::boolean};
      if (!random.chance(share, 100)) continue;
      program_.locations[l].type = random.pick(kinds);
      wide_[l] = program_.locations[l].type.kind == TypeKind::long_ && random.chance(1, 2);
    }
  }

  Program run() {
    while (!give_registers_types()) {
    }
    for (auto& location : program_.locations)
      location.initial = litmus::narrowed(location.type.kind, location.initial);
    for (auto& thread : program_.threads) {
      thread_ = &thread;
      block(thread.body);
    }
    return std::move(program_);
  }

 private:
  /// The widest of what is assigned. False: a register gets booleans and numbers; then the location
  /// is one of ints from now on.
  bool give_registers_types() {
    for (auto& thread : program_.threads) {
      for (auto& reg : thread.registers) reg.type = {};
      for (bool more = true; more;) {
        more = false;
        bool fits = true;
        std::vector<std::optional<TypeKind>> seen(thread.registers.size());
        litmus::for_each_statement(thread.body, [&](const Statement& statement) {
          const auto target = assigned(statement);
          if (!target || !fits) return;
          const auto* access = std::get_if<litmus::Access>(&statement.node);
          const auto value = access ? Expression::of(access->method, access->location, {})
                                    : std::get<litmus::Assign>(statement.node).value;
          const TypeKind kind = litmus::type_of(program_, thread, value).kind;
          auto& type = seen[target->value];
          const bool mixes =
              type && *type != kind && (*type == TypeKind::boolean || kind == TypeKind::boolean);
          if (mixes) {
            fits = false;
            return;
          }
          type = !type || *type == kind                                ? kind
                 : *type == TypeKind::long_ || kind == TypeKind::long_ ? TypeKind::long_
                                                                       : TypeKind::int_;
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
    return false;
  }

  void block(Block& statements) {
    for (auto& statement : statements) {
      if (auto* assign = std::get_if<litmus::Assign>(&statement.node)) {
        inside(assign->value);
        fit(assign->value, thread_->registers[assign->target.value].type.kind);
      } else if (auto* access = std::get_if<litmus::Access>(&statement.node)) {
        arguments(access->method, access->location, access->arguments);
      } else if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
        inside(branch->condition);
        block(branch->then_block);
        block(branch->else_block);
      } else if (auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
        inside(loop->condition);
        block(loop->body);
      }
    }
  }

  void arguments(litmus::Method& method, litmus::LocationId location,
                 std::vector<Expression>& all) {
    const TypeKind type = program_.locations[location.value].type.kind;
    if (type == TypeKind::boolean) method = without_sums(method);
    for (auto& argument : all) {
      inside(argument);
      if (wide_[location.value] && argument.op == Operator::constant && argument.type.is_int()) {
        const auto low = static_cast<std::uint64_t>(argument.constant);
        argument.constant = static_cast<Value>((low << 32) + low); // both halves tell
        argument.type = TypeKind::long_;
      }
      fit(argument, type);
    }
  }

  /// A boolean is flipped where a number is added to; modes stay.
  static litmus::Method without_sums(litmus::Method method) {
    if (litmus::info(method).action != Action::get_and_add) return method;
    const auto mode = static_cast<int>(method) - static_cast<int>(litmus::Method::getAndAdd);
    return static_cast<litmus::Method>(static_cast<int>(litmus::Method::getAndBitwiseXor) + mode);
  }

  /// A boolean among numbers is compared.
  void inside(Expression& e) {
    if (e.op == Operator::access) return arguments(e.method, e.location, e.arguments);
    for (auto& argument : e.arguments) inside(argument);
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
    const TypeKind type = litmus::type_of(program_, *thread_, e).kind;
    const bool literal = e.op == Operator::constant && e.type.is_int();
    if (wanted == type || (literal && wanted != TypeKind::boolean &&
                           litmus::narrowed(wanted, e.constant) == e.constant))
      return;
    if (wanted == TypeKind::boolean) {
      e = literal ? truth(e.constant != 0)
                  : Expression::binary(Operator::not_equal, std::move(e), Expression::number(0));
    } else if (wanted != TypeKind::long_) {
      e = Expression::unary(Operator::cast, std::move(e));
      e.type = wanted;
    }
  }

  Program program_;
  std::vector<bool> wide_; // by location
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
    e.constant = litmus::narrowed(TypeKind::int_, e.constant);
  }
}

void without(TypeKind kind, Block& block) {
  for (auto& statement : block) {
    if (auto* assign = std::get_if<litmus::Assign>(&statement.node)) {
      without(kind, assign->value);
    } else if (auto* access = std::get_if<litmus::Access>(&statement.node)) {
      for (auto& argument : access->arguments) without(kind, argument);
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

Program with_types(Program program, std::uint32_t share, litmus::Random& random) {
  if (!program.classes.empty()) return program; // objects have fields of ints
  return Typing(std::move(program), share, random).run();
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
      each.initial = litmus::narrowed(TypeKind::int_, each.initial);
    };
    std::ranges::for_each(copy.locations, plain);
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
