// Random Java programs for property tests: every construct of the language, none of the wit of
// gen/.
#pragma once

#include "litmus/random.h"
#include "litmus/test.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace thinair::litmus {

struct RandomShape {
  std::uint32_t threads = 3;
  std::uint32_t locations = 3;
  std::uint32_t registers = 4;
  std::uint32_t statements = 4; // of a block, at most
  std::uint32_t depth = 2;      // of blocks and of expressions
  bool loops = true;
  bool actions = true; // monitors, start, join, print, final fields
};

class RandomProgram {
 public:
  RandomProgram(Random& random, RandomShape shape) : random_(random), shape_(shape) {}

  Program make() {
    Program program;
    for (std::uint32_t i = 0; i < shape_.locations; ++i) {
      program.locations.push_back({fmt::format("x{}", i), random_.chance(1, 3) ? value() : 0,
                                   shape_.actions && random_.chance(1, 8)});
    }
    if (shape_.actions) program.monitors = {"m", "n"};
    for (std::uint32_t t = 0; t < shape_.threads; ++t) program.threads.push_back(thread(t));
    return program;
  }

  Expression expression(std::uint32_t depth) {
    const std::uint64_t kind = random_.below(depth == 0 ? 2 : 5);
    if (kind == 0) return Expression::number(value());
    if (kind == 1) return Expression::of(reg());
    if (kind == 2) return call(depth - 1);
    const std::span all = operators();
    const OperatorInfo& op = random_.pick(all);
    Expression left = expression(depth - 1);
    if (op.unary) return Expression::unary(op.op, std::move(left));
    Expression right = expression(depth - 1);
    const bool divides = op.op == Operator::divide || op.op == Operator::remainder;
    if (divides && right == Expression::number(0)) right = Expression::number(2);
    return Expression::binary(op.op, std::move(left), std::move(right));
  }

 private:
  std::int32_t value() {
    constexpr std::array<std::int32_t, 8> rare{-1, 7, 31, 33, INT32_MAX, INT32_MIN, -2, 100};
    return random_.chance(1, 6) ? random_.pick(rare) : static_cast<std::int32_t>(random_.below(4));
  }

  Method any_method() {
    const std::span all = methods();
    return random_.pick(all).method;
  }
  Fence any_fence() {
    const std::span all = fences();
    return random_.pick(all).fence;
  }

  RegisterId reg() {
    return RegisterId{static_cast<std::uint32_t>(random_.below(shape_.registers))};
  }
  LocationId location() {
    return LocationId{static_cast<std::uint32_t>(random_.below(shape_.locations))};
  }

  std::vector<Expression> arguments(Method method, std::uint32_t depth) {
    std::vector<Expression> all;
    for (int i = 0; i < info(method).arguments; ++i) all.push_back(expression(depth));
    return all;
  }

  Expression call(std::uint32_t depth) {
    Method method = any_method();
    if (!reads(info(method).action)) method = Method::getOpaque;
    return Expression::of(method, location(), arguments(method, depth));
  }

  Thread thread(std::uint32_t number) {
    Thread thread;
    thread.name = fmt::format("Thread{}", number);
    for (std::uint32_t i = 0; i < shape_.registers; ++i)
      thread.registers.push_back({fmt::format("r{}", i), random_.chance(1, 8) ? value() : 0});
    for (std::uint32_t i = 0; i < shape_.locations; ++i)
      thread.handles.push_back({fmt::format("X{}", i), LocationId{i}});
    thread.body = block(shape_.depth);
    return thread;
  }

  Block block(std::uint32_t depth) {
    Block block;
    for (std::uint64_t n = random_.below(shape_.statements + 1); n > 0; --n)
      block.push_back({statement(depth), {}});
    return block;
  }

  Statement::Node statement(std::uint32_t depth) {
    const std::uint64_t kind = random_.below(16);
    if (kind < 7) return access();
    if (kind < 9) return assignment();
    if (kind < 11) return FenceStatement{any_fence()};
    if (kind < 13 && depth > 0)
      return If{expression(shape_.depth), block(depth - 1), block(depth - 1)};
    if (kind < 14 && depth > 0 && shape_.loops) {
      Loop loop{random_.chance(1, 2), expression(shape_.depth), block(depth - 1), {}};
      if (random_.chance(1, 2)) loop.bound = static_cast<std::uint32_t>(1 + random_.below(3));
      return loop;
    }
    if (kind < 15 && shape_.actions) return action();
    return access();
  }

  Statement::Node access() {
    const Method method = any_method();
    Access node{{}, false, method, location(), arguments(method, shape_.depth - 1)};
    if (reads(info(method).action) && !random_.chance(1, 8)) {
      node.target = reg();
      node.declares = random_.chance(1, 2);
    }
    return node;
  }

  Statement::Node assignment() {
    Expression value = expression(shape_.depth);
    const RegisterId target = reg();
    const bool declares = random_.chance(1, 2);
    if (value.op == Operator::access)
      return Access{target, declares, value.method, value.location, std::move(value.arguments)};
    return Assign{target, std::move(value), declares};
  }

  Statement::Node action() {
    const ThreadId other{static_cast<std::uint32_t>(random_.below(shape_.threads))};
    switch (random_.below(4)) {
    case 0: return MonitorStatement{true, MonitorId{static_cast<std::uint32_t>(random_.below(2))}};
    case 1: return ThreadStatement{ThreadStatement::Kind::start, other};
    case 2: return ThreadStatement{ThreadStatement::Kind::join, other};
    default: return ExternalStatement{expression(shape_.depth)};
    }
  }

  Random& random_;
  RandomShape shape_;
};

inline Test random_test(Random& random, RandomShape shape = {}) {
  Test test;
  test.name = "random";
  test.program = RandomProgram(random, shape).make();
  return test;
}

} // namespace thinair::litmus
