// Reads and uses schemes, whatever machine their rules are for.
#include "lower/scheme.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <utility>

namespace thinair::lower {

void has_no_code(const RuleName& rule) {
  throw Unsupported(fmt::format("{}, for which the scheme has no code", to_string(rule)));
}

std::string Scheme::content() const {
  const std::string digest = rules->digest();
  return digest.empty() ? print(text()) : digest;
}

Lowered lower_with(std::span<const Scheme> mix, const litmus::Program& program) {
  std::vector<const SchemeRules*> rules;
  for (const auto& scheme : mix) rules.push_back(scheme.rules.get());
  return rules.front()->lower(rules, program);
}

Scheme parse_scheme(const text::Source& source, int depth) {
  const SchemeHead head = scheme_head(source);
  const Machine machine = machine_of(head.name);
  std::unique_ptr<const SchemeRules> base;
  if (!head.like.empty()) base = parse_scheme(base_of(source, head, depth), depth + 1).rules;
  return {machine, machine->read_rules(source, base.get())};
}

} // namespace thinair::lower
