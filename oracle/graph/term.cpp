// Hash-consing and evaluation of terms.
#include "oracle/graph/term.h"

#include "litmus/text/error.h"
#include "oracle/graph/fold.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace thinair::graph {
namespace {

constexpr std::uint32_t largest_tree = 128; // larger terms are evaluated with sharing
constexpr std::size_t bytes_a_term = 160;   // in all tables

std::uint64_t hash_of(const Term& t) {
  std::uint64_t h = 0x9e3779b97f4a7c15U;
  const auto mix = [&h](std::uint64_t v) {
    h = (h ^ v) * 0xff51afd7ed558ccdU;
    h ^= h >> 32;
  };
  mix(static_cast<std::uint64_t>(t.op) | std::uint64_t{t.bits} << 8);
  mix(static_cast<std::uint64_t>(t.constant));
  mix(t.variable.value);
  mix(std::uint64_t{t.a.value} | std::uint64_t{t.b.value} << 32);
  mix(t.c.value);
  return h;
}

bool commutes(TermOp op) {
  return op == TermOp::add || op == TermOp::multiply || op == TermOp::bit_and ||
         op == TermOp::bit_or || op == TermOp::bit_xor || op == TermOp::equal ||
         op == TermOp::float_add || op == TermOp::float_multiply || op == TermOp::float_equal;
}

std::array<TermId, 3> operands(const Term& t) { return {t.a, t.b, t.c}; }

bool divides(TermOp op) { return op == TermOp::divide || op == TermOp::remainder; }

} // namespace

/// From what its operands are known to be.
TermPool::Known TermPool::known_of(const Term& term) const {
  Known known;
  known.truth = makes_truth_values(term.op) ||
                (term.op == TermOp::constant && (term.constant == 0 || term.constant == 1));
  if (term.op == TermOp::bit_and || term.op == TermOp::bit_or || term.op == TermOp::bit_xor)
    known.truth = known_[term.a.value].truth && known_[term.b.value].truth;
  known.divides = divides(term.op) && constant_value(term.b).value_or(0) == 0;
  const auto children = operands(term);
  for (std::uint32_t i = 0; i < arity(term.op); ++i) {
    const Known& below = known_[children[i].value];
    known.tree = std::min(largest_tree + 1, known.tree + below.tree);
    known.levels = std::max(known.levels, below.levels + 1);
    known.divides = known.divides || below.divides;
  }
  return known;
}

TermId TermPool::intern(const Term& term) {
  const auto hash = hash_of(term);
  const auto [first, last] = index_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (terms_[it->second] == term) return TermId{it->second};

  const Known known = known_of(term);
  std::vector<Variable> variables;
  if (term.op == TermOp::variable) variables.push_back(term.variable);
  const auto children = operands(term);
  for (std::uint32_t i = 0; i < arity(term.op); ++i) {
    const auto& more = below_[children[i].value];
    std::vector<Variable> merged;
    std::set_union(variables.begin(), variables.end(), more.begin(), more.end(),
                   std::back_inserter(merged));
    variables = std::move(merged);
  }
  watch().demand_memory(bytes_a_term + variables.size() * sizeof(Variable));
  const TermId id{static_cast<std::uint32_t>(terms_.size())};
  terms_.push_back(term);
  below_.push_back(std::move(variables));
  known_.push_back(known);
  index_.emplace(hash, id.value);
  return id;
}

TermId TermPool::constant(Value value) {
  Term term;
  term.bits = 64;
  term.constant = value;
  return intern(term);
}

TermId TermPool::variable(Variable v) {
  variables_ = std::max(variables_, v.value + 1);
  Term term;
  term.op = TermOp::variable;
  term.bits = 64;
  term.variable = v;
  return intern(term);
}

TermId TermPool::make(TermOp op, std::uint8_t bits, TermId a, TermId b, TermId c) {
  watch().demand();
  THINAIR_CHECK(bits == 8 || bits == 16 || bits == 32 || bits == 64, "width of a term");
  const auto count = arity(op);
  THINAIR_CHECK(count > 0, "constants and variables have makers of their own");
  Term term;
  term.op = op;
  term.bits = bits;
  term.a = a;
  if (count > 1) term.b = b;
  if (count > 2) term.c = c;
  if (commutes(op)) {
    const auto rank = [this](TermId id) {
      return std::pair{terms_[id.value].op == TermOp::constant, id};
    };
    if (rank(term.b) < rank(term.a)) std::swap(term.a, term.b);
  }
  if (const auto simpler = fold(*this, term)) return *simpler;
  return intern(term);
}

std::optional<Value> TermPool::constant_value(TermId id) const {
  const Term& term = terms_[id.value];
  if (term.op != TermOp::constant) return std::nullopt;
  return term.constant;
}

std::span<const Variable> TermPool::variables_of(TermId id) const { return below_[id.value]; }

std::optional<Value> TermPool::evaluate(TermId id, std::span<const Value> assignment) const {
  if (known_[id.value].tree > largest_tree) return evaluate_shared(id, assignment);
  const Term& term = terms_[id.value];
  if (term.op == TermOp::constant) return term.constant;
  if (term.op == TermOp::variable) return assignment[term.variable.value];
  const auto a = evaluate(term.a, assignment);
  if (!a) return std::nullopt;
  if (term.op == TermOp::select) return evaluate(*a != 0 ? term.b : term.c, assignment);
  if (arity(term.op) == 1) return apply(term.op, term.bits, *a);
  const auto b = evaluate(term.b, assignment);
  if (!b) return std::nullopt;
  return apply(term.op, term.bits, *a, *b);
}

/// Each subterm once, in the order of ids: for terms that share much, or are deep.
std::optional<Value> TermPool::evaluate_shared(TermId id, std::span<const Value> assignment) const {
  watch().demand(1 + id.value / 16);
  std::vector<char> wanted(id.value + 1, 0);
  std::vector<std::optional<Value>> values(id.value + 1);
  wanted[id.value] = 1;
  for (std::uint32_t i = id.value + 1; i-- > 0;) {
    if (!wanted[i]) continue;
    const auto children = operands(terms_[i]);
    for (std::uint32_t k = 0; k < arity(terms_[i].op); ++k) wanted[children[k].value] = 1;
  }
  for (std::uint32_t i = 0; i <= id.value; ++i) {
    if (!wanted[i]) continue;
    const Term& term = terms_[i];
    const auto count = arity(term.op);
    if (term.op == TermOp::constant) {
      values[i] = term.constant;
    } else if (term.op == TermOp::variable) {
      values[i] = assignment[term.variable.value];
    } else if (term.op == TermOp::select) {
      if (const auto a = values[term.a.value])
        values[i] = values[(*a != 0 ? term.b : term.c).value];
    } else if (const auto a = values[term.a.value]; a && count == 1) {
      values[i] = apply(term.op, term.bits, *a);
    } else if (a && values[term.b.value]) {
      values[i] = apply(term.op, term.bits, *a, *values[term.b.value]);
    }
  }
  return values[id.value];
}

} // namespace thinair::graph
