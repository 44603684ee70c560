// The differential check of lowered code against its source, without concurrency.
#include "lower/sequential.h"

#include "litmus/floating.h"
#include "litmus/objects.h"
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "lower/machine.h"
#include "lower/naming.h"
#include "lower/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace thinair::lower {
namespace {

using litmus::Action;
using litmus::Expression;
using litmus::TypeKind;
using litmus::Value;

class SourceRun {
 public:
  SourceRun(const litmus::Program& program, const litmus::Thread& thread, std::vector<Value> memory)
      : program_(program) {
    for (const auto& reg : thread.registers) out_.registers.push_back({reg.initial, reg.type.kind});
    out_.memory = std::move(memory);
    block(thread.body);
  }
  std::optional<SourceOutcome> take() {
    return stopped_ ? std::nullopt : std::optional(std::move(out_));
  }

 private:
  void block(const litmus::Block& statements) {
    for (const auto& statement : statements)
      if (!stopped_) std::visit([this](const auto& node) { visit(node); }, statement.node);
  }
  std::optional<litmus::TypedValue> typed(const Expression& e) {
    const auto result = litmus::evaluate(e, out_.registers);
    stopped_ |= !result;
    return result;
  }
  Value value(const Expression& e) {
    const auto result = typed(e);
    return result ? result->value : 0;
  }
  /// As a variable of the type holds it.
  Value value(const Expression& e, TypeKind type) {
    const auto result = typed(e);
    return result ? assigned(*result, type) : 0;
  }
  static Value assigned(litmus::TypedValue value, TypeKind type) {
    return litmus::is_floating(type) ? litmus::converted(value.type, type, value.value)
                                     : value.value;
  }
  void visit(const litmus::Assign& node) {
    auto& target = out_.registers[node.target.value];
    target.value = value(node.value, target.type);
  }
  void visit(const litmus::FenceStatement&) {}
  void visit(const litmus::If& node) {
    block(value(node.condition) != 0 ? node.then_block : node.else_block);
  }
  void visit(const litmus::Access& node);
  void visit(const litmus::Cut&) { stopped_ = true; }
  // Alone, nobody else holds a monitor, and whoever is waited for has ended.
  void visit(const litmus::MonitorStatement&) {}
  void visit(const litmus::ThreadStatement&) {}
  void visit(const litmus::ExternalStatement&) {}
  template <class Other>
  void visit(const Other&) {
    throw Unsupported("loops and objects in what a thread does alone");
  }

  const litmus::Program& program_;
  SourceOutcome out_;
  bool stopped_ = false; // by a division by zero, or at the bound of a loop
};

/// As the location's type holds it.
Value updated(Action action, TypeKind type, Value old, Value arg) {
  switch (action) {
  case Action::get_and_add:
    if (litmus::is_floating(type)) return *litmus::apply(litmus::Operator::add, type, old, arg);
    return litmus::narrowed(type, *litmus::apply(litmus::Operator::add, TypeKind::long_, old, arg));
  case Action::get_and_or: return old | arg;
  case Action::get_and_and: return old & arg;
  case Action::get_and_xor: return old ^ arg;
  case Action::get: return old;
  case Action::set:
  case Action::get_and_set:
  case Action::compare_and_set:
  case Action::compare_and_exchange:
  case Action::weak_compare_and_set: return arg;
  }
  return arg;
}

void SourceRun::visit(const litmus::Access& node) {
  const Action action = litmus::info(node.method).action;
  Value& cell = out_.memory[node.location.value];
  const TypeKind type = kind_of(program_.locations[node.location.value].type);
  const Value old = cell;
  litmus::TypedValue result{old, type};
  if (node.arguments.size() == 2) {
    const bool succeeds = value(node.arguments[0], type) == old;
    const Value wanted = value(node.arguments[1], type);
    if (succeeds) cell = wanted;
    if (action != Action::compare_and_exchange) result = {succeeds, TypeKind::int_};
  } else if (node.arguments.size() == 1) {
    cell = updated(action, type, old, value(node.arguments[0], type));
  }
  if (!node.target) return;
  auto& target = out_.registers[node.target->value];
  target.value = assigned(result, target.type);
}

/// The target's observables of one thread, and memory, as a behaviour.
litmus::Behaviour observed(const std::vector<litmus::Observable>& observables,
                           litmus::ThreadId thread, const TargetOutcome& outcome,
                           const litmus::Code& program) {
  litmus::Behaviour values;
  for (const auto& observable : observables) {
    std::uint64_t value = 0;
    if (!observable.thread) {
      const auto cells = program.cells();
      const auto cell = std::ranges::find(cells, observable.name, &litmus::Cell::name);
      THINAIR_CHECK(cell != cells.end(), "a restoration names no cell of the program");
      value = outcome.memory[static_cast<std::size_t>(cell - cells.begin())];
    } else if (*observable.thread == thread) {
      const auto reg = program.register_of(observable);
      THINAIR_CHECK(reg.has_value(), "a restoration names no register");
      value = outcome.registers.at(*reg);
    }
    values.push_back(static_cast<litmus::Value>(value));
  }
  return values;
}

std::optional<std::string> compare(const litmus::Program& source, litmus::ThreadId thread,
                                   const Lowered& lowered, const SourceOutcome& expected,
                                   const TargetOutcome& got) {
  const auto needed = lowered.restoration.needed();
  const auto seen = observed(needed, thread, got, lowered.program);
  if (lowered.restoration.of(needed, seen) == Restoration::Of::trapped) return std::nullopt;
  const auto values = lowered.restoration.restore(needed, seen);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const litmus::Observable& row = lowered.restoration.rows[i].source;
    if (row.thread && *row.thread != thread) continue;
    Value want = 0;
    if (row.thread) {
      const auto& registers = source.threads[thread.value].registers;
      const auto reg = std::ranges::find(registers, row.name, &litmus::Register::name);
      want = expected.registers[static_cast<std::size_t>(reg - registers.begin())].value;
    } else {
      const auto cell = std::ranges::find(source.locations, row.name, &litmus::Location::name);
      want = expected.memory[static_cast<std::size_t>(cell - source.locations.begin())];
    }
    if (values[i] != want)
      return fmt::format("thread {} alone: {} is {} in the source and {} in its code", thread.value,
                         to_string(row), want, values[i]);
  }
  return std::nullopt;
}

