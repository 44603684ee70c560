// The table of rules.
#include "oracle/causality/rules.h"

#include "litmus/text/error.h"

#include <array>

namespace thinair::causality {
namespace {

constexpr std::array table = {
    RuleInfo{Rule::occurrence, "occurrence", "JLS 17.4.8 rule 1"},
    RuleInfo{Rule::happens_before, "happens-before", "JLS 17.4.8 rule 2"},
    RuleInfo{Rule::read_happens_before, "read-happens-before", "MemSAT figure 3 line 2"},
    RuleInfo{Rule::synchronization, "synchronization-order", "JLS 17.4.8 rule 3"},
    RuleInfo{Rule::values, "values", "JLS 17.4.8 rule 4"},
    RuleInfo{Rule::reads_from, "reads-from", "JLS 17.4.8 rule 5"},
    RuleInfo{Rule::well_behaved, "well-behaved", "JLS 17.4.8 rule 6"},
    RuleInfo{Rule::stage_write_first, "stage-write-first", "JLS 17.4.8 rule 7, first half"},
    RuleInfo{Rule::target_write_first, "target-write-first", "JLS 17.4.8 rule 7, second half"},
    RuleInfo{Rule::synchronizes_with, "synchronizes-with", "JLS 17.4.8 rule 8"},
    RuleInfo{Rule::external_first, "external-first", "JLS 17.4.8 rule 9"},
    RuleInfo{Rule::external_last, "external-last", "MemSAT figure 3 line 7"},
    RuleInfo{Rule::stage_axioms, "stage-axioms", "docs/causality.md, modes"},
    RuleInfo{Rule::in_order, "in-order", "docs/causality.md, modes"},
};

} // namespace

std::span<const RuleInfo> rules() { return table; }

const RuleInfo& info(Rule rule) {
  for (const auto& row : table)
    if (row.rule == rule) return row;
  bug(__FILE__, __LINE__, "a rule without a row");
}

const RuleSet* find_rule_set(std::string_view name) {
  for (const auto& set : rule_sets)
    if (set.name == name) return &set;
  return nullptr;
}

std::optional<Identity> identity_named(std::string_view name) {
  for (const auto& row : identities)
    if (row.name == name) return row.identity;
  return std::nullopt;
}

std::string_view name(Identity identity) {
  for (const auto& row : identities)
    if (row.identity == identity) return row.name;
  bug(__FILE__, __LINE__, "an identity without a row");
}

} // namespace thinair::causality
