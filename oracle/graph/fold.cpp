// Constant folding and the identities of two's complement arithmetic.
#include "oracle/graph/fold.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace thinair::graph {
namespace {

/// A term being folded, with what its operands are known to be.
struct Folder {
  TermPool& pool;
  const Term& term;
  std::optional<Value> a, b; // operands that are constants

  TermId value(Value v) const { return pool.constant(v); }
  TermId binary(TermOp op, TermId x, TermId y) const { return pool.make(op, term.bits, x, y); }
  bool same() const { return term.a == term.b; }
  Value least() const {
    return std::numeric_limits<Value>::min() >> (64 - term.bits); // sign-extended
  }
  Value greatest() const { return ~least(); }
};

using Folded = std::optional<TermId>;

/// (x ∘ c) ∘ d = x ∘ (c ∘ d), for associative ∘ and constants c, d.
Folded regroup(const Folder& f) {
  const Term inner = f.pool[f.term.a];
  if (!f.b || inner.op != f.term.op || inner.bits != f.term.bits) return std::nullopt;
  const auto c = f.pool.constant_value(inner.b);
  if (!c) return std::nullopt;
  return f.binary(f.term.op, inner.a, f.value(*apply(f.term.op, f.term.bits, *c, *f.b)));
}

Folded fold_sum(const Folder& f) {
  if (f.b == 0) return f.term.a;
  const auto cancels = [&f](TermId difference, TermId other) -> Folded { // (x - y) + y
    const Term& t = f.pool[difference];
    if (t.op == TermOp::subtract && t.bits == f.term.bits && t.b == other) return t.a;
    return std::nullopt;
  };
  if (const auto x = cancels(f.term.a, f.term.b)) return x;
  if (const auto x = cancels(f.term.b, f.term.a)) return x;
  return regroup(f);
}

Folded fold_difference(const Folder& f) {
  if (f.same()) return f.value(0);
  if (f.b)
    return f.binary(TermOp::add, f.term.a, f.value(*apply(TermOp::negate, f.term.bits, *f.b)));
  const Term& sum = f.pool[f.term.a]; // (x + y) - y
  if (sum.op == TermOp::add && sum.bits == f.term.bits) {
    if (sum.b == f.term.b) return sum.a;
    if (sum.a == f.term.b) return sum.b;
  }
  return std::nullopt;
}

Folded fold_product(const Folder& f) {
  if (f.b == 0) return f.value(0);
  if (f.b == 1) return f.term.a;
  return regroup(f);
}

Folded fold_bitwise(const Folder& f) {
  const bool conjunction = f.term.op == TermOp::bit_and, exclusive = f.term.op == TermOp::bit_xor;
  if (f.same()) return exclusive ? f.value(0) : f.term.a;
  if (f.b == 0) return conjunction ? f.value(0) : f.term.a;
  if (f.b == -1 && !exclusive) return conjunction ? f.term.a : f.value(-1);
  if (exclusive) { // (x ^ y) ^ y
    for (const auto& [outer, inner] : {std::pair{f.term.b, f.term.a}, {f.term.a, f.term.b}}) {
      const Term& t = f.pool[inner];
      if (t.op != TermOp::bit_xor || t.bits != f.term.bits) continue;
      if (t.b == outer) return t.a;
      if (t.a == outer) return t.b;
    }
  }
  return regroup(f);
}

Folded fold_division(const Folder& f) {
  if (f.term.op == TermOp::divide) return f.b == 1 ? Folded{f.term.a} : std::nullopt;
  return f.b == 1 || f.b == -1 ? Folded{f.value(0)} : std::nullopt;
}

Folded fold_shift(const Folder& f) {
  if (f.a == 0) return f.value(0);
  if (f.a == -1 && f.term.op == TermOp::shift_right) return f.value(-1);
  if (f.b && (*f.b & (f.term.bits - 1)) == 0) return f.term.a;
  return std::nullopt;
}

bool extends(const Term& term) {
  return term.op == TermOp::zero_extend || term.op == TermOp::sign_extend;
}

/// What was extended in the same way is equal where it was before; and what lies above the bits
/// that are compared does not count. So a comparison of registers is the one that an update of a
/// narrow location has made already.
Folded fold_extended_equality(const Folder& f) {
  const Term a = f.pool[f.term.a], b = f.pool[f.term.b];
  if (extends(a) && a.bits >= f.term.bits) return f.binary(TermOp::equal, a.a, f.term.b);
  if (extends(b) && b.bits >= f.term.bits) return f.binary(TermOp::equal, f.term.a, b.a);
  if (!extends(a)) return std::nullopt;
  if (a.op == b.op && a.bits == b.bits) return f.pool.make(TermOp::equal, a.bits, a.a, b.a);
  if (!f.b) return std::nullopt;
  const auto kept = apply(TermOp::equal, f.term.bits, *apply(a.op, a.bits, *f.b), *f.b);
  return kept == 1 ? f.pool.make(TermOp::equal, a.bits, a.a, f.term.b) : f.value(0);
}

/// `(x ^ y) == 0` is `x == y`, and `(x & 255) == 0` is `x == 0` of the low 8 bits. Compilers test
/// so whether an update of a byte has found what it compared with, which the update decided
/// already: if it were another term, a loop that tries again would have a path that has stored and
/// goes on all the same.
Folded fold_zero(const Folder& f) {
  const Term a = f.pool[f.term.a];
  const std::uint8_t bits = std::min(a.bits, f.term.bits);
  if (a.op == TermOp::bit_xor) return f.pool.make(TermOp::equal, bits, a.a, a.b);
  if (a.op != TermOp::bit_and) return std::nullopt;
  const auto mask = f.pool.constant_value(a.b);
  for (const std::uint8_t low : {8, 16, 32})
    if (mask == (Value{1} << low) - 1 && low <= bits)
      return f.pool.make(TermOp::equal, low, a.a, f.value(0));
  return std::nullopt;
}

Folded fold_equality(const Folder& f) {
  if (f.same()) return f.value(1);
  if (const auto narrower = fold_extended_equality(f)) return narrower;
  if (f.b == 0)
    if (const auto compared = fold_zero(f)) return compared;
  if (!f.b || !f.pool.is_truth_value(f.term.a)) return std::nullopt;
  if (f.b == 1) return f.term.a;
  if (f.b == 0) return f.pool.make(TermOp::logical_not, f.term.bits, f.term.a);
  return f.value(0);
}

Folded fold_signed_order(const Folder& f) {
  const bool strict = f.term.op == TermOp::less;
  if (f.same()) return f.value(strict ? 0 : 1);
  if (strict && (f.b == f.least() || f.a == f.greatest())) return f.value(0);
  if (!strict && (f.a == f.least() || f.b == f.greatest())) return f.value(1);
  return std::nullopt;
}

Folded fold_unsigned_order(const Folder& f) {
  const bool strict = f.term.op == TermOp::below;
  if (f.same()) return f.value(strict ? 0 : 1);
  if (strict && (f.b == 0 || f.a == -1)) return f.value(0);
  if (!strict && (f.a == 0 || f.b == -1)) return f.value(1);
  return std::nullopt;
}

/// bit_not and negate undo themselves; logical_not does on truth values, of which there is one
/// negation, whatever the width.
Folded fold_involution(const Folder& f) {
  const Term inner = f.pool[f.term.a];
  if (f.term.op == TermOp::logical_not) {
    if (inner.op == f.term.op && f.pool.is_truth_value(inner.a)) return inner.a;
    if (f.term.bits == 64 || !f.pool.is_truth_value(f.term.a)) return std::nullopt;
    return f.pool.make(TermOp::logical_not, 64, f.term.a);
  }
  if (inner.op != f.term.op) return std::nullopt;
  return inner.bits == f.term.bits ? Folded{inner.a} : std::nullopt;
}

Folded fold_extension(const Folder& f) {
  const Term& inner = f.pool[f.term.a];
  if (f.pool.is_truth_value(f.term.a)) return f.term.a;
  const bool known = inner.op != TermOp::variable && inner.op != TermOp::zero_extend;
  if (f.term.op == TermOp::sign_extend)
    return known && inner.bits <= f.term.bits ? Folded{f.term.a} : std::nullopt;
  const bool extended = inner.op == TermOp::zero_extend && inner.bits <= f.term.bits;
  return extended ? Folded{f.term.a} : std::nullopt;
}

Folded fold_select(const Folder& f) {
  if (f.a) return *f.a != 0 ? f.term.b : f.term.c;
  if (f.term.b == f.term.c) return f.term.b;
  if (f.b == 1 && f.pool.constant_value(f.term.c) == 0 && f.pool.is_truth_value(f.term.a))
    return f.term.a;
  return std::nullopt;
}

Folded fold_identity(const Folder& f) {
  switch (f.term.op) {
  case TermOp::constant:
  case TermOp::variable: return std::nullopt;
  case TermOp::add: return fold_sum(f);
  case TermOp::subtract: return fold_difference(f);
  case TermOp::multiply: return fold_product(f);
  case TermOp::divide:
  case TermOp::remainder: return fold_division(f);
  case TermOp::bit_and:
  case TermOp::bit_or:
  case TermOp::bit_xor: return fold_bitwise(f);
  case TermOp::bit_not:
  case TermOp::negate:
  case TermOp::logical_not: return fold_involution(f);
  case TermOp::shift_left:
  case TermOp::shift_right:
  case TermOp::shift_right_unsigned: return fold_shift(f);
  case TermOp::equal: return fold_equality(f);
  case TermOp::less:
  case TermOp::less_equal: return fold_signed_order(f);
  case TermOp::below:
  case TermOp::below_equal: return fold_unsigned_order(f);
  case TermOp::sign_extend:
  case TermOp::zero_extend: return fold_extension(f);
  case TermOp::select: return fold_select(f);
  // x - x need not be zero, nor x equal to itself; nothing is less than itself
  case TermOp::float_less: return f.same() ? Folded{f.value(0)} : std::nullopt;
  case TermOp::float_add:
  case TermOp::float_subtract:
  case TermOp::float_multiply:
  case TermOp::float_divide:
  case TermOp::float_remainder:
  case TermOp::float_equal:
  case TermOp::float_less_equal:
  case TermOp::float_of_integer:
  case TermOp::float_to_integer:
  case TermOp::float_resize: return std::nullopt;
  }
  return std::nullopt;
}

} // namespace

std::optional<TermId> fold(TermPool& pool, const Term& term) {
  const auto count = arity(term.op);
  const Folder f{pool, term, pool.constant_value(term.a),
                 count > 1 ? pool.constant_value(term.b) : std::nullopt};
  const bool constant = f.a && (count < 2 || f.b) && count < 3;
  if (constant) {
    if (const auto v = apply(term.op, term.bits, *f.a, f.b.value_or(0))) return f.value(*v);
    return std::nullopt; // a division by zero stays as it is
  }
  return fold_identity(f);
}

} // namespace thinair::graph
