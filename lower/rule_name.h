// Which rule of a scheme: that of an operation, or that of an operation on one type alone.
#pragma once

#include "litmus/type.h"
#include "lower/operation.h"

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thinair::lower {

/// `setVolatile`, or `setVolatile reference`. Ordered by operation; a rule for every type comes
/// before those of the operation for one.
struct RuleName {
  Operation operation;
  std::optional<litmus::TypeKind> type; // none: of all types that have no rule of their own

  template <std::convertible_to<Operation> Of>
  RuleName(Of of, std::optional<litmus::TypeKind> only = std::nullopt)
      : operation(of), type(only) {}

  friend auto operator<=>(const RuleName&, const RuleName&) = default;
};

std::string to_string(const RuleName& rule);
/// Whether VarHandle has the operation for the type: there is no getAndAdd of references.
bool has_rule_for(Operation operation, litmus::TypeKind type);
/// "byte", "reference"; absent for other words.
std::optional<litmus::TypeKind> rule_type_named(std::string_view word);
std::string_view rule_type_name(litmus::TypeKind type);

/// Something for each rule of a scheme: one an operation, and what single types have instead.
template <class Rule>
class RuleTable {
 public:
  /// The rule for every type, by the operation's number.
  Rule& operator[](std::size_t operation) { return common_[operation]; }
  const Rule& operator[](std::size_t operation) const { return common_[operation]; }

  /// The rule of that name; where there is none for the type, the operation's.
  const Rule& at(const RuleName& name) const {
    const auto found = typed_.find(name);
    return found == typed_.end() ? common_[index_of(name.operation)] : found->second;
  }
  /// The rule that makes the code of an operation on a type.
  RuleName name_for(Operation operation, litmus::TypeKind type) const {
    const RuleName own{operation, type};
    return typed_.contains(own) ? own : RuleName(operation);
  }

  /// The rule of that name, which is made where there is none.
  Rule& own(const RuleName& name) {
    return name.type ? typed_.try_emplace(name, at(name)).first->second
                     : common_[index_of(name.operation)];
  }

  /// The rules for one type.
  const std::map<RuleName, Rule>& typed() const { return typed_; }
  template <class Predicate>
  void erase_typed(Predicate&& goes) {
    std::erase_if(typed_, [&](const auto& row) { return goes(row.first); });
  }

  /// The names of all rules: of every operation, and behind it those for one type.
  std::vector<RuleName> names() const {
    std::vector<RuleName> out;
    for (std::size_t i = 0; i < operation_count; ++i) {
      out.emplace_back(operation_at(i));
      for (const auto& [name, rule] : typed_)
        if (name.operation == out.back().operation && name.type) out.push_back(name);
    }
    return out;
  }

 private:
  std::array<Rule, operation_count> common_;
  std::map<RuleName, Rule> typed_;
};

} // namespace thinair::lower
