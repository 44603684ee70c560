// What a model gives a meaning to: as it declares, or by the sets that its axioms and orders are
// made of.
#pragma once

#include "litmus/constructs.h"
#include "oracle/cat/ast.h"
#include "oracle/cat/plan.h"

#include <optional>
#include <vector>

namespace thinair::cat {

/// `(* meaning: plain, volatile, volatile updates *)`.
class Declaration {
 public:
  /// Throws InputError at a word that is none.
  Declaration(const std::vector<ast::Word>& words, const text::Source& source);

  litmus::Constructs constructs() const { return constructs_; }
  /// Throws InputError unless all that the model speaks of is declared.
  void check(litmus::Constructs spoken_of) const;

 private:
  litmus::Constructs constructs_;
  const text::Source& source_;
  text::Span span_;
};

/// By the inputs that axioms and choices are made of: a mode by its set (O, ACQ, REL, RA, V),
/// unless that only picks fences; fences by F, where it meets sets of modes those of the modes;
/// LOADLOAD, STORESTORE; updates by RMW and FAILED, in the modes that have a meaning; monitors by
/// crit, threads by life. What is plain needs no set.
litmus::Constructs spoken_of(const Plan& plan);

/// Of a model of a machine: the tags of events that neither it nor a set of all fences names.
graph::Tags unnamed(const Plan& plan);

/// What is declared, or else spoken of.
litmus::Constructs known_to(const Plan& plan, const std::optional<Declaration>& declared);

} // namespace thinair::cat
