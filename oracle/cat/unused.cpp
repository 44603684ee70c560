// What is wrong with definitions that nothing uses: a run leaves them alone, a check does not.
#include "oracle/cat/session.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <set>

namespace thinair::cat {
namespace {

constexpr std::size_t most_components = 4; // of the tuples that a function is tried on

struct Fault {
  std::string text;
  bool unbound = false;
  friend auto operator<=>(const Fault&, const Fault&) = default;
};

/// What the model's author did wrong; absent where that is nothing, or a limit or a feature that is
/// not supported leaves it open.
template <class Run>
std::optional<Fault> fault_of(Run&& run) {
  try {
    run();
  } catch (const UnboundName& e) {
    return Fault{e.what(), true};
  } catch (const InputError& e) {
    return Fault{e.what()};
  } catch (const Unsupported&) {
  } catch (const LimitReached&) {
  }
  return std::nullopt;
}

/// Whether the place that an error names lies within a span. What is wrong with a function that is
/// called may be wrong with what it is given: elements of sets of sets have no kind before a run.
bool lies_within(const std::string& error, text::Span span, const text::Source& source) {
  const auto prefix = source.name + ":";
  if (!error.starts_with(prefix)) return false;
  const auto line = std::strtoul(error.c_str() + prefix.size(), nullptr, 10);
  return position_of(source, span.begin).line <= line && line <= position_of(source, span.end).line;
}

/// Every tuple of so many relations and sets.
void add_tuples(std::size_t size, const Value& relation, const Value& set,
                std::vector<Value>& out) {
  for (std::size_t mask = 0; mask < std::size_t{1} << size; ++mask) {
    Value tuple{.kind = Value::Kind::tuple};
    for (std::size_t i = 0; i < size; ++i)
      tuple.items.push_back((mask >> i & 1U) != 0 ? set : relation);
    out.push_back(std::move(tuple));
  }
}

} // namespace

void Session::check_unused() {
  const bool whole = !axioms.empty(); // or a part, whose includer defines what it lacks
  std::map<CellId, CellId> tried;     // cells of functions tried on arguments, not of the model
  for (CellId cell = 0; cell < evaluator.scopes.size(); ++cell) { // grows meanwhile
    if (const auto trial = tried.find(cell); trial != tried.end()) {
      cell = trial->second - 1;
      continue;
    }
    if (evaluator.scopes[cell].context.source != &files_.front().source) continue;
    std::optional<Fault> fault;
    if (evaluator.scopes[cell].state == Cell::State::waiting)
      fault = fault_of([&] { evaluator.force(cell); });
    const Cell& done = evaluator.scopes[cell];
    if (done.state == Cell::State::done && done.value.kind == Value::Kind::function) {
      const Function function = evaluator.functions[done.value.index];
      const auto first = static_cast<CellId>(evaluator.scopes.size());
      fault = fault_of([&] { check_function(function); });
      const auto end = static_cast<CellId>(evaluator.scopes.size());
      if (end > first) tried.emplace(first, end);
    }
    if (fault && (whole || !fault->unbound)) throw InputError(fault->text);
  }
}

/// A function is wrong that fails in the same way whatever it is applied to, or that lacks a name.
void Session::check_function(const Function& function) {
  const auto& lambda = *function.lambda;
  const auto relation = Value::of_node(evaluator.graph.input(Input::rf));
  const auto set = Value::of_node(evaluator.graph.input(Input::writes));
  std::vector<Value> arguments;
  const auto count = lambda.pattern.names.size();
  if (lambda.pattern.tuple && count > most_components) return;
  if (!lambda.pattern.tuple)
    arguments = {Value{}, relation, set, Value{.kind = Value::Kind::tag, .tag = "_"}};
  for (std::size_t size = 2; size <= most_components; ++size)
    if (!lambda.pattern.tuple || size == count) add_tuples(size, relation, set, arguments);
  std::set<Fault> faults;
  for (const auto& argument : arguments) {
    const auto fault = fault_of([&] {
      const Context here{function.context.source, 0};
      const auto scope =
          evaluator.bind_value(lambda.pattern, argument, function.context.scope, lambda.span, here);
      evaluator.evaluate(*lambda.children[0], {here.source, scope});
    });
    if (!fault) return;
    faults.insert(*fault);
  }
  for (const auto& fault : faults) {
    if (fault.unbound) throw UnboundName(InputError(fault.text));
    if (faults.size() == 1 && lies_within(fault.text, lambda.span, *function.context.source))
      throw InputError(fault.text);
  }
}

} // namespace thinair::cat
