// Forward substitution.
#include "oracle/values/residue.h"

#include "litmus/text/error.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_set>

namespace thinair::values {
namespace {

using graph::arity;
using graph::Term;
using graph::TermOp;

bool divides(TermOp op) { return op == TermOp::divide || op == TermOp::remainder; }

std::array<TermId, 3> operands_of(const Term& t) { return {t.a, t.b, t.c}; }

class Substitution {
 public:
  Substitution(TermPool& pool, const Constraints& constraints, std::vector<TermId>& more)
      : pool_(pool), more_(more), bound_(pool.variable_count()) {
    residue_.variable_bits = constraints.variable_bits;
    residue_.hints = constraints.hints;
    for (const auto& [a, b] : constraints.equal) {
      equal_.emplace_back(a, b);
      define(a);
      define(b);
    }
    for (const auto id : constraints.nonzero) require(id);
    for (const auto id : constraints.defined) define(id);
    for (const auto id : more) define(id);
  }

  Residue run() {
    do {
      changed_ = false;
      settle_equalities();
      settle_conditions();
    } while (changed_ && !residue_.contradictory);
    for (auto& id : more_) id = rewritten(id);
    for (auto& binding : residue_.bindings) binding.term = rewritten(binding.term);
    residue_.nonzero = conditions_;
    return std::move(residue_);
  }

 private:
  void define(TermId id) {
    if (pool_.levels(id) > TermPool::most_levels) too_deep();
    add_definedness(pool_, id, conditions_);
  }
  [[noreturn]] static void too_deep() {
    throw LimitReached(Limit::none, std::to_string(TermPool::most_levels) +
                                        " levels of operators in a value that is solved for");
  }
  void require(TermId id) {
    conditions_.push_back(id);
    define(id);
  }

  void settle_equalities() {
    for (std::size_t i = 0; i < equal_.size() && !residue_.contradictory; ++i) {
      const auto a = rewritten(equal_[i].first), b = rewritten(equal_[i].second);
      settle_equality(a, b);
    }
    equal_.clear();
  }

  void settle_equality(TermId a, TermId b) {
    if (a == b) return;
    const auto va = pool_.constant_value(a), vb = pool_.constant_value(b);
    if (va && vb) {
      residue_.contradictory = true;
    } else if (bind(a, b) || bind(b, a)) {
      changed_ = true;
    } else if (!(vb && isolate(a, *vb)) && !(va && isolate(b, *va))) {
      const auto bits = std::max(width(pool_, a, residue_.variable_bits),
                                 width(pool_, b, residue_.variable_bits));
      conditions_.push_back(pool_.make(TermOp::equal, bits, a, b));
    }
  }

  bool bind(TermId variable, TermId term) {
    const Term& v = pool_[variable];
    if (v.op != TermOp::variable) return false;
    if (width(pool_, term, residue_.variable_bits) > residue_.variable_bits) return false;
    const auto below = pool_.variables_of(term);
    if (std::binary_search(below.begin(), below.end(), v.variable)) return false;
    if (bound_.size() <= v.variable.value) bound_.resize(v.variable.value + 1);
    bound_[v.variable.value] = term;
    residue_.bindings.push_back({v.variable, term});
    rewritten_.clear();
    return true;
  }

  /// f(x) = c for a bijection f of its width: x = f⁻¹(c).
  bool isolate(TermId id, Value c) {
    const Term t = pool_[id];
    const auto constant = [&](TermOp op, Value x, Value y) {
      return pool_.constant(*graph::apply(op, t.bits, x, y));
    };
    if (t.op == TermOp::bit_not || t.op == TermOp::negate) {
      equal_.emplace_back(t.a, constant(t.op, c, 0));
    } else if (t.op == TermOp::add || t.op == TermOp::bit_xor) {
      const auto other = pool_.constant_value(t.b);
      if (!other) return false;
      const auto inverse = t.op == TermOp::add ? TermOp::subtract : TermOp::bit_xor;
      equal_.emplace_back(t.a, constant(inverse, c, *other));
    } else {
      return false;
    }
    if (*graph::apply(TermOp::sign_extend, t.bits, c) != c) residue_.contradictory = true;
    return true;
  }

  void settle_conditions() {
    std::vector<TermId> todo;
    todo.swap(conditions_);
    for (std::size_t i = 0; i < todo.size() && !residue_.contradictory; ++i)
      settle_condition(rewritten(todo[i]), todo);
    std::sort(conditions_.begin(), conditions_.end());
    conditions_.erase(std::unique(conditions_.begin(), conditions_.end()), conditions_.end());
    if (!equal_.empty()) changed_ = true;
  }

