// A rule as instructions of its machine: the machine's reader reads each instruction once, with
// registers that stand for the roles; using the rule puts others in their place.
#pragma once

#include "litmus/lexer.h"
#include "lower/code_writer.h"
#include "lower/machine_words.h"
#include "lower/rule_text.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::lower {

template <class Instruction>
struct MachineRule {
  std::vector<Instruction> code;
  std::vector<std::string> end_labels;
  std::array<bool, role_count> uses{};
  std::vector<Mark> marks = {}; // of `code`; none where no peephole looks at it
  bool uses_location = false;
  bool is_unsupported = false; // no_code

  bool uses_role(Role role) const { return uses[static_cast<std::size_t>(role)]; }
};

/// What operators' words call the label that they jump to.
inline constexpr std::string_view outside_label = "away";

/// What stands for the roles, and for [x], in one use of a rule.
template <class Register>
struct Bindings {
  std::array<Register, role_count> roles{};
  Register address{};
  std::string outside; // what the label that is not the rule's own is called

  Register& operator[](Role role) { return roles[static_cast<std::size_t>(role)]; }
};

inline constexpr std::string_view registers_hint =
    "dst, arg, exp, new, tmp and tmp2 stand for registers";

/// One instruction of a rule as text for the machine's reader: registers in the place of roles.
struct SpelledInstruction {
  text::Source source;
  struct Piece {
    std::uint32_t end;            // in the text
    std::string spelled, written; // here and in the rule
    text::Span span;              // in the rule's file
  };
  std::vector<Piece> pieces;

  void add(std::string_view before, std::string spelled, std::string written, text::Span span);
};

/// `error`, which is about `spelled`, as one about the rule that it comes from.
[[noreturn]] void fail_in_rule(const text::Source& source, const TextInstruction& in,
                               const SpelledInstruction& spelled, const InputError& error);
[[noreturn]] void unsupported_in_rule(const text::Source& source, const TextInstruction& in,
                                      const Unsupported& unsupported);

/// Labels that a rule's jumps go to must be its own. Throws InputError.
void check_target(const text::Source& source, const TextRule& rule, const TextInstruction& in,
                  const std::string& target);

/// Reads rules of one file.
template <class Instruction>
class RuleReader {
 public:
  using Register = typename Instruction::Reg;

  RuleReader(const text::Source& source, const MachineWords<Instruction>& words)
      : source_(source), words_(words) {}

  /// Jumps go to labels of the rule, or to `outside`. Throws InputError where the machine has no
  /// such instruction, Unsupported where it has one that thinair does not know.
  MachineRule<Instruction> read(const TextRule& rule, std::string_view outside = {}) {
    MachineRule<Instruction> out;
    out.is_unsupported = rule.is_unsupported();
    if (out.is_unsupported) return out;
    for (const TextInstruction& in : rule.code) {
      for (const auto& operand : in.operands) note(operand, out);
      Instruction read = instruction(rule, in);
      read.labels = in.labels;
      if (!read.target.empty() && read.target != outside)
        check_target(source_, rule, in, read.target);
      out.code.push_back(std::move(read));
    }
    out.end_labels = rule.end_labels;
    return out;
  }

 private:
  static void note(const TextOperand& operand, MachineRule<Instruction>& out) {
    if (const auto* role = std::get_if<Role>(&operand))
      out.uses[static_cast<std::size_t>(*role)] = true;
    if (std::holds_alternative<Place>(operand)) out.uses_location = true;
  }

  Instruction instruction(const TextRule& rule, const TextInstruction& in) {
    SpelledInstruction spelled{{source_.name, {}}, {}};
    spelled.add("", in.mnemonic, in.mnemonic, in.spans[0]);
    for (std::size_t i = 0; i < in.operands.size(); ++i) {
      const auto span = in.spans[i + 1];
      spelled.add(i == 0 ? " " : ", ", spell(rule, in.operands[i], span),
                  source_.text.substr(span.begin, span.end - span.begin), span);
    }
    try {
      litmus::Lexer lexer(spelled.source, limits_);
      lexer.read_assembly();
      return words_.read(lexer, around_);
    } catch (const InputError& error) {
      fail_in_rule(source_, in, spelled, error);
    } catch (const Unsupported& unsupported) {
      unsupported_in_rule(source_, in, unsupported);
    }
  }

  std::string spell(const TextRule& rule, const TextOperand& operand, text::Span span) const {
    if (const auto* role = std::get_if<Role>(&operand))
      return words_.value_name(words_.values[static_cast<std::size_t>(*role)]);
    if (std::holds_alternative<Place>(operand)) return words_.at_address(words_.addresses[0]);
    const auto& word = std::get<std::string>(operand);
    const auto reg = Instruction::register_named(word.substr(0, word.find(' ')));
    if (reg && !words_.is_zero(*reg) && !rule.has_label(word))
      throw InputError::at(source_, span,
                           fmt::format("expected no register by its name, found \"{}\"", word),
                           registers_hint);
    return word;
  }

  const text::Source& source_;
  const MachineWords<Instruction>& words_;
  litmus::Limits limits_;
  litmus::Surroundings<Register> around_; // rules name no locations and no symbols
};

/// Emits a rule's code with registers in the place of roles, and labels of its own.
template <class Instruction>
void emit_rule(const MachineRule<Instruction>& rule, const MachineWords<Instruction>& words,
               const Bindings<typename Instruction::Reg>& bindings, CodeWriter<Instruction>& code) {
  using Register = typename Instruction::Reg;
  std::array<Register, 32> by_index{};
  for (std::size_t i = 0; i < by_index.size(); ++i) by_index[i] = static_cast<Register>(i);
  for (std::size_t i = 0; i < role_count; ++i)
    if (rule.uses[i]) by_index[static_cast<std::size_t>(words.values[i])] = bindings.roles[i];
  by_index[static_cast<std::size_t>(words.addresses[0])] = bindings.address;
  std::map<std::string, std::string> labels;
  if (!bindings.outside.empty()) labels[std::string(outside_label)] = bindings.outside;
  const auto rename = [&](std::string& label) {
    std::string& text = labels[label];
    if (text.empty()) text = code.new_label();
    label = text;
  };
  for (std::size_t i = 0; i < rule.code.size(); ++i) {
    Instruction in = rule.code[i];
    words.rename(in, by_index);
    for (auto& label : in.labels) rename(label);
    if (!in.target.empty()) rename(in.target);
    code.emit(std::move(in), rule.marks.empty() ? Mark{} : rule.marks[i]);
  }
  for (std::string label : rule.end_labels) {
    rename(label);
    code.place(std::move(label));
  }
}

} // namespace thinair::lower
