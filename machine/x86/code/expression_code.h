// Code for expressions over a thread's registers, in Java's arithmetic.
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
/// overwrite and must release. Values of up to 32 bits stand in the register's low half, extended
/// as Java's ints; longs fill it.
struct Held {
  x86::Operand operand;
  bool owned = false;
};

class ExpressionCode {
 public:
  ExpressionCode(ThreadCode& code, std::span<const Home> homes, const litmus::Program& program,
                 const litmus::Thread& thread)
      : code_(code), homes_(homes), program_(program), thread_(thread) {}

  /// At its own width. Throws Unsupported for division by what is not a constant.
  Held value(const litmus::Expression& e);
  /// As a long, or its low 32 bits.
  Held value(const litmus::Expression& e, x86::Width width);
  Held in_register(Held held, x86::Width width); // not a constant
  Held own(Held held, x86::Width width);         // in a register that may be overwritten
  void release(const Held& held);

  /// What has `width` now goes to a register, which may be wider.
  void assign(litmus::RegisterId target, const x86::Operand& from, x86::Width width);
  void assign(litmus::RegisterId target, const litmus::Expression& e);
  /// Of the register that holds it.
  x86::Width width_of(litmus::RegisterId reg) const;
  x86::Width width_of(const litmus::Expression& e) const;

  /// Jumps to `label` if the expression is 0.
  void jump_unless(const litmus::Expression& condition, const std::string& label);

  const Home& home(litmus::RegisterId reg) const { return homes_[reg.value]; }

 private:
  struct Pair {
    Held left, right;
  };
  Pair both(const litmus::Expression& e, x86::Width width, x86::Width of_right);
  x86::Width working_width(const litmus::Expression& e) const;
  Held casted(const litmus::Expression& e);
  Held binary(const litmus::Expression& e);
  Held unary(const litmus::Expression& e);
  Held shift(const litmus::Expression& e);
  Held compared(const litmus::Expression& e);
  x86::ConditionCode compare(const litmus::Expression& e);

  ThreadCode& code_;
  std::span<const Home> homes_;
  const litmus::Program& program_;
  const litmus::Thread& thread_;
};

/// Whether an instruction takes the number as it is: 32 bits, sign-extended.
bool is_immediate(litmus::Value value);

} // namespace thinair::lower::x86_code
