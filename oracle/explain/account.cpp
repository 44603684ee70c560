// Asks the oracle, then whoever can explain its answer.
#include "oracle/explain/account.h"

#include "litmus/text/error.h"
#include "oracle/explain/examples.h"
#include "oracle/explain/stages.h"

namespace thinair::explain {
namespace {

Account allowed(const litmus::Test& test, const cat::Plan& model,
                const litmus::Proposition& proposition, const oracle::Oracle& asked,
                const oracle::Limits& limits) {
  Account out;
  out.answer = oracle::Answer::allowed;
  if (asked.rules().justified) {
    out.evidence = describe(test, asked);
    return out;
  }
  out.example = example(test, model, proposition, limits);
  if (!out.example && limits.watch->stopped()) limits.watch->refuse();
  if (!out.example) throw LimitReached(Limit::candidates, "executions");
  return out;
}

} // namespace

Account account_of(const litmus::Test& test, const cat::Plan& model,
                   const litmus::Proposition& proposition, const oracle::Options& limits) {
  const oracle::Watched watch(limits.limits);
  auto options = limits;
  options.limits.watch = watch.get();
  oracle::Oracle asked(test, model, options);
  Account out;
  out.answer = asked.verdict(proposition);
  switch (out.answer.kind) {
  case oracle::Answer::allowed: return allowed(test, model, proposition, asked, options.limits);
  case oracle::Answer::unknown: return out;
  case oracle::Answer::vacuous:
    if (auto refusal = why_not(test, model, litmus::anything(), options);
        refusal.kind != Refusal::Kind::no_candidate)
      out.refusal = std::move(refusal);
    return out;
  case oracle::Answer::forbidden: break;
  }
  out.refusal = why_not(test, model, proposition, options);
  if (out.refusal->kind == Refusal::Kind::unknown)
    out.answer = {oracle::Answer::unknown, out.refusal->reason};
  return out;
}

std::string as_text(const Account& account) {
  if (account.evidence) return as_text(*account.evidence);
  if (account.example) return as_text(*account.example);
  if (!account.refusal || account.refusal->kind == Refusal::Kind::unknown) return "";
  const auto& drawing = account.refusal->drawing;
  return as_text(*account.refusal) + (drawing ? as_text(*drawing) : "");
}

std::vector<Drawing> drawings(const Account& account) {
  if (account.evidence) return draw(*account.evidence);
  if (account.example) return {*account.example};
  if (account.refusal && account.refusal->drawing) return {*account.refusal->drawing};
  return {};
}

} // namespace thinair::explain
