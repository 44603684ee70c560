// What every memory model owes its users, whatever else it says.
#include "health/edits.h"
#include "health/property.h"
#include "litmus/walk.h"

#include <algorithm>

namespace thinair::health {
namespace {

using Answer = Finding::Answer;
using litmus::Expression;
using litmus::Operator;
using litmus::Program;

Finding undecided(const Allowed& asked) {
  return {Answer::unknown, "", std::nullopt, asked.reason};
}

Finding allows_something(const Program& program, Lab& lab) {
  const auto& allowed = lab.allowed(program);
  if (!allowed.states.empty()) return {Answer::holds, "", std::nullopt, ""};
  if (!allowed.known) return undecided(allowed);
  if (lab.sequential(program).states.empty()) return {}; // it never ends
  return {Answer::fails, to_string(*lab.sequential(program).states.begin()), std::nullopt,
          "the model allows the program nothing at all; an interleaving shows this"};
}

Finding fits_its_rules(const Program& program, Lab& lab) {
  const auto& allowed = lab.allowed(program);
  if (allowed.unfit) return {Answer::fails, "", std::nullopt, allowed.reason};
  if (!allowed.known) return undecided(allowed);
  return {Answer::holds, "", std::nullopt, ""};
}

Finding contains_interleavings(const Program& program, Lab& lab) {
  return included(lab.sequential(program), lab.allowed(program),
                  "an interleaving shows it, and the model forbids it");
}

Finding race_free_is_sequential(const Program& program, Lab& lab) {
  const auto& racy = lab.racy(program);
  if (!racy.known) return undecided(racy);
  if (!racy.states.empty()) return {};
  return included(lab.allowed(program), lab.sequential(program),
                  "no interleaving has a data race, and none shows it; the model allows it");
}

/// Whether every access is at least opaque.
bool no_plain_access(const Program& program) {
  const auto used = litmus::constructs_of(program);
  return !used.has(litmus::Construct::plain) && !used.has(litmus::Construct::plain_update);
}

std::size_t locations_used(const Program& program) {
  std::set<std::uint32_t> used;
  for (const auto& thread : program.threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      if (const auto* access = std::get_if<litmus::Access>(&statement.node))
        used.insert(access->location.value);
    });
  return used.size();
}

Finding is_coherent(const Program& program, Lab& lab) {
  if (locations_used(program) != 1 || !no_plain_access(program)) return {};
  return included(
      lab.allowed(program), lab.sequential(program),
      "there is one location, each access is at least opaque, and no order of its accesses "
      "shows it; the model allows it");
}

/// The constants that a program of copies can show; absent where it computes.
std::optional<std::set<litmus::Value>> constants_of(const Program& program) {
  std::set<litmus::Value> out = {0};
  bool copies = true;
  const auto look = [&](const Expression& e) {
    if (e.op == Operator::constant) out.insert(e.constant);
    copies = copies && (e.op == Operator::constant || e.op == Operator::reg);
  };
  for (const auto& location : program.locations) out.insert(location.initial);
  for (const auto& thread : program.threads) {
    for (const auto& reg : thread.registers) out.insert(reg.initial);
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      if (const auto* access = std::get_if<litmus::Access>(&statement.node)) {
        const auto action = info(access->method).action;
        copies = copies && (action == litmus::Action::get || action == litmus::Action::set ||
                            action == litmus::Action::get_and_set);
      } else if (std::holds_alternative<litmus::If>(statement.node) ||
                 std::holds_alternative<litmus::FenceStatement>(statement.node)) {
        return; // a condition compares, and stores nothing
      }
      litmus::for_each_expression(statement, look);
    });
  }
  if (!copies) return std::nullopt;
  return out;
}

Finding nothing_out_of_thin_air(const Program& program, Lab& lab) {
  const auto constants = constants_of(program);
  if (!constants) return {};
  const auto& allowed = lab.allowed(program);
  for (const auto& state : allowed.states)
    for (const auto& [observable, value] : state)
      if (!constants->contains(value))
        return {Answer::fails, to_string(state), std::nullopt,
                "nobody writes this value, and no location begins with it"};
  if (!allowed.known) return undecided(allowed);
  return {Answer::holds, "", std::nullopt, ""};
}

Finding is_like_the_baseline(const Program& program, Lab& lab) {
  const auto& known = lab.settings().like->meaning;
  if (!known.as_plain && !(litmus::constructs_of(program) - known.known).empty()) return {};
  auto more = included(lab.allowed(program), lab.baseline(program),
                       "the model allows it, and " + lab.settings().like_name + " does not");
  if (more.answer != Answer::holds) return more;
  return included(lab.baseline(program), lab.allowed(program),
                  lab.settings().like_name + " allows it, and the model does not");
}

} // namespace

void add_basics(std::vector<Property>& out, const Settings& settings) {
  const auto add = [&](std::string name, std::string claim, std::string source, auto look) {
    out.push_back({std::move(name), "Basics", std::move(claim), std::move(source), look});
  };
  add("not-vacuous", "every program that can end may do something",
      "JLS 17.4: a program has executions", allows_something);
  if (oracle::rules_for(*settings.model, settings.options).justified)
    add("causality-relations", "so, sw and hb are what the rules of causality need",
        "JLS 17.4.4, 17.4.5; docs/causality.md", fits_its_rules);
  add("interleavings", "every interleaving of the threads is allowed",
      "JLS 17.4.3: sequential consistency is the strongest guarantee", contains_interleavings);
  add("drf-sc", "a program without data races does what an interleaving does", "JLS 17.4.5",
      race_free_is_sequential);
  add("coherence", "accesses of one location that are at least opaque have one order",
      "VarHandle, documentation of getOpaque: coherence", is_coherent);
  add("thin-air", "no value comes out of thin air", "JLS 17.4.8; Manson, Pugh and Adve (POPL 2005)",
      nothing_out_of_thin_air);
  if (settings.like != nullptr)
    add("like-" + settings.like_name, "the model allows the same as " + settings.like_name,
        "as asked: " + settings.like_name, is_like_the_baseline);
}

} // namespace thinair::health
