// Compiles a program with a scheme: homes for registers, statements, rules filled in.
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "lower/naming.h"
#include "lower/statements.h"
#include "machine/x86/code/expression_code.h"
#include "machine/x86/code/halves.h"
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
      for (std::size_t scheme = 0; scheme < mix.size(); ++scheme) {
        for (const auto reg : in(mix, scheme).of[i].machine_registers) reserve(reg);
        for (const auto& [name, rule] : in(mix, scheme).of.typed())
          if (index_of(name.operation) == i)
            for (const auto reg : rule.machine_registers) reserve(reg);
      }
  std::vector<x86::Register> pool;
  for (const auto reg : allocatable)
    if (!reserved[static_cast<std::size_t>(reg)]) pool.push_back(reg);
  return pool;
}

/// The code of one thread, for one choice of homes.
class ThreadLowering : public Statements<ThreadLowering> {
 public:
  ThreadLowering(Mix mix, const RuntimeWords& words, const Halves& halves,
                 const litmus::Program& source, x86::Program& program, std::size_t number,
                 const Homes<x86::Register>& homes)
      : Statements(words), mix_(mix), halves_(halves), source_(source), program_(program),
        number_(number), expressions_(code_, homes.homes, source, source.threads[number]) {
    for (const auto reg : homes.scratch) code_.release(reg);
  }

  ThreadCode& code() { return code_; }
  std::optional<LocationId> cut() const { return cut_; } // the cell that a cut-off path sets

  using Statements::visit;
  void visit(const litmus::Assign& node);
  void visit(const litmus::Access& node);
  void visit(const litmus::FenceStatement& node);
  void visit(const litmus::Cut&);
  /// By the first scheme of a mix: all of them have to agree on what a word means.
  void runtime(RuntimeAction action, std::optional<LocationId> word) {
    without_arguments(action, scheme(0), word);
  }
  void make(litmus::RegisterId target, LocationId object);
  void jump(const std::string& label) { code_.jump(label); }
  void jump_unless(const Expression& condition, const std::string& label) {
    expressions_.jump_unless(condition, label);
  }

 private:
  using Bindings = std::array<std::optional<x86::Operand>, role_count>;

  void without_arguments(Operation operation, const Rules& scheme,
                         std::optional<LocationId> location);
  /// What [x] is in one use of a rule, and how wide.
  struct Located {
    x86::Memory memory;
    x86::Width width = x86::Width::l;
    std::optional<LocationId> high = {}; // the upper half, of what is in halves
  };
  void fill_in(const Rule& rule, const Bindings& bindings, const std::optional<Located>& location);
  static x86::Width width_of(const TemplateInstruction& in, const std::optional<Located>& location);
  litmus::JavaType type_of_result(const litmus::Access& node) const;
  x86::Operand operand(const TemplateOperand& in, const Bindings& bindings,
                       const std::optional<Located>& location);
  x86::Operand result_operand(const Rule& rule, const litmus::Access& node,
                              const std::vector<Held>& arguments, std::vector<Held>& held);
  LocationId stack();

  const Rules& scheme(litmus::Choice by) const { return in(mix_, mix_.size() == 1 ? 0 : by); }

  Mix mix_;
  const Halves& halves_;
  const litmus::Program& source_;
  x86::Program& program_;
  std::size_t number_;
  ThreadCode code_;
  ExpressionCode expressions_;
  std::optional<LocationId> stack_, cut_;
};

void ThreadLowering::visit(const litmus::Assign& node) {
  expressions_.assign(node.target, node.value);
}

/// `new`: the address of where the object is.
void ThreadLowering::make(litmus::RegisterId target, LocationId object) {
  const auto* home = std::get_if<x86::Register>(&expressions_.home(target));
  const Held into{full(home != nullptr ? *home : code_.take()), home == nullptr};
  code_.emit(Opcode::lea, {into.operand, x86::Memory{object}});
  expressions_.assign(target, into.operand, x86::Width::l);
  expressions_.release(into);
}

