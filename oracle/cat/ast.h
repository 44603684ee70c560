// The syntax tree of a .cat text. Every node knows its place, for diagnostics.
#pragma once

#include "litmus/text/source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thinair::cat::ast {

using text::Span;

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

enum class Unary : std::uint8_t { plus, star, optional_, inverse, complement, identity_on };
enum class Binary : std::uint8_t { unite, insert, compose, subtract, intersect, product };

/// What a `let`, a function or a procedure binds; an empty name is `_`.
struct Pattern {
  bool tuple = false;
  std::vector<std::string> names;
  Span span;
};

struct Binding {
  Pattern pattern;
  ExpressionPtr value;
};

/// After `if`: a variant's name and its combinations, or a comparison.
struct Condition {
  enum class Kind : std::uint8_t {
    variant,
    negation,
    conjunction,
    disjunction,
    equal,
    subset,
    member
  } kind = Kind::variant;
  std::string variant;
  std::vector<Condition> operands;
  std::vector<ExpressionPtr> sides; // of equal, subset, member: two
  Span span;
};

struct TagClause {
  std::string tag;
  ExpressionPtr value;
};

struct Expression {
  enum class Kind : std::uint8_t {
    name,
    zero,
    universe,
    tag,
    set,       // {children}
    tuple,     // (children)
    apply,     // children: function, argument
    unary,     // children: operand
    binary,    // children: two or more for unite and compose, else two
    lambda,    // pattern; children: body
    let,       // bindings; children: body
    let_rec,   //
    try_,      // children: preferred, otherwise
    if_,       // condition; children: then, else
    match_tag, // children: scrutinee [, default]; clauses
    match_set, // children: scrutinee, when empty, otherwise; pattern: (before,) element, rest
  } kind = Kind::zero;
  Span span;
  std::uint32_t depth = 1; // of the tree
  std::string name;        // of name, tag
  Unary unary = Unary::plus;
  Binary binary = Binary::unite;
  std::vector<ExpressionPtr> children;
  Pattern pattern;
  std::vector<Binding> bindings;
  std::unique_ptr<Condition> condition;
  std::vector<TagClause> clauses;
};

/// `acyclic E as name` and its variations.
struct Test {
  enum class Kind : std::uint8_t { acyclic, irreflexive, empty } kind = Kind::acyclic;
  enum class Effect : std::uint8_t {
    required,
    flag,
    undefined_unless,
    assertion
  } effect = Effect::required;
  bool negated = false;
  ExpressionPtr expression;
  std::string name;    // after `as`, or empty
  std::string comment; // the comment right above it, without its marks
  Span span;
};

struct Statement;
using Block = std::vector<Statement>;

struct TagBlock {
  std::string tag;
  Block body;
};

struct Statement {
  enum class Kind : std::uint8_t {
    let,
    let_rec, // test: after `when`
    test,
    show,
    show_as,
    unshow,
    include,
    procedure, // name, pattern, body
    call,      // name, expression
    debug,
    forall,    // name, expression, body
    with_from, // name, expression
    enumeration,
    events, // bell: instructions, default
    match,
    if_,
    catdep,
  } kind = Kind::let;
  Span span;
  std::string name;               // of procedure, call, with, include, forall, enum, show … as
  std::vector<std::string> names; // shown; tags of an enum
  std::vector<Binding> bindings;  // of let
  std::string comment;            // above let, and with
  std::optional<Test> test;       // of test, let_rec … when
  ExpressionPtr expression;       // of call, forall, with, show … as, match
  Pattern pattern;                // of a procedure
  bool recursive = false;         // of a procedure
  Block body;                     // of procedure, forall, if
  Block otherwise;                // of if, match
  std::vector<TagBlock> clauses;  // of match
  std::unique_ptr<Condition> condition; // of if
};

/// A word of a comment that declares something.
struct Word {
  std::string text; // blanks made one
  Span span;
};

struct File {
  std::string title; // the first line, "None" when there is none
  Block statements;
  Word causality;                           // of a comment `(* causality: jls04 *)`, or empty
  Word identity;                            // of a comment `(* identity: free *)`, or empty
  std::optional<std::vector<Word>> meaning; // of a comment `(* meaning: plain, volatile *)`
  std::vector<Word> tearing;                // of a comment `(* tearing: long, double *)`
  std::vector<Word> not_of_stages;          // of a comment `(* not of stages: coherence *)`
};

} // namespace thinair::cat::ast
