// Names of rules, in words.
#include "lower/rule_name.h"

#include <fmt/format.h>

namespace thinair::lower {
namespace {

constexpr std::string_view of_references = "reference";

} // namespace

std::string_view rule_type_name(litmus::TypeKind type) {
  return type == litmus::TypeKind::reference ? of_references : litmus::info(type).word;
}

std::optional<litmus::TypeKind> rule_type_named(std::string_view word) {
  if (word == of_references) return litmus::TypeKind::reference;
  return litmus::type_named(word);
}

std::string to_string(const RuleName& rule) {
  const auto operation = name(rule.operation);
  return rule.type ? fmt::format("{} {}", operation, rule_type_name(*rule.type))
                   : std::string(operation);
}

bool has_rule_for(Operation operation, litmus::TypeKind type) {
  const auto* method = std::get_if<litmus::Method>(&operation);
  if (method == nullptr) return false;
  using enum litmus::Action;
  switch (litmus::info(*method).action) {
  case get_and_add: return type != litmus::TypeKind::reference && litmus::info(type).adds;
  case get_and_or:
  case get_and_and:
  case get_and_xor: return type != litmus::TypeKind::reference && litmus::info(type).masks;
  case get:
  case set:
  case get_and_set:
  case compare_and_set:
  case compare_and_exchange:
  case weak_compare_and_set: return true;
  }
  return true;
}

} // namespace thinair::lower
