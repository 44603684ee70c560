// The differential check of lowered code against its source, without concurrency.
#include "lower/sequential.h"

#include "litmus/random.h"
#include "litmus/text/error.h"
#include "lower/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace thinair::lower {
namespace {

using litmus::Action;
using litmus::Expression;

class SourceRun {
 public:
  SourceRun(const litmus::Thread& thread, std::vector<std::int32_t> memory) {
    for (const auto& reg : thread.registers) out_.registers.push_back(reg.initial);
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
  std::int32_t value(const Expression& e) {
    const auto result = litmus::evaluate(e, out_.registers);
    stopped_ |= !result;
    return result.value_or(0);
  }
  void visit(const litmus::Assign& node) { out_.registers[node.target.value] = value(node.value); }
  void visit(const litmus::FenceStatement&) {}
  void visit(const litmus::If& node) {
    block(value(node.condition) != 0 ? node.then_block : node.else_block);
  }
  void visit(const litmus::Access& node);
  void visit(const litmus::Cut&) { stopped_ = true; }
  template <class Other>
  void visit(const Other&) {
    throw Unsupported("a statement that is not an access, a fence, an assignment or an if");
  }

  SourceOutcome out_;
  bool stopped_ = false; // by a division by zero, or at the bound of a loop
};

std::int32_t updated(Action action, std::int32_t old, std::int32_t arg) {
  const auto sum = static_cast<std::uint32_t>(old) + static_cast<std::uint32_t>(arg);
  switch (action) {
  case Action::get_and_add: return static_cast<std::int32_t>(sum);
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
  std::int32_t& cell = out_.memory[node.location.value];
  const std::int32_t old = cell;
  std::int32_t result = old;
  if (node.arguments.size() == 2) {
    const bool succeeds = value(node.arguments[0]) == old;
    const std::int32_t wanted = value(node.arguments[1]);
    if (succeeds) cell = wanted;
    if (action != Action::compare_and_exchange) result = succeeds;
  } else if (node.arguments.size() == 1) {
    cell = updated(action, old, value(node.arguments[0]));
  }
  if (node.target) out_.registers[node.target->value] = result;
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
  const auto values =
      lowered.restoration.restore(needed, observed(needed, thread, got, lowered.program));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const litmus::Observable& row = lowered.restoration.rows[i].source;
    if (row.thread && *row.thread != thread) continue;
    std::int32_t want = 0;
    if (row.thread) {
      const auto& registers = source.threads[thread.value].registers;
      const auto reg = std::ranges::find(registers, row.name, &litmus::Register::name);
      want = expected.registers[static_cast<std::size_t>(reg - registers.begin())];
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
std::int32_t random_value(litmus::Random& random) {
  switch (random.below(8)) {
  case 0: return static_cast<std::int32_t>(random.next());
  case 1: return -1;
  case 2: return random.chance(1, 2) ? INT32_MIN : INT32_MAX;
  }
  return static_cast<std::int32_t>(random.below(4));
}

} // namespace

std::optional<SourceOutcome> run_source(const litmus::Program& program, litmus::ThreadId thread,
                                        std::vector<std::int32_t> memory) {
  return SourceRun(program.threads.at(thread.value), std::move(memory)).take();
}

TargetOutcome run_target(const Lowered& lowered, litmus::ThreadId thread,
                         const std::vector<std::int32_t>& memory) {
  std::vector<std::uint64_t> cells;
  for (const auto& cell : lowered.program.cells())
    cells.push_back(static_cast<std::uint64_t>(cell.initial));
  for (std::size_t i = 0; i < memory.size(); ++i)
    cells.at(i) = static_cast<std::uint32_t>(memory[i]);
  const Machine machine = machine_of(lowered.language->machine);
  if (machine->run_alone == nullptr)
    throw Unsupported(fmt::format("{} code of a thread alone", machine->prefix));
  return machine->run_alone(lowered.program, thread, std::move(cells));
}

std::optional<std::string> sequential_difference(const litmus::Program& source,
                                                 const Lowered& lowered, std::uint64_t seed,
                                                 unsigned rounds) {
  litmus::Random random(seed);
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::uint32_t t = 0; t < source.threads.size(); ++t) {
      std::vector<std::int32_t> memory;
      for (std::size_t i = 0; i < source.locations.size(); ++i)
        memory.push_back(random_value(random));
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