  void settle_condition(TermId id, std::vector<TermId>& todo) {
    if (const auto value = pool_.constant_value(id)) {
      if (*value == 0) residue_.contradictory = true;
      return;
    }
    const Term t = pool_[id];
    // what is equal in its low bits alone need not be the same
    const auto whole = [&](TermId side) {
      return width(pool_, side, residue_.variable_bits) <= t.bits;
    };
    if (t.op == TermOp::equal && whole(t.a) && whole(t.b) && settles(t.a, t.b)) {
      equal_.emplace_back(t.a, t.b);
    } else if (t.op == TermOp::logical_not && whole(t.a) && settles(t.a, t.a)) {
      equal_.emplace_back(t.a, pool_.constant(0));
    } else if (t.op == TermOp::bit_and && is_truth(t.a) && is_truth(t.b)) {
      todo.push_back(t.a);
      todo.push_back(t.b);
    } else {
      conditions_.push_back(id);
    }
  }

  /// Whether an equality of these may eliminate a variable, so that it is not a mere condition.
  bool settles(TermId a, TermId b) const {
    for (const auto& [variable, other] : {std::pair{a, b}, {b, a}}) {
      const Term& t = pool_[variable];
      const auto below = pool_.variables_of(other);
      const bool cyclic = a != b && t.op == TermOp::variable &&
                          std::binary_search(below.begin(), below.end(), t.variable);
      const bool fits =
          a == b || width(pool_, other, residue_.variable_bits) <= residue_.variable_bits;
      if (t.op == TermOp::variable && !cyclic && fits) return true;
      const bool invertible =
          t.op == TermOp::bit_not || t.op == TermOp::negate ||
          ((t.op == TermOp::add || t.op == TermOp::bit_xor) && pool_.constant_value(t.b));
      if (invertible && (a == b || pool_.constant_value(other))) return true;
    }
    return false;
  }

  bool is_truth(TermId id) const { return graph::makes_truth_values(pool_[id].op); }

  bool touched(TermId id) const {
    const auto below = pool_.variables_of(id);
    return std::any_of(below.begin(), below.end(), [this](Variable v) {
      return v.value < bound_.size() && bound_[v.value].has_value();
    });
  }

  TermId rewritten(TermId id) {
    pool_.watch().demand();
    if (!touched(id)) return id;
    if (const auto known = rewritten_.find(id.value); known != rewritten_.end())
      return known->second;
    if (++levels_ > TermPool::most_levels) too_deep();
    const auto result = rewritten_anew(id);
    --levels_;
    if (pool_.levels(result) > TermPool::most_levels) too_deep();
    return result;
  }

  TermId rewritten_anew(TermId id) {
    const Term t = pool_[id];
    TermId result;
    if (t.op == TermOp::variable) {
      result = rewritten(*bound_[t.variable.value]);
    } else {
      std::array<TermId, 3> children = operands_of(t);
      for (std::uint32_t i = 0; i < arity(t.op); ++i) children[i] = rewritten(children[i]);
      result = pool_.make(t.op, t.bits, children[0], children[1], children[2]);
    }
    rewritten_.emplace(id.value, result);
    return result;
  }

  TermPool& pool_;
  std::vector<TermId>& more_;
  Residue residue_;
  std::vector<std::pair<TermId, TermId>> equal_; // to be settled
  std::vector<TermId> conditions_;
  std::vector<std::optional<TermId>> bound_; // by Variable
  std::unordered_map<std::uint32_t, TermId> rewritten_;
  bool changed_ = false;
  std::uint32_t levels_ = 0; // of calls
};

/// The conjunction of truth values of `nonzero`, as a term of 0 or 1.
TermId conjunction(TermPool& pool, const std::vector<TermId>& nonzero) {
  auto all = pool.constant(1);
  for (const auto id : nonzero) {
    const auto absent = pool.make(TermOp::logical_not, 64, id);
    all = pool.make(TermOp::bit_and, 64, all, pool.make(TermOp::logical_not, 64, absent));
  }
  return all;
}

/// Definedness of each subterm once.
class Definedness {
 public:
  Definedness(TermPool& pool, std::vector<TermId>& nonzero) : pool_(pool), nonzero_(nonzero) {}