/// dst: the target's own register unless the rule writes it while it still reads an argument there.
x86::Operand ThreadLowering::result_operand(const Rule& rule, const litmus::Access& node,
                                            const std::vector<Held>& arguments,
                                            std::vector<Held>& held) {
  if (node.target)
    if (const auto* reg = std::get_if<x86::Register>(&expressions_.home(*node.target))) {
      const bool is_argument = std::ranges::any_of(arguments, [&](const Held& a) {
        const auto* own = std::get_if<x86::RegisterOperand>(&a.operand);
        return own != nullptr && own->reg == *reg;
      });
      if (!is_argument || (!node.field && !rule.writes_dst_early)) return full(*reg);
    }
  held.push_back({full(code_.take()), true});
  return held.back().operand;
}

void ThreadLowering::visit(const litmus::Access& node) {
  const Rule& rule = rule_of(mix_, source_, source_.threads[number_], node);
  const auto type = litmus::type_of(source_, source_.threads[number_], node.location, node.field);
  if (rule.is_unsupported) has_no_code(scheme(node.by).of.name_for(node.method, type.kind));
  Bindings bindings;
  std::vector<Held> held;
  Located location{x86::Memory{node.location}, cell_type(type).width};
  if (!node.field) location.high = halves_.high_of(node.location);
  if (node.field) {
    const auto& thread = source_.threads[number_];
    const auto indexed = indexed_address(source_, thread, node);
    const auto base = indexed.value_or(Expression::of(node.field->object));
    held.push_back(expressions_.in_register(expressions_.value(base), x86::Width::l));
    location.memory = {std::get<x86::RegisterOperand>(held.back().operand).reg,
                       indexed ? 0 : offset_of(source_, thread, node)};
  }
  const auto operands = litmus::operands_of(node);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto role = static_cast<std::size_t>(role_of(node, i));
    const x86::Width width = register_type(type).width;
    Held argument = expressions_.value(operands[i], width);
    if (rule.needs_register[role]) argument = expressions_.in_register(argument, width);
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
  code_.at_operation(&scheme(node.by).text.peepholes(), index_of(node.method));
  fill_in(rule, bindings, location);
  if (node.target && bindings[dst]) {
    auto& result = std::get<x86::RegisterOperand>(*bindings[dst]);
    const auto of_result = type_of_result(node);
    code_.extend(result.reg, cell_type(of_result));
    result.width = register_type(of_result).width;
    expressions_.assign(*node.target, result, result.width);
  }
  for (const Held& h : held) expressions_.release(h);
}

void ThreadLowering::visit(const litmus::FenceStatement& node) {
  without_arguments(node.fence, scheme(node.by), std::nullopt);
}

