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
  RulesOf(SchemeText scheme, MachineRules<Instruction> rules)
      : SchemeRules(std::move(scheme)), rules_(std::move(rules)) {
    rules_.peepholes = &this->text.peepholes();
    for (const RuleName& name : rules_.of.names())
      rules_.of.own(name).marks = marks_of(this->text, name);
  }

  Lowered lower(std::span<const SchemeRules* const> mix,
                const litmus::Program& program) const override {
    std::vector<const MachineRules<Instruction>*> all;
    for (const auto* rules : mix) all.push_back(&static_cast<const RulesOf&>(*rules).rules_);
    return lower_with<Instruction>(all, program);
  }

  std::string digest() const override {
    text::Digest digest;
    for (const RuleName& name : rules_.of.names()) {
      const auto& rule = rules_.of.at(name);
      if (name.type) digest.add(to_string(name));
      for (const Instruction& in : rule.code) {
        for (const auto& label : in.labels) digest.add(label);
        digest.add(words<Instruction>().print(in));
      }
      for (const auto& label : rule.end_labels) digest.add(label);
      if (rule.is_unsupported) digest.add(no_code);
      digest.add(";");
    }
    for (const Peephole& peephole : text.peepholes()) digest.add(print(peephole));
    return digest.hex();
  }

  const MachineRules<Instruction>& rules() const { return rules_; }

 private:
  MachineRules<Instruction> rules_;
};

/// Reads each rule in the machine's instructions, and checks it as code of its operations.
template <class Instruction>
class RulesReader : private TextRuleReader {
 public:
  using Read = RulesOf<Instruction>;

  RulesReader(const text::Source& source, const Read* base)
      : TextRuleReader(source, base == nullptr ? nullptr : &base->text) {
    for (std::size_t i = 0; i < operation_count; ++i)
      rules_.of[i].is_unsupported = may_be_left_out(operation_at(i));
    if (base != nullptr) rules_ = base->rules();
  }

  std::unique_ptr<const SchemeRules> read() {
    SchemeText text = SchemeReader::read();
    return std::make_unique<Read>(std::move(text), std::move(rules_));
  }

 private:
  void rule(const TextRule& rule, const std::vector<NamedRule>& names) override {
    const auto& words = lower::words<Instruction>();
    const auto read = RuleReader<Instruction>(source_, words).read(rule);
    std::vector<Effect> effects;
    for (const Instruction& in : read.code) effects.push_back({words.reads(in), words.writes(in)});
    for (const auto& [name, span] : names) {
      put(rules_.of, name, read);
      if (!read.is_unsupported)
        check_rule({source_, name.operation, span, rule}, effects, uses_of(words));
    }
  }

  static RoleBits uses_of(const MachineWords<Instruction>& words) {
    const auto bit = [](auto reg) { return RegisterBits{1} << static_cast<unsigned>(reg); };
    RoleBits out{{}, bit(words.addresses[0])};
    for (std::size_t i = 0; i < role_count; ++i) out.roles[i] = bit(words.values[i]);
    return out;
  }

  MachineRules<Instruction> rules_;
};

/// A machine's MachineInfo::read_rules.
template <class Instruction>
std::unique_ptr<const SchemeRules> read_rules(const text::Source& source, const SchemeRules* base) {
  return RulesReader<Instruction>(source, static_cast<const RulesOf<Instruction>*>(base)).read();
}

} // namespace thinair::lower
