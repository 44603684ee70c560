// Reads, prints and uses schemes, whatever machine their rules are for.
#include "lower/scheme.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace thinair::lower {

void has_no_code(Operation operation) {
  throw Unsupported(fmt::format("{}, for which the scheme has no code", name(operation)));
}

std::string Scheme::content() const {
  const std::string digest = rules->digest();
  return digest.empty() ? print(*this) : digest;
}

Lowered lower_with(std::span<const Scheme> mix, const litmus::Program& program) {
  std::vector<const SchemeRules*> rules;
  for (const auto& scheme : mix) rules.push_back(scheme.rules.get());
  return rules.front()->lower(rules, program);
}

Scheme parse_scheme(const text::Source& source, int depth) {
  SchemeHead head = scheme_head(source);
  const Machine machine = machine_of(head.name);
  std::unique_ptr<const SchemeRules> base;
  if (!head.like.empty()) base = parse_scheme(base_of(source, head, depth), depth + 1).rules;
  return {machine, std::move(head.name), std::move(head.title),
          machine->read_rules(source, base.get())};
}

std::string print(const Peephole& peephole) {
  std::string across;
  for (std::size_t i = 0; i < operation_count; ++i)
    if (peephole.across[i])
      across += fmt::format("{}{}", across.empty() ? " across " : ", ", name(operation_at(i)));
  return fmt::format("drop {{ {} }} before {{ {} }}{}\n", peephole.drop,
                     fmt::join(peephole.before, "; "), across);
}

std::string print(const Scheme& scheme) {
  std::string text = fmt::format("scheme {}", scheme.name);
  if (!scheme.title.empty()) text += fmt::format(" \"{}\"", scheme.title);
  text += "\n";
  const auto& rules = scheme.rules->texts();
  std::array<bool, operation_count> printed{};
  for (std::size_t i = 0; i < operation_count; ++i) {
    if (printed[i]) continue;
    std::string names;
    for (std::size_t j = i; j < operation_count; ++j) {
      if (printed[j] || rules[j] != rules[i]) continue;
      printed[j] = true;
      names += fmt::format("{}{}", names.empty() ? "" : ",\n", name(operation_at(j)));
    }
    text += fmt::format("\n{} {{\n{}}}\n", names, rules[i]);
  }
  for (const Peephole& peephole : scheme.rules->peepholes()) text += "\n" + print(peephole);
  return text;
}

} // namespace thinair::lower
