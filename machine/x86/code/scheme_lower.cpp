// Compiles a program with a scheme: homes for registers, statements, rules filled in.
#include "litmus/text/error.h"
#include "lower/naming.h"
#include "lower/statements.h"
#include "machine/x86/code/expression_code.h"
#include "machine/x86/code/names.h"
#include "machine/x86/code/rules.h"
#include "machine/x86/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace thinair::lower::x86_code {
namespace {

using litmus::Expression;
using litmus::LocationId;
using x86::Opcode;
using Mix = std::span<const SchemeRules* const>;

const Rules& in(Mix mix, std::size_t scheme) { return static_cast<const Rules&>(*mix[scheme]); }

/// The machine registers that source registers may have: those that no rule of the thread names.
std::vector<x86::Register> pool_of(Mix mix, const Survey& survey) {
  std::array<bool, x86::register_count> reserved{};
  const auto reserve = [&](x86::Register reg) { reserved[static_cast<std::size_t>(reg)] = true; };
  if (survey.shifts_by_register) reserve(x86::Register::rcx);
  for (std::size_t i = 0; i < operation_count; ++i)
    if (survey.operations[i])
      for (std::size_t scheme = 0; scheme < mix.size(); ++scheme)
        for (const auto reg : in(mix, scheme).of[i].machine_registers) reserve(reg);
  std::vector<x86::Register> pool;
  for (const auto reg : allocatable)
    if (!reserved[static_cast<std::size_t>(reg)]) pool.push_back(reg);
  return pool;
}

/// The code of one thread, for one choice of homes.
class ThreadLowering : public Statements<ThreadLowering> {
 public:
  ThreadLowering(Mix mix, x86::Program& program, std::size_t number,
                 const Homes<x86::Register>& homes)
      : mix_(mix), program_(program), number_(number), expressions_(code_, homes.homes) {
    for (const auto reg : homes.scratch) code_.release(reg);
  }

  ThreadCode& code() { return code_; }
  std::optional<LocationId> cut() const { return cut_; } // the cell that a cut-off path sets

  using Statements::visit;
  void visit(const litmus::Assign& node);
  void visit(const litmus::Access& node);
  void visit(const litmus::FenceStatement& node);
  void visit(const litmus::Cut&);
  void jump(const std::string& label) { code_.jump(label); }
  void jump_unless(const Expression& condition, const std::string& label) {
    expressions_.jump_unless(condition, label);
  }

 private:
  using Bindings = std::array<std::optional<x86::Operand>, role_count>;

  void fill_in(const Rule& rule, Bindings bindings, std::optional<LocationId> location);
  x86::Operand operand(const TemplateOperand& in, const Bindings& bindings,
                       std::optional<LocationId> location);
  x86::Operand result_operand(const Rule& rule, const litmus::Access& node,
                              const std::vector<Held>& arguments, std::vector<Held>& held);
  LocationId stack();

  const Rules& scheme(litmus::Choice by) const { return in(mix_, mix_.size() == 1 ? 0 : by); }

