// Prints nodes as expressions and plans as lists.
#include "oracle/cat/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace thinair::cat {
namespace {

using graph::name_of;

std::string_view infix(Op op) {
  switch (op) {
  case Op::unite: return " | ";
  case Op::intersect: return " & ";
  case Op::subtract: return " \\ ";
  case Op::compose: return ";";
  case Op::product: return " * ";
  case Op::input:
  case Op::empty:
  case Op::complement:
  case Op::inverse:
  case Op::plus:
  case Op::star:
  case Op::optional_:
  case Op::identity_on:
  case Op::restrict_domain:
  case Op::restrict_range:
  case Op::domain:
  case Op::range:
  case Op::choice:
  case Op::variable:
  case Op::interpreted: break;
  }
  return {};
}

} // namespace

std::string expression(const Plan& plan, NodeId id) {
  const Node& node = plan.nodes[id];
  const auto a = [&] { return expression(plan, node.a); };
  const auto b = [&] { return expression(plan, node.b); };
  switch (node.op) {
  case Op::input: return std::string(name_of(node.input, plan.architecture));
  case Op::empty: return node.type == Type::set ? "{}" : "0";
  case Op::complement: return "~" + a();
  case Op::inverse: return a() + "^-1";
  case Op::plus: return a() + "+";
  case Op::star: return a() + "*";
  case Op::optional_: return a() + "?";
  case Op::identity_on: return "[" + a() + "]";
  case Op::restrict_domain: return fmt::format("([{}];{})", b(), a());
  case Op::restrict_range: return fmt::format("({};[{}])", a(), b());
  case Op::domain: return fmt::format("domain({})", a());
  case Op::range: return fmt::format("range({})", a());
  case Op::choice: return plan.choices[node.a].name;
  case Op::interpreted: return fmt::format("run{}", node.a);
  case Op::variable: {
    const auto& variables = plan.fixpoints[node.a].variables;
    return fmt::format("x{}", std::ranges::find(variables, id) - variables.begin());
  }
  case Op::unite:
  case Op::intersect:
  case Op::subtract:
  case Op::compose:
  case Op::product: break;
  }
  return fmt::format("({}{}{})", a(), infix(node.op), b());
}

namespace {

std::string choice_line(const Plan& plan, const Choice& choice) {
  if (choice.kind == Choice::Kind::interpreted)
    return fmt::format("with {} from run{}", choice.name, choice.interpreted);
  return fmt::format("with {} from {}({}, {})", choice.name,
                     choice.kind == Choice::Kind::linearisations ? "linearisations"
                                                                 : "generate_orders",
                     expression(plan, choice.set), expression(plan, choice.order));
}

std::string_view keyword(Axiom::Kind kind) {
  switch (kind) {
  case Axiom::Kind::acyclic: return "acyclic";
  case Axiom::Kind::irreflexive: return "irreflexive";
  case Axiom::Kind::empty: break;
  }
  return "empty";
}

std::string_view prefix(Axiom::Effect effect) {
  switch (effect) {
  case Axiom::Effect::required: break;
  case Axiom::Effect::flag: return "flag ";
  case Axiom::Effect::undefined_unless: return "undefined_unless ";
  }
  return {};
}

} // namespace

std::string listing(const Plan& plan) {
  std::string out;
  const auto line = [&]<class... T>(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<T>(arguments)...);
    out += '\n';
  };
  for (const auto& choice : plan.choices) line("{}", choice_line(plan, choice));
  for (const auto& group : plan.fixpoints)
    for (std::size_t i = 0; i < group.bodies.size(); ++i)
      line("{} x{} = {}", i == 0 ? "rec" : "and", i, expression(plan, group.bodies[i]));
  for (const auto& axiom : plan.axioms)
    line("{}{}{} {} as {}{}", prefix(axiom.effect), axiom.negated ? "~" : "", keyword(axiom.kind),
         expression(plan, axiom.node), axiom.name, axiom.prunes ? " (prunes)" : "");
  for (const auto& shown : plan.shows)
    line("show {} as {}", expression(plan, shown.node), shown.name);
  return out;
}

} // namespace thinair::cat
