// Builds the programs.
#include "tests/lower/programs.h"

#include <fmt/format.h>

namespace thinair::lower::testing {
namespace {

using namespace litmus;

constexpr Operator operators_without_division[] = {
    Operator::add,         Operator::subtract,    Operator::multiply,
    Operator::bit_and,     Operator::bit_or,      Operator::bit_xor,
    Operator::equal,       Operator::not_equal,   Operator::less,
    Operator::less_equal,  Operator::greater,     Operator::greater_equal,
    Operator::shift_left,  Operator::shift_right, Operator::shift_right_unsigned,
    Operator::logical_and, Operator::logical_or,
};
constexpr Operator unary_operators[] = {Operator::bit_not, Operator::logical_not, Operator::negate};

class Maker {
 public:
  Maker(Random& random, const Shape& shape) : random_(random), shape_(shape) {}

  Program program() {
    Program result;
    for (std::size_t i = 0; i < shape_.locations; ++i) {
      Location location;
      location.name = i < 3 ? std::string(1, static_cast<char>('x' + i)) : fmt::format("v{}", i);
      location.initial = random_.chance(1, 4) ? 1 : 0;
      result.locations.push_back(std::move(location));
    }
    for (std::size_t t = 0; t < shape_.threads; ++t) {
      Thread thread;
      thread.name = fmt::format("Thread{}", t);
      for (std::size_t i = 0; i < shape_.registers; ++i) {
        const bool set = random_.chance(1, 6);
        thread.registers.push_back({fmt::format("r{}", i), set ? -7 : 0});
      }
      thread.body = block(shape_.statements, shape_.depth);
      result.threads.push_back(std::move(thread));
    }
    return result;
  }

 private:
  RegisterId reg() {
    return RegisterId(static_cast<std::uint32_t>(random_.below(shape_.registers)));
  }
  Block block(std::size_t size, unsigned depth) {
    Block result;
    for (std::size_t i = 0; i < size; ++i) result.push_back(statement(depth));
    return result;
  }
  Statement statement(unsigned depth) {
    switch (random_.below(depth > 0 ? 6 : 5)) {
    case 0: return {FenceStatement{fences()[random_.below(5)].fence}, {}};
    case 1: return {Assign{reg(), expression(depth), false}, {}};
    case 5:
      return {If{expression(depth), block(2, depth - 1), block(random_.below(2), depth - 1)}, {}};
    }
    Access node;
    node.method = methods()[random_.below(31)].method;
    node.location = LocationId(static_cast<std::uint32_t>(random_.below(shape_.locations)));
    if (reads(info(node.method).action) && !random_.chance(1, 5)) node.target = reg();
    for (int i = 0; i < info(node.method).arguments; ++i)
      node.arguments.push_back(expression(depth));
    return {node, {}};
  }
  Expression expression(unsigned depth) {
    if (depth == 0 || random_.chance(1, 2)) {
      if (random_.chance(1, 2)) return Expression::of(reg());
      return Expression::number(random_.chance(1, 5) ? static_cast<std::int32_t>(random_.next())
                                                     : static_cast<std::int32_t>(random_.below(4)));
    }
    if (random_.chance(1, 5))
      return Expression::unary(random_.pick(unary_operators_), expression(depth - 1));
    return Expression::binary(random_.pick(binary_operators_), expression(depth - 1),
                              expression(depth - 1));
  }

  Random& random_;
  Shape shape_;
  std::vector<Operator> binary_operators_{std::begin(operators_without_division),
                                          std::end(operators_without_division)};
  std::vector<Operator> unary_operators_{std::begin(unary_operators), std::end(unary_operators)};
};

} // namespace

Program random_program(Random& random, const Shape& shape) {
  return Maker(random, shape).program();
}

Program one_thread(std::vector<Statement> body, std::size_t registers) {
  Program program;
  program.locations = {{"x", 0, false}, {"y", 0, false}};
  Thread thread;
  thread.name = "Thread0";
  for (std::size_t i = 0; i < registers; ++i)
    thread.registers.push_back({fmt::format("r{}", i), 0});
  thread.body = std::move(body);
  program.threads.push_back(std::move(thread));
  return program;
}

Statement access(Method method, std::uint32_t location, std::vector<Expression> arguments,
                 std::optional<std::uint32_t> target) {
  Access node;
  node.method = method;
  node.location = LocationId(location);
  node.arguments = std::move(arguments);
  if (target) node.target = RegisterId(*target);
  return {node, {}};
}

} // namespace thinair::lower::testing