/// Mostly small values, as litmus tests have, with the ends of the range among them.
Value random_value(litmus::Random& random) {
  switch (random.below(8)) {
  case 0: return static_cast<std::int32_t>(random.next());
  case 1: return -1;
  case 2: return random.chance(1, 2) ? INT32_MIN : INT32_MAX;
  }
  return static_cast<Value>(random.below(4));
}

} // namespace

std::optional<SourceOutcome> run_source(const litmus::Program& program, litmus::ThreadId thread,
                                        std::vector<Value> memory) {
  return SourceRun(program, program.threads.at(thread.value), std::move(memory)).take();
}

TargetOutcome run_target(const Lowered& lowered, litmus::ThreadId thread,
                         const std::vector<Value>& memory) {
  std::vector<std::uint64_t> cells;
  for (const auto& cell : lowered.program.cells())
    cells.push_back(static_cast<std::uint64_t>(cell.initial));
  for (std::size_t i = 0; i < memory.size(); ++i)
    cells.at(i) = litmus::truncated(static_cast<std::uint64_t>(memory[i]),
                                    lowered.program.cells()[i].type.width);
  for (const auto& row : lowered.restoration.rows) {
    if (!row.high) continue;
    const auto at = [&](const auto& of, auto member, const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(of, name, member) - of.begin());
    };
    const auto source = at(lowered.source.locations, &litmus::Location::name, row.source.name);
    cells.at(at(lowered.program.cells(), &litmus::Cell::name, row.high->name)) =
        static_cast<std::uint64_t>(memory.at(source)) >> 32U;
  }
  const RuntimeWords words(lowered.source);
  for (std::size_t t = 0; t < lowered.source.threads.size(); ++t)
    for (const auto word : {words.started(t), words.ended(t)})
      if (word) cells.at(word->value) = 1;
  const Machine machine = machine_of(lowered.language->machine);
  if (machine->run_alone == nullptr)
    throw Unsupported(fmt::format("{} code of a thread alone", machine->prefix));
  return machine->run_alone(lowered.program, thread, std::move(cells));
}

std::optional<std::string> sequential_difference(const litmus::Program& source,
                                                 const Lowered& lowered, std::uint64_t seed,
                                                 unsigned rounds) {
  litmus::refuse_objects(source, "in what a thread does alone");
  litmus::Random random(seed);
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::uint32_t t = 0; t < source.threads.size(); ++t) {
      std::vector<Value> memory;
      for (std::size_t i = 0; i < source.locations.size(); ++i)
        memory.push_back(litmus::narrowed(kind_of(source.locations[i].type), random_value(random)));
      const litmus::ThreadId thread(t);
      const auto expected = run_source(source, thread, memory);
      if (!expected) continue;
      const auto got = run_target(lowered, thread, memory);
      if (auto difference = compare(source, thread, lowered, *expected, got)) return difference;
    }
  }
  return std::nullopt;
}

} // namespace thinair::lower
