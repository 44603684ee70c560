// Domains from the constants of the constraints, and a depth-first search over them.
#include "oracle/values/finite.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

namespace thinair::values {
namespace {

using graph::arity;
using graph::Term;
using graph::TermOp;

constexpr std::size_t largest_domain = 40; // of a variable that is not confined
constexpr std::size_t largest_set = 64;    // of values that a term is confined to
constexpr std::size_t most_constants = 16; // of the pool: those of the program come first
constexpr int rounds = 3;

using Set = std::vector<Value>; // sorted

void normalise(Set& set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

/// Finite supersets of the values that terms and variables may have; absent: anything.
class Confinement {
 public:
  Confinement(const TermPool& pool, const Residue& residue)
      : pool_(pool), residue_(residue), of_variable_(pool.variable_count()) {
    for (int round = 0; round < rounds; ++round)
      for (const auto id : residue.nonzero) {
        sets_.clear();
        learn(id);
      }
  }

  const std::optional<Set>& of(Variable v) const { return of_variable_[v.value]; }

 private:
  /// v = t confines v to the values of t, unless their low bits alone are compared.
  void learn(TermId id) {
    const Term& t = pool_[id];
    const auto whole = [&](TermId side) {
      return width(pool_, side, residue_.variable_bits) <= t.bits;
    };
    if (t.op != TermOp::equal || !whole(t.a) || !whole(t.b)) return;
    for (const auto& [left, right] : {std::pair{t.a, t.b}, {t.b, t.a}}) {
      if (pool_[left].op != TermOp::variable) continue;
      auto& set = of_variable_[pool_[left].variable.value];
      auto values = possible(right);
      if (values && (!set || values->size() < set->size())) set = std::move(values);
    }
  }

  /// Of terms that share much, each once.
  std::optional<Set> possible(TermId id) {
    if (const auto known = sets_.find(id.value); known != sets_.end()) return known->second;
    auto found = computed(id);
    sets_.emplace(id.value, found);
    return found;
  }

  std::optional<Set> computed(TermId id) {
    pool_.watch().demand();
    const Term& t = pool_[id];
    if (t.op == TermOp::constant) return Set{t.constant};
    if (t.op == TermOp::variable) return of_variable_[t.variable.value];
    if (graph::makes_truth_values(t.op)) return Set{0, 1};
    if (t.op == TermOp::select) return joined(possible(t.b), possible(t.c));
    if (auto image = image_of(t)) return image;
    const auto c = arity(t.op) == 2 ? pool_.constant_value(t.b) : std::nullopt;
    if (!c) return std::nullopt;
    if (t.op == TermOp::bit_and) return submasks(*c);
    if (t.op == TermOp::remainder) return residues(*c);
    return std::nullopt;
  }

  static std::optional<Set> joined(std::optional<Set> a, const std::optional<Set>& b) {
    if (!a || !b) return std::nullopt;
    a->insert(a->end(), b->begin(), b->end());
    normalise(*a);
    return a;
  }

  std::optional<Set> image_of(const Term& t) {
    const auto as = possible(t.a);
    const auto bs = arity(t.op) == 2 ? possible(t.b) : Set{0};
    if (!as || !bs || as->size() * bs->size() > largest_set) return std::nullopt;
    Set image;
    for (const auto a : *as)
      for (const auto b : *bs)
        if (const auto v = graph::apply(t.op, t.bits, a, b)) image.push_back(*v);
    normalise(image);
    return image;
  }

  static std::optional<Set> submasks(Value mask) {
    if (mask < 0 || std::popcount(static_cast<std::uint64_t>(mask)) > 5) return std::nullopt;
    Set all{0};
    for (Value sub = mask; sub != 0; sub = (sub - 1) & mask) all.push_back(sub);
    normalise(all);
    return all;
  }

  static std::optional<Set> residues(Value divisor) {
    if (divisor < -16 || divisor > 16 || divisor == 0) return std::nullopt;
    Set all(static_cast<std::size_t>(2 * std::abs(divisor) - 1));
    std::iota(all.begin(), all.end(), 1 - std::abs(divisor));
    return all;
  }

  const TermPool& pool_;
  const Residue& residue_;
  std::vector<std::optional<Set>> of_variable_;                // by Variable
  std::unordered_map<std::uint32_t, std::optional<Set>> sets_; // by TermId, since the last lesson
};

/// Constants among the subterms, each once.
void collect_constants(const TermPool& pool, TermId id, std::set<std::uint32_t>& seen,
                       std::set<Value>& constants) {
  if (!seen.insert(id.value).second) return;
  const Term& t = pool[id];
  if (t.op == TermOp::constant) {
    constants.insert(t.constant);
    return;
  }
  const std::array<TermId, 3> children = {t.a, t.b, t.c};
  for (std::uint32_t i = 0; i < arity(t.op); ++i)
    collect_constants(pool, children[i], seen, constants);
}

class SmallDomain {
 public:
  SmallDomain(const TermPool& pool, const Residue& residue, std::span<const TermId> interest)
      : pool_(pool), residue_(residue) {
    for (const Value v : {0, 1, -1}) add(v);
    for (const auto v : residue.hints) add(v);
    add_constants_of_program();
    std::set<std::uint32_t> seen;
    std::set<Value> constants;
    for (const auto id : residue.nonzero) collect_constants(pool, id, seen, constants);
    for (const auto id : interest) collect_constants(pool, id, seen, constants);
    for (const auto c : constants) add(c);
    for (const auto c : constants)
      for (const Value near : {c - 1, c + 1, c + 2, -c}) add(near);
    for (int round = 0; round < rounds; ++round) close();
  }

  Set values() const { return {values_.begin(), values_.end()}; }

 private:
  void add_constants_of_program() {
    std::size_t met = 0;
    for (std::uint32_t id = 0; id < pool_.size() && met < most_constants; ++id)
      if (const auto v = pool_.constant_value(TermId{id})) {
        add(*v);
        ++met;
      }
  }

  void add(Value v) {
    const auto fits = *graph::apply(TermOp::sign_extend, residue_.variable_bits, v) == v;
    if (fits && values_.size() < largest_domain) values_.insert(v);
  }

  /// What the sides of equalities make of the values so far.
  void close() {
    std::vector<Value> assignment(pool_.variable_count());
    const Set before = values();
    for (const auto id : residue_.nonzero) {
      const Term& t = pool_[id];
      if (t.op != TermOp::equal) continue;
      for (const auto side : {t.a, t.b}) {
        const auto below = pool_.variables_of(side);
        if (below.size() != 1 || pool_[side].op == TermOp::variable) continue;
        for (const auto v : before) {
          pool_.watch().demand();
          assignment[below[0].value] = v;
          if (const auto image = pool_.evaluate(side, assignment)) add(*image);
        }
      }
    }
  }

  const TermPool& pool_;
  const Residue& residue_;
  std::set<Value> values_;
};

class DepthFirst {
 public:
  DepthFirst(const TermPool& pool, const std::vector<TermId>& nonzero, const Domains& domains,
             std::uint64_t limit, const std::function<bool(std::span<const Value>)>& found)
      : pool_(pool), domains_(domains), limit_(limit), found_(found),
        due_(domains.variables.size() + 1), assignment_(pool.variable_count()) {
    for (const auto id : nonzero) due_[last_assigned(id)].push_back(id);
  }

  Search run() {
    Search result;
    result.exhausted = !all_hold(0) || descend(0);
    result.limited = limited_;
    return result;
  }

 private:
  /// The depth from which on all variables of `id` have values.
  std::size_t last_assigned(TermId id) const {
    std::size_t depth = 0;
    for (const auto v : pool_.variables_of(id)) {
      const auto at = std::find(domains_.variables.begin(), domains_.variables.end(), v);
      depth = std::max(depth, static_cast<std::size_t>(at - domains_.variables.begin()) + 1);
    }
    return depth;
  }

  bool all_hold(std::size_t depth) const {
    return std::all_of(due_[depth].begin(), due_[depth].end(), [this](TermId id) {
      return pool_.evaluate(id, assignment_).value_or(0) != 0;
    });
  }

  bool descend(std::size_t depth) {
    if (depth == domains_.variables.size()) return found_(assignment_);
    for (const auto v : domains_.values[depth]) {
      pool_.watch().demand(1 + due_[depth + 1].size());
      if (visited_++ == limit_) {
        limited_ = true;
        return false;
      }
      assignment_[domains_.variables[depth].value] = v;
      if (all_hold(depth + 1) && !descend(depth + 1)) return false;
    }
    return true;
  }

  const TermPool& pool_;
  const Domains& domains_;
  std::uint64_t limit_;
  const std::function<bool(std::span<const Value>)>& found_;
  std::vector<std::vector<TermId>> due_; // by depth
  std::vector<Value> assignment_;
  std::uint64_t visited_ = 0;
  bool limited_ = false;
};

} // namespace

Domains domains_of(const TermPool& pool, const Residue& residue, std::span<const TermId> interest) {
  auto variables = residue.variables(pool);
  for (const auto id : interest) {
    const auto below = pool.variables_of(id);
    variables.insert(variables.end(), below.begin(), below.end());
  }
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());

  const Confinement confinement(pool, residue);
  const auto small = SmallDomain(pool, residue, interest).values();
  std::vector<std::pair<Variable, Set>> all;
  Domains domains;
  domains.confined = true;
  for (const auto v : variables) {
    domains.confined = domains.confined && confinement.of(v).has_value();
    all.emplace_back(v, confinement.of(v).value_or(small));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  for (auto& [v, set] : all) {
    domains.variables.push_back(v);
    domains.values.push_back(std::move(set));
  }
  return domains;
}

Search search(const TermPool& pool, const std::vector<TermId>& nonzero, const Domains& domains,
              std::uint64_t limit, const std::function<bool(std::span<const Value>)>& found) {
  return DepthFirst(pool, nonzero, domains, limit, found).run();
}

} // namespace thinair::values
