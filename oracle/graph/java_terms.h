// Java's conversions and operators as terms.
#pragma once

#include "litmus/expression.h"
#include "litmus/modes.h"
#include "litmus/type.h"
#include "oracle/graph/term.h"

namespace thinair::graph {

/// A value, and the type that it has (of a reference int).
struct Typed {
  TermId term;
  litmus::TypeKind type = litmus::TypeKind::int_;
};

/// In which terms of a type are made that operands are promoted to; references are numbers.
std::uint8_t working_bits(litmus::TypeKind promoted);

/// Makes terms of one pool. Operands of operators have been widened to the type `in` that they work
/// in.
class JavaTerms {
 public:
  explicit JavaTerms(TermPool& terms) : terms_(terms) {}

  /// JLS 5.1.2 and 5.1.3, as litmus::converted has it.
  TermId converted(Typed a, litmus::TypeKind to);
  /// What is assigned, or promoted, to the type: integers stay as they are in wider ones.
  TermId widened(Typed a, litmus::TypeKind to) {
    return litmus::is_floating(to) ? converted(a, to) : a.term;
  }
  TermId unary(litmus::Operator op, litmus::TypeKind in, TermId a);
  /// But for quotients and remainders of integers, which need not have a value.
  TermId binary(litmus::Operator op, litmus::TypeKind in, TermId a, TermId b);
  /// What an access writes to a variable of the type that held `old`, whatever that is.
  TermId updated(litmus::Action action, litmus::JavaType type, TermId old, TermId operand);

 private:
  TermId narrowed(litmus::TypeKind to, TermId a);
  TermId floating(litmus::Operator op, std::uint8_t bits, TermId a, TermId b);

  TermPool& terms_;
};

} // namespace thinair::graph
