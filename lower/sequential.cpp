// The differential check of lowered code against its source, without concurrency.
#include "lower/sequential.h"

#include "litmus/floating.h"
#include "litmus/objects.h"
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
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
  SourceRun(const litmus::Program& program, const litmus::Thread& thread, std::vector<Value> memory,
            NarrowWitness witness)
      : program_(program), thread_(thread), witness_(witness), fields_(program) {
    for (const auto& reg : thread.registers)
      out_.registers.push_back({reg.initial, kind_of(reg.type)});
    out_.memory = std::move(memory);
    block(thread.body);
  }
  std::optional<SourceOutcome> take() {
    return stopped_ ? std::nullopt : std::optional(std::move(out_));
  }
  /// What memory is where it stopped, or at its end.
  std::vector<Value> memory() { return std::move(out_.memory); }
  bool is_cut() const { return cut_; }

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
  void visit(const litmus::Cut&) { stopped_ = cut_ = true; }
  // Alone, nobody else holds a monitor, and whoever is waited for has ended.
  void visit(const litmus::MonitorStatement&) {}
  void visit(const litmus::ThreadStatement&) {}
  void visit(const litmus::ExternalStatement&) {}
  void visit(const litmus::New& node) {
    out_.registers[node.target.value].value = Value{node.object.value} + 1;
    block(node.body);
  }
  template <class Other>
  void visit(const Other&) {
    throw Unsupported("loops in what a thread does alone");
  }
  /// What a reference leads to; none by null.
  std::optional<litmus::ObjectId> object_of(const litmus::FieldOf& field) const {
    const Value reference = out_.registers[field.object.value].value;
    if (reference == 0) return std::nullopt;
    return litmus::ObjectId(static_cast<std::uint32_t>(reference - 1));
  }
  /// Where an access goes, in `out_.memory`; none by null, or by an index that is out of bounds.
  std::optional<std::size_t> place_of(const litmus::Access& node) {
    if (!node.field) return node.location.value;
    const auto object = object_of(*node.field);
    if (!object) return std::nullopt;
    const Expression* index = litmus::element_index(node);
    if (index == nullptr) return fields_.of(*object, node.field->field).value;
    const Value at = value(*index);
    if (stopped_ || at < 0 || at >= Value{size_of(program_, *object)}) return std::nullopt;
    return fields_.of(*object, static_cast<std::uint32_t>(at)).value;
  }
  /// The length of an array, which preparing reads for its comparisons with indices (bounds.h).
  bool reads_length(const litmus::Access& node) {
    if (!node.field || node.field->element) return false;
    const auto of = thread_.registers[node.field->object.value].type.of;
    if (!program_.classes[of.value].is_array) return false;
    const auto object = object_of(*node.field);
    stopped_ |= !object;
    if (object) out_.registers[node.target->value].value = size_of(program_, *object);
    return true;
  }

  const litmus::Program& program_;
  const litmus::Thread& thread_;
  const NarrowWitness witness_;
  litmus::FieldLocations fields_;
  SourceOutcome out_;
  bool stopped_ = false; // by an exception, or at the bound of a loop
  bool cut_ = false;     // the latter
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

bool is_narrow(TypeKind kind) { return kind == TypeKind::byte || kind == TypeKind::short_; }

/// What x86's cmpxchg leaves in a register of 32 bits where it does not write, and xadd and xchg
/// always: the other bits are those of what was in the register.
Value cut(TypeKind type, Value before, Value found) {
  const Value low = type == TypeKind::byte ? 0xFF : 0xFFFF;
  return (before & ~low) | (found & low);
}

