// Sets, relations and sets of anything, at run time.
#include "litmus/text/error.h"
#include "oracle/cat/machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::cat {
namespace {

std::string_view describe(Machine::Value::Kind kind) {
  switch (kind) {
  case Machine::Value::Kind::empty: return "the empty set";
  case Machine::Value::Kind::event: return "an event";
  case Machine::Value::Kind::pair: return "a pair of events";
  case Machine::Value::Kind::set: return "a set";
  case Machine::Value::Kind::relation: return "a relation";
  case Machine::Value::Kind::collection: return "a set of sets or relations";
  case Machine::Value::Kind::tuple: return "a tuple";
  case Machine::Value::Kind::closure: break;
  }
  return "a function";
}

bool is_empty(const RunRelation& relation) {
  return std::ranges::all_of(relation, [](const RunSet& row) { return row.empty(); });
}

std::uint32_t first_of(const RunSet& set) {
  for (std::uint32_t i = 0; i < set.words.size(); ++i)
    if (set.words[i] != 0)
      return 64 * i + static_cast<std::uint32_t>(std::countr_zero(set.words[i]));
  return RunSet::capacity;
}

} // namespace

void Machine::fail(std::string_view expected, Value::Kind found) {
  throw InputError(
      fmt::format("error: in a part of the model that each execution evaluates: expected "
                  "{}, found {}",
                  expected, describe(found)));
}

Machine::ValueId Machine::add(Value value) {
  values_.push_back(std::move(value));
  return static_cast<ValueId>(values_.size() - 1);
}

Machine::ValueId Machine::add_set(const RunSet& set) {
  return set.empty() ? add({}) : add({.kind = Value::Kind::set, .set = set});
}

Machine::ValueId Machine::add_relation(RunRelation relation) {
  count(input_.events);
  if (is_empty(relation)) return add({});
  return add({.kind = Value::Kind::relation, .relation = std::move(relation)});
}

RunSet Machine::as_set(ValueId id) const {
  const Value& value = values_[id];
  RunSet result;
  if (value.kind == Value::Kind::set) return value.set;
  if (value.kind == Value::Kind::event)
    result.insert(value.a);
  else if (value.kind != Value::Kind::empty)
    fail("a set", value.kind);
  return result;
}

RunRelation Machine::as_relation(ValueId id) const {
  const Value& value = values_[id];
  if (value.kind == Value::Kind::relation) return value.relation;
  RunRelation result(input_.events);
  if (value.kind == Value::Kind::pair)
    result[value.a].insert(value.b);
  else if (value.kind != Value::Kind::empty)
    fail("a relation", value.kind);
  return result;
}

std::strong_ordering Machine::compare(ValueId x, ValueId y) const {
  const Value& a = values_[x];
  const Value& b = values_[y];
  if (const auto order = a.kind <=> b.kind; order != 0) return order;
  if (const auto order = std::pair(a.a, a.b) <=> std::pair(b.a, b.b); order != 0) return order;
  if (const auto order = a.set.words <=> b.set.words; order != 0) return order;
  for (std::size_t e = 0; e < a.relation.size(); ++e)
    if (const auto order = a.relation[e].words <=> b.relation[e].words; order != 0) return order;
  if (const auto order = a.items.size() <=> b.items.size(); order != 0) return order;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (const auto order = compare(a.items[i], b.items[i]); order != 0) return order;
  return std::strong_ordering::equal;
}

/// A set of values in its normal form.
Machine::ValueId Machine::collect(std::vector<ValueId> items) {
  if (items.empty()) return add({});
  const auto all = [&](Value::Kind kind) {
    return std::ranges::all_of(items, [&](ValueId id) { return values_[id].kind == kind; });
  };
  if (all(Value::Kind::event)) {
    RunSet set;
    for (const ValueId id : items) set.insert(values_[id].a);
    return add_set(set);
  }
  if (all(Value::Kind::pair)) {
    RunRelation relation(input_.events);
    for (const ValueId id : items) relation[values_[id].a].insert(values_[id].b);
    return add_relation(std::move(relation));
  }
  count(items.size());
  std::ranges::sort(items, [&](ValueId a, ValueId b) { return compare(a, b) < 0; });
  const auto same = [&](ValueId a, ValueId b) { return compare(a, b) == 0; };
  items.erase(std::unique(items.begin(), items.end(), same), items.end());
  return add({.kind = Value::Kind::collection, .items = std::move(items)});
}

