// Removing what nothing uses, and naming what is left in order.
#include "gen/tidy.h"

#include "gen/walk.h"
#include "litmus/objects.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace thinair::gen {
namespace {

using litmus::Access;
using litmus::Assign;
using litmus::If;
using litmus::Loop;
using litmus::MonitorId;
using litmus::MonitorStatement;
using litmus::New;
using litmus::Operator;
using litmus::Thread;
using litmus::ThreadStatement;

bool idle(const Statement& statement) {
  const auto* branch = std::get_if<If>(&statement.node);
  return branch != nullptr && branch->then_block.empty() && branch->else_block.empty() &&
         !litmus::has_access(branch->condition);
}

void drop_idle(Block& block) {
  for (auto& statement : block) {
    if (auto* branch = std::get_if<If>(&statement.node)) {
      drop_idle(branch->then_block);
      drop_idle(branch->else_block);
    } else if (auto* loop = std::get_if<Loop>(&statement.node)) {
      drop_idle(loop->body);
    } else if (auto* made = std::get_if<New>(&statement.node)) {
      drop_idle(made->body);
    }
  }
  std::erase_if(block, idle);
}

std::set<ThreadId> threads_named(const Program& program) {
  std::set<ThreadId> named;
  each_statement(program, [&](ThreadId, const Statement& statement) {
    if (const auto* lifetime = std::get_if<ThreadStatement>(&statement.node))
      named.insert(lifetime->thread);
  });
  return named;
}

void drop_empty_threads(Program& program) {
  const auto named = threads_named(program);
  std::map<ThreadId, ThreadId> renumbered;
  std::vector<Thread> kept;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    if (program.threads[t].body.empty() && !named.contains(ThreadId(t))) continue;
    renumbered[ThreadId(t)] = ThreadId(static_cast<std::uint32_t>(kept.size()));
    kept.push_back(std::move(program.threads[t]));
  }
  program.threads = std::move(kept);
  each_statement(program, [&](ThreadId, Statement& statement) {
    if (auto* lifetime = std::get_if<ThreadStatement>(&statement.node))
      lifetime->thread = renumbered.at(lifetime->thread);
  });
}

/// What a register holds at first; bits of a float are no integer.
Expression initial_value(const litmus::Register& reg) {
  auto e = Expression::number(reg.initial);
  if (litmus::is_floating(reg.type.kind)) e.type = reg.type;
  return e;
}

/// Ids in order of first use, mapped to 0, 1, 2, ..
template <class IdType>
class Renumbering {
 public:
  void use(IdType id) {
    if (map_.try_emplace(id, IdType(static_cast<std::uint32_t>(order_.size()))).second)
      order_.push_back(id);
  }
  void apply(IdType& id) const { id = map_.at(id); }
  const std::vector<IdType>& order() const { return order_; }

 private:
  std::map<IdType, IdType> map_;
  std::vector<IdType> order_;
};

void renumber_registers(Program& program, ThreadId which) {
  Thread& thread = program.threads[which.value];
  Renumbering<RegisterId> registers;
  each_statement(program, [&](ThreadId t, const Statement& statement) {
    if (const auto target = assigned(statement); target && t == which) registers.use(*target);
  });
  each_place(std::as_const(program), [&](ThreadId t, LocationId, const auto& field) {
    if (field && t == which) registers.use(field->object);
  });
  const std::set<RegisterId> live(registers.order().begin(), registers.order().end());
  each_expression(program, [&](ThreadId t, Expression& e) {
    if (t != which || e.op != Operator::reg) return;
    if (live.contains(e.reg))
      registers.apply(e.reg);
    else
      e = initial_value(thread.registers[e.reg.value]);
  });
  each_statement(program, [&](ThreadId t, Statement& statement) {
    if (t != which) return;
    if (auto* assign = std::get_if<Assign>(&statement.node)) registers.apply(assign->target);
    if (auto* access = std::get_if<Access>(&statement.node); access != nullptr && access->target)
      registers.apply(*access->target);
    if (auto* made = std::get_if<New>(&statement.node)) registers.apply(made->target);
  });
  each_place(program, [&](ThreadId t, LocationId&, auto& field) {
    if (field && t == which) registers.apply(field->object);
  });
  std::vector<litmus::Register> kept;
  for (const auto id : registers.order()) kept.push_back(thread.registers[id.value]);
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i].name = "r" + std::to_string(i + 1);
  thread.registers = std::move(kept);
}

void number_registers(Program& program) {
  for (std::uint32_t t = 0; t < program.threads.size(); ++t)
    renumber_registers(program, ThreadId(t));
}

