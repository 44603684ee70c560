// Leaves open one part of the question after the other, and asks again.
#include "oracle/explain/program_core.h"

#include "litmus/java/format.h"
#include "litmus/text/error.h"
#include "litmus/text/wrap.h"
#include "litmus/walk.h"
#include "oracle/explain/open_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

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

/// Questions about cores of one outcome and one model, none of them twice: cores that differ in a
/// part have most ways in common.
class Asking {
 public:
  Asking(const litmus::Test& test, const Proposition& proposition, const oracle::Options& options)
      : numbered_(numbered(test)), proposition_(proposition), options_(options) {}

  Answer answer_of(const ProgramCore& core) {
    const Key key{rules_of(core), core.outcome, core.statements};
    if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
    return answers_.emplace(key, ask(core)).first->second;
  }

 private:
  using Key = std::tuple<std::vector<bool>, std::vector<std::size_t>, std::vector<StatementNumber>>;

  static std::vector<bool> rules_of(const ProgramCore& core) {
    std::vector<bool> out;
    for (const auto& row : causality::rules()) out.push_back(core.rules.has(row.rule));
    return out;
  }

  Answer ask(const ProgramCore& core) {
    const auto asked = asked_of(core, proposition_);
    auto with = options_;
    with.rule_set = oracle::rules_for(core.model, options_);
    if (core.core.rules.empty())
      with.rule_set = oracle::rule_set_named("none");
    else
      with.rule_set->rules = core.rules;
    auto& forbidden = forbidden_[{rules_of(core), core.outcome, {}}];
    Answer answer = Answer::forbidden;
    const bool all =
        for_each_way(numbered_, asked, core.statements, most_ways, [&](const litmus::Test& way) {
          const auto text = litmus::print(way);
          if (forbidden.contains(text)) return false;
          const auto here = oracle::Oracle(way, core.model, with).allows(asked);
          if (here == Answer::forbidden)
            forbidden.insert(text);
          else
            answer = here;
          return here == Answer::allowed;
        });
    if (answer == Answer::allowed || all) return answer;
    return {Answer::unknown,
            Reason::reached(Limit::states, "limit of ways to do what is left open")};
  }

  const litmus::Test numbered_;
  const Proposition& proposition_;
  const oracle::Options& options_;
  std::map<Key, Answer> answers_;
  std::map<Key, std::set<std::string>> forbidden_; // ways, by rules and outcome
};

class Reduction {
 public:
  Reduction(const litmus::Test& test, const Proposition& proposition,
            const oracle::Options& options)
      : asked_(test, proposition, options) {}

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
  bool enough(const ProgramCore& fewer, ProgramCore& core) {
    const auto answer = asked_.answer_of(fewer);
    if (answer == Answer::unknown) ++core.undecided;
    return answer == Answer::forbidden;
  }

  bool leave_out_rules(ProgramCore& core) {
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

  Asking asked_;
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
  return Asking(test, proposition, options).answer_of(core);
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
