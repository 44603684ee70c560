// Rules in the instructions of a machine of loads and stores: read by the machine's own reader, and
// checked.
#pragma once

#include "litmus/text/digest.h"
#include "lower/machine_lower.h"
#include "lower/rule_check.h"
#include "lower/scheme.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace thinair::lower {

template <class Instruction>
class RulesOf : public SchemeRules {
 public:
  RulesOf(const text::Source& source, const TextOfScheme& text, const RulesOf* base)
      : texts_(operation_count) {
    const auto& words = lower::words<Instruction>();
    std::vector<MachineRule<Instruction>> read;
    for (const TextRule& rule : text.rules)
      read.push_back(RuleReader<Instruction>(source, words).read(rule));
    if (base != nullptr) rules_.peepholes = base->rules_.peepholes;
    rules_.peepholes.insert(rules_.peepholes.end(), text.peepholes.begin(), text.peepholes.end());
    for (std::size_t i = 0; i < operation_count; ++i) {
      if (!text.given[i]) {
        texts_[i] = base->texts_[i];
        rules_.of[i] = base->rules_.of[i];
        continue;
      }
      const TextRule& rule = text.rules[text.rule_of[i]];
      texts_[i] = printed_rule(rule);
      rules_.of[i] = read[text.rule_of[i]];
      if (!rules_.of[i].is_unsupported)
        check_rule({source, operation_at(i), text.places[i], rule}, effects_of(rules_.of[i], words),
                   uses_of(words));
    }
    note_instructions(base, text);
    mark(source, text.peepholes.size());
  }

  Lowered lower(std::span<const SchemeRules* const> mix,
                const litmus::Program& program) const override {
    std::vector<const MachineRules<Instruction>*> all;
    for (const auto* rules : mix) all.push_back(&static_cast<const RulesOf&>(*rules).rules_);
    return lower_with<Instruction>(all, program);
  }

  std::string digest() const override {
    text::Digest digest;
    for (const auto& rule : rules_.of) {
      for (const Instruction& in : rule.code) {
        for (const auto& label : in.labels) digest.add(label);
        digest.add(words<Instruction>().print(in));
      }
      for (const auto& label : rule.end_labels) digest.add(label);
      if (rule.is_unsupported) digest.add(no_code);
      digest.add(";");
    }
    for (const Peephole& peephole : rules_.peepholes) digest.add(print(peephole));
    return digest.hex();
  }

  const std::vector<std::string>& texts() const override { return texts_; }
  const std::vector<Peephole>& peepholes() const override { return rules_.peepholes; }

 private:
  static std::vector<Effect> effects_of(const MachineRule<Instruction>& rule,
                                        const MachineWords<Instruction>& words) {
    std::vector<Effect> out;
    for (const Instruction& in : rule.code) out.push_back({words.reads(in), words.writes(in)});
    return out;
  }
  static RoleBits uses_of(const MachineWords<Instruction>& words) {
    const auto bit = [](auto reg) { return RegisterBits{1} << static_cast<unsigned>(reg); };
    RoleBits out{{}, bit(words.addresses[0])};
    for (std::size_t i = 0; i < role_count; ++i) out.roles[i] = bit(words.values[i]);
    return out;
  }

  void note_instructions(const RulesOf* base, const TextOfScheme& text) {
    for (std::size_t i = 0; i < operation_count; ++i) {
      auto& texts = instructions_.emplace_back();
      if (!text.given[i])
        texts = base->instructions_[i];
      else
        for (const auto& in : text.rules[text.rule_of[i]].code) texts.push_back(print(in));
    }
  }

  /// What the peepholes see of each instruction is its text.
  void mark(const text::Source& source, std::size_t own) {
    std::vector<Mark> all;
    for (std::size_t i = 0; i < operation_count; ++i) {
      auto& marks = rules_.of[i].marks;
      marks.clear();
      for (const auto& in : instructions_[i]) marks.push_back(mark_of(rules_.peepholes, in));
      all.insert(all.end(), marks.begin(), marks.end());
    }
    require_use(source, rules_.peepholes, own, all);
  }

  MachineRules<Instruction> rules_;
  std::vector<std::string> texts_;
  std::vector<std::vector<std::string>> instructions_; // by operation
};

/// A machine's MachineInfo::read_rules.
template <class Instruction>
std::unique_ptr<const SchemeRules> read_rules(const text::Source& source, const SchemeRules* base) {
  return std::make_unique<RulesOf<Instruction>>(source, read_scheme_text(source),
                                                static_cast<const RulesOf<Instruction>*>(base));
}

} // namespace thinair::lower
