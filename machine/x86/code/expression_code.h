// Code for expressions over a thread's registers, in Java's int arithmetic.
#pragma once

#include "litmus/expression.h"
#include "lower/constants.h"
#include "lower/homes.h"
#include "machine/x86/code/thread_code.h"

#include <optional>
#include <variant>
#include <vector>

namespace thinair::lower::x86_code {

using Home = HomeIn<x86::Register>;

/// A value at hand: a constant or a register. An owned register is scratch that the holder may
/// overwrite and must release.
struct Held {
  x86::Operand operand;
  bool owned = false;
};

class ExpressionCode {
 public:
  ExpressionCode(ThreadCode& code, std::span<const Home> homes) : code_(code), homes_(homes) {}

  /// Throws Unsupported for division by what is not a constant.
  Held value(const litmus::Expression& e);
  Held in_register(Held held); // not a constant
  Held own(Held held);         // in a register that may be overwritten
  void release(const Held& held);

  void assign(litmus::RegisterId target, const x86::Operand& from);

  /// Jumps to `label` if the expression is 0.
  void jump_unless(const litmus::Expression& condition, const std::string& label);

  const Home& home(litmus::RegisterId reg) const { return homes_[reg.value]; }

 private:
  struct Pair {
    Held left, right;
  };
  Pair both(const litmus::Expression& e);
  Held binary(const litmus::Expression& e);
  Held unary(const litmus::Expression& e);
  Held shift(const litmus::Expression& e);
  Held compared(const litmus::Expression& e);
  x86::ConditionCode compare(const litmus::Expression& e);

  ThreadCode& code_;
  std::span<const Home> homes_;
};

} // namespace thinair::lower::x86_code
