// Random Java programs with values of all types: well typed, with casts and literals at the ends of
// ranges. What the printer writes of them reads back as the same.
#pragma once

#include "litmus/floating.h"
#include "litmus/program.h"
#include "litmus/random.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

namespace thinair::test {

struct TypedShape {
  std::uint32_t threads = 2;
  std::uint32_t statements = 6;
  std::uint32_t depth = 3; // of expressions
  bool divides = true;     // which lowering knows of constants alone
  bool updates = true;     // accesses of all methods, else of get and set
  bool floats = false;     // floats and doubles, too
};

/// A location and two registers of each type; every register is declared at its first value.
class RandomTypes {
 public:
  using TypeKind = litmus::TypeKind;
  using Expression = litmus::Expression;

  RandomTypes(litmus::Random& random, TypedShape shape)
      : random_(random), shape_(shape), kinds_(kinds.begin(), kinds.end()) {
    if (!shape.floats) return;
    kinds_.push_back(TypeKind::float_);
    kinds_.push_back(TypeKind::double_);
  }

  litmus::Program make() {
    for (const TypeKind kind : kinds_)
      program_.locations.push_back(
          {fmt::format("x{}", static_cast<int>(kind)), constant(kind), false, kind});
    for (std::uint32_t t = 0; t < shape_.threads; ++t) program_.threads.push_back(thread(t));
    return std::move(program_);
  }

  static constexpr std::array<TypeKind, 6> kinds{TypeKind::int_,  TypeKind::boolean,
                                                 TypeKind::byte,  TypeKind::short_,
                                                 TypeKind::char_, TypeKind::long_};