  void visit(TermId id) {
    if (!pool_.may_divide(id)) return;
    pool_.watch().demand();
    if (!seen_.insert(id.value).second) return;
    const Term t = pool_[id];
    if (t.op == TermOp::select) return visit_select(t);
    const auto children = operands_of(t);
    for (std::uint32_t i = 0; i < arity(t.op); ++i) visit(children[i]);
    if (divides(t.op) && pool_.constant_value(t.b).value_or(0) == 0) nonzero_.push_back(t.b);
  }

 private:
  void visit_select(const Term& t) {
    visit(t.a);
    std::vector<TermId> then, otherwise;
    Definedness(pool_, then).visit(t.b);
    Definedness(pool_, otherwise).visit(t.c);
    if (then.empty() && otherwise.empty()) return;
    nonzero_.push_back(pool_.make(TermOp::select, 64, t.a, conjunction(pool_, then),
                                  conjunction(pool_, otherwise)));
  }

  TermPool& pool_;
  std::vector<TermId>& nonzero_;
  std::unordered_set<std::uint32_t> seen_;
};

/// Of `select` and those within it, each once: two that choose between the same two are a tree of
/// four, and so on.
std::uint8_t width_of_choices(const TermPool& pool, TermId id, std::uint8_t variable_bits) {
  std::uint8_t widest = 8;
  std::unordered_set<std::uint32_t> seen{id.value};
  for (std::vector<TermId> open{id}; !open.empty();) {
    pool.watch().demand();
    const Term& t = pool[open.back()];
    open.pop_back();
    for (const auto choice : {t.b, t.c}) {
      if (!seen.insert(choice.value).second) continue;
      if (pool[choice].op == TermOp::select)
        open.push_back(choice);
      else
        widest = std::max(widest, width(pool, choice, variable_bits));
    }
  }
  return widest;
}

} // namespace

std::uint8_t width(const TermPool& pool, TermId id, std::uint8_t variable_bits) {
  const Term& t = pool[id];
  switch (t.op) {
  case TermOp::variable: return variable_bits;
  case TermOp::zero_extend: return 64;
  case TermOp::equal:
  case TermOp::less:
  case TermOp::less_equal:
  case TermOp::below:
  case TermOp::below_equal:
  case TermOp::logical_not:
  case TermOp::float_equal:
  case TermOp::float_less:
  case TermOp::float_less_equal: return 8;
  case TermOp::constant:
    for (const std::uint8_t bits : {8, 16, 32})
      if (*graph::apply(TermOp::sign_extend, bits, t.constant) == t.constant) return bits;
    return 64;
  case TermOp::add:
  case TermOp::subtract:
  case TermOp::multiply:
  case TermOp::divide:
  case TermOp::remainder:
  case TermOp::bit_and:
  case TermOp::bit_or:
  case TermOp::bit_xor:
  case TermOp::bit_not:
  case TermOp::negate:
  case TermOp::shift_left:
  case TermOp::shift_right:
  case TermOp::shift_right_unsigned:
  case TermOp::sign_extend:
  case TermOp::float_add:
  case TermOp::float_subtract:
  case TermOp::float_multiply:
  case TermOp::float_divide:
  case TermOp::float_remainder:
  case TermOp::float_of_integer:
  case TermOp::float_to_integer:
  case TermOp::float_resize: return t.bits;
  case TermOp::select: return width_of_choices(pool, id, variable_bits);
  }
  bug(__FILE__, __LINE__, "unknown term operator");
}

void add_definedness(TermPool& pool, TermId id, std::vector<TermId>& nonzero) {
  Definedness(pool, nonzero).visit(id);
}

std::vector<Variable> Residue::variables(const TermPool& pool) const {
  std::vector<Variable> all;
  for (const auto id : nonzero) {
    const auto below = pool.variables_of(id);
    all.insert(all.end(), below.begin(), below.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Residue substitute(TermPool& pool, const Constraints& constraints,
                   std::vector<TermId>& more_terms) {
  return Substitution(pool, constraints, more_terms).run();
}

void complete(const TermPool& pool, const Residue& residue, std::vector<Value>& assignment) {
  for (const auto& binding : residue.bindings) {
    const auto value = pool.evaluate(binding.term, assignment);
    THINAIR_CHECK(value.has_value(), "a solution that divides by zero");
    assignment[binding.variable.value] = *value;
  }
}

} // namespace thinair::values
