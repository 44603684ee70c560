// Compiles a program with a scheme: homes for registers, statements, rules filled in.
#include "lower/scheme_lower.h"

#include "litmus/text/error.h"
#include "lower/expression_code.h"
#include "lower/naming.h"
#include "machine/x86/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace thinair::lower {
namespace {

using litmus::Expression;
using litmus::LocationId;
using litmus::RegisterId;
using x86::Opcode;

/// What a thread's text says before any code is made for it.
struct Survey {
  std::vector<std::uint32_t> uses;                  // of each source register
  std::vector<bool> assigned;                       // some statement writes it
  std::array<bool, x86::register_count> reserved{}; // machine registers that rules name
};

class Surveyor {
 public:
  Surveyor(const Scheme& scheme, const litmus::Thread& thread) : scheme_(scheme) {
    survey_.uses.resize(thread.registers.size());
    survey_.assigned.resize(thread.registers.size());
    block(thread.body);
  }
  Survey take() { return std::move(survey_); }

 private:
  void block(const litmus::Block& statements) {
    for (const auto& statement : statements)
      std::visit([this](const auto& node) { visit(node); }, statement.node);
  }
  void expression(const Expression& e) {
    if (e.op == litmus::Operator::reg) ++survey_.uses[e.reg.value];
    for (const auto& argument : e.arguments) expression(argument);
  }
  void whole(const Expression& e) {
    expression(e);
    if (shifts_by_register(e)) reserve(x86::Register::rcx);
  }
  void write(RegisterId reg) {
    ++survey_.uses[reg.value];
    survey_.assigned[reg.value] = true;
  }
  void reserve(x86::Register reg) { survey_.reserved[static_cast<std::size_t>(reg)] = true; }
  void reserve(Operation operation) {
    for (const auto reg : scheme_.rule(operation).machine_registers) reserve(reg);
  }

  void visit(const litmus::Assign& node) {
    write(node.target);
    whole(node.value);
  }
  void visit(const litmus::Access& node) {
    if (node.target) write(*node.target);
    for (const auto& argument : node.arguments) whole(argument);
    reserve(node.method);
  }
  void visit(const litmus::FenceStatement& node) { reserve(node.fence); }
  void visit(const litmus::If& node) {
    whole(node.condition);
    block(node.then_block);
    block(node.else_block);
  }
  void visit(const litmus::Cut&) {}
  void visit(const litmus::Loop&) { throw Unsupported("loops in lowered code"); }
  void visit(const litmus::MonitorStatement&) { throw Unsupported("monitors in lowered code"); }
  void visit(const litmus::ThreadStatement&) {
    throw Unsupported("thread start and join in lowered code");
  }
  void visit(const litmus::ExternalStatement&) {
    throw Unsupported("external actions in lowered code");
  }

  const Scheme& scheme_;
  Survey survey_;
};

/// The homes of a thread's registers: the most used ones in machine registers, as many as `limit`.
struct Homes {
  std::vector<Home> homes;
  std::vector<x86::Register> scratch; // what is left, registers named by rules excepted
  std::size_t in_registers = 0;
};

Homes give_homes(const litmus::Thread& thread, std::size_t number, const Survey& survey,
                 std::size_t limit, x86::Program& program) {
  Homes result;
  result.homes.resize(thread.registers.size());
  std::vector<x86::Register> pool;
  for (const auto reg : allocatable)
    if (!survey.reserved[static_cast<std::size_t>(reg)]) pool.push_back(reg);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < thread.registers.size(); ++i)
    if (survey.uses[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, std::greater<>(), [&](auto i) { return survey.uses[i]; });
  result.in_registers = std::min({limit, order.size(), pool.size()});
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(result.in_registers));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& reg = thread.registers[order[i]];
    if (i < result.in_registers)
      result.homes[order[i]] = pool[i];
    else
      result.homes[order[i]] =
          add_cell(program.locations, fmt::format("P{}_{}", number, reg.name), reg.initial);
  }
  result.scratch.assign(pool.begin() + static_cast<std::ptrdiff_t>(result.in_registers),
                        pool.end());
  return result;
}

/// The code of one thread, for one choice of homes.
class ThreadLowering {
 public:
  ThreadLowering(const Scheme& scheme, x86::Program& program, std::size_t number,
                 const Homes& homes)
      : scheme_(scheme), program_(program), number_(number), expressions_(code_, homes.homes) {
    for (const auto reg : homes.scratch) code_.add_scratch(reg);
  }

  void run(const litmus::Block& body) { block(body); }
  ThreadCode& code() { return code_; }
  std::optional<LocationId> cut() const { return cut_; } // the cell that a cut-off path sets

 private:
  using Bindings = std::array<std::optional<x86::Operand>, role_count>;

  void block(const litmus::Block& statements);
  void visit(const litmus::Assign& node);
  void visit(const litmus::Access& node);
  void visit(const litmus::FenceStatement& node);
  void visit(const litmus::If& node);
  void visit(const litmus::Cut&);
  template <class Other>
  void visit(const Other&) {
    bug(__FILE__, __LINE__, "a statement that the survey refuses reached lowering");
  }

