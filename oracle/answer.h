// What a model allows a program, behind one door. Whoever is outside of oracle/ asks here:
//
//   oracle::Oracle asked(test, model, {.rules = "jls04"});
//   if (asked.allows(outcome) == oracle::Answer::forbidden) … // stops once the answer is known
//   const oracle::Result all = asked.behaviours();            // all final states
//
// An answer is allowed, forbidden, or unknown because of a limit (question/question.h). Why it is
// so is the business of oracle/explain: `account_of` shows the justification, the execution, or the
// axioms that fail; `core_of` the least part of the model that forbids it.
//
// A model is a .cat file (oracle/cat/model.h), which declares the rules of causality and the
// identity of actions that it is meant for, or a transition table (oracle/umm/model.h). What it is
// asked under is decided here alone: by `rules_for`, `identity_for`, `compares_memory`.
#pragma once

#include "litmus/condition.h"
#include "litmus/test.h"
#include "oracle/cat/plan.h"
#include "oracle/causality/analysis.h"
#include "oracle/question/question.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thinair::umm {
struct Model;
}

namespace thinair::oracle {

class Engine;
using causality::Identity;
using causality::Rule;
using causality::RuleSet;

/// How a model is asked. What is not set is as the model says, or has its usual limit.
struct Options {
  std::string rules = {}; // of causality, by name; empty: what the model is meant for
  std::optional<Identity> identity = {}; // of actions; absent: as the model says, or by index
  Limits limits = {};                    // of everything that is asked of one oracle
  bool all_registers = false; // behaviours have all registers, not only those asked about
  bool count = false; // behaviours() looks at every execution and counts as herd does: no rules
  /// Answers are those of Java Path Relaxer (2012), an over-approximation of all rules that
  /// justify: `forbidden` means that each of them forbids it, `allowed` no more than that it is
  /// possible.
  bool over_approximate = false;
  // to see what they decide
  std::optional<RuleSet> rule_set = {}; // instead of a named one
  causality::Switches switches = {};    // of the readings that papers leave open
  bool commit_all = false;              // also events that need not be committed
};

/// The rules of causality that a model is asked under. Throws InputError for a name that is none.
const RuleSet& rule_set_named(const std::string& name);
RuleSet rules_for(const cat::Plan& model, const Options& options);

/// When events of two executions are the same action.
Identity identity_for(const cat::Plan& model, const Options& options);

/// Whether final memory is part of a behaviour: where the model says what is in it at the end. A
/// model that does not order writes does not, and no rules of causality speak of it.
bool compares_memory(const cat::Plan& model, const Options& options = {});

/// One test under one model; both outlive this. Executions are enumerated once, however many
/// questions are asked.
class Oracle {
 public:
  /// Throws InputError for rules or an identity that there are not, a model that does not show what
  /// its rules need, or a question about memory where the model says nothing of it; Unsupported.
  Oracle(const litmus::Test& test, const cat::Plan& model, const Options& options = {});
  Oracle(const litmus::Test& test, const umm::Model& table, const Options& options = {});
  ~Oracle();

  /// Of what behaviours have values; the test's own where a table is asked.
  const std::vector<litmus::Observable>& observables() const;

  /// Whether some behaviour that satisfies the proposition is allowed. Executions are looked at
  /// only until the answer is known.
  Answer allows(const litmus::Proposition& proposition);
  /// The same for values of observables().
  Answer allows(const litmus::Behaviour& behaviour);
  /// The same of many, with as few searches as there can be.
  std::vector<Answer> allows(const std::vector<litmus::Behaviour>& behaviours);

  /// Whether the model allows the test anything at all. `vacuous`: it does not, so that forbidding
  /// an outcome says nothing; `forbidden`: no execution ends, and that is right.
  Answer allows_anything();
  /// As `allows`, but vacuous where the model allows nothing at all.
  Answer verdict(const litmus::Proposition& proposition);

  Result behaviours();

  /// The rules that apply; `none` of a table.
  const RuleSet& rules() const;

  // for explanations, under rules that justify
  causality::Justification evidence() const; // after an answer of `allowed`
  /// After an answer of `forbidden` to the same question; absent: no execution of the model shows
  /// it, or there is more to it than one can tell. Throws LimitReached.
  std::optional<causality::Impasse> impasse(const litmus::Proposition& proposition);
  const causality::GraphSet& graphs() const;
  const causality::Switches& switches() const;
  causality::Statistics statistics() const;

 private:
  std::unique_ptr<Engine> engine_;
};

/// Whether the threads come to their ends, and pass the filter, where they take turns. Unknown
/// where there is no answer within the limits.
Answer ends_by_interleaving(const litmus::Test& test, const Limits& limits = {});

/// Why a model, which is known to allow a test no execution, does not. `forbidden`: interleaving
/// the threads gives none either, and the model lets the program begin: it waits for ever, or
/// throws, and that the model forbids an outcome is an answer. Otherwise `vacuous`.
Answer why_nothing(const litmus::Test& test, const cat::Plan& model, const Limits& limits = {});
/// The same of an engine without axioms, which need not be asked whether the program may begin.
Answer why_nothing(const litmus::Test& test, std::string_view engine, const Limits& limits = {});

} // namespace thinair::oracle
