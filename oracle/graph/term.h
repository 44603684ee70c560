// Symbolic values: hash-consed terms over the values that reads return.
#pragma once

#include "litmus/ids.h"
#include "litmus/text/watch.h"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace thinair::graph {

using litmus::Value;

/// A read's value: one variable a read event of a path.
struct Variable {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(Variable, Variable) = default;
};

struct TermId {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(TermId, TermId) = default;
};

/// Operators work at `Term::bits` (8, 16, 32, 64): operands and results are kept sign-extended from
/// that width, floating-point values as their bits, too. Comparisons and `logical_not` yield 0
/// or 1. Division truncates (JLS 15.17.2).
enum class TermOp : std::uint8_t {
  constant,
  variable,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  negate,
  shift_left,
  shift_right,
  shift_right_unsigned, // by the right operand modulo bits
  equal,
  less,
  less_equal, // signed; the others are these with operands swapped or negated
  below,
  below_equal, // unsigned
  logical_not,
  sign_extend, // from `bits` to 64: the value's low bits, signed
  zero_extend, // from `bits` to 64: the value's low bits, unsigned
  select,      // a != 0 ? b : c
  // of floats (32 bits) and doubles (64), as litmus/floating.h computes them
  float_add,
  float_subtract,
  float_multiply,
  float_divide,
  float_remainder,
  float_equal,
  float_less,
  float_less_equal,
  float_of_integer, // from a number of 64 bits to `bits`
  float_to_integer, // from a double to an integer of `bits`
  float_resize,     // from the other width to `bits`
};

struct Term {
  TermOp op = TermOp::constant;
  std::uint8_t bits = 32;
  Value constant = 0; // constant
  Variable variable;  // variable
  TermId a, b, c;
  friend bool operator==(const Term&, const Term&) = default;
};

/// All terms of one program, and the watch of the question that they are for: whatever works on
/// the program asks it how long to go on. Equal terms have equal ids; operands have smaller ids
/// than their users. Makers fold constants and the identities that hold for every value (x - x, x ^
/// x, x * 0, x & 0, x == x, …), so that false dependencies vanish where a compiler would drop them.
/// A folded term has the value of the unfolded one wherever that has one: that a subterm must not
/// divide by zero is for the caller to remember (Path::must_divide). No term is created that may
/// divide by a constant zero except as itself.
class TermPool {
 public:
  TermPool() = default;
  /// `watch` outlives the pool and its copies; none: the pool's own, which counts memory alone.
  explicit TermPool(Watch* watch) : watch_(watch) {}

  Watch& watch() const { return watch_ != nullptr ? *watch_ : own_; }
  bool is_watched() const { return watch_ != nullptr; }

  TermId constant(Value value);
  TermId variable(Variable v);
  TermId make(TermOp op, std::uint8_t bits, TermId a, TermId b = {}, TermId c = {});

  const Term& operator[](TermId id) const { return terms_[id.value]; }
  std::size_t size() const { return terms_.size(); }
  std::optional<Value> constant_value(TermId id) const;
  std::uint32_t variable_count() const { return variables_; }
  Variable fresh_variable() { return Variable{variables_++}; }

  /// Whether the term is 0 or 1 for all values of its variables.
  bool is_truth_value(TermId id) const { return known_[id.value].truth; }
  /// Whether something below `id`, or itself, divides by what may be zero.
  bool may_divide(TermId id) const { return known_[id.value].divides; }
  /// Levels of operators. Evaluation takes any number; whatever calls itself at each level asks
  /// first whether there are more than `most_levels`.
  std::uint32_t levels(TermId id) const { return known_[id.value].levels; }
  static constexpr std::uint32_t most_levels = 4000;

  /// Variables below `id`, ascending, without repetition; computed once a term.
  std::span<const Variable> variables_of(TermId id) const;

  /// The value under an assignment (indexed by variable); absent: a division by zero in an operand
  /// that counts (of a `select`, the condition and the chosen one).
  std::optional<Value> evaluate(TermId id, std::span<const Value> assignment) const;

 private:
  /// What follows from a term's operands, worked out once: terms share theirs, so that as trees
  /// they may be exponentially large.
  struct Known {
    std::uint32_t tree = 1;   // its size written out as a tree, up to a bound
    std::uint32_t levels = 1; // of operators
    bool truth = false;
    bool divides = false;
  };

  Known known_of(const Term& term) const;
  TermId intern(const Term& term);
  std::optional<Value> evaluate_shared(TermId id, std::span<const Value> assignment) const;

  std::vector<Term> terms_;
  std::vector<std::vector<Variable>> below_;
  std::vector<Known> known_; // of each term
  std::unordered_multimap<std::uint64_t, std::uint32_t> index_;
  std::uint32_t variables_ = 0;
  Watch* watch_ = nullptr;
  mutable Watch own_;
};

/// Operands that an operator takes: 0 to 3.
std::uint32_t arity(TermOp op);

/// Comparisons and `logical_not`.
constexpr bool makes_truth_values(TermOp op) {
  return op == TermOp::equal || op == TermOp::less || op == TermOp::less_equal ||
         op == TermOp::below || op == TermOp::below_equal || op == TermOp::logical_not ||
         op == TermOp::float_equal || op == TermOp::float_less || op == TermOp::float_less_equal;
}
/// What a solver of bits alone does not know.
constexpr bool is_floating(TermOp op) {
  return op >= TermOp::float_add && op <= TermOp::float_resize;
}

/// One operator on values, as `evaluate` applies it. Absent: a division by zero. The least value
/// divided by -1 is itself, as in Java.
std::optional<Value> apply(TermOp op, std::uint8_t bits, Value a, Value b = 0, Value c = 0);

} // namespace thinair::graph
