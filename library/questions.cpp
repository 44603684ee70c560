// What a model allows a program, and why.
#include "library/guard.h"
#include "library/hidden.h"
#include "litmus/outcome.h"
#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "oracle/explain/account.h"

namespace thinair {
namespace {

/// The program with the outcome as its only question: the others' do not matter.
litmus::Test asking(const Program& program, const std::string& outcome) {
  litmus::Test test = program.hidden().test;
  litmus::Clause clause;
  clause.proposition = litmus::outcome_of(test, outcome, "outcome");
  test.clauses = {std::move(clause)};
  return test;
}

Answer as_answer(oracle::Answer::Kind kind) {
  switch (kind) {
  case oracle::Answer::allowed: return Answer::allowed;
  case oracle::Answer::forbidden: return Answer::forbidden;
  case oracle::Answer::unknown: return Answer::unknown;
  case oracle::Answer::vacuous: return Answer::vacuous;
  }
  return Answer::unknown;
}

Behaviours listed(const litmus::Test& test, const cat::Plan& plan, const oracle::Options& options) {
  const auto found = oracle::Oracle(test, plan, options).behaviours();
  Behaviours out;
  for (const auto& observable : found.observables) out.names.push_back(to_string(observable));
  for (const auto& behaviour : found.behaviours)
    out.states.push_back({{behaviour.begin(), behaviour.end()},
                          litmus::to_string(test, found.observables, behaviour)});
  out.complete = found.status == oracle::Result::Status::ok;
  out.reason = found.reason.text;
  if (out.complete && out.states.empty())
    out.reason = oracle::why_nothing(test, plan, options.limits).because.text;
  return out;
}

} // namespace

std::string_view to_string(Answer answer) {
  switch (answer) {
  case Answer::allowed: return "allowed";
  case Answer::forbidden: return "forbidden";
  case Answer::unknown: return "unknown";
  case Answer::vacuous: return "vacuous";
  }
  return "";
}

Result<Verdict> allowed(const Program& program, const std::string& outcome, const Model& model,
                        const Limits& limits) {
  return guarded([&] {
    const auto test = asking(program, outcome);
    const auto& plan = model.hidden().loaded.plan(test);
    const auto options = oracle_options(model.hidden(), limits);
    try {
      const auto found = oracle::Oracle(test, plan, options).verdict(test.clauses[0].proposition);
      return Verdict{as_answer(found.kind), found.because.text};
    } catch (const LimitReached& limit) {
      return Verdict{Answer::unknown, limit.what()};
    }
  });
}

Result<Behaviours> behaviours(const Program& program, const Model& model, const Limits& limits) {
  return guarded([&] {
    const auto test = litmus::showing_something(program.hidden().test);
    const auto& plan = model.hidden().loaded.plan(test);
    try {
      return listed(test, plan, oracle_options(model.hidden(), limits));
    } catch (const LimitReached& limit) {
      return Behaviours{{}, {}, false, limit.what()};
    }
  });
}

Result<Explanation> why(const Program& program, const std::string& outcome, const Model& model,
                        const Limits& limits) {
  return guarded([&] {
    const auto test = asking(program, outcome);
    const auto& plan = model.hidden().loaded.plan(test);
    try {
      const auto account = explain::account_of(test, plan, test.clauses[0].proposition,
                                               oracle_options(model.hidden(), limits));
      const auto pictures = explain::drawings(account);
      const auto& because = account.answer.because.text;
      return Explanation{{as_answer(account.answer.kind), because},
                         (because.empty() ? "" : because + "\n") + as_text(account),
                         pictures.empty() ? "" : explain::as_svg(pictures)};
    } catch (const LimitReached& limit) {
      return Explanation{{Answer::unknown, limit.what()}, std::string(limit.what()) + "\n", ""};
    }
  });
}

} // namespace thinair