  void fill_in(const Rule& rule, Bindings bindings, std::optional<LocationId> location);
  x86::Operand operand(const TemplateOperand& in, const Bindings& bindings,
                       std::optional<LocationId> location);
  x86::Operand result_operand(const Rule& rule, const litmus::Access& node,
                              const std::vector<Held>& arguments, std::vector<Held>& held);
  LocationId stack();

  const Scheme& scheme_;
  x86::Program& program_;
  std::size_t number_;
  ThreadCode code_;
  ExpressionCode expressions_;
  std::optional<LocationId> stack_, cut_;
  std::uint32_t next_statement_ = 0;
};

void ThreadLowering::block(const litmus::Block& statements) {
  for (const auto& statement : statements) {
    code_.at_statement(next_statement_++);
    std::visit([this](const auto& node) { visit(node); }, statement.node);
  }
}

void ThreadLowering::visit(const litmus::Assign& node) {
  const Held value = expressions_.value(node.value);
  expressions_.assign(node.target, value.operand);
  expressions_.release(value);
}

Role role_of(const litmus::Access& node, std::size_t argument) {
  if (node.arguments.size() == 1) return Role::arg;
  return argument == 0 ? Role::exp : Role::new_;
}

/// dst: the target's own register unless the rule writes it while it still reads an argument there.
x86::Operand ThreadLowering::result_operand(const Rule& rule, const litmus::Access& node,
                                            const std::vector<Held>& arguments,
                                            std::vector<Held>& held) {
  if (node.target)
    if (const auto* reg = std::get_if<x86::Register>(&expressions_.home(*node.target))) {
      const bool is_argument = std::ranges::any_of(
          arguments, [&](const Held& a) { return a.operand == x86::Operand(full(*reg)); });
      if (!is_argument || !rule.writes_dst_early) return full(*reg);
    }
  held.push_back({full(code_.take()), true});
  return held.back().operand;
}

void ThreadLowering::visit(const litmus::Access& node) {
  const Rule& rule = scheme_.rule(node.method);
  Bindings bindings;
  std::vector<Held> held;
  for (std::size_t i = 0; i < node.arguments.size(); ++i) {
    const auto role = static_cast<std::size_t>(role_of(node, i));
    Held argument = expressions_.value(node.arguments[i]);
    if (rule.needs_register[role]) argument = expressions_.in_register(argument);
    bindings[role] = argument.operand;
    held.push_back(argument);
  }
  const auto dst = static_cast<std::size_t>(Role::dst);
  if (rule.uses[dst]) bindings[dst] = result_operand(rule, node, std::vector(held), held);
  for (const Role role : {Role::tmp, Role::tmp2}) {
    if (!rule.uses[static_cast<std::size_t>(role)]) continue;
    held.push_back({full(code_.take()), true});
    bindings[static_cast<std::size_t>(role)] = held.back().operand;
  }
  fill_in(rule, bindings, node.location);
  if (node.target && bindings[dst]) expressions_.assign(*node.target, *bindings[dst]);
  for (const Held& h : held) expressions_.release(h);
}

void ThreadLowering::visit(const litmus::FenceStatement& node) {
  const Rule& rule = scheme_.rule(node.fence);
  Bindings bindings;
  std::vector<Held> held;
  for (const Role role : {Role::tmp, Role::tmp2}) {
    if (!rule.uses[static_cast<std::size_t>(role)]) continue;
    held.push_back({full(code_.take()), true});
    bindings[static_cast<std::size_t>(role)] = held.back().operand;
  }
  fill_in(rule, bindings, std::nullopt);
  for (const Held& h : held) expressions_.release(h);
}

void ThreadLowering::visit(const litmus::If& node) {
  const std::string otherwise = code_.new_label();
  expressions_.jump_unless(node.condition, otherwise);
  block(node.then_block);
  if (node.else_block.empty()) {
    code_.place(otherwise);
    return;
  }
  const std::string end = code_.new_label();
  code_.jump(end);
  code_.place(otherwise);
  block(node.else_block);
  code_.place(end);
}

/// The path goes on, and what it leads to is known not to count.
void ThreadLowering::visit(const litmus::Cut&) {
  if (!cut_) cut_ = add_cell(program_.locations, fmt::format("P{}_cut", number_), 0);
  code_.emit(Opcode::mov, {x86::Memory{*cut_}, x86::Immediate{1}});
}

LocationId ThreadLowering::stack() {
  if (!stack_) stack_ = add_cell(program_.locations, fmt::format("P{}_stack", number_), 0);
  return *stack_;
}