void renumber_locations(Program& program) {
  Renumbering<LocationId> locations;
  each_place(std::as_const(program), [&](ThreadId, LocationId location, const auto& field) {
    if (!field) locations.use(location);
  });
  each_place(program, [&](ThreadId, LocationId& location, const auto& field) {
    field ? void(location = LocationId()) : locations.apply(location);
  });
  std::vector<litmus::Location> kept;
  for (const auto id : locations.order()) {
    kept.push_back(program.locations[id.value]);
    kept.back().name = location_name(kept.size() - 1);
  }
  program.locations = std::move(kept);
}

void renew_handles(Program& program) {
  std::vector<std::set<LocationId>> used(program.threads.size());
  each_place(std::as_const(program), [&](ThreadId t, LocationId location, const auto& field) {
    if (!field) used[t.value].insert(location);
  });
  for (std::size_t t = 0; t < used.size(); ++t) {
    program.threads[t].name = "Thread" + std::to_string(t);
    program.threads[t].handles.clear();
    for (const auto id : used[t]) program.threads[t].handles.push_back({handle_name(id.value), id});
  }
}

/// Objects in the order of their `new`.
void renumber_objects(Program& program) {
  std::vector<litmus::Object> kept;
  each_statement(program, [&](ThreadId, Statement& statement) {
    auto* made = std::get_if<New>(&statement.node);
    if (made == nullptr) return;
    kept.push_back(program.objects[made->object.value]);
    made->object = litmus::ObjectId(static_cast<std::uint32_t>(kept.size() - 1));
  });
  program.objects = std::move(kept);
}

/// Fields that nothing accesses go, but for the first of a class; the others are numbered in the
/// order of their accesses.
void renumber_fields(Program& program) {
  using Fields = Renumbering<litmus::Id<struct FieldTag>>;
  std::vector<Fields> fields(program.classes.size());
  const auto fields_of = [&](ThreadId t, RegisterId object) -> Fields& {
    return fields[program.threads[t.value].registers[object.value].type.of.value];
  };
  each_place(std::as_const(program), [&](ThreadId t, LocationId, const auto& field) {
    if (field) fields_of(t, field->object).use(litmus::Id<struct FieldTag>(field->field));
  });
  each_place(program, [&](ThreadId t, LocationId&, auto& field) {
    if (!field) return;
    litmus::Id<struct FieldTag> id(field->field);
    fields_of(t, field->object).apply(id);
    field->field = id.value;
  });
  for (std::size_t c = 0; c < fields.size(); ++c) {
    if (program.classes[c].is_array) continue;
    std::vector<litmus::Field> kept;
    for (const auto id : fields[c].order()) kept.push_back(program.classes[c].fields[id.value]);
    if (kept.empty()) kept.push_back({});
    for (std::size_t f = 0; f < kept.size(); ++f) kept[f].name = location_name(f);
    program.classes[c].fields = std::move(kept);
  }
}

/// Classes in the order in which locations, registers and objects have them, then fields; array
/// types behind them.
void renumber_classes(Program& program) {
  Renumbering<litmus::ClassId> classes;
  const auto use = [&](litmus::JavaType type) {
    if (type.refers()) classes.use(type.of);
  };
  for (const auto& location : program.locations) use(location.type);
  for (const auto& thread : program.threads)
    for (const auto& reg : thread.registers) use(reg.type);
  for (const auto& object : program.objects) classes.use(object.of);
  for (std::size_t i = 0; i < classes.order().size(); ++i) {
    const auto& found = program.classes[classes.order()[i].value];
    for (const auto& field : found.fields) use(field.type);
  }
  const auto apply = [&](litmus::JavaType& type) {
    if (type.refers()) classes.apply(type.of);
  };
  std::vector<litmus::Class> kept;
  std::size_t named = 0;
  for (const auto id : classes.order()) {
    kept.push_back(std::move(program.classes[id.value]));
    if (!kept.back().is_array) kept.back().name = class_name(named++);
    for (auto& field : kept.back().fields) apply(field.type);
  }
  program.classes = std::move(kept);
  for (auto& each : program.classes)
    if (each.is_array) each.name = to_string(program, each.fields[0].type) + "[]";
  for (auto& location : program.locations) apply(location.type);
  for (auto& thread : program.threads)
    for (auto& reg : thread.registers) apply(reg.type);
  for (auto& object : program.objects) classes.apply(object.of);
  litmus::order_arrays(program);
}

void number_objects(Program& program) {
  if (program.classes.empty()) return;
  renumber_objects(program);
  renumber_fields(program);
  renumber_classes(program);
}

