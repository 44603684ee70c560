// Compiles a program with the rules of a machine of loads and stores: registers for the source's
// registers and for addresses, statements, rules filled in.
#pragma once

#include "litmus/objects.h"
#include "lower/machine_code.h"
#include "lower/naming.h"
#include "lower/statements.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace thinair::lower {

template <class Instruction>
struct MachineRules {
  RuleTable<MachineRule<Instruction>> of;
  const std::vector<Peephole>* peepholes = nullptr; // the scheme's
};

/// A scheme's rules, or those of a mix.
template <class Instruction>
using MachineMix = std::span<const MachineRules<Instruction>* const>;

/// Registers of one thread: which hold the addresses of locations, and what is left for values.
template <class Register>
struct Layout {
  std::vector<std::optional<Register>> address_of; // by location of the source
  std::optional<Register> cut, spilled;            // the addresses of the thread's own
  std::vector<Register> values;
};

template <class Instruction>
class MachineLowering : public Statements<MachineLowering<Instruction>> {
 public:
  using Register = typename Instruction::Reg;
  using Base = Statements<MachineLowering<Instruction>>;
  using Expressions = MachineExpressions<Instruction>;
  using Held = typename Expressions::Held;

  MachineLowering(MachineMix<Instruction> rules, const RuntimeWords& words,
                  const Layout<Register>& layout, const Homes<Register>& homes,
                  typename Expressions::Spilled spilled, const litmus::Program& source,
                  const litmus::Thread& thread)
      : Base(words), rules_(rules), layout_(layout), source_(source), thread_(thread),
        code_(lower::words<Instruction>().values),
        expressions_(code_, homes.homes, spilled, source, thread) {
    for (const Register reg : homes.scratch) code_.release(reg);
  }

  CodeWriter<Instruction>& code() { return code_; }
  void jump(const std::string& label) { expressions_.jump(label); }
  void jump_unless(const litmus::Expression& condition, const std::string& label) {
    expressions_.jump_unless(condition, label);
  }

  using Base::visit;
  void visit(const litmus::Assign& node) { expressions_.assign(node.target, node.value); }
  void visit(const litmus::FenceStatement& node) { operation(node.fence, node.by, nullptr); }
  void visit(const litmus::Access& node) {
    if (node.field)
      operation(node.method, node.by, &node);
    else
      operation(node.method, node.by, &node, node.location);
  }
  /// By the first scheme of a mix: all of them have to agree on what a word means.
  void runtime(RuntimeAction action, std::optional<litmus::LocationId> word) {
    operation(action, 0, nullptr, word);
  }
  void make(litmus::RegisterId target, litmus::LocationId object) {
    expressions_.assign(target, layout_.address_of[object.value].value(), litmus::Width::l);
  }
  /// The path goes on, and what it leads to is known not to count.
  void visit(const litmus::Cut&) {
    const Held one = expressions_.value(litmus::Expression::number(1));
    expressions_.store(one.reg, {layout_.cut.value(), 0});
    expressions_.release(one);
  }

 private:
  /// The target's own register, unless an argument stands there, which the rule may still read.
  Held destination(const litmus::Access& access, const std::vector<Held>& arguments) {
    if (access.target)
      if (const auto home = expressions_.in_register(*access.target))
        if (std::ranges::find(arguments, *home, &Held::reg) == arguments.end()) return {*home};
    return {code_.take(), true};
  }

  /// What an operation accesses; a monitor's or thread's word is an int.
  litmus::JavaType type_of(const litmus::Access* access) const {
    if (access == nullptr) return {};
    return litmus::type_of(source_, thread_, access->location, access->field);
  }
  /// Of a compare-and-set an int, else the location's.
  litmus::JavaType type_of_result(const litmus::Access& access) const {
    litmus::Expression value = litmus::Expression::of(access.method, access.location, {});
    value.field = access.field;
    return litmus::type_of(source_, thread_, value);
  }

  /// The rule for a type that is no int's.
  MachineRule<Instruction> rule_for(const RuleName& name, const MachineRule<Instruction>& rule,
                                    litmus::JavaType type) const {
    if (auto out = scaled(rule, cell_type(type))) return *std::move(out);
    const auto word = rule_type_name(type.kind);
    throw Unsupported(
        fmt::format("{} of a {}: {} has no such instructions for {} bits, and the "
                    "scheme no rule `{} {}`",
                    lower::name(name.operation), word, lower::words<Instruction>().machine,
                    litmus::bits_of(cell_type(type).width), lower::name(name.operation), word));
  }

  Held argument(const litmus::Access& access, std::size_t number, litmus::JavaType type) {
    Held held = expressions_.value(litmus::operands_of(access)[number], register_type(type).width);
    const auto cell = cell_type(type);
    if (role_of(access, number) != Role::exp || cell == litmus::Type{}) return held;
    const auto text = lower::words<Instruction>().types->of_expected(cell);
    return text.empty() ? held : expressions_.changed(held, text);
  }

