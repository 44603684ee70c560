// The search over the states of the abstract machine, one combination of control paths at a time.
#include "oracle/umm/machine.h"

#include "litmus/language.h"
#include "litmus/text/error.h"
#include "oracle/executions/path_limits.h"
#include "oracle/question/text_order.h"
#include "oracle/umm/buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <unordered_set>

namespace thinair::umm {
namespace {

using graph::Value;
using litmus::Behaviour;
using litmus::Observable;

constexpr std::size_t bytes_a_state = 128; // of memory, beside its buffer

/// Where a final state is read off: by observable, a thread and one of its registers.
struct Place {
  std::uint32_t thread = 0, reg = 0;
};

std::vector<Place> places_of(const litmus::Program& program, const Model& model,
                             const std::vector<Observable>& observables) {
  std::vector<Place> places;
  for (const auto& o : observables) {
    if (!o.thread)
      throw InputError(
          fmt::format("the model \"{}\" says what reads return, not what memory holds, "
                      "so that {} has no final value in it: ask for registers only",
                      model.title, litmus::to_string(o)));
    if (o.thread->value >= program.threads.size())
      throw InputError("the program has no " + litmus::to_string(o));
    const auto& registers = program.threads[o.thread->value].registers;
    const auto found = std::ranges::find(registers, o.name, &litmus::Register::name);
    if (found == registers.end()) throw InputError("the program has no " + litmus::to_string(o));
    places.push_back({o.thread->value, static_cast<std::uint32_t>(found - registers.begin())});
  }
  return places;
}

struct MachineState {
  explicit MachineState(Buffer b) : buffer(std::move(b)) {}
  Buffer buffer;
  std::vector<std::uint64_t> issued; // by thread, a bit an instruction
  std::vector<Value> values;         // by variable
  std::vector<char> known;           // by variable
};

/// What the search of all path combinations shares.
struct Run {
  const Code& code;
  const Model& model;
  const executions::Limits& limits;
  std::vector<Place> places;
  std::function<bool(const Behaviour&)> visit; // true: enough
  Watch& watch;
  std::uint64_t states = 0, complete = 0;
  Reason stopped = {}; // by which limit
};

class Machine {
 public:
  Machine(Run& run, std::vector<const Line*> lines) : run_(run), lines_(std::move(lines)) {}

  /// True: the visitor has seen enough, or a limit was reached.
  bool search() {
    MachineState start(Buffer(run_.code, run_.model));
    start.issued.assign(lines_.size(), 0);
    start.values.assign(run_.code.terms.variable_count(), 0);
    start.known.assign(start.values.size(), 0);
    return visit(start);
  }

 private:
  bool visit(const MachineState& state) {
    if (!run_.watch.step(1 + lines_.size())) return over_limit(state);
    if (impossible(state) || !seen_.insert(key(state)).second) return false;
    if (over_limit(state)) return true;
    bool done = true;
    if (const auto unseen = unseen_write(state)) return issue(state, unseen->thread, unseen->index);
    const auto only = independent_view(state);
    for (std::uint32_t t = 0; t < lines_.size(); ++t) {
      const auto& instructions = lines_[t]->instructions;
      for (std::uint32_t i = 0; i < instructions.size(); ++i) {
        if (issued(state, t, i)) continue;
        done = false;
        if (only && view_of(instructions[i]) != *only) continue;
        if (ready(state, t, i) && issue(state, t, i)) return true;
      }
    }
    return done && finish(state);
  }

  /// Where reads see the latest write and nothing else, an instruction meets those of its view
  /// only: of the thread that the sub-writes go to, or else of the variable.
  std::uint32_t view_of(const Instruction& instruction) const {
    if (!run_.model.to_each_thread) return instruction.variable;
    return info(instruction.operation).reads ? instruction.thread : instruction.target;
  }