  Mix mix_;
  x86::Program& program_;
  std::size_t number_;
  ThreadCode code_;
  ExpressionCode expressions_;
  std::optional<LocationId> stack_, cut_;
};

void ThreadLowering::visit(const litmus::Assign& node) {
  const Held value = expressions_.value(node.value);
  expressions_.assign(node.target, value.operand);
  expressions_.release(value);
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
  const Rule& rule = scheme(node.by).of[index_of(node.method)];
  if (rule.is_unsupported) has_no_code(node.method);
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
  code_.at_operation(&scheme(node.by).all_peepholes, index_of(node.method));
  fill_in(rule, bindings, node.location);
  if (node.target && bindings[dst]) expressions_.assign(*node.target, *bindings[dst]);
  for (const Held& h : held) expressions_.release(h);
}

void ThreadLowering::visit(const litmus::FenceStatement& node) {
  const Rule& rule = scheme(node.by).of[index_of(node.fence)];
  if (rule.is_unsupported) has_no_code(node.fence);
  Bindings bindings;
  std::vector<Held> held;
  for (const Role role : {Role::tmp, Role::tmp2}) {
    if (!rule.uses[static_cast<std::size_t>(role)]) continue;
    held.push_back({full(code_.take()), true});
    bindings[static_cast<std::size_t>(role)] = held.back().operand;
  }
  code_.at_operation(&scheme(node.by).all_peepholes, index_of(node.fence));
  fill_in(rule, bindings, std::nullopt);
  for (const Held& h : held) expressions_.release(h);
}

/// The path goes on, and what it leads to is known not to count.
void ThreadLowering::visit(const litmus::Cut&) {
  if (!cut_) cut_ = add_cell(program_.locations, fmt::format("P{}_cut", number_), 0, is_cell_name);
  code_.emit(Opcode::mov, {x86::Memory{*cut_}, x86::Immediate{1}});
}

LocationId ThreadLowering::stack() {
  if (!stack_)
    stack_ = add_cell(program_.locations, fmt::format("P{}_stack", number_), 0, is_cell_name);
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
  for (std::size_t i = 0; i < rule.code.size(); ++i) {
    const TemplateInstruction& in = rule.code[i];
    x86::Instruction out;
    out.opcode = in.opcode;
    out.lock = in.lock;
    out.width = in.width;
    out.condition = in.condition;
    for (const auto& o : in.operands) out.operands.push_back(operand(o, bindings, location));
    for (const auto& l : in.labels) out.labels.push_back(label(l));
    if (!in.target.empty()) out.target = label(in.target);
    const bool idle = out.opcode == Opcode::mov && out.operands[0] == out.operands[1];
    const Mark mark = rule.marks.empty() ? Mark{} : rule.marks[i];
    if (!idle || !out.labels.empty()) code_.emit(std::move(out), mark);
  }
  for (const auto& l : rule.end_labels) code_.place(label(l));
  code_.at_operation(nullptr);
}

/// A thread's code with one choice of homes.
struct Attempt {
  Attempt(Mix mix, x86::Program& program, std::size_t number, Homes<x86::Register> given)
      : homes(std::move(given)), lowering(mix, program, number, homes) {}
  bool starved() { return lowering.code().starved(); }
  std::size_t in_registers() const { return homes.in_registers; }

  Homes<x86::Register> homes;
  ThreadLowering lowering;
};

void lower_thread(Mix mix, const litmus::Program& source, std::size_t number, x86::Program& program,
                  Lowered& out) {
  const litmus::Thread& thread = source.threads[number];
  const Survey found = survey(source, thread);
  const auto pool = pool_of(mix, found);
  const auto spill = [&](std::uint32_t reg) {
    return add_cell(program.locations, fmt::format("P{}_{}", number, thread.registers[reg].name),
                    thread.registers[reg].initial, is_cell_name);
  };
  const auto attempt = [&](std::size_t limit) {
    auto made = std::make_unique<Attempt>(mix, program, number,
                                          give_homes<x86::Register>(found, pool, limit, spill));
    made->lowering.block(thread.body);
    return made;
  };
  with_enough_scratch(allocatable.size(), program, attempt, [&](auto made) {
    const litmus::ThreadId id(static_cast<std::uint32_t>(number));
    program.threads.push_back(made->lowering.code().finish(
        fmt::format("P{}", number), initial_registers(thread, found, made->homes)));
    out.origins.push_back(made->lowering.code().take_origins());
    const auto observable = [](litmus::ThreadId of, x86::Register reg) {
      return x86::observable(of, reg, x86::Syntax::att);
    };
    restore_registers(thread, id, found, made->homes, program.locations, observable,
                      out.restoration);
    if (const auto cut = made->lowering.cut())
      out.restoration.cuts.push_back({std::nullopt, program.locations[cut->value].name});
  });
}

} // namespace

Lowered Rules::lower(Mix mix, const litmus::Program& program) const {
  return lower_threads<x86::Program>(program, x86::att, cells_of(program, is_cell_name),
                                     [&](std::size_t i, x86::Program& code, Lowered& out) {
                                       lower_thread(mix, program, i, code, out);
                                     });
}

} // namespace thinair::lower::x86_code
