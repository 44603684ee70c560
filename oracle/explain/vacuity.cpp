// Asks the strongest model there is: what it allows, every model of a language should.
#include "oracle/explain/vacuity.h"

#include "litmus/text/error.h"
#include "oracle/cat/model.h"

#include <fmt/format.h>

namespace thinair::explain {
namespace {

/// Unknown where the engine has no answer.
executions::Answer ends_by_interleaving(const litmus::Test& test,
                                        const executions::Limits& limits) {
  const auto architecture =
      test.dialect == litmus::Dialect::java ? graph::Architecture::java : graph::Architecture::x86;
  executions::Options options;
  options.limits = limits;
  try {
    return executions::exists(test, cat::load_model("sc", architecture), anything(), options);
  } catch (const Unsupported&) {
    return executions::Answer::unknown;
  } catch (const LimitReached&) {
    return executions::Answer::unknown;
  }
}

} // namespace

litmus::Proposition anything() {
  litmus::Proposition p;
  p.kind = litmus::Proposition::Kind::always;
  return p;
}

std::string why_nothing(const litmus::Test& test, std::string_view model,
                        const executions::Limits& limits) {
  using executions::Answer;
  const std::string_view passing = test.filter ? "execution that passes the filter" : "execution";
  switch (ends_by_interleaving(test, limits)) {
  case Answer::yes:
    return fmt::format("{} allows the program no {}, though interleaving its threads gives some",
                       model, passing);
  case Answer::unknown: return fmt::format("{} allows the program no {}", model, passing);
  case Answer::no: break;
  }
  litmus::Test open = test;
  open.filter.reset();
  if (test.filter && ends_by_interleaving(open, limits) != Answer::no)
    return fmt::format("{} allows the program no {}, and interleaving its threads gives none",
                       model, passing);
  return fmt::format("no execution of the program ends, under {} or by interleaving its threads: "
                     "they wait for ever, or throw",
                     model);
}

} // namespace thinair::explain