void ThreadLowering::without_arguments(Operation operation, const Rules& scheme,
                                       std::optional<LocationId> location) {
  const Rule& rule = scheme.of[index_of(operation)];
  if (rule.is_unsupported) has_no_code(operation);
  Bindings bindings;
  std::vector<Held> held;
  for (const Role role : {Role::tmp, Role::tmp2}) {
    if (!rule.uses[static_cast<std::size_t>(role)]) continue;
    held.push_back({full(code_.take()), true});
    bindings[static_cast<std::size_t>(role)] = held.back().operand;
  }
  code_.at_operation(&scheme.text.peepholes(), index_of(operation));
  std::optional<Located> located;
  if (location) // a monitor, a thread's word
    located = Located{x86::Memory{*location}, program_.locations[location->value].type.width};
  fill_in(rule, bindings, located);
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

/// Of a compare-and-set an int, else the location's.
litmus::JavaType ThreadLowering::type_of_result(const litmus::Access& node) const {
  Expression value = Expression::of(node.method, node.location, {});
  value.field = node.field;
  return litmus::type_of(source_, source_.threads[number_], value);
}

/// Rules are written once, for ints: an instruction without a width of its own that accesses [x]
/// has the location's; others work in whole registers where that is a long's.
x86::Width ThreadLowering::width_of(const TemplateInstruction& in,
                                    const std::optional<Located>& location) {
  if (in.width != x86::Width::l || !location) return in.width;
  const x86::Width wanted = location->width;
  const auto is = [&](Place place) {
    return std::ranges::any_of(in.operands, [&](const TemplateOperand& operand) {
      const auto* found = std::get_if<Place>(&operand);
      return found != nullptr && *found == place;
    });
  };
  if (is(Place::stack) || is(Place::low) || is(Place::high)) return in.width;
  return is(Place::location) ? wanted : std::max(in.width, wanted);
}

x86::Operand ThreadLowering::operand(const TemplateOperand& in, const Bindings& bindings,
                                     const std::optional<Located>& location) {
  if (const auto* number = std::get_if<x86::Immediate>(&in)) return *number;
  if (const auto* reg = std::get_if<x86::RegisterOperand>(&in)) return *reg;
  if (const auto* place = std::get_if<Place>(&in)) {
    if (*place == Place::stack) return x86::Memory{stack()};
    if (*place == Place::high) return x86::Memory{location.value().high.value()};
    return location.value().memory;
  }
  const auto& role = std::get<RoleOperand>(in);
  x86::Operand bound = bindings[static_cast<std::size_t>(role.role)].value();
  if (auto* reg = std::get_if<x86::RegisterOperand>(&bound)) reg->width = role.width;
  return bound;
}

void ThreadLowering::fill_in(const Rule& rule, const Bindings& bindings,
                             const std::optional<Located>& location) {
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
    out.width = width_of(in, location);
    out.condition = in.condition;
    for (const auto& o : in.operands) {
      out.operands.push_back(operand(o, bindings, location));
      auto* reg = std::get_if<x86::RegisterOperand>(&out.operands.back());
      const bool scales = out.width != in.width && reg != nullptr;
      if (scales && reg->width == in.width) reg->width = out.width;
    }
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
  Attempt(Mix mix, const RuntimeWords& words, const Halves& halves, const litmus::Program& source,
          x86::Program& program, std::size_t number, Homes<x86::Register> given)
      : homes(std::move(given)), lowering(mix, words, halves, source, program, number, homes) {}
  bool starved() { return lowering.code().starved(); }
  std::size_t in_registers() const { return homes.in_registers; }

  Homes<x86::Register> homes;
  ThreadLowering lowering;
};

void lower_thread(Mix mix, const litmus::Program& source, const RuntimeWords& words,
                  const Halves& halves, std::size_t number, x86::Program& program, Lowered& out) {
  const litmus::Thread& thread = source.threads[number];
  const Survey found = survey(source, words, number);
  const auto pool = pool_of(mix, found);
  const auto spill = [&](std::uint32_t reg) {
    return add_cell(program.locations, fmt::format("P{}_{}", number, thread.registers[reg].name),
                    thread.registers[reg].initial, is_cell_name,
                    register_type(thread.registers[reg].type));
  };
  const auto attempt = [&](std::size_t limit) {
    auto made = std::make_unique<Attempt>(mix, words, halves, source, program, number,
                                          give_homes<x86::Register>(found, pool, limit, spill));
    made->lowering.thread(source, number);
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

Rules::Rules(SchemeText said, RuleTable<Rule> rules)
    : SchemeRules(std::move(said)), of(std::move(rules)) {
  for (const RuleName& name : of.names()) of.own(name).marks = marks_of(text, name);
}

Lowered Rules::lower(Mix mix, const litmus::Program& program) const {
  const Halves halves(mix, program, program.locations.size() + RuntimeWords(program).size());
  auto lowered = lower_threads<x86::Program>(
      program, x86::att, is_cell_name,
      [&](std::size_t i, const RuntimeWords& words, x86::Program& code, Lowered& out) {
        lower_thread(mix, program, words, halves, i, code, out);
      },
      [&](std::vector<litmus::Cell>& cells) { halves.split(cells, is_cell_name); });
  halves.tell(lowered, lowered.program.cells());
  return lowered;
}

} // namespace thinair::lower::x86_code
