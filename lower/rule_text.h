// Rules as they are written, for machines whose own reader knows what an instruction is.
#pragma once

#include "lower/scheme.h"

#include <array>
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

/// A scheme file, its operations given once each, its instructions not looked at.
struct TextOfScheme {
  SchemeHead head;
  std::vector<TextRule> rules;
  std::vector<Peephole> peepholes;                    // of this file
  std::array<bool, operation_count> given{};          // all, unless the scheme is like another
  std::array<std::size_t, operation_count> rule_of{}; // an index into `rules`
  std::array<text::Span, operation_count> places{};   // where each operation is named
};

/// The instruction again, without its labels.
std::string print(const TextInstruction& instruction);

/// Throws InputError for what is no scheme.
TextOfScheme read_scheme_text(const text::Source& source);

/// Instructions alone. Throws InputError.
TextRule read_rule_text(const text::Source& source);

} // namespace thinair::lower
