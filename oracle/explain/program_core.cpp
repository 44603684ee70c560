// Leaves open one part of the question after the other, and asks again.
#include "oracle/explain/program_core.h"

#include "litmus/java/format.h"
#include "litmus/text/error.h"
#include "litmus/text/wrap.h"
#include "litmus/walk.h"
#include "oracle/explain/open_statements.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::explain {
namespace {

using litmus::Proposition;
using oracle::Answer;

constexpr std::size_t most_ways = 4096; // to do what is left open

std::vector<Proposition> conjuncts(const Proposition& p) {
  if (p.kind == Proposition::Kind::all) return p.parts;
  return {p};
}

Proposition asked_of(const ProgramCore& core, const Proposition& whole) {
  const auto all = conjuncts(whole);
  std::vector<Proposition> parts;
  for (const auto place : core.outcome) parts.push_back(all.at(place));
  return litmus::all_of(std::move(parts));
}

class Reduction {
 public:
  Reduction(const litmus::Test& test, const Proposition& proposition,
            const oracle::Options& options)
      : test_(test), proposition_(proposition), options_(options) {}

  /// Leaves out what can be, until nothing can.
  void reduce(ProgramCore& core) {
    bool changed = true;
    while (changed) {
      core.undecided = 0;
      changed = leave_out_rules(core);
      changed = leave_out(core, &ProgramCore::outcome) || changed;
      changed = leave_out(core, &ProgramCore::statements) || changed;
    }
  }

 private:
  /// Whether what is left still forbids it.
  bool enough(const ProgramCore& fewer, ProgramCore& core) const {
    const auto answer = answer_of(fewer, test_, proposition_, options_);
    if (answer == Answer::unknown) ++core.undecided;
    return answer == Answer::forbidden;
  }

  bool leave_out_rules(ProgramCore& core) const {
    bool changed = false;
    for (const auto& row : causality::rules()) {
      if (!core.rules.has(row.rule)) continue;
      ProgramCore fewer = core;
      fewer.rules = core.rules.without(row.rule);
      if (!enough(fewer, core)) continue;
      core.rules = fewer.rules;
      changed = true;
    }
    return changed;
  }

  /// The last ones first.
  template <class Part>
  bool leave_out(ProgramCore& core, std::vector<Part> ProgramCore::* parts) {
    bool changed = false;
    for (std::size_t i = (core.*parts).size(); i-- > 0;) {
      ProgramCore fewer = core;
      (fewer.*parts).erase((fewer.*parts).begin() + static_cast<std::ptrdiff_t>(i));
      if (!enough(fewer, core)) continue;
      core.*parts = std::move(fewer.*parts);
      changed = true;
    }
    return changed;
  }

  const litmus::Test& test_;
  const Proposition& proposition_;
  const oracle::Options& options_;
};

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_statements(const ProgramCore& core, const litmus::Test& test, std::string& out) {
  const auto places = numbered(test);
  for (const auto& thread : places.java().threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      if (std::ranges::find(core.statements, statement.span.begin) == core.statements.end()) return;
      auto text = litmus::java::to_string(statement, places.java(), thread);
      while (text.ends_with(';')) text.pop_back();
      out += fmt::format("  {}: {}\n", thread.name, text);
    });
}

} // namespace

Answer answer_of(const ProgramCore& core, const litmus::Test& test, const Proposition& proposition,
                 const oracle::Options& options) {
  const auto asked = asked_of(core, proposition);
  auto with = options;
  with.rule_set = oracle::rules_for(core.model, options);
  if (core.core.rules.empty()) {
    with.rule_set = oracle::rule_set_named("none");
  } else {
    with.rule_set->rules = core.rules;
  }
  Answer answer = Answer::forbidden;
  const bool all =
      for_each_way(numbered(test), asked, core.statements, most_ways, [&](const auto& way) {
        const auto here = oracle::Oracle(way, core.model, with).allows(asked);
        if (here != Answer::forbidden) answer = here;
        return here == Answer::allowed;
      });
  if (answer == Answer::allowed || all) return answer;
  return {Answer::unknown, Reason::reached(Limit::states, "limit of ways to do what is left open")};
}

ProgramCore program_core_of(const litmus::Test& test, const cat::Plan& model,
                            const Proposition& proposition, const oracle::Options& options) {
  const oracle::Watched watch(options.limits);
  oracle::Options with = options;
  with.limits.watch = watch.get();
  auto [core, plan] = reduced_core(test, model, proposition, with);
  ProgramCore out;
  out.core = std::move(core);
  out.model = std::move(plan);
  if (out.core.kind == Core::Kind::unknown || !test.is_java()) return out;
  if (!out.core.rules.empty()) out.rules = oracle::rules_for(model, with).rules;
  for (std::size_t i = 0; i < conjuncts(proposition).size(); ++i) out.outcome.push_back(i);
  out.statements = statements_to_leave_open(numbered(test).java());
  Reduction(test, proposition, with).reduce(out);
  return watch->stopped() ? ProgramCore{} : out;
}

std::string as_text(const ProgramCore& core, const litmus::Test& test,
                    const Proposition& proposition) {
  if (core.core.kind == Core::Kind::unknown) return "";
  std::string out = "these forbid it, whatever the rest does:\n";
  add_statements(core, test, out);
  const auto add = [&](std::string_view what, const std::vector<std::string>& names) {
    if (!names.empty())
      out += fmt::format("  {}:{}\n", what, text::wrapped(joined(names), 4, 4 + what.size()));
  };
  if (!core.outcome.empty()) add("asked", {litmus::to_string(asked_of(core, proposition))});
  std::vector<std::string> rules;
  for (const auto& row : causality::rules())
    if (core.rules.has(row.rule)) rules.push_back(fmt::format("{} ({})", row.name, row.source));
  add("rules of causality", rules);
  add("axioms", core.core.axioms);
  add("definitions", core.core.definitions);
  if (!core.core.order.empty()) add("an order that there cannot be", {core.core.order});
  if (core.undecided > 0) out += "  (a limit keeps some of them from being shown to be needed)\n";
  return out;
}

} // namespace thinair::explain