void SourceRun::visit(const litmus::Access& node) {
  if (reads_length(node)) return;
  const Action action = litmus::info(node.method).action;
  const auto operands = litmus::operands_of(node);
  const auto place = place_of(node);
  stopped_ |= !place;
  if (stopped_) return;
  Value& cell = out_.memory[*place];
  const TypeKind type = kind_of(type_of(program_, thread_, node.location, node.field));
  const Value old = cell;
  litmus::TypedValue result{old, type};
  if (operands.size() == 2) {
    const Value awaited = value(operands[0], type);
    const Value wanted = value(operands[1], type);
    const bool cuts = witness_ == NarrowWitness::cut && is_narrow(type);
    const bool succeeds = (cuts ? litmus::narrowed(type, awaited) : awaited) == old;
    if (succeeds) cell = wanted;
    if (action != Action::compare_and_exchange)
      result = {succeeds, TypeKind::int_};
    else if (cuts && !succeeds)
      result = {cut(type, awaited, old), TypeKind::int_};
  } else if (operands.size() == 1) {
    const Value given = value(operands[0], type);
    cell = updated(action, type, old, given);
    const bool exchanges = action == Action::get_and_add || action == Action::get_and_set;
    if (witness_ == NarrowWitness::cut && is_narrow(type) && exchanges)
      result = {cut(type, given, old), TypeKind::int_};
  }
  if (is_narrow(type)) cell = litmus::narrowed(type, cell); // where a witness was cut
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

/// Source and code, and where they have the same things.
struct Pair {
  const litmus::Program& source;
  const Lowered& lowered;
  const std::vector<std::vector<litmus::LocationId>>& fields;

  /// Calls `visit(place, cell, object, field)` for the places of fields in the memory of both.
  template <class Visit>
  void for_each_field(Visit&& visit) const {
    const litmus::FieldLocations places(source);
    for (std::uint32_t o = 0; o < fields.size(); ++o)
      for (std::uint32_t f = 0; f < fields[o].size(); ++f)
        visit(places.of(litmus::ObjectId(o), f).value, fields[o][f].value, litmus::ObjectId(o), f);
  }
  /// A value of the type as the machine has it.
  Value in_code(litmus::JavaType type, Value value) const {
    return type.refers() && !lowered.restoration.objects.empty()
               ? lowered.restoration.address_of(value)
               : value;
  }
};

/// The first field that is not what it is in the source.
std::optional<std::string> field_difference(const Pair& pair, litmus::ThreadId thread,
                                            const SourceOutcome& expected,
                                            const TargetOutcome& got) {
  std::optional<std::string> out;
  pair.for_each_field([&](auto place, auto cell, litmus::ObjectId object, std::uint32_t field) {
    const auto type = litmus::field_of(pair.source, object, field).type;
    const auto want = pair.in_code(type, expected.memory[place]);
    const auto seen = litmus::narrowed(kind_of(type), static_cast<Value>(got.memory[cell]));
    if (!out && want != seen)
      out = fmt::format("thread {} alone: {} is {} in the source and {} in its code", thread.value,
                        litmus::place_name(pair.source, object, field), want, seen);
  });
  return out;
}

std::optional<std::string> compare(const Pair& pair, litmus::ThreadId thread,
                                   const SourceOutcome& expected, const TargetOutcome& got) {
  const auto& [source, lowered, fields] = pair;
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
      want = litmus::narrowed(
          kind_of(reg->type),
          expected.registers[static_cast<std::size_t>(reg - registers.begin())].value);
    } else {
      const auto cell = std::ranges::find(source.locations, row.name, &litmus::Location::name);
      want = expected.memory[static_cast<std::size_t>(cell - source.locations.begin())];
    }
    if (values[i] != want)
      return fmt::format("thread {} alone: {} is {} in the source and {} in its code", thread.value,
                         to_string(row), want, values[i]);
  }
  return field_difference(pair, thread, expected, got);
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
                                        std::vector<Value> memory, NarrowWitness witness) {
  return SourceRun(program, program.threads.at(thread.value), std::move(memory), witness).take();
}