  /// Whether a read that is still to come looks at this cell.
  bool awaited(const MachineState& state, std::uint32_t variable, std::uint32_t target) const {
    for (std::uint32_t t = 0; t < lines_.size(); ++t) {
      if (run_.model.to_each_thread && t != target) continue;
      const auto& instructions = lines_[t]->instructions;
      for (std::uint32_t i = 0; i < instructions.size(); ++i)
        if (info(instructions[i].operation).reads && instructions[i].variable == variable &&
            !issued(state, t, i))
          return true;
    }
    return false;
  }

  struct Step {
    std::uint32_t thread = 0, index = 0;
  };

  /// A write that is ready and that nobody will see: when it is issued makes no difference.
  std::optional<Step> unseen_write(const MachineState& state) const {
    if (!state.buffer.forgetful()) return std::nullopt;
    for (std::uint32_t t = 0; t < lines_.size(); ++t) {
      const auto& instructions = lines_[t]->instructions;
      for (std::uint32_t i = 0; i < instructions.size(); ++i) {
        const auto& in = instructions[i];
        if (issued(state, t, i) || !info(in.operation).writes) continue;
        if (!awaited(state, in.variable, in.target) && ready(state, t, i)) return Step{t, i};
      }
    }
    return std::nullopt;
  }

  /// A view whose instructions wait for each other only: issuing those first reaches every final
  /// state (a persistent set), and spares the interleavings with all others.
  std::optional<std::uint32_t> independent_view(const MachineState& state) const {
    if (!state.buffer.forgetful()) return std::nullopt;
    std::set<std::uint32_t> left, dependent;
    for (std::uint32_t t = 0; t < lines_.size(); ++t)
      for (std::uint32_t i = 0; i < lines_[t]->instructions.size(); ++i) {
        if (issued(state, t, i)) continue;
        const auto& what = info(lines_[t]->instructions[i].operation);
        if (!what.reads && !what.writes) return std::nullopt; // locks and barriers have no view
        const auto view = view_of(lines_[t]->instructions[i]);
        left.insert(view);
        if (waits_for_another_view(state, t, i)) dependent.insert(view);
      }
    for (const auto view : left)
      if (!dependent.contains(view)) return view;
    return std::nullopt;
  }

  bool waits_for_another_view(const MachineState& state, std::uint32_t thread,
                              std::uint32_t i) const {
    const Line& line = *lines_[thread];
    const auto& instruction = line.instructions[i];
    const auto view = view_of(instruction);
    for (std::uint32_t j = 0; j < i; ++j) {
      const auto& earlier = line.instructions[j];
      if (issued(state, thread, j) || view_of(earlier) == view) continue;
      if (blocks(earlier, instruction)) return true;
      if (info(earlier.operation).reads && uses(line, instruction, earlier.read)) return true;
    }
    return false;
  }

  /// Whether an instruction's value, or a branch before it, takes up what a read returns.
  bool uses(const Line& line, const Instruction& instruction, graph::Variable read) const {
    const auto mentions = [&](graph::TermId term) {
      return std::ranges::find(run_.code.terms.variables_of(term), read) !=
             run_.code.terms.variables_of(term).end();
    };
    if (info(instruction.operation).writes && mentions(instruction.written)) return true;
    return std::ranges::any_of(line.branches, [&](const graph::Branch& b) {
      return b.position <= instruction.position && mentions(b.condition);
    });
  }

  bool over_limit(const MachineState& state) {
    std::size_t size = state.values.size();
    for (const auto* line : lines_) size += line->instructions.size();
    run_.watch.grow(bytes_a_state + state.buffer.entries().size() * 7);
    if (++run_.states > run_.limits.candidates)
      run_.stopped = Reason::reached(Limit::candidates);
    else if (!run_.watch.step(1 + size))
      run_.stopped = run_.watch.reason();
    return !run_.stopped.empty();
  }

  static bool issued(const MachineState& state, std::uint32_t thread, std::uint32_t i) {
    return ((state.issued[thread] >> i) & 1U) != 0;
  }

  bool known(const MachineState& state, graph::TermId term) const {
    return std::ranges::all_of(run_.code.terms.variables_of(term),
                               [&](graph::Variable v) { return state.known[v.value] != 0; });
  }

