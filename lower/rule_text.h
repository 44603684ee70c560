// Rules as they are written, for machines whose own reader knows what an instruction is.
#pragma once

#include "lower/scheme_reader.h"

#include <string>
#include <variant>
#include <vector>

namespace thinair::lower {

/// A role, the location, or anything else as it is written: "eq", "rw", a label, "wzr".
using TextOperand = std::variant<Role, Place, std::string>;

struct TextInstruction {
  std::vector<std::string> labels; // that stand before it
  std::string mnemonic;
  std::vector<TextOperand> operands;
  std::vector<text::Span> spans; // of the mnemonic and of each operand
  text::Span span;
};

struct TextRule {
  std::vector<TextInstruction> code;
  std::vector<std::string> end_labels;
  bool is_unsupported() const { return code.size() == 1 && code[0].mnemonic == no_code; }
  bool has_label(std::string_view name) const;
};

/// The instruction again, without its labels.
std::string print(const TextInstruction& instruction);

/// Reads the rules of a file as text; what is done with each, its heirs say.
class TextRuleReader : protected SchemeReader {
 protected:
  using SchemeReader::SchemeReader;
  /// The rule of these names.
  virtual void rule(const TextRule& rule, const std::vector<NamedRule>& names) = 0;

 private:
  void begin_rule() final { rule_ = {}; }
  void instruction(std::vector<std::string> labels) final;
  std::string end_rule(const std::vector<NamedRule>& names, std::vector<std::string> labels) final;
  std::vector<std::string> end_pattern() final;
  TextOperand operand();
  void check() const;

  TextRule rule_;
};

/// Instructions alone. Throws InputError.
TextRule read_rule_text(const text::Source& source);

} // namespace thinair::lower
