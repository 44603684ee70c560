// Renamings of programs for property tests, independent of litmus/canonical.
#pragma once

#include "litmus/flatten.h"
#include "litmus/random.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace thinair::litmus {

/// Where each of the things numbered 0, 1, ... goes.
using Order = std::vector<std::uint32_t>;

struct Renaming {
  Order threads, locations, monitors;
  std::vector<Order> registers; // by old thread
  std::map<Value, Value> values;
};

/// Applies a function to every part of a program that holds an id or a constant.
template <class Change>
class Rewriting {
 public:
  explicit Rewriting(Change& change) : change_(change) {}

  void block(Block& statements) {
    for (Statement& statement : statements)
      std::visit([this](auto& node) { part(node); }, statement.node);
  }

 private:
  void part(Expression& e) {
    if (e.op == Operator::constant) change_(e.constant);
    if (e.op == Operator::reg) change_(e.reg);
    if (e.op == Operator::access) e.field ? change_(e.field->object) : change_(e.location);
    for (Expression& argument : e.arguments) part(argument);
  }
  void part(Assign& node) {
    change_(node.target);
    node.declares = false;
    part(node.value);
  }
  void part(Access& node) {
    if (node.target) change_(*node.target);
    node.declares = false;
    node.field ? change_(node.field->object) : change_(node.location);
    for (Expression& argument : node.arguments) part(argument);
  }
  void part(If& node) {
    part(node.condition);
    block(node.then_block);
    block(node.else_block);
  }
  void part(Loop& node) {
    part(node.condition);
    block(node.body);
  }
  void part(MonitorStatement& node) { change_(node.monitor); }
  void part(ThreadStatement& node) { change_(node.thread); }
  void part(ExternalStatement& node) { part(node.value); }
  void part(New& node) {
    change_(node.target);
    node.declares = false;
    block(node.body);
  }
  void part(FenceStatement&) {}
  void part(Cut&) {}

  Change& change_;
};

template <class Change>
void rewrite(Block& block, Change change) {
  Rewriting<Change>(change).block(block);
}

inline Value new_value(const Renaming& renaming, Value value) {
  const auto found = renaming.values.find(value);
  return found == renaming.values.end() ? value : found->second;
}

/// Ids of one thread, changed as a renaming says.
struct Renamer {
  const Renaming& renaming;
  std::size_t thread;

  void operator()(Value& value) const { value = new_value(renaming, value); }
  void operator()(RegisterId& id) const { id = RegisterId{renaming.registers[thread][id.value]}; }
  void operator()(LocationId& id) const { id = LocationId{renaming.locations[id.value]}; }
  void operator()(MonitorId& id) const { id = MonitorId{renaming.monitors[id.value]}; }
  void operator()(ThreadId& id) const { id = ThreadId{renaming.threads[id.value]}; }
};

inline Program renamed(const Program& program, const Renaming& renaming) {
  Program out;
  out.locations.resize(program.locations.size());
  for (std::size_t i = 0; i < program.locations.size(); ++i) {
    const Location& old = program.locations[i];
    const std::uint32_t place = renaming.locations[i];
    out.locations[place] = {fmt::format("q{}", place), new_value(renaming, old.initial),
                            old.is_final, old.type};
  }
  for (std::size_t i = 0; i < program.monitors.size(); ++i)
    out.monitors.push_back(fmt::format("k{}", i));
  out.threads.resize(program.threads.size());
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Thread& old = program.threads[t];
    Thread& thread = out.threads[renaming.threads[t]];
    thread.name = fmt::format("Thread{}", renaming.threads[t]);
    thread.registers.resize(old.registers.size());
    for (std::size_t r = 0; r < old.registers.size(); ++r) {
      const std::uint32_t place = renaming.registers[t][r];
      thread.registers[place] = {fmt::format("s{}", place),
                                 new_value(renaming, old.registers[r].initial),
                                 old.registers[r].type};
    }
    for (std::uint32_t i = 0; i < out.locations.size(); ++i)
      thread.handles.push_back({fmt::format("H{}", i), LocationId{i}});
    thread.body = old.body;
    rewrite(thread.body, Renamer{renaming, t});
  }
  return out;
}

inline Order random_order(std::size_t count, Random& random) {
  Order order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// Every constant of the program, initial values included.
inline std::set<Value> constants_of(const Program& program) {
  std::set<Value> values;
  for (const Location& location : program.locations) values.insert(location.initial);
  struct Collect {
    std::set<Value>& values;
    void operator()(const Value& value) const { values.insert(value); }
    void operator()(const RegisterId&) const {}
    void operator()(const LocationId&) const {}
    void operator()(const MonitorId&) const {}
    void operator()(const ThreadId&) const {}
  };
  for (const Thread& thread : program.threads) {
    for (const Register& reg : thread.registers) values.insert(reg.initial);
    Block body = thread.body;
    rewrite(body, Collect{values});
  }
  return values;
}

inline Renaming random_renaming(const Program& program, ValueUse use, Random& random) {
  Renaming renaming;
  renaming.threads = random_order(program.threads.size(), random);
  renaming.locations = random_order(program.locations.size(), random);
  renaming.monitors = random_order(program.monitors.size(), random);
  for (const Thread& thread : program.threads)
    renaming.registers.push_back(random_order(thread.registers.size(), random));
  if (use == ValueUse::computed) return renaming;
  for (const Value value : constants_of(program)) {
    const bool kept = value <= 0 || value > 127 || (value == 1 && use == ValueUse::pins_one);
    if (!kept) renaming.values[value] = static_cast<Value>(50 + renaming.values.size() * 3);
  }
  return renaming;
}

/// Without locations and registers that no statement mentions.
inline Program without_unused(const Program& program) {
  Program out = program;
  std::vector<bool> touched(program.locations.size(), false);
  struct Note {
    std::vector<bool>&locations, &registers;
    void operator()(const Value&) const {}
    void operator()(const RegisterId& id) const { registers[id.value] = true; }
    void operator()(const LocationId& id) const { locations[id.value] = true; }
    void operator()(const MonitorId&) const {}
    void operator()(const ThreadId&) const {}
  };
  struct Shift {
    const Order &locations, &registers;
    void operator()(const Value&) const {}
    void operator()(RegisterId& id) const { id = RegisterId{registers[id.value]}; }
    void operator()(LocationId& id) const { id = LocationId{locations[id.value]}; }
    void operator()(const MonitorId&) const {}
    void operator()(const ThreadId&) const {}
  };
  std::vector<std::vector<bool>> used;
  for (Thread& thread : out.threads) {
    used.emplace_back(thread.registers.size(), false);
    rewrite(thread.body, Note{touched, used.back()});
  }
  const auto kept = [](const std::vector<bool>& flags, auto& things) {
    Order places;
    std::decay_t<decltype(things)> left;
    for (std::size_t i = 0; i < flags.size(); ++i) {
      places.push_back(static_cast<std::uint32_t>(left.size()));
      if (flags[i]) left.push_back(things[i]);
    }
    things = std::move(left);
    return places;
  };
  const Order locations = kept(touched, out.locations);
  for (std::size_t t = 0; t < out.threads.size(); ++t) {
    const Order registers = kept(used[t], out.threads[t].registers);
    rewrite(out.threads[t].body, Shift{locations, registers});
  }
  return out;
}

} // namespace thinair::litmus