  /// Some branch is decided against this path, or something divided by zero.
  bool impossible(const MachineState& state) const {
    const auto& terms = run_.code.terms;
    return std::ranges::any_of(lines_, [&](const Line* line) {
      return std::ranges::any_of(line->branches,
                                 [&](const graph::Branch& b) {
                                   return known(state, b.condition) &&
                                          terms.evaluate(b.condition, state.values).value_or(0) ==
                                              0;
                                 }) ||
             std::ranges::any_of(line->must_divide, [&](graph::TermId term) {
               return known(state, term) && !terms.evaluate(term, state.values);
             });
    });
  }

  /// Condition `ready` of UMM 4.4 and 5.5, lock ownership (Table 3), and what UMM leaves to
  /// computation: values and branches.
  bool ready(const MachineState& state, std::uint32_t thread, std::uint32_t i) const {
    const Line& line = *lines_[thread];
    const auto& instruction = line.instructions[i];
    for (std::uint32_t j = 0; j < i; ++j)
      if (!issued(state, thread, j) && blocks(line.instructions[j], instruction)) return false;
    const bool undecided = std::ranges::any_of(line.branches, [&](const graph::Branch& b) {
      return b.position <= instruction.position && !known(state, b.condition);
    });
    if (undecided) return false;
    if (info(instruction.operation).writes && !known(state, instruction.written)) return false;
    return instruction.operation != Operation::lock || may_lock(state, instruction);
  }

  bool blocks(const Instruction& earlier, const Instruction& later) const {
    if (earlier.position == later.position) return false; // sub-writes of one write
    switch (run_.model.may_bypass(earlier.operation, later.operation)) {
    case Bypass::no: return true;
    case Bypass::yes: return false;
    case Bypass::different_variable: return earlier.variable == later.variable;
    case Bypass::different_target: return earlier.target == later.target;
    case Bypass::redundant: return !earlier.redundant;
    }
    return true;
  }

  /// LK of UMM 5.2, computed from the buffer: who has entered more often than left.
  static bool may_lock(const MachineState& state, const Instruction& lock) {
    int count = 0;
    std::uint32_t owner = lock.thread;
    for (const auto& entry : state.buffer.entries()) {
      if (entry.variable != lock.variable) continue;
      if (entry.operation != Operation::lock && entry.operation != Operation::unlock) continue;
      count += entry.operation == Operation::lock ? 1 : -1;
      owner = entry.thread;
    }
    return count == 0 || owner == lock.thread;
  }

  bool issue(const MachineState& state, std::uint32_t thread, std::uint32_t i) {
    const auto& instruction = lines_[thread]->instructions[i];
    const auto& what = info(instruction.operation);
    Completed entry{instruction.operation, thread, instruction.position, instruction.variable,
                    instruction.target,    0};
    MachineState next = state;
    next.issued[thread] |= std::uint64_t{1} << i;
    if (!what.reads) {
      if (what.writes) {
        const auto value = run_.code.terms.evaluate(instruction.written, state.values);
        if (!value) return false;
        entry.value = *value;
      }
      if (what.remembered) next.buffer.append(entry);
      return visit(next);
    }
    const auto values = state.buffer.legal(entry);
    if (what.remembered) next.buffer.append(entry);
    next.known[instruction.read.value] = 1;
    return std::ranges::any_of(values, [&](Value value) {
      next.values[instruction.read.value] = value;
      return visit(next);
    });
  }

  bool finish(const MachineState& state) {
    ++run_.complete;
    Behaviour behaviour;
    for (const auto& place : run_.places) {
      const auto value =
          run_.code.terms.evaluate(lines_[place.thread]->final_registers[place.reg], state.values);
      if (!value) return false;
      behaviour.push_back(*value);
    }
    return run_.visit(behaviour);
  }

