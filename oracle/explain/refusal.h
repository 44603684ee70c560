// Why a model forbids a behaviour: the axioms that fail, with an execution that shows it, or the
// rules of causality that no justification meets.
#pragma once

#include "oracle/answer.h"
#include "oracle/explain/drawing.h"
#include "oracle/explain/obstacle.h"
#include "oracle/explain/values.h"

#include <optional>
#include <string>
#include <vector>

namespace thinair::explain {

/// A step with the steps that it follows from.
struct Derivation {
  Step step;
  std::vector<Derivation> parts;
};

/// An axiom that fails in an execution; or an order that the model chooses, `with to from …`, and
/// that cannot be: what it must contain goes around.
struct Broken {
  std::string axiom;             // or the order's name
  std::string source;            // the comment above it
  std::string what;              // "acyclic", "irreflexive", "empty"; of an order "order"
  std::vector<Derivation> cycle; // the way around, or the pair that must not be there
  std::vector<EventId> members;  // of a set that must be empty
};

struct Refusal {
  enum class Kind : std::uint8_t {
    no_candidate, // no execution ends so: the values rule it out
    axioms,       // executions do, and axioms or the model's choices forbid them
    causality,    // the axioms allow it, and no sequence of commits justifies it
    none,         // it is allowed
    unknown,      // a limit was reached
  };
  Kind kind = Kind::unknown;
  std::vector<Broken> broken;        // axioms: a smallest set to drop, found by dropping
  std::vector<std::string> decisive; // axioms or rules without any one of which it is allowed
  std::vector<cat::Named> glosses;   // of the definitions that `broken` names: what they mean
  std::optional<Obstacle> obstacle;  // causality: where commitments end, if that can be told
  std::optional<Drawing> drawing;    // of an execution with the behaviour
  Reason reason;                     // of unknown
};

/// A refusal in the words of the program, and, where there are such, in the model's own: its axioms
/// and relations. Events are named as in the drawing; lines have at most so many columns.
struct Told {
  std::string words, terms;
};
Told told(const Refusal& refusal, std::size_t width);
/// Both, in lines of text::page_width.
std::string as_text(const Refusal& refusal);

/// Of a question that the model answers with no. Throws as the oracle does.
Refusal why_not(const litmus::Test& test, const cat::Plan& model,
                const litmus::Proposition& proposition, const oracle::Options& options = {});

} // namespace thinair::explain
