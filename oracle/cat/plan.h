// A model compiled: a flat program over set and relation registers, with its choices and axioms.
//
// The compiler (compile.h) inlines functions, resolves names, shares common subexpressions and
// drops what nothing needs, so that an execution is judged by running `nodes` from front to back.
// Nodes are ordered: operands come before users.
#pragma once

#include "oracle/cat/routine.h"
#include "oracle/graph/meaning.h"
#include "oracle/graph/vocabulary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::cat {

using NodeId = std::uint32_t;
using graph::Architecture;
using graph::Input;
using graph::Stage;
using graph::Type;

enum class Op : std::uint8_t {
  input, // Node::input
  empty, // of Node::type
  unite,
  intersect,
  subtract,
  complement, // within the universe (sets) or its square (relations)
  compose,
  inverse,
  plus,
  star,
  optional_,       // relations
  product,         // set × set
  identity_on,     // [S]
  restrict_domain, // the pairs of relation a whose left end is in set b: [b];a
  restrict_range,  // the pairs of relation a whose right end is in set b: a;[b]
  domain,
  range,
  choice,   // relation chosen by plan.choices[a]
  variable, // relation (or set) defined by plan.fixpoints[a] (its b-th variable): during iteration
            // its current value, then the result
  interpreted, // the value of plan.interpreted[a] (recursion over sets …): interpret.h
};

/// How many of a node's {a, b} are operands.
std::size_t operand_count(Op op);

/// How a node depends on a thing that only grows during the search (rf, or one choice's order).
enum class Polarity : std::uint8_t { none, increasing, decreasing, mixed };

struct Node {
  Op op = Op::empty;
  Type type = Type::relation;
  Input input = Input::universe;
  NodeId a = 0, b = 0;
  Stage stage = Stage::path; // the latest stage among what it depends on
  Polarity in_rf = Polarity::none;
  Polarity in_choices = Polarity::none; // over all choices together
  Polarity in_final = Polarity::none;   // in FW, while final writes are chosen one by one
  std::uint32_t last_choice = 0;        // stage == choice: 1 + the highest choice it depends on
  std::int32_t fixpoint = -1;           // the group it is part of the iteration of, or -1
};

/// `let rec x = .. and y = ..`: least fixpoint. Iterate nodes [first, last) until no body changes
/// its variable. The variables come right before `first`; they and the nodes carry this group's
/// index in Node::fixpoint. Groups do not nest.
struct Fixpoint {
  std::vector<NodeId> variables; // Op::variable nodes
  std::vector<NodeId> bodies;    // same length
  NodeId first = 0, last = 0;    // the nodes that depend on the variables
};

/// `with x from S`.
struct Choice {
  enum class Kind : std::uint8_t {
    linearisations,          // total orders of `set` that contain `order`+ (closed over all events)
    linearisations_by_class, // the same for each class of loc within `set`, united:
                             // generate_orders, generate_cos
    interpreted, // any other set of relations, enumerated by plan.interpreted[interpreted]; its
                 // operands are complete when it is taken (`set`, `order` are not used)
  } kind = Kind::linearisations;
  std::string name;
  NodeId set = 0;   // what is ordered
  NodeId order = 0; // what it must respect
  NodeId node = 0;  // the Op::choice node
  std::uint32_t interpreted = 0;
};

/// What cannot be compiled, with the nodes that its routine reads: run by interpret.h.
struct Interpreted {
  Routine routine;
  std::vector<NodeId> operands; // Routine's operand k is the value of node operands[k]
};

struct Axiom {
  enum class Kind : std::uint8_t { acyclic, irreflexive, empty } kind = Kind::acyclic;
  bool negated = false;
  enum class Effect : std::uint8_t { required, flag, undefined_unless } effect = Effect::required;
  NodeId node = 0;
  std::string name;   // after `as`; otherwise "KIND@LINE"
  std::string source; // the comment above it: "JLS 17.4.5"
  /// Once violated on a partial execution (rf, order, FW still growing), violated for good: may
  /// prune.
  bool prunes = false;
  /// False: under causality rules that tell the two apart, asked of executions that show a
  /// behaviour, and not of the stages that justify it (`(* not of stages: NAME *)`).
  bool of_stages = true;
};

struct Shown {
  std::string name;
  NodeId node = 0;
};

/// A definition.
struct Named : Shown {
  std::string gloss; // the comment above it: what it means; may be empty
};

struct Plan {
  std::string name;    // the model's title
  std::string content; // digest of its text and of all that it includes
  Architecture architecture = Architecture::java;
  std::vector<Node> nodes;
  NodeId judged = 0; // nodes [judged, nodes.size()) are needed by `shows` only
  std::vector<Fixpoint> fixpoints;
  std::vector<Choice> choices;
  std::vector<Interpreted> interpreted;
  std::vector<Axiom> axioms;
  std::vector<Shown>
      shows; // `show`, and relations that causality asks for by name: so, sw, hb (oracle/causality)
  std::vector<Named>
      names; // definitions that the axioms contain: what explanations call their nodes
  bool orders_memory = false; // uses FW or co: final values of locations mean something
  std::string causality;      // rule set it is meant for (`(* causality: jls04 *)`), or "none"
  std::string identity;       // of actions: `(* identity: free *)`; empty: not said
  graph::Meaning meaning;     // what it says something of; other programs are unsupported
  bool tearing = false;       // plain longs and doubles may tear (`(* tearing: long, double *)`)
  RunLimits limits;           // of what is interpreted in each execution
};

} // namespace thinair::cat
