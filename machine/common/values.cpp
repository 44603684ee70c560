// Sets of values, operator by operator.
#include "machine/common/values.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace thinair::machine {
namespace {

using graph::Term;
using graph::TermId;
using graph::TermOp;
using graph::TermPool;
using litmus::Value;
using Values = std::optional<std::vector<Value>>;

constexpr std::size_t most = 16;
constexpr int deepest = 24;

Values settled(std::vector<Value> values) {
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  if (values.size() > most) return std::nullopt;
  return values;
}

/// Of `x & mask` where nothing is known of x: all parts of the mask.
Values parts(Value mask) {
  const auto bits = static_cast<std::uint64_t>(mask);
  if (std::popcount(bits) > 4) return std::nullopt;
  std::vector<Value> out{0};
  for (auto part = bits; part != 0; part = (part - 1) & bits)
    out.push_back(static_cast<Value>(part));
  return settled(std::move(out));
}

Values combined(const Term& term, const Values& a, const Values& b) {
  if (!a || !b) return std::nullopt;
  std::vector<Value> out;
  for (const Value x : *a)
    for (const Value y : *b) {
      const auto value = graph::apply(term.op, term.bits, x, y);
      if (!value) return std::nullopt;
      out.push_back(*value);
    }
  return settled(std::move(out));
}

Values united(Values a, const Values& b) {
  if (!a || !b) return std::nullopt;
  a->insert(a->end(), b->begin(), b->end());
  return settled(std::move(*a));
}

/// Terms share their operands: each is worked out once a depth.
class Finder {
 public:
  explicit Finder(const TermPool& terms) : terms_(terms) {}

  Values values_of(TermId id, int depth) {
    if (const auto found = known_.find({id, depth}); found != known_.end()) return found->second;
    auto values = work_out(id, depth);
    known_.emplace(std::pair(id, depth), values);
    return values;
  }

 private:
  Values work_out(TermId id, int depth);

  const TermPool& terms_;
  std::map<std::pair<TermId, int>, Values> known_;
};

Values Finder::work_out(TermId id, int depth) {
  const Term& term = terms_[id];
  if (term.op == TermOp::constant) return std::vector{term.constant};
  if (depth == deepest) return std::nullopt;
  const auto below = [&](TermId operand) { return values_of(operand, depth + 1); };
  if (term.op == TermOp::select) return united(below(term.b), below(term.c));
  if (graph::arity(term.op) == 2) {
    const auto a = below(term.a), b = below(term.b);
    if (const auto both = combined(term, a, b)) return both;
    if (term.op == TermOp::bit_and && b && b->size() == 1) return parts(b->front());
  }
  if (graph::arity(term.op) == 1)
    if (const auto one = combined(term, below(term.a), std::vector<Value>{0})) return one;
  if (terms_.is_truth_value(id)) return std::vector<Value>{0, 1};
  return std::nullopt;
}

} // namespace

Values possible_values(const TermPool& terms, TermId term) {
  return Finder(terms).values_of(term, 0);
}

} // namespace thinair::machine