void renumber_monitors(Program& program) {
  Renumbering<MonitorId> monitors;
  each_statement(program, [&](ThreadId, Statement& statement) {
    auto* monitor = std::get_if<MonitorStatement>(&statement.node);
    if (monitor == nullptr) return;
    monitors.use(monitor->monitor);
    monitors.apply(monitor->monitor);
  });
  program.monitors.clear();
  for (std::size_t i = 0; i < monitors.order().size(); ++i)
    program.monitors.push_back(i == 0 ? "m" : "m" + std::to_string(i));
}

void set_declares(Statement& statement, bool declares) {
  if (auto* assign = std::get_if<Assign>(&statement.node)) assign->declares = declares;
  if (auto* access = std::get_if<Access>(&statement.node))
    access->declares = declares && access->target;
  if (auto* made = std::get_if<New>(&statement.node)) made->declares = declares;
}

/// `int r = 0;` as the first declaration of a register whose assignments are all inside blocks.
Statement declaration(const Thread& thread, RegisterId reg) {
  return {Assign{reg, initial_value(thread.registers[reg.value]), true}, {}};
}

bool sets_constant(const Statement& statement) {
  const auto* assign = std::get_if<Assign>(&statement.node);
  return assign != nullptr && assign->value.op == Operator::constant;
}

/// Registers that the statement reads, or assigns inside a block of its own, and that are not yet
/// declared.
std::set<RegisterId> wanted_before(const Statement& statement,
                                   const std::set<RegisterId>& declared) {
  Program alone; // the statement by itself, for the walks
  alone.threads.push_back({});
  alone.threads[0].body.push_back(statement);
  std::set<RegisterId> wanted;
  each_expression(std::as_const(alone), [&](ThreadId, const Expression& e) {
    if (e.op == Operator::reg && !declared.contains(e.reg)) wanted.insert(e.reg);
  });
  each_place(std::as_const(alone), [&](ThreadId, LocationId, const auto& field) {
    if (field && !declared.contains(field->object)) wanted.insert(field->object);
  });
  const auto* made = std::get_if<New>(&statement.node);
  if (assigned(statement) && made == nullptr) return wanted;
  each_statement(std::as_const(alone), [&](ThreadId, const Statement& inner) {
    if (const auto target = assigned(inner); target && !declared.contains(*target))
      wanted.insert(*target);
  });
  if (made != nullptr) wanted.erase(made->target); // its constructor has it
  return wanted;
}

void declare_registers(Program& program) {
  each_statement(program, [](ThreadId, Statement& statement) { set_declares(statement, false); });
  for (auto& thread : program.threads) {
    std::set<RegisterId> declared;
    Block declarations;
    for (auto& statement : thread.body) {
      for (const auto reg : wanted_before(statement, declared)) {
        declarations.push_back(declaration(thread, reg));
        declared.insert(reg);
      }
      if (const auto target = assigned(statement); target && declared.insert(*target).second)
        set_declares(statement, true);
    }
    thread.body.insert(thread.body.begin(), declarations.begin(), declarations.end());
  }
}

/// A declaration `int r = c;` whose register is only assigned in blocks or not read at all adds
/// nothing that `declare_registers` would not put back.
void drop_declarations(Program& program) {
  for (auto& thread : program.threads) {
    while (!thread.body.empty() && sets_constant(thread.body.front())) {
      const auto& assign = std::get<Assign>(thread.body.front().node);
      auto& initial = thread.registers[assign.target.value].initial;
      if (assign.value.constant != initial) break;
      thread.body.erase(thread.body.begin());
    }
  }
}

litmus::Program tidied_once(const litmus::Program& program) {
  Program tidied = program;
  for (auto& thread : tidied.threads) drop_idle(thread.body);
  drop_declarations(tidied);
  drop_empty_threads(tidied);
  number_registers(tidied);
  number_objects(tidied);
  renumber_locations(tidied);
  renumber_monitors(tidied);
  renew_handles(tidied);
  declare_registers(tidied);
  number_registers(tidied); // again: declarations come first now
  number_objects(tidied);   // and with them their classes
  return tidied;
}

} // namespace

/// A declaration moves names, and fields move classes: of programs with objects until all stay.
litmus::Program tidy(const litmus::Program& program) {
  Program tidied = tidied_once(program);
  while (!tidied.classes.empty()) {
    auto again = tidied_once(tidied);
    if (again == tidied) break;
    tidied = std::move(again);
  }
  return tidied;
}

std::string location_name(std::size_t index) {
  constexpr std::string_view letters = "xyzabcdefghijklmnopqrstuvw";
  const std::string letter(1, letters[index % letters.size()]);
  return index < letters.size() ? letter : letter + std::to_string(index / letters.size());
}

std::string handle_name(std::size_t index) {
  std::string name = location_name(index);
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

std::string class_name(std::size_t index) {
  return index == 0 ? "Box" : "Box" + std::to_string(index);
}

} // namespace thinair::gen
