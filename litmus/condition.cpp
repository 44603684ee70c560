// Propositions: truth, printing, the observables they mention.
#include "litmus/condition.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace thinair::litmus {
namespace {

using Kind = Proposition::Kind;

Value value_of(const Observable& wanted, const std::vector<Observable>& observables,
               const Behaviour& behaviour) {
  const auto found = std::ranges::find(observables, wanted);
  THINAIR_CHECK(found != observables.end(), "a proposition over what was not observed");
  return behaviour[static_cast<std::size_t>(found - observables.begin())];
}

void collect(const Proposition& p, std::vector<Observable>& out) {
  if (p.kind == Kind::equal || p.kind == Kind::not_equal) {
    out.push_back(p.left);
    if (p.right) out.push_back(*p.right);
  }
  for (const Proposition& part : p.parts) collect(part, out);
}

std::string atom(const Proposition& p) {
  const std::string constant = p.address.empty() ? std::to_string(p.constant) : p.address;
  return fmt::format("{}{}{}", to_string(p.left),
                     p.kind == Kind::equal ? "=" : "!=", p.right ? to_string(*p.right) : constant);
}

/// As an operand of a connective: only atoms go without parentheses, so that no reader's
/// precedences matter (in herd `=>` binds tighter than `/\`).
std::string operand(const Proposition& p) {
  const bool compound = !p.parts.empty();
  return compound ? fmt::format("({})", to_string(p)) : to_string(p);
}

std::string joined(const std::vector<Proposition>& parts, std::string_view connective) {
  std::string out;
  for (const Proposition& part : parts) {
    if (!out.empty()) out += connective;
    out += operand(part);
  }
  return out;
}

} // namespace

std::strong_ordering operator<=>(const Observable& a, const Observable& b) {
  if (a.thread.has_value() != b.thread.has_value())
    return a.thread ? std::strong_ordering::less : std::strong_ordering::greater;
  if (a.thread && *a.thread != *b.thread) return *a.thread <=> *b.thread;
  return a.name <=> b.name;
}

std::string to_string(const Observable& observable) {
  if (!observable.thread) {
    const bool cell = observable.name.ends_with(']'); // of an array: `t[1]`, as herd has it
    return cell ? observable.name : '[' + observable.name + ']';
  }
  return std::to_string(observable.thread->value) + ':' + observable.name;
}

bool holds(const Proposition& p, const std::vector<Observable>& observables,
           const Behaviour& behaviour) {
  const auto part_holds = [&](const Proposition& part) {
    return holds(part, observables, behaviour);
  };
  switch (p.kind) {
  case Kind::always: return true;
  case Kind::never: return false;
  case Kind::equal:
  case Kind::not_equal: {
    const Value left = value_of(p.left, observables, behaviour);
    const Value right = p.right ? value_of(*p.right, observables, behaviour) : p.constant;
    return (left == right) == (p.kind == Kind::equal);
  }
  case Kind::all: return std::ranges::all_of(p.parts, part_holds);
  case Kind::any: return std::ranges::any_of(p.parts, part_holds);
  case Kind::negation: return !part_holds(p.parts[0]);
  case Kind::implication: return !part_holds(p.parts[0]) || part_holds(p.parts[1]);
  }
  bug(__FILE__, __LINE__, "no such kind of proposition");
}

Proposition anything() { return {}; }

Proposition equals(Observable observable, Value value) {
  Proposition p;
  p.kind = Proposition::Kind::equal;
  p.left = std::move(observable);
  p.constant = value;
  return p;
}

Proposition all_of(std::vector<Proposition> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Proposition p;
  p.kind = parts.empty() ? Proposition::Kind::always : Proposition::Kind::all;
  p.parts = std::move(parts);
  return p;
}

Proposition exactly(const State& state) {
  std::vector<Proposition> parts;
  for (const auto& [observable, value] : state.values) parts.push_back(equals(observable, value));
  return all_of(std::move(parts));
}

Proposition exactly(const std::vector<Observable>& observables, const Behaviour& behaviour) {
  return exactly(state_of(observables, behaviour));
}

State state_of(const std::vector<Observable>& observables, const Behaviour& behaviour) {
  THINAIR_CHECK(observables.size() == behaviour.size(), "a behaviour of other observables");
  State state;
  for (std::size_t i = 0; i < behaviour.size(); ++i)
    state.values.emplace_back(observables[i], behaviour[i]);
  return state;
}

std::string to_string(const State& state) {
  std::string out;
  for (const auto& [observable, value] : state.values)
    out += fmt::format("{}{}={}", out.empty() ? "" : "; ", to_string(observable), value);
  return out;
}

namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

/// "0:r1", "[x]", "t[1]".
std::optional<Observable> observable_in(std::string_view text) {
  Observable out;
  const auto colon = text.find(':');
  if (text.starts_with('[') && text.ends_with(']')) {
    out.name = text.substr(1, text.size() - 2);
  } else if (colon == std::string_view::npos) {
    out.name = text;
    if (!text.ends_with(']')) return std::nullopt;
  } else {
    const auto thread = number_in<std::uint32_t>(text.substr(0, colon));
    if (!thread) return std::nullopt;
    out.thread = ThreadId(*thread);
    out.name = text.substr(colon + 1);
  }
  return out.name.empty() ? std::nullopt : std::optional(out);
}

} // namespace

std::optional<State> state_in(std::string_view text) {
  State state;
  while (!text.empty()) {
    const auto part = text.substr(0, text.find("; "));
    text.remove_prefix(std::min(part.size() + 2, text.size()));
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const auto observable = observable_in(part.substr(0, equals));
    const auto value = number_in<Value>(part.substr(equals + 1));
    if (!observable || !value) return std::nullopt;
    state.values.emplace_back(*observable, *value);
  }
  return state;
}

std::vector<Observable> mentioned(const Proposition& proposition) {
  std::vector<Observable> out;
  collect(proposition, out);
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

std::string to_string(const std::vector<Observable>& observables, const Behaviour& behaviour) {
  return to_string(state_of(observables, behaviour));
}

std::string to_string(const Proposition& p) {
  switch (p.kind) {
  case Kind::always: return "true";
  case Kind::never: return "false";
  case Kind::equal:
  case Kind::not_equal: return atom(p);
  case Kind::all: return joined(p.parts, " /\\ ");
  case Kind::any: return joined(p.parts, " \\/ ");
  case Kind::negation: return "not (" + to_string(p.parts[0]) + ")"; // as herd prints it
  case Kind::implication: return joined(p.parts, " => ");
  }
  bug(__FILE__, __LINE__, "no such kind of proposition");
}

} // namespace thinair::litmus
