// What a name stands for while a model is compiled: nodes of the plan, and what only exists until
// then (functions, tuples, tags, sets of relations).
#pragma once

#include "litmus/text/source.h"
#include "oracle/cat/ast.h"
#include "oracle/cat/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace thinair::cat {

/// Bindings seen by an expression: an index into Scopes; 0 is empty.
using ScopeId = std::uint32_t;
using CellId = std::uint32_t;

/// Where an expression is evaluated: its file, for diagnostics, and its scope.
struct Context {
  const text::Source* source = nullptr;
  ScopeId scope = 0;
};

/// Functions that models do not define themselves.
enum class Primitive : std::uint8_t {
  domain,
  range,
  linearisations,
  classes_loc,
  classes,
  generate_orders, // the native cross.cat
  generate_cos,
  foreign, // of another architecture: known to `check_model` only
};

struct Value {
  enum class Kind : std::uint8_t {
    zero, // 0 and {}: the empty set of anything
    node,
    function,
    primitive,
    procedure,
    tuple,
    tag,
    set,     // a set of values known now, not empty
    orders,  // linearisations and the like, not yet chosen from
    routine, // what is known only at run time and is no node (yet)
  } kind = Kind::zero;
  NodeId node = 0;
  std::uint32_t index = 0; // function, procedure, orders, routine: into the evaluator's tables
  Primitive primitive = Primitive::domain;
  std::vector<Value> items = {}; // tuple, set
  std::string tag = {};

  static Value of_node(NodeId id) { return {.kind = Kind::node, .node = id}; }
};

/// A set of orders that the search chooses from natively.
struct Orders {
  Choice::Kind kind = Choice::Kind::linearisations;
  NodeId set = 0;
  NodeId order = 0;
};

struct Function {
  const ast::Expression* lambda = nullptr;
  Context context;
};

struct Procedure {
  const ast::Statement* statement = nullptr;
  Context context;
};

} // namespace thinair::cat