x86::Operand ThreadLowering::operand(const TemplateOperand& in, const Bindings& bindings,
                                     std::optional<LocationId> location) {
  if (const auto* number = std::get_if<x86::Immediate>(&in)) return *number;
  if (const auto* reg = std::get_if<x86::RegisterOperand>(&in)) return *reg;
  if (const auto* place = std::get_if<Place>(&in))
    return x86::Memory{*place == Place::stack ? stack() : location.value()};
  const auto& role = std::get<RoleOperand>(in);
  x86::Operand bound = bindings[static_cast<std::size_t>(role.role)].value();
  if (auto* reg = std::get_if<x86::RegisterOperand>(&bound)) reg->width = role.width;
  return bound;
}

void ThreadLowering::fill_in(const Rule& rule, Bindings bindings,
                             std::optional<LocationId> location) {
  std::map<std::string, std::string> labels;
  const auto label = [&](const std::string& name) -> const std::string& {
    auto& text = labels[name];
    if (text.empty()) text = code_.new_label();
    return text;
  };
  for (const TemplateInstruction& in : rule.code) {
    x86::Instruction out;
    out.opcode = in.opcode;
    out.lock = in.lock;
    out.width = in.width;
    out.condition = in.condition;
    for (const auto& o : in.operands) out.operands.push_back(operand(o, bindings, location));
    for (const auto& l : in.labels) out.labels.push_back(label(l));
    if (!in.target.empty()) out.target = label(in.target);
    const bool idle = out.opcode == Opcode::mov && out.operands[0] == out.operands[1];
    if (!idle || !out.labels.empty()) code_.emit(std::move(out));
  }
  for (const auto& l : rule.end_labels) code_.place(label(l));
}

std::vector<x86::InitialRegister> initial_registers(const litmus::Thread& thread,
                                                    const Survey& survey, const Homes& homes) {
  std::vector<x86::InitialRegister> result;
  for (std::size_t i = 0; i < thread.registers.size(); ++i) {
    const auto* reg = std::get_if<x86::Register>(&homes.homes[i]);
    if (survey.uses[i] == 0 || !reg || thread.registers[i].initial == 0) continue;
    x86::InitialRegister initial;
    initial.reg = *reg;
    initial.value = litmus::Value{thread.registers[i].initial};
    result.push_back(initial);
  }
  return result;
}

void restore_registers(const litmus::Thread& thread, litmus::ThreadId id, const Survey& survey,
                       const Homes& homes, const x86::Program& program, Restoration& restoration) {
  for (std::size_t i = 0; i < thread.registers.size(); ++i) {
    Restoration::Row row{{id, thread.registers[i].name}, thread.registers[i].initial};
    if (survey.assigned[i]) {
      if (const auto* reg = std::get_if<x86::Register>(&homes.homes[i]))
        row.found = litmus::Observable{id, std::string(x86::name(*reg, x86::Width::q))};
      else
        row.found = litmus::Observable{
            std::nullopt, program.locations[std::get<LocationId>(homes.homes[i]).value].name};
    }
    restoration.rows.push_back(std::move(row));
  }
}

/// Compiles a thread with as many homes in registers as leave enough scratch.
void lower_thread(const Scheme& scheme, const litmus::Program& source, std::size_t number,
                  x86::Program& program, Lowered& out) {
  const litmus::Thread& thread = source.threads[number];
  const Survey survey = Surveyor(scheme, thread).take();
  const std::size_t cells = program.locations.size();
  for (std::size_t limit = allocatable.size() + 1; limit-- > 0;) {
    const Homes homes = give_homes(thread, number, survey, limit, program);
    ThreadLowering lowering(scheme, program, number, homes);
    lowering.run(thread.body);
    if (!lowering.code().starved()) {
      program.threads.push_back(lowering.code().finish(fmt::format("P{}", number),
                                                       initial_registers(thread, survey, homes)));
      out.origins.push_back(lowering.code().take_origins());
      const litmus::ThreadId id(static_cast<std::uint32_t>(number));
      restore_registers(thread, id, survey, homes, program, out.restoration);
      if (const auto cut = lowering.cut())
        out.restoration.cuts.push_back({std::nullopt, program.locations[cut->value].name});
      return;
    }
    program.locations.resize(cells);
    limit = homes.in_registers; // fewer than were just tried
  }
  throw Unsupported("an expression that needs more registers than the machine has");
}

} // namespace

Lowered lower_with(const Scheme& scheme, const litmus::Program& program) {
  Lowered result;
  result.language = &x86::att;
  result.source = program;
  x86::Program code{cells_of(program), {}};
  for (std::size_t i = 0; i < program.threads.size(); ++i)
    lower_thread(scheme, program, i, code, result);
  for (std::size_t i = 0; i < program.locations.size(); ++i) {
    Restoration::Row& row = result.restoration.rows.emplace_back();
    row.source.name = program.locations[i].name;
    row.found = litmus::Observable{std::nullopt, code.locations[i].name};
  }
  result.program = std::move(code);
  std::ranges::sort(result.restoration.rows, {}, &Restoration::Row::source);
  return result;
}

} // namespace thinair::lower
