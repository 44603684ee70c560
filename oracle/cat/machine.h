// The tree interpreter of routines: values in an array, environments as linked lists.
#pragma once

#include "oracle/cat/interpret.h"

#include <compare>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::cat {

class Machine {
 public:
  using ValueId = std::uint32_t;

  struct Value {
    /// An empty set of anything is `empty`; a set of events is `set`, of pairs `relation`, and of
    /// anything else `collection`, sorted.
    enum class Kind : std::uint8_t {
      empty,
      event,
      pair,
      set,
      relation,
      collection,
      tuple,
      closure
    } kind = Kind::empty;
    std::uint32_t a = 0, b = 0; // event; pair; closure: term and environment
    RunSet set = {};
    RunRelation relation = {};
    std::vector<ValueId> items = {};
  };

  Machine(const Routine& routine, const RunInput& input) : routine_(routine), input_(input) {}

  ValueId run() { return evaluate(routine_.root, 0); }
  const Value& operator[](ValueId id) const { return values_[id]; }

  RunSet as_set(ValueId id) const;
  RunRelation as_relation(ValueId id) const;
  [[noreturn]] static void fail(std::string_view expected, Value::Kind found);

 private:
  using Kind = RoutineTerm::Kind;
  using EnvironmentId = std::uint32_t;
  struct Binding {
    std::uint32_t slot;
    ValueId value;
    EnvironmentId parent;
  };

  const Routine& routine_;
  const RunInput& input_;
  std::vector<Value> values_;
  std::vector<Binding> bindings_{{no_slot, 0, 0}};
  std::uint64_t steps_ = 0;
  std::uint32_t depth_ = 0;

  ValueId add(Value value);
  ValueId add_set(const RunSet& set);
  ValueId add_relation(RunRelation relation);
  ValueId collect(std::vector<ValueId> items);
  EnvironmentId bind(EnvironmentId environment, const std::vector<std::uint32_t>& slots,
                     ValueId value);
  EnvironmentId bind_slot(EnvironmentId environment, std::uint32_t slot, ValueId value);
  ValueId look_up(EnvironmentId environment, std::uint32_t slot) const;

  ValueId evaluate(std::uint32_t term, EnvironmentId environment);
  ValueId loop(std::uint32_t term, EnvironmentId environment);
  ValueId leaf(const RoutineTerm& term, EnvironmentId environment);
  ValueId operation(const RoutineTerm& term, EnvironmentId environment);
  ValueId of_relation(Kind kind, ValueId operand);
  ValueId lattice(Kind kind, ValueId left, ValueId right);
  ValueId insert(ValueId item, ValueId set);
  EnvironmentId enter(const RoutineTerm& term, EnvironmentId environment);
  EnvironmentId enter_recursive(const RoutineTerm& term, EnvironmentId environment);
  std::pair<ValueId, ValueId> split(ValueId set);
  std::vector<ValueId> elements(ValueId set);
  std::strong_ordering compare(ValueId a, ValueId b) const;

  ValueId linearisations(ValueId argument);
  void extend_orders(const RunSet& left, const RunRelation& closed,
                     std::vector<std::uint32_t>& done, std::vector<ValueId>& found);
  ValueId classes_loc(ValueId set, const RunRelation& loc);
  ValueId classes(ValueId relation);

  RunRelation compose(const RunRelation& a, const RunRelation& b) const;
  RunRelation close(RunRelation r) const;
  RunRelation identity() const;
  RunSet everything() const;
  void count(std::uint64_t steps);
};

} // namespace thinair::cat
