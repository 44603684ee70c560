// The tables of rules and of rule sets.
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

constexpr std::array sets = {
    RuleSet{"jls04", "JLS 17.4.8", true,
            Rules{Rule::occurrence, Rule::happens_before, Rule::synchronization, Rule::values,
                  Rule::reads_from, Rule::well_behaved, Rule::stage_write_first,
                  Rule::target_write_first, Rule::synchronizes_with, Rule::external_first}},
    RuleSet{"revised", "Sevcik and Aspinall, as MemSAT runs it (figure 3)", true,
            Rules{Rule::occurrence, Rule::read_happens_before, Rule::values, Rule::reads_from,
                  Rule::well_behaved, Rule::target_write_first, Rule::external_last}},
    RuleSet{"java", "JLS 17.4.8, for all access modes (docs/causality.md)", true,
            Rules{Rule::occurrence, Rule::happens_before, Rule::synchronization, Rule::values,
                  Rule::reads_from, Rule::well_behaved, Rule::stage_write_first,
                  Rule::target_write_first, Rule::synchronizes_with, Rule::external_first,
                  Rule::stage_axioms, Rule::in_order}},
    RuleSet{"none", "every consistent execution", false, Rules{}},
};

constexpr std::array identity_table = {IdentityInfo{Identity::index, "index"},
                                       IdentityInfo{Identity::free, "free"}};

} // namespace

std::span<const RuleInfo> rules() { return table; }

const RuleInfo& info(Rule rule) {
  for (const auto& row : table)
    if (row.rule == rule) return row;
  bug(__FILE__, __LINE__, "a rule without a row");
}

std::span<const RuleSet> rule_sets() { return sets; }

const RuleSet* find_rule_set(std::string_view name) {
  for (const auto& set : sets)
    if (set.name == name) return &set;
  return nullptr;
}

std::optional<Identity> identity_named(std::string_view name) {
  for (const auto& row : identity_table)
    if (row.name == name) return row.identity;
  return std::nullopt;
}

std::span<const IdentityInfo> identities() { return identity_table; }

std::string_view name(Identity identity) {
  for (const auto& row : identity_table)
    if (row.identity == identity) return row.name;
  bug(__FILE__, __LINE__, "an identity without a row");
}

} // namespace thinair::causality
