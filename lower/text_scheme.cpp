// Reads the rules of a scheme as instructions of its machine, and checks them.
#include "lower/text_scheme.h"

#include "litmus/text/digest.h"
#include "lower/machine_lower.h"
#include "lower/rule_check.h"
#include "machine/aarch64/program.h"
#include "machine/riscv/program.h"

#include <utility>

namespace thinair::lower {
namespace {

template <class Instruction>
class RulesOf : public TextScheme::Rules {
 public:
  RulesOf(const text::Source& source, const TextOfScheme& text) {
    const auto& words = lower::words<Instruction>();
    std::vector<MachineRule<Instruction>> read;
    for (const TextRule& rule : text.rules)
      read.push_back(RuleReader<Instruction>(source, words).read(rule));
    for (std::size_t i = 0; i < operation_count; ++i) {
      rules_[i] = read[text.rule_of[i]];
      check_rule({source, operation_at(i), text.places[i], text.rules[text.rule_of[i]]},
                 effects_of(rules_[i], words), uses_of(words));
    }
  }

  Lowered lower(const litmus::Program& program) const override {
    return lower_with<Instruction>(rules_, program);
  }

  std::string content() const override {
    text::Digest digest;
    for (const auto& rule : rules_) {
      for (const Instruction& in : rule.code) {
        for (const auto& label : in.labels) digest.add(label);
        digest.add(words<Instruction>().print(in));
      }
      for (const auto& label : rule.end_labels) digest.add(label);
      digest.add(";");
    }
    return digest.hex();
  }

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

  MachineRules<Instruction> rules_;
};

std::unique_ptr<const TextScheme::Rules> rules_of(const text::Source& source,
                                                  const TextOfScheme& text, Machine machine) {
  switch (machine) {
  case Machine::aarch64: return std::make_unique<RulesOf<aarch64::Instruction>>(source, text);
  case Machine::riscv: return std::make_unique<RulesOf<riscv::Instruction>>(source, text);
  case Machine::x86: break;
  }
  bug(__FILE__, __LINE__, "x86's schemes are read by parse_scheme");
}

} // namespace

TextScheme parse_text_scheme(const text::Source& source, Machine machine) {
  auto text = read_scheme_text(source);
  auto rules = rules_of(source, text, machine);
  return {machine, std::move(text.name), std::move(text.title), std::move(rules)};
}

} // namespace thinair::lower