std::vector<Machine::ValueId> Machine::elements(ValueId set) {
  const Value value = values_[set];
  std::vector<ValueId> result;
  switch (value.kind) {
  case Value::Kind::empty: break;
  case Value::Kind::set:
    for (std::uint32_t e = 0; e < input_.events; ++e)
      if (value.set.contains(e)) result.push_back(add({.kind = Value::Kind::event, .a = e}));
    break;
  case Value::Kind::relation:
    for (std::uint32_t a = 0; a < input_.events; ++a)
      for (std::uint32_t b = 0; b < input_.events; ++b)
        if (value.relation[a].contains(b))
          result.push_back(add({.kind = Value::Kind::pair, .a = a, .b = b}));
    break;
  case Value::Kind::collection: return value.items;
  case Value::Kind::event:
  case Value::Kind::pair:
  case Value::Kind::tuple:
  case Value::Kind::closure: fail("a set", value.kind);
  }
  return result;
}

/// The first element of a set that is not empty, and the others.
std::pair<Machine::ValueId, Machine::ValueId> Machine::split(ValueId set) {
  Value value = values_[set];
  switch (value.kind) {
  case Value::Kind::set: {
    const std::uint32_t e = first_of(value.set);
    value.set.erase(e);
    const ValueId first = add({.kind = Value::Kind::event, .a = e});
    return {first, add_set(value.set)};
  }
  case Value::Kind::relation: {
    std::uint32_t a = 0;
    while (value.relation[a].empty()) ++a;
    const std::uint32_t b = first_of(value.relation[a]);
    value.relation[a].erase(b);
    const ValueId first = add({.kind = Value::Kind::pair, .a = a, .b = b});
    return {first, add_relation(std::move(value.relation))};
  }
  case Value::Kind::collection: {
    const ValueId first = value.items.front();
    count(value.items.size());
    value.items.erase(value.items.begin());
    return {first, value.items.empty() ? add({}) : add(std::move(value))};
  }
  case Value::Kind::empty:
  case Value::Kind::event:
  case Value::Kind::pair:
  case Value::Kind::tuple:
  case Value::Kind::closure: break;
  }
  fail("a set", value.kind);
}

Machine::ValueId Machine::insert(ValueId item, ValueId set) {
  const Value& element = values_[item];
  const Value& others = values_[set];
  const auto is = [&](Value::Kind kind) {
    return others.kind == Value::Kind::empty || others.kind == kind;
  };
  if (element.kind == Value::Kind::event && is(Value::Kind::set)) {
    RunSet result = as_set(set);
    result.insert(element.a);
    return add_set(result);
  }
  if (element.kind == Value::Kind::pair && is(Value::Kind::relation)) {
    RunRelation result = as_relation(set);
    result[element.a].insert(element.b);
    return add_relation(std::move(result));
  }
  if (!is(Value::Kind::collection)) fail("a set of sets or relations", others.kind);
  auto items = elements(set);
  items.push_back(item);
  return collect(std::move(items));
}

Machine::ValueId Machine::lattice(Kind kind, ValueId left, ValueId right) {
  const auto any = [&](Value::Kind a, Value::Kind b) {
    return values_[left].kind == a || values_[left].kind == b || values_[right].kind == a ||
           values_[right].kind == b;
  };
  const auto merge = [&](const RunSet& a, const RunSet& b) {
    return kind == Kind::unite ? a | b : kind == Kind::intersect ? a & b : a - b;
  };
  if (any(Value::Kind::relation, Value::Kind::pair)) {
    RunRelation result = as_relation(left);
    const RunRelation other = as_relation(right);
    for (std::uint32_t e = 0; e < input_.events; ++e) result[e] = merge(result[e], other[e]);
    return add_relation(std::move(result));
  }
  if (any(Value::Kind::set, Value::Kind::event)) return add_set(merge(as_set(left), as_set(right)));
  const auto a = elements(left);
  const auto b = elements(right);
  const auto among = [&](ValueId item, const std::vector<ValueId>& set) {
    return std::ranges::any_of(set, [&](ValueId other) { return compare(item, other) == 0; });
  };
  std::vector<ValueId> result;
  for (const ValueId item : a)
    if (kind == Kind::unite || among(item, b) == (kind == Kind::intersect)) result.push_back(item);
  if (kind == Kind::unite) result.insert(result.end(), b.begin(), b.end());
  return collect(std::move(result));
}

// ---- relations ------------------------------------------------------------------------------

RunSet Machine::everything() const {
  RunSet result;
  for (std::uint32_t e = 0; e < input_.events; ++e) result.insert(e);
  return result;
}

RunRelation Machine::identity() const {
  RunRelation result(input_.events);
  for (std::uint32_t e = 0; e < input_.events; ++e) result[e].insert(e);
  return result;
}