bool ends_alone(const litmus::Program& program, unsigned times) {
  const std::vector<Value> zeros(litmus::FieldLocations(program).count(), 0);
  std::vector<Value> kept = zeros;
  const auto is_cut = [&](const litmus::Thread& thread, std::vector<Value>& memory) {
    SourceRun run(program, thread, std::move(memory), NarrowWitness::extended);
    memory = run.memory();
    return run.is_cut();
  };
  for (const litmus::Thread& thread : program.threads)
    if (auto fresh = zeros; is_cut(thread, fresh)) return false;
  for (unsigned i = 0; i < times; ++i)
    for (const litmus::Thread& thread : program.threads)
      if (is_cut(thread, kept)) return false;
  return true;
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

namespace {

/// Which thread makes an object.
std::vector<std::uint32_t> makers_of(const litmus::Program& source) {
  std::vector<std::uint32_t> out(source.objects.size(), 0);
  for (std::uint32_t t = 0; t < source.threads.size(); ++t)
    litmus::for_each_statement(source.threads[t].body, [&](const litmus::Statement& statement) {
      if (const auto* made = std::get_if<litmus::New>(&statement.node)) out[made->object.value] = t;
    });
  return out;
}

/// Of the type; a reference is null or leads to an object that another thread has made.
Value random_value(litmus::Random& random, const litmus::Program& source, litmus::JavaType type,
                   const std::vector<std::uint32_t>& makers, std::uint32_t thread) {
  if (!type.refers()) return litmus::narrowed(kind_of(type), random_value(random));
  std::vector<Value> all{0};
  for (std::uint32_t o = 0; o < source.objects.size(); ++o)
    if (source.objects[o].of == type.of && makers[o] != thread) all.push_back(Value{o} + 1);
  return all[random.below(all.size())];
}

/// What memory may hold before a thread runs: the fields of what it makes are 0.
std::vector<Value> random_memory(litmus::Random& random, const litmus::Program& source,
                                 std::uint32_t thread) {
  const auto makers = makers_of(source);
  std::vector<Value> out;
  const auto add = [&](litmus::JavaType type) {
    out.push_back(random_value(random, source, type, makers, thread));
  };
  for (const auto& location : source.locations) add(location.type);
  for (std::uint32_t o = 0; o < source.objects.size(); ++o)
    for (std::uint32_t f = 0; f < size_of(source, litmus::ObjectId(o)); ++f)
      if (makers[o] == thread)
        out.push_back(0);
      else
        add(litmus::field_of(source, litmus::ObjectId(o), f).type);
  return out;
}

/// The same as the code's cells have it.
std::vector<Value> memory_in_code(const Pair& pair, const std::vector<Value>& memory) {
  std::vector<Value> out;
  for (std::size_t i = 0; i < pair.source.locations.size(); ++i)
    out.push_back(pair.in_code(pair.source.locations[i].type, memory[i]));
  const auto cells = pair.lowered.program.cells();
  pair.for_each_field([&](auto place, auto cell, litmus::ObjectId object, std::uint32_t field) {
    while (out.size() <= cell) out.push_back(cells[out.size()].initial);
    out[cell] = pair.in_code(litmus::field_of(pair.source, object, field).type, memory[place]);
  });
  return out;
}

} // namespace

std::optional<std::string>
sequential_difference(const litmus::Program& source, const Lowered& lowered, std::uint64_t seed,
                      unsigned rounds, const std::vector<std::vector<litmus::LocationId>>& fields,
                      NarrowWitness or_with) {
  if (fields.empty()) litmus::refuse_objects(source, "in what a thread does alone");
  const Pair pair{source, lowered, fields};
  litmus::Random random(seed);
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::uint32_t t = 0; t < source.threads.size(); ++t) {
      const auto memory = random_memory(random, source, t);
      const litmus::ThreadId thread(t);
      const auto expected = run_source(source, thread, memory);
      if (!expected) continue;
      const auto got = run_target(lowered, thread, memory_in_code(pair, memory));
      auto difference = compare(pair, thread, *expected, got);
      if (difference && or_with != NarrowWitness::extended) {
        const auto other = run_source(source, thread, memory, or_with);
        if (other && !compare(pair, thread, *other, got)) continue;
      }
      if (difference) return difference;
    }
  }
  return std::nullopt;
}

} // namespace thinair::lower
