// Resolution of observables, three-valued propositions, and a hash set of rows.
#include "oracle/executions/observe.h"

#include "litmus/text/error.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

namespace thinair::executions {

using litmus::Observable;
using litmus::Proposition;

namespace {

[[noreturn]] void no_such(const Observable& o) {
  throw InputError("the program has no " + litmus::to_string(o));
}

template <class Table>
std::optional<std::uint32_t> index_of(const Table& table, const std::string& name) {
  const auto at = std::ranges::find(table, name, &std::ranges::range_value_t<Table>::name);
  if (at == table.end()) return std::nullopt;
  return static_cast<std::uint32_t>(at - table.begin());
}

Observed resolve(const litmus::Program& program, const Observable& o) {
  Observed out;
  std::optional<std::uint32_t> index;
  if (o.thread) {
    if (o.thread->value >= program.threads.size()) no_such(o);
    out.thread = o.thread->value;
    index = index_of(program.threads[o.thread->value].registers, o.name);
  } else {
    index = index_of(program.locations, o.name);
  }
  if (!index) no_such(o);
  out.index = *index;
  return out;
}

Observed resolve(const litmus::Code& program, const Observable& o) {
  Observed out;
  out.type = program.type_of(o);
  if (o.thread) {
    const auto reg = program.register_of(o);
    if (!reg) no_such(o);
    out.thread = o.thread->value;
    out.index = *reg;
  } else {
    const auto index = index_of(program.cells(), o.name);
    if (!index) no_such(o);
    out.index = *index;
  }
  return out;
}

Truth negated(Truth t) { return t == Truth::open ? t : t == Truth::yes ? Truth::no : Truth::yes; }

} // namespace

std::vector<Observed> resolve(const litmus::Test& test,
                              const std::vector<Observable>& observables) {
  std::vector<Observed> out;
  for (const auto& o : observables)
    out.push_back(
        std::visit([&](const auto& program) { return resolve(program, o); }, test.program));
  return out;
}

Predicate::Predicate(const Proposition& p, const std::vector<Observable>& observables) {
  add(p, observables);
}

std::size_t Predicate::add(const Proposition& p, const std::vector<Observable>& observables) {
  Node node;
  node.kind = p.kind;
  node.constant = p.constant;
  const auto index = [&](const Observable& o) {
    const auto at = std::ranges::find(observables, o);
    THINAIR_CHECK(at != observables.end(), "a proposition over what is not observed");
    return static_cast<std::uint32_t>(at - observables.begin());
  };
  if (p.kind == Proposition::Kind::equal || p.kind == Proposition::Kind::not_equal) {
    node.left = index(p.left);
    if (p.right) node.right = index(*p.right);
  }
  for (const auto& part : p.parts) node.parts.push_back(add(part, observables));
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

Truth Predicate::evaluate(std::size_t at, std::span<const Value> values,
                          std::span<const char> known) const {
  const auto& node = nodes_[at];
  const auto any = [&](Truth wanted) { // of the parts: `wanted`, else open, else its opposite
    auto result = negated(wanted);
    for (const auto part : node.parts) {
      const auto t = evaluate(part, values, known);
      if (t == wanted) return wanted;
      if (t == Truth::open) result = t;
    }
    return result;
  };
  switch (node.kind) {
  case Proposition::Kind::always: return Truth::yes;
  case Proposition::Kind::never: return Truth::no;
  case Proposition::Kind::equal:
  case Proposition::Kind::not_equal: {
    if (!known[node.left] || (node.right && !known[*node.right])) return Truth::open;
    const bool same = values[node.left] == (node.right ? values[*node.right] : node.constant);
    return same == (node.kind == Proposition::Kind::equal) ? Truth::yes : Truth::no;
  }
  case Proposition::Kind::all: return any(Truth::no);
  case Proposition::Kind::any: return any(Truth::yes);
  case Proposition::Kind::negation: return negated(evaluate(node.parts[0], values, known));
  case Proposition::Kind::implication: {
    const auto left = evaluate(node.parts[0], values, known);
    const auto right = evaluate(node.parts[1], values, known);
    if (left == Truth::no || right == Truth::yes) return Truth::yes;
    return left == Truth::yes && right == Truth::no ? Truth::no : Truth::open;
  }
  }
  return Truth::open;
}

graph::TermId Predicate::term(std::size_t at, graph::TermPool& pool,
                              std::span<const graph::TermId> terms) const {
  using graph::TermOp;
  const auto& node = nodes_[at];
  const auto negation = [&](graph::TermId id) { return pool.make(TermOp::logical_not, 64, id); };
  const auto fold = [&](TermOp op, Value start) {
    auto all = pool.constant(start);
    for (const auto part : node.parts) all = pool.make(op, 64, all, term(part, pool, terms));
    return all;
  };
  switch (node.kind) {
  case Proposition::Kind::always: return pool.constant(1);
  case Proposition::Kind::never: return pool.constant(0);
  case Proposition::Kind::equal:
  case Proposition::Kind::not_equal: {
    const auto right = node.right ? terms[*node.right] : pool.constant(node.constant);
    const auto same = pool.make(TermOp::equal, 64, terms[node.left], right);
    return node.kind == Proposition::Kind::equal ? same : negation(same);
  }
  case Proposition::Kind::all: return fold(TermOp::bit_and, 1);
  case Proposition::Kind::any: return fold(TermOp::bit_or, 0);
  case Proposition::Kind::negation: return negation(term(node.parts[0], pool, terms));
  case Proposition::Kind::implication:
    return pool.make(TermOp::bit_or, 64, negation(term(node.parts[0], pool, terms)),
                     term(node.parts[1], pool, terms));
  }
  bug(__FILE__, __LINE__, "unknown kind of proposition");
}

bool Predicate::holds(std::span<const Value> values) const {
  const std::vector<char> known(values.size(), 1);
  return evaluate(values, known) == Truth::yes;
}

std::size_t StateTable::find(std::span<const Value> state) const {
  std::uint64_t h = 0x9e3779b97f4a7c15U;
  for (const auto v : state) {
    h = (h ^ static_cast<std::uint64_t>(v)) * 0xff51afd7ed558ccdU;
    h ^= h >> 32;
  }
  const auto mask = slots_.size() - 1;
  auto slot = static_cast<std::size_t>(h) & mask;
  while (slots_[slot] != empty && !std::ranges::equal((*this)[slots_[slot]], state))
    slot = (slot + 1) & mask;
  return slot;
}

std::pair<std::uint32_t, bool> StateTable::insert(std::span<const Value> state) {
  auto slot = find(state);
  if (slots_[slot] != empty) return {slots_[slot], false};
  if (2 * (size_ + 1) > slots_.size()) {
    grow();
    slot = find(state);
  }
  values_.insert(values_.end(), state.begin(), state.end());
  slots_[slot] = static_cast<std::uint32_t>(size_);
  return {static_cast<std::uint32_t>(size_++), true};
}

void StateTable::grow() {
  slots_.assign(2 * slots_.size(), empty);
  for (std::uint32_t i = 0; i < size_; ++i) slots_[find((*this)[i])] = i;
}

namespace {

/// Ranks of the values of a column in the order of their texts. Where a value ends the text, "1"
/// comes before "10"; where more follows, "10;" comes before "1;".
std::vector<std::uint32_t> text_ranks(std::span<const Value> distinct, const Observed& column,
                                      bool last) {
  std::vector<std::pair<std::string, std::uint32_t>> texts;
  for (const auto value : distinct)
    texts.emplace_back(column.text(value) + (last ? "" : ";"), texts.size());
  std::ranges::sort(texts);
  std::vector<std::uint32_t> ranks(texts.size());
  for (std::uint32_t r = 0; r < texts.size(); ++r) ranks[texts[r].second] = r;
  return ranks;
}

} // namespace

/// Texts differ first where a value does, so rows compare as rows of ranks; as many columns as fit
/// are packed into a key, which nearly always decides.
std::vector<std::uint32_t> StateTable::in_text_order(std::span<const Observed> columns,
                                                     std::size_t rows, Watch& watch) const {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint32_t> ranks(rows * width_);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(rows);
  for (std::uint32_t i = 0; i < rows; ++i) order[i].second = i;
  std::uint64_t packed = 1; // keys are below
  for (std::size_t column = 0; column < width_; ++column) {
    std::unordered_map<Value, std::uint32_t> seen;
    std::vector<Value> distinct;
    for (std::size_t i = 0; i < rows; ++i) {
      watch.demand();
      const auto [at, fresh] = seen.try_emplace((*this)[i][column], distinct.size());
      if (fresh) distinct.push_back(at->first);
      ranks[i * width_ + column] = at->second;
    }
    watch.demand(distinct.size());
    const auto rank = text_ranks(distinct, columns[column], column + 1 == width_);
    packed = distinct.empty() || packed > most / distinct.size() ? 0 : packed * distinct.size();
    for (std::size_t i = 0; i < rows; ++i) {
      auto& cell = ranks[i * width_ + column];
      cell = rank[cell];
      if (packed != 0) order[i].first = order[i].first * distinct.size() + cell;
    }
  }
  std::ranges::sort(order, [&](const auto& a, const auto& b) {
    watch.demand();
    if (a.first != b.first) return a.first < b.first;
    const auto* x = ranks.data() + a.second * width_;
    const auto* y = ranks.data() + b.second * width_;
    return std::lexicographical_compare(x, x + width_, y, y + width_);
  });
  std::vector<std::uint32_t> sorted;
  sorted.reserve(rows);
  for (const auto& [key, row] : order) sorted.push_back(row);
  return sorted;
}

} // namespace thinair::executions