RunRelation Machine::compose(const RunRelation& a, const RunRelation& b) const {
  RunRelation result(input_.events);
  for (std::uint32_t e = 0; e < input_.events; ++e)
    for (std::uint32_t m = 0; m < input_.events; ++m)
      if (a[e].contains(m)) result[e] = result[e] | b[m];
  return result;
}

/// The transitive closure (Warshall).
RunRelation Machine::close(RunRelation r) const {
  for (std::uint32_t m = 0; m < input_.events; ++m)
    for (std::uint32_t e = 0; e < input_.events; ++e)
      if (r[e].contains(m)) r[e] = r[e] | r[m];
  return r;
}

Machine::ValueId Machine::of_relation(Kind kind, ValueId operand) {
  count(input_.events);
  if (kind == Kind::identity_on) {
    RunRelation result = identity();
    const RunSet set = as_set(operand);
    for (RunSet& row : result) row = row & set;
    return add_relation(std::move(result));
  }
  const auto kind_of_operand = values_[operand].kind;
  if (kind == Kind::complement &&
      (kind_of_operand == Value::Kind::set || kind_of_operand == Value::Kind::event))
    return add_set(everything() - as_set(operand));
  RunRelation r = as_relation(operand);
  RunSet set;
  RunRelation result(input_.events);
  for (std::uint32_t e = 0; e < input_.events; ++e) {
    if (kind == Kind::domain && !r[e].empty()) set.insert(e);
    if (kind == Kind::range) set = set | r[e];
    if (kind == Kind::complement) result[e] = everything() - r[e];
    for (std::uint32_t to = 0; kind == Kind::inverse && to < input_.events; ++to)
      if (r[e].contains(to)) result[to].insert(e);
  }
  if (kind == Kind::domain || kind == Kind::range) return add_set(set);
  if (kind == Kind::complement || kind == Kind::inverse) return add_relation(std::move(result));
  if (kind != Kind::optional_) r = close(std::move(r));
  if (kind != Kind::plus)
    for (std::uint32_t e = 0; e < input_.events; ++e) r[e].insert(e);
  return add_relation(std::move(r));
}

// ---- orders and classes ---------------------------------------------------------------------

Machine::ValueId Machine::linearisations(ValueId argument) {
  const Value pair = values_[argument];
  if (pair.kind != Value::Kind::tuple || pair.items.size() != 2)
    fail("a set and a relation", pair.kind);
  const RunSet set = as_set(pair.items[0]);
  RunRelation order = close(as_relation(pair.items[1]));
  for (RunSet& row : order) row = row & set;
  std::vector<std::uint32_t> done;
  std::vector<ValueId> found;
  extend_orders(set, order, done, found);
  return collect(std::move(found));
}

/// Puts each of `left` next that nothing else of `left` must precede; an event on a cycle never is.
void Machine::extend_orders(const RunSet& left, const RunRelation& closed,
                            std::vector<std::uint32_t>& done, std::vector<ValueId>& found) {
  count(1);
  if (left.empty()) {
    RunRelation result(input_.events);
    for (std::size_t i = 0; i < done.size(); ++i)
      for (std::size_t j = i + 1; j < done.size(); ++j) result[done[i]].insert(done[j]);
    found.push_back(add_relation(std::move(result)));
    return;
  }
  for (std::uint32_t e = 0; e < input_.events; ++e) {
    if (!left.contains(e)) continue;
    bool ready = true;
    for (std::uint32_t other = 0; ready && other < input_.events; ++other)
      ready = !left.contains(other) || !closed[other].contains(e);
    if (!ready) continue;
    RunSet rest = left;
    rest.erase(e);
    done.push_back(e);
    extend_orders(rest, closed, done, found);
    done.pop_back();
  }
}

Machine::ValueId Machine::classes_loc(ValueId set, const RunRelation& loc) {
  RunSet left = as_set(set);
  std::vector<ValueId> result;
  while (!left.empty()) {
    const std::uint32_t e = first_of(left);
    RunSet one = left & loc[e]; // a fence has no location: it is in no class
    left = left - one;
    left.erase(e);
    if (!one.empty()) result.push_back(add_set(one));
  }
  return collect(std::move(result));
}

Machine::ValueId Machine::classes(ValueId relation) {
  const RunRelation r = as_relation(relation);
  RunSet seen;
  std::vector<ValueId> result;
  for (std::uint32_t e = 0; e < input_.events; ++e) {
    if (r[e].empty() || seen.contains(e)) continue;
    seen = seen | r[e];
    result.push_back(add_set(r[e]));
  }
  return collect(std::move(result));
}

} // namespace thinair::cat
