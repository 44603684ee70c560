// The rules of causality (JLS 17.4.8, Ševčík and Aspinall's revision) as data, and the readings of
// them that papers leave open.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace thinair::causality {

/// A condition on stage i of a justification: an execution G_i and the events C_i committed in it,
/// towards the target T. Names in docs and reports are those of the table in rules.cpp.
enum class Rule : std::uint8_t {
  occurrence,          // C_i occurs in G_i                                          (1)
  happens_before,      // hb_i = hb_T on C_i                                         (2)
  read_happens_before, // for reads r of C_i: W_T(r) hb r alike, not r hb_i W_T(r)   (revised 2)
  synchronization,     // so_i = so_T on C_i                                         (3)
  values,              // writes of C_i write what they write in T                   (4)
  reads_from,          // W_i = W_T on C_{i-1}                                       (5)
  well_behaved,        // reads outside C_{i-1} see writes that happen before them   (6)
  stage_write_first,   // reads committed at i see a write of C_{i-1} in G_i         (7, first half)
  target_write_first, // and in T                                                   (7, second half)
  synchronizes_with,  // what justified a committed event keeps synchronizing       (8)
  external_first,     // external actions that happen before C_i are in C_i         (9)
  external_last,      // what happens before external actions of C_i is in C_i      (revised 7)
  stage_axioms,       // of the model's axioms, G_i obeys those that it asks of stages
  in_order,           // T needs no stages where po, reads-from and hb have no cycle
};

struct RuleInfo {
  Rule rule;
  std::string_view name;
  std::string_view source;
};

std::span<const RuleInfo> rules();
const RuleInfo& info(Rule rule);

/// A set of rules.
class Rules {
 public:
  constexpr Rules() = default;
  constexpr Rules(std::initializer_list<Rule> list) {
    for (const auto rule : list) bits_ |= bit(rule);
  }
  constexpr bool has(Rule rule) const { return (bits_ & bit(rule)) != 0; }
  constexpr Rules without(Rule rule) const {
    Rules rest = *this;
    rest.bits_ &= ~bit(rule);
    return rest;
  }
  friend constexpr bool operator==(Rules, Rules) = default;

 private:
  static constexpr std::uint32_t bit(Rule rule) { return 1U << static_cast<unsigned>(rule); }
  std::uint32_t bits_ = 0;
};

/// A causality model: which rules a justification obeys. Without `justified`, every consistent
/// execution is allowed.
struct RuleSet {
  std::string_view name;
  std::string_view source;
  bool justified = true;
  Rules rules;
};

inline constexpr std::array rule_sets = {
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
const RuleSet* find_rule_set(std::string_view name);

/// When events of two executions are the same action (facts: "action identity").
enum class Identity : std::uint8_t {
  index, // the n-th of its thread, kind and location (jMT §4, JPR)
  free,  // any of its thread, kind and location, matched anew in each stage (MemSAT)
};

struct IdentityInfo {
  Identity identity;
  std::string_view name; // "index"
};
inline constexpr std::array identities = {IdentityInfo{Identity::index, "index"},
                                          IdentityInfo{Identity::free, "free"}};
std::string_view name(Identity identity);
/// Absent: it is none.
std::optional<Identity> identity_named(std::string_view name);

/// Whose synchronizes-with rule 8 speaks of.
enum class Rule8 : std::uint8_t {
  stage,  // the stage's: an edge the target lacks is an error
  target, // the target's: such an edge is passed over
};

struct Switches {
  Identity identity = Identity::index;
  Rule8 rule8 = Rule8::stage;
  bool mode_in_identity = false; // whether accesses of different modes are different actions
  /// Whether initial writes synchronize with an action that begins each thread and is no statement
  /// (JLS 17.4.2), so that rule 8 has nothing to say of them; or with its first statement (jMT's
  /// .cat model), which rule 8 then pins down.
  bool synthetic_first_action = true;
};

} // namespace thinair::causality