  /// A rule's result, extended as Java has it.
  void keep_result(const litmus::Access& access, const MachineRule<Instruction>& rule,
                   Register dst) {
    const auto type = type_of_result(access);
    const auto cell = cell_type(type);
    if (cell != litmus::Type{})
      if (const auto text = lower::words<Instruction>().types->of_result(rule.code, cell);
          !text.empty())
        expressions_.change(dst, text);
    expressions_.assign(*access.target, dst, register_type(type).width);
  }

  void operation(Operation operation, litmus::Choice by, const litmus::Access* access,
                 std::optional<litmus::LocationId> location = {}) {
    const auto& scheme = *rules_[rules_.size() == 1 ? 0 : by];
    const auto type = type_of(access);
    const RuleName name = scheme.of.name_for(operation, type.kind);
    const auto& written = scheme.of.at(name);
    if (written.is_unsupported) has_no_code(name);
    std::optional<MachineRule<Instruction>> of_type;
    if (cell_type(type) != litmus::Type{}) of_type = rule_for(name, written, type);
    const auto& rule = of_type ? *of_type : written;
    Bindings<Register> bindings;
    std::vector<Held> held;
    if (location) bindings.address = layout_.address_of[location->value].value();
    if (access != nullptr && access->field) {
      const auto indexed = indexed_address(source_, thread_, *access);
      held.push_back(indexed ? expressions_.value(*indexed, litmus::Width::l)
                             : expressions_.displaced(access->field->object,
                                                      offset_of(source_, thread_, *access)));
      bindings.address = held.back().reg;
    }
    if (access != nullptr) {
      for (std::size_t i = 0; i < litmus::operands_of(*access).size(); ++i) {
        held.push_back(argument(*access, i, type));
        bindings[role_of(*access, i)] = held.back().reg;
      }
    }
    if (rule.uses_role(Role::dst)) {
      held.push_back(destination(*access, held));
      bindings[Role::dst] = held.back().reg;
    }
    for (const Role role : {Role::tmp, Role::tmp2}) {
      if (!rule.uses_role(role)) continue;
      held.push_back({code_.take(), true});
      bindings[role] = held.back().reg;
    }
    code_.at_operation(scheme.peepholes, index_of(operation));
    emit_rule(rule, words<Instruction>(), bindings, code_);
    code_.at_operation(nullptr);
    if (access != nullptr && access->target && rule.uses_role(Role::dst))
      keep_result(*access, rule, bindings[Role::dst]);
    for (const Held& each : held) expressions_.release(each);
  }

  MachineMix<Instruction> rules_;
  const Layout<Register>& layout_;
  const litmus::Program& source_;
  const litmus::Thread& thread_;
  CodeWriter<Instruction> code_;
  Expressions expressions_;
};

/// Gives addresses their registers. Throws Unsupported where there are too few.
template <class Instruction>
Layout<typename Instruction::Reg> layout_of(const MachineWords<Instruction>& words,
                                            const Survey& survey, bool spills) {
  using Register = typename Instruction::Reg;
  Layout<Register> out;
  std::size_t next = 0;
  const auto address = [&] {
    if (next == words.addresses.size())
      throw Unsupported(fmt::format("more locations in a thread than {} has registers for "
                                    "their addresses ({})",
                                    words.machine, words.addresses.size()));
    return words.addresses[next++];
  };
  for (const bool used : survey.locations)
    out.address_of.push_back(used ? std::optional(address()) : std::nullopt);
  if (survey.cuts) out.cut = address();
  if (spills) out.spilled = address();
  const auto taken = words.addresses.first(next);
  for (const Register reg : words.values)
    if (std::ranges::find(taken, reg) == taken.end()) out.values.push_back(reg);
  return out;
}

/// What an offset from one address reaches on every machine: RISC-V adds up to 2047 bytes.
inline constexpr std::uint32_t most_spilled = 512;

/// Compiles one thread of `source` with `rules`.
template <class Instruction>
class MachineThread {
 public:
  using Register = typename Instruction::Reg;
  using Program = litmus::ProgramOf<Instruction>;

  MachineThread(MachineMix<Instruction> rules, const litmus::Program& source,
                const RuntimeWords& runtime, std::size_t number, Program& program)
      : rules_(rules), source_(source), runtime_(runtime), thread_(source.threads[number]),
        number_(number), program_(program), survey_(survey(source, runtime, number)) {
    for (const auto& reg : thread_.registers)
      spilled_width_ = std::max(spilled_width_, register_type(reg.type).width);
    if (survey_.cuts)
      cut_ = add_cell(program_.locations, fmt::format("P{}_cut", number), 0, is_safe_name);
    while (std::ranges::find(program_.locations, spilled_name_, litmus::name_in_code) !=
           program_.locations.end())
      spilled_name_ += '_';
  }

