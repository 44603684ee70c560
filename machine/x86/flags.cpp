// Flags from the operands and the result of the operation that set them.
#include "machine/x86/flags.h"

#include "litmus/text/error.h"

namespace thinair::x86 {
namespace {

using Kind = FlagSource::Kind;

/// Terms over the flags of one source.
class FlagReader {
 public:
  FlagReader(TermPool& terms, const FlagSource& source) : terms_(terms), source_(source) {}

  TermId zero() {
    if (source_.kind == Kind::cleared) return number(0);
    if (source_.kind == Kind::difference) return make(TermOp::equal, source_.a, source_.b);
    return make(TermOp::equal, source_.result, number(0));
  }
  TermId sign() {
    if (source_.kind == Kind::cleared) return number(0);
    return negative(source_.result);
  }
  TermId carry();
  TermId overflow();
  TermId parity();
  TermId less();       // SF != OF
  TermId less_equal(); // ZF or SF != OF
  TermId below_equal() {
    if (source_.kind == Kind::difference) return make(TermOp::below_equal, source_.a, source_.b);
    return make(TermOp::bit_or, carry(), zero());
  }

 private:
  TermId number(Value v) { return terms_.constant(v); }
  TermId make(TermOp op, TermId a, TermId b = {}) { return terms_.make(op, source_.bits, a, b); }
  TermId negative(TermId v) { return make(TermOp::less, v, number(0)); }

  TermPool& terms_;
  const FlagSource& source_;
};

TermId FlagReader::carry() {
  switch (source_.kind) {
  case Kind::cleared:
  case Kind::logical: return number(0);
  case Kind::sum: return make(TermOp::below, source_.result, source_.a);
  case Kind::difference: return make(TermOp::below, source_.a, source_.b);
  case Kind::shifted:
  case Kind::product: break;
  }
  if (!source_.has_carry) throw Unsupported("the carry flag after this shift or multiplication");
  return source_.carry;
}

TermId FlagReader::overflow() {
  switch (source_.kind) {
  case Kind::cleared:
  case Kind::logical: return number(0);
  case Kind::sum:
    return negative(make(TermOp::bit_and,
                         make(TermOp::bit_not, make(TermOp::bit_xor, source_.a, source_.b)),
                         make(TermOp::bit_xor, source_.a, source_.result)));
  case Kind::difference:
    return negative(make(TermOp::bit_and, make(TermOp::bit_xor, source_.a, source_.b),
                         make(TermOp::bit_xor, source_.a, source_.result)));
  case Kind::shifted:
  case Kind::product: break;
  }
  if (!source_.has_carry) throw Unsupported("the overflow flag after this shift or multiplication");
  return source_.kind == Kind::product ? source_.carry : source_.overflow;
}

/// Set where the low byte has an even number of ones.
TermId FlagReader::parity() {
  if (source_.kind == Kind::cleared) return number(0);
  if (source_.kind == Kind::product) throw Unsupported("the parity flag after a multiplication");
  auto folded = terms_.make(TermOp::zero_extend, 8, source_.result);
  for (const Value shift : {4, 2, 1})
    folded = terms_.make(TermOp::bit_xor, 32, folded,
                         terms_.make(TermOp::shift_right, 32, folded, number(shift)));
  return terms_.make(TermOp::logical_not, 32, terms_.make(TermOp::bit_and, 32, folded, number(1)));
}

TermId FlagReader::less() {
  if (source_.kind == Kind::difference) return make(TermOp::less, source_.a, source_.b);
  return make(TermOp::bit_xor, sign(), overflow());
}

TermId FlagReader::less_equal() {
  if (source_.kind == Kind::difference) return make(TermOp::less_equal, source_.a, source_.b);
  return make(TermOp::bit_or, zero(), less());
}

/// The condition without its negation, which the lowest bit of the code says.
TermId positive(TermPool& terms, ConditionCode condition, const SymbolicFlags& flags) {
  FlagReader arithmetic(terms, flags.arithmetic), carry(terms, flags.carry);
  switch (condition) {
  case ConditionCode::o:
  case ConditionCode::no: return arithmetic.overflow();
  case ConditionCode::b:
  case ConditionCode::ae: return carry.carry();
  case ConditionCode::e:
  case ConditionCode::ne: return arithmetic.zero();
  case ConditionCode::be:
  case ConditionCode::a:
    if (flags.arithmetic.result == flags.carry.result) return arithmetic.below_equal();
    return terms.make(TermOp::bit_or, 32, carry.carry(), arithmetic.zero());
  case ConditionCode::s:
  case ConditionCode::ns: return arithmetic.sign();
  case ConditionCode::p:
  case ConditionCode::np: return arithmetic.parity();
  case ConditionCode::l:
  case ConditionCode::ge: return arithmetic.less();
  case ConditionCode::le:
  case ConditionCode::g: return arithmetic.less_equal();
  }
  throw Bug("a condition code");
}

/// The processor's encoding, which is the enum's order: odd codes are negations.
bool negated(ConditionCode condition) { return static_cast<unsigned>(condition) % 2 == 1; }

} // namespace

TermId condition_term(TermPool& terms, ConditionCode condition, const SymbolicFlags& flags) {
  const auto term = positive(terms, condition, flags);
  return negated(condition) ? terms.make(TermOp::logical_not, 32, term) : term;
}

} // namespace thinair::x86
