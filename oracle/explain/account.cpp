// Asks the oracle, then whoever can explain its answer.
#include "oracle/explain/account.h"

#include "litmus/text/error.h"
#include "oracle/explain/stages.h"
#include "oracle/explain/vacuity.h"

#include <array>

namespace thinair::explain {
namespace {

using Verdict = Account::Verdict;

Account allowed(const litmus::Test& test, const cat::Plan& model,
                const litmus::Proposition& proposition, const causality::Oracle& oracle,
                const executions::Limits& limits) {
  Account out;
  out.verdict = Verdict::allowed;
  if (oracle.rules().justified) {
    out.evidence = causality::describe(oracle);
    return out;
  }
  out.example = example(test, model, proposition, limits);
  if (!out.example && limits.watch->stopped()) limits.watch->refuse();
  if (!out.example) throw LimitReached("executions", "--max-candidates");
  return out;
}

} // namespace

std::string_view name(Verdict verdict) {
  constexpr auto names =
      std::to_array<std::string_view>({"allowed", "forbidden", "unknown", "vacuous"});
  return names.at(static_cast<std::size_t>(verdict));
}

Judgement judge(causality::Oracle& oracle, const litmus::Test& test, const cat::Plan& model,
                const litmus::Proposition& proposition, const executions::Limits& limits) {
  const auto answer = oracle.allows(proposition);
  if (answer == causality::Answer::yes) return {Verdict::allowed, ""};
  if (answer == causality::Answer::unknown) return {Verdict::unknown, oracle.reason()};
  switch (oracle.allows(anything())) {
  case causality::Answer::yes: break;
  case causality::Answer::no:
    if (const auto nothing = why_nothing(test, model, limits); !nothing.never_ends)
      return {Verdict::vacuous, nothing.reason};
    break;
  case causality::Answer::unknown: return {Verdict::unknown, oracle.reason()};
  }
  return {Verdict::forbidden, ""};
}

Account account_of(const litmus::Test& test, const cat::Plan& model,
                   const litmus::Proposition& proposition, const causality::Options& limits) {
  const executions::Watched watch(limits.executions);
  auto options = limits;
  options.executions.watch = watch.get();
  causality::Oracle oracle(test, model, options);
  const auto [verdict, reason] = judge(oracle, test, model, proposition, options.executions);
  Account out;
  out.verdict = verdict;
  out.reason = reason;
  switch (verdict) {
  case Verdict::allowed: return allowed(test, model, proposition, oracle, options.executions);
  case Verdict::unknown: return out;
  case Verdict::vacuous:
    if (auto refusal = why_not(test, model, anything(), options);
        refusal.kind != Refusal::Kind::no_candidate)
      out.refusal = std::move(refusal);
    return out;
  case Verdict::forbidden: break;
  }
  out.refusal = why_not(test, model, proposition, options);
  if (out.refusal->kind == Refusal::Kind::unknown) out.verdict = Verdict::unknown;
  return out;
}

std::string as_text(const Account& account) {
  if (account.evidence) return as_text(*account.evidence);
  if (account.example) return as_text(*account.example);
  std::string reason = account.reason.empty() ? "" : account.reason + "\n";
  if (!account.refusal) return reason;
  const auto& drawing = account.refusal->drawing;
  return reason + as_text(*account.refusal) + (drawing ? as_text(*drawing) : "");
}

std::vector<Drawing> drawings(const Account& account) {
  if (account.evidence) return draw(*account.evidence);
  if (account.example) return {*account.example};
  if (account.refusal && account.refusal->drawing) return {*account.refusal->drawing};
  return {};
}

} // namespace thinair::explain