  void lower(Lowered& out) {
    with_enough_scratch(
        words_.values.size(), program_, [&](std::size_t limit) { return attempt(limit); },
        [&](auto made) { accept(*made, out); });
  }

 private:
  struct Attempt {
    Layout<Register> layout;
    Homes<Register> homes;
    std::size_t first_cell = 0; // of the thread's spilled registers
    std::optional<MachineLowering<Instruction>> lowering;
    bool starved() { return lowering->code().starved(); }
    std::size_t in_registers() const { return homes.in_registers; }
  };

  /// Spilled registers are the cells of one array, so that one address reaches them all.
  litmus::LocationId spill(std::size_t first, std::uint32_t reg) {
    auto& cells = program_.locations;
    const auto index = static_cast<std::uint32_t>(cells.size() - first);
    if (index == most_spilled)
      throw Unsupported(fmt::format("more than {} registers of a thread in memory", most_spilled));
    litmus::Cell cell;
    cell.name = fmt::format("{}[{}]", spilled_name_, index);
    cell.type = {spilled_width_, true};
    cell.initial = thread_.registers[reg].initial;
    cell.index = index;
    cells.push_back(std::move(cell));
    return litmus::LocationId(static_cast<std::uint32_t>(cells.size() - 1));
  }

  std::unique_ptr<Attempt> attempt(std::size_t limit) {
    auto made = std::make_unique<Attempt>();
    const std::size_t wanted = survey_.by_uses().size();
    const std::size_t first = made->first_cell = program_.locations.size();
    made->layout = layout_of(words_, survey_, false);
    if (std::min(limit, made->layout.values.size()) < wanted)
      made->layout = layout_of(words_, survey_, true);
    made->homes = give_homes<Register>(survey_, made->layout.values, limit,
                                       [&](std::uint32_t reg) { return spill(first, reg); });
    for (std::size_t i = first; i < program_.locations.size(); ++i)
      program_.locations[i].length = static_cast<std::uint32_t>(program_.locations.size() - first);
    made->lowering.emplace(rules_, runtime_, made->layout, made->homes,
                           typename MachineLowering<Instruction>::Expressions::Spilled{
                               made->layout.spilled.value_or(Register{}),
                               litmus::LocationId(static_cast<std::uint32_t>(first)),
                               spilled_width_},
                           source_, thread_);
    made->lowering->thread(source_, number_);
    return made;
  }

  std::vector<litmus::InitialOf<Register>> initial(const Attempt& made) const {
    std::vector<litmus::InitialOf<Register>> out;
    const auto point = [&](std::optional<Register> reg, std::size_t location) {
      if (reg) out.push_back({*reg, litmus::LocationId(static_cast<std::uint32_t>(location)), {}});
    };
    for (std::size_t i = 0; i < made.layout.address_of.size(); ++i)
      point(made.layout.address_of[i], i);
    if (cut_) point(made.layout.cut, cut_->value);
    point(made.layout.spilled, made.first_cell);
    for (auto& value : initial_registers(thread_, survey_, made.homes)) out.push_back(value);
    return out;
  }

  void accept(Attempt& made, Lowered& out) {
    const litmus::ThreadId id(static_cast<std::uint32_t>(number_));
    program_.threads.push_back(
        made.lowering->code().finish(fmt::format("P{}", number_), initial(made)));
    out.origins.push_back(made.lowering->code().take_origins());
    restore_registers(thread_, id, survey_, made.homes, program_.locations, words_.observable,
                      out.restoration);
    if (cut_) out.restoration.cuts.push_back({std::nullopt, program_.locations[cut_->value].name});
  }

  const MachineWords<Instruction>& words_ = words<Instruction>();
  MachineMix<Instruction> rules_;
  const litmus::Program& source_;
  const RuntimeWords& runtime_;
  const litmus::Thread& thread_;
  std::size_t number_;
  Program& program_;
  Survey survey_;
  std::string spilled_name_ = fmt::format("P{}_spilled", number_);
  std::optional<litmus::LocationId> cut_;
  litmus::Width spilled_width_ = litmus::Width::l; // of all, as they are in one array
};

/// The program's threads compiled with `rules`.
template <class Instruction>
Lowered lower_with(MachineMix<Instruction> rules, const litmus::Program& source) {
  return lower_threads<litmus::ProgramOf<Instruction>>(
      source, *words<Instruction>().language, is_safe_name,
      [&](std::size_t number, const RuntimeWords& runtime, litmus::ProgramOf<Instruction>& program,
          Lowered& out) {
        MachineThread<Instruction>(rules, source, runtime, number, program).lower(out);
      });
}

} // namespace thinair::lower