 private:
  static constexpr std::uint32_t of_each = 2;
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_.below(n)); }
  TypeKind kind() { return kinds_[below(static_cast<std::uint32_t>(kinds_.size()))]; }

  litmus::Value constant(TypeKind kind) {
    if (kind == TypeKind::boolean) return below(2);
    if (litmus::is_floating(kind)) return floating_constant(litmus::info(kind).bits);
    switch (below(5)) {
    case 0: return litmus::least_of(kind);
    case 1: return litmus::greatest_of(kind);
    case 2: return litmus::narrowed(kind, static_cast<litmus::Value>(random_.next()));
    default: return below(4);
    }
  }

  /// Any bits but those of a NaN that is not canonical, and often a value where rules change.
  litmus::Value floating_constant(unsigned bits) {
    using namespace litmus::floating;
    const auto any = static_cast<litmus::Value>(random_.next());
    const auto drawn = bits == 32 ? static_cast<std::int32_t>(any) : any;
    const auto one = of_integer(bits, 1), zero = of_integer(bits, 0);
    switch (below(10)) {
    case 0: return canonical_nan(bits);
    case 1: return quotient(bits, one, below(2) == 0 ? zero : negation(bits, zero));
    case 2: return negation(bits, zero);
    case 3: return is_nan(bits, drawn) ? zero : drawn;
    case 4: return of_integer(bits, any);
    case 5: return of_integer(bits, static_cast<std::int32_t>(any));
    case 6: return quotient(bits, of_integer(bits, below(64)), of_integer(bits, 8));
    default: return of_integer(bits, below(4));
    }
  }

  litmus::Thread thread(std::uint32_t number) {
    litmus::Thread out;
    out.name = fmt::format("Thread{}", number);
    for (std::uint32_t l = 0; l < kinds_.size(); ++l)
      out.handles.push_back({fmt::format("X{}", l), litmus::LocationId{l}});
    thread_ = &out;
    for (std::uint32_t s = 0; s < shape_.statements; ++s) out.body.push_back({statement(), {}});
    return out;
  }

  litmus::RegisterId target(TypeKind kind, bool& declares) {
    std::vector<litmus::RegisterId> fit = of(kind);
    declares = fit.size() < of_each;
    if (!declares) return fit[below(of_each)];
    thread_->registers.push_back({fmt::format("r{}", thread_->registers.size()), 0, kind});
    return litmus::RegisterId{static_cast<std::uint32_t>(thread_->registers.size() - 1)};
  }
  std::vector<litmus::RegisterId> of(TypeKind kind) const {
    std::vector<litmus::RegisterId> fit;
    for (std::uint32_t r = 0; r < thread_->registers.size(); ++r)
      if (thread_->registers[r].type.kind == kind) fit.push_back(litmus::RegisterId{r});
    return fit;
  }

  litmus::Statement::Node statement() {
    const TypeKind type = kind();
    if (random_.chance(1, 3)) {
      litmus::Assign out;
      out.value = fitting(type, shape_.depth);
      out.target = target(type, out.declares);
      return out;
    }
    litmus::Access out;
    do out.method = litmus::methods()[below(31)].method;
    while (!allowed(out.method, type));
    const auto& row = litmus::info(out.method);
    out.location = litmus::LocationId{
        static_cast<std::uint32_t>(std::ranges::find(kinds_, type) - kinds_.begin())};
    for (int i = 0; i < row.arguments; ++i) out.arguments.push_back(fitting(type, 2));
    const bool tells = row.action == litmus::Action::compare_and_set ||
                       row.action == litmus::Action::weak_compare_and_set;
    if (litmus::reads(row.action)) out.target = target(tells ? TypeKind::int_ : type, out.declares);
    return out;
  }

  bool allowed(litmus::Method method, TypeKind type) const {
    const auto action = litmus::info(method).action;
    if (action == litmus::Action::weak_compare_and_set) return false; // may fail for no reason
    if (!shape_.updates && litmus::is_rmw(action)) return false;
    const bool masks = action == litmus::Action::get_and_or ||
                       action == litmus::Action::get_and_and ||
                       action == litmus::Action::get_and_xor;
    if (masks && litmus::is_floating(type)) return false;
    return action != litmus::Action::get_and_add || type != TypeKind::boolean;
  }

  static Expression literal(TypeKind kind, litmus::Value value) {
    auto e = Expression::number(value);
    const bool own = kind == TypeKind::long_ || kind == TypeKind::boolean;
    if (own || litmus::is_floating(kind)) e.type = kind;
    return e;
  }
  static Expression cast_to(TypeKind to, Expression e) {
    auto out = Expression::unary(litmus::Operator::cast, std::move(e));
    out.type = to;
    return out;
  }

  /// What an assignment to the type takes (JLS 5.2).
  Expression fitting(TypeKind to, std::uint32_t depth) {
    if (to == TypeKind::boolean) return truth(depth);
    if (random_.chance(1, 4)) return literal(to, constant(to));
    if (litmus::is_floating(to)) return floating(depth, to);
    if (shape_.floats && random_.chance(1, 4))
      return cast_to(to, floating(depth, TypeKind::double_));
    if (to == TypeKind::long_)
      return random_.chance(1, 2) ? number(depth, TypeKind::long_) : number(depth, TypeKind::int_);
    if (to == TypeKind::int_) return number(depth, TypeKind::int_);
    return cast_to(to, number(depth, random_.chance(1, 3) ? TypeKind::long_ : TypeKind::int_));
  }

  Expression leaf(TypeKind at_most) {
    std::vector<Expression> all{literal(TypeKind::int_, constant(TypeKind::int_))};
    for (const TypeKind each : kinds) {
      if (each == TypeKind::boolean || (each == TypeKind::long_ && at_most != TypeKind::long_))
        continue;
      for (const auto reg : of(each)) all.push_back(Expression::of(reg));
    }
    if (at_most == TypeKind::long_)
      all.push_back(literal(TypeKind::long_, constant(TypeKind::long_)));
    return all[below(static_cast<std::uint32_t>(all.size()))];
  }

  /// Of type float or of what widens to it; of type double likewise.
  Expression floating_leaf(TypeKind at_most) {
    const bool single = at_most == TypeKind::float_ || below(2) == 0;
    const TypeKind kind = single ? TypeKind::float_ : TypeKind::double_;
    const auto known = of(kind);
    if (known.empty() || below(2) == 0) return literal(kind, constant(kind));
    return Expression::of(known[below(static_cast<std::uint32_t>(known.size()))]);
  }
  Expression floating(std::uint32_t depth, TypeKind at_most) {
    using enum litmus::Operator;
    if (depth == 0) return floating_leaf(at_most);
    constexpr std::array binary{add, subtract, multiply, divide, remainder};
    switch (below(8)) {
    case 0: return floating_leaf(at_most);
    case 1: return cast_to(at_most, floating(depth - 1, TypeKind::double_));
    case 2: return cast_to(TypeKind::float_, number(depth - 1, TypeKind::long_));
    case 3: {
      auto e = floating(depth - 1, at_most);
      return Expression::unary(negate, e.op == constant_op ? cast_to(at_most, std::move(e)) : e);
    }
    case 4: {
      auto left = floating(depth - 1, at_most); // the other one is promoted
      return Expression::binary(add, std::move(left), number(depth - 1, TypeKind::long_));
    }
    default: {
      auto left = floating(depth - 1, at_most);
      return Expression::binary(binary[below(binary.size())], std::move(left),
                                floating(depth - 1, at_most));
    }
    }
  }
  static constexpr auto constant_op = litmus::Operator::constant;

  /// Of type int, or of type long or int.
  Expression number(std::uint32_t depth, TypeKind at_most) {
    using enum litmus::Operator;
    if (depth == 0) return leaf(at_most);
    constexpr std::array binary{add,        subtract,    multiply,
                                bit_and,    bit_or,      bit_xor,
                                shift_left, shift_right, shift_right_unsigned};
    switch (below(8)) {
    case 0: return leaf(at_most);
    case 1: return cast_to(kinds[2 + below(3)], number(depth - 1, at_most));
    case 2: return cast_to(at_most, number(depth - 1, TypeKind::long_));
    case 3: return Expression::unary(below(2) == 0 ? negate : bit_not, operand(depth, at_most));
    case 4:
      if (shape_.divides)
        return Expression::binary(below(2) == 0 ? divide : remainder, number(depth - 1, at_most),
                                  divisor(at_most));
      [[fallthrough]];
    default: {
      const auto op = binary[below(binary.size())];
      const bool shifts = op == shift_left || op == shift_right || op == shift_right_unsigned;
      auto left = number(depth - 1, at_most);
      return Expression::binary(op, std::move(left),
                                number(depth - 1, shifts ? TypeKind::long_ : at_most));
    }
    }
  }
  /// A minus before a literal would be part of it.
  Expression operand(std::uint32_t depth, TypeKind at_most) {
    auto e = number(depth - 1, at_most);
    return e.op == litmus::Operator::constant ? cast_to(at_most, std::move(e)) : e;
  }
  Expression divisor(TypeKind at_most) {
    const auto value = constant(at_most);
    return literal(at_most, value == 0 ? -1 : value);
  }

  Expression truth(std::uint32_t depth) {
    using enum litmus::Operator;
    constexpr std::array comparisons{equal, not_equal, less, less_equal, greater, greater_equal};
    constexpr std::array logical{bit_and, bit_or, bit_xor, logical_and, logical_or};
    const auto known = of(TypeKind::boolean);
    if (shape_.floats && depth > 0 && random_.chance(1, 3)) {
      auto left = floating(depth - 1, TypeKind::double_);
      return Expression::binary(comparisons[below(comparisons.size())], std::move(left),
                                floating(depth - 1, TypeKind::float_));
    }
    switch (depth == 0 ? below(2) : below(6)) {
    case 0: return literal(TypeKind::boolean, below(2));
    case 1:
      return known.empty() ? literal(TypeKind::boolean, 1)
                           : Expression::of(known[below(static_cast<std::uint32_t>(known.size()))]);
    case 2: return Expression::unary(logical_not, truth(depth - 1));
    case 3:
      return Expression::binary(below(2) == 0 ? equal : not_equal, truth(depth - 1),
                                truth(depth - 1));
    case 4: {
      auto left = truth(depth - 1);
      return Expression::binary(logical[below(logical.size())], std::move(left), truth(depth - 1));
    }
    default: {
      auto left = number(depth - 1, TypeKind::long_);
      return Expression::binary(comparisons[below(comparisons.size())], std::move(left),
                                number(depth - 1, TypeKind::long_));
    }
    }
  }

  litmus::Random& random_;
  TypedShape shape_;
  std::vector<TypeKind> kinds_; // that are drawn
  litmus::Program program_;
  litmus::Thread* thread_ = nullptr;
};

} // namespace thinair::test