  /// All of a state that matters from here on, as bytes.
  std::string key(const MachineState& state) const {
    std::string bytes;
    const auto put = [&](std::uint64_t value, int width) {
      for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i));
    };
    for (const auto mask : state.issued) put(mask, 8);
    for (std::size_t v = 0; v < state.values.size(); ++v)
      if (state.known[v] != 0) put(static_cast<std::uint64_t>(state.values[v]), 4);
    for (const auto& e : state.buffer.entries()) {
      if (state.buffer.forgetful() && !awaited(state, e.variable, e.target)) continue;
      put(e.thread, 1);
      put(e.position, 2);
      put(static_cast<std::uint64_t>(e.value), 4);
    }
    return bytes;
  }

  Run& run_;
  std::vector<const Line*> lines_;
  std::unordered_set<std::string> seen_;
};

/// Every combination of one control path a thread. True: enough.
bool search_all(Run& run, std::vector<const Line*>& chosen) {
  const auto thread = chosen.size();
  if (!run.watch.step()) {
    run.stopped = run.watch.reason();
    return true;
  }
  if (thread == run.code.threads.size()) return Machine(run, chosen).search();
  for (const auto& line : run.code.threads[thread]) {
    chosen.push_back(&line);
    if (search_all(run, chosen)) return true;
    chosen.pop_back();
  }
  return false;
}

/// The behaviours that `wanted` lets pass, until `enough`; run.stopped and code.cut say what is
/// missing.
oracle::Result explore(const litmus::Test& test, const Model& model,
                       const executions::Options& options,
                       const std::function<bool(const Behaviour&)>& enough,
                       std::vector<Observable> observables) {
  require_java(test, "in UMM's models");
  const oracle::Watched watch(options.limits);
  const Code code = code_of(test.java(), model, executions::path_limits(options.limits, *watch));
  std::set<Behaviour> found;
  oracle::Result result;
  result.observables = std::move(observables);
  const auto places = places_of(test.java(), model, result.observables);
  Run run{code, model, options.limits, places, {}, *watch};
  run.visit = [&](const Behaviour& behaviour) {
    if (test.filter && !litmus::holds(*test.filter, result.observables, behaviour)) return false;
    if (found.insert(behaviour).second) watch->grow(bytes_a_state);
    return enough(behaviour);
  };
  std::vector<const Line*> chosen;
  try {
    search_all(run, chosen);
  } catch (const LimitReached&) { // from the values of its terms; what has been found stays found
    if (!watch->stopped()) throw;
  }
  result.behaviours = oracle::in_text_order(
      found, [&](const Behaviour& b) { return litmus::to_string(result.observables, b); }, *watch);
  if (run.stopped.empty()) run.stopped = watch->reason();
  result.candidates = run.states;
  result.executions = run.complete;
  result.cut_by_loop_bound = code.cut;
  if (code.cut && run.stopped.empty()) run.stopped = Reason::reached(Limit::loop_bound);
  if (!run.stopped.empty()) {
    result.status = oracle::Result::Status::unknown;
    result.reason = run.stopped;
  }
  return result;
}

void add_missing(std::vector<Observable>& all, const litmus::Proposition& p) {
  for (const auto& o : litmus::mentioned(p))
    if (std::ranges::find(all, o) == all.end()) all.push_back(o);
}

} // namespace

oracle::Result behaviours(const litmus::Test& test, const Model& model,
                          const executions::Options& options) {
  return explore(
      test, model, options, [](const Behaviour&) { return false; },
      litmus::observables(test, options.all_registers));
}

oracle::Answer exists(const litmus::Test& test, const Model& model, const litmus::Proposition& p,
                      const executions::Options& options) {
  std::vector<Observable> observables;
  add_missing(observables, p);
  if (test.filter) add_missing(observables, *test.filter);
  bool yes = false;
  const auto result = explore(
      test, model, options,
      [&](const Behaviour& b) { return yes = litmus::holds(p, observables, b); }, observables);
  if (yes) return oracle::Answer::allowed;
  if (result.status == oracle::Result::Status::ok) return oracle::Answer::forbidden;
  return {oracle::Answer::unknown, result.reason};
}

} // namespace thinair::umm
