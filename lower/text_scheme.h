// Compilation schemes for machines whose code we do not interpret: rules as assembly text.
#pragma once

#include "lower/ir.h"
#include "lower/machine.h"
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
  text::Span span;
};

struct TextRule {
  std::vector<TextInstruction> code;
  std::vector<std::string> end_labels;
  bool uses(Role role) const;
  bool uses_location() const;
};

struct TextScheme {
  Machine machine = Machine::aarch64;
  std::string name, title;
  std::array<TextRule, operation_count> rules;
};

/// Reads and checks a scheme file for `machine`. LLVM's assembler says which instructions there
/// are, its tables what each reads and writes. Throws InputError as parse_scheme does.
TextScheme parse_text_scheme(const text::Source& source, Machine machine);

/// What the rules say, whatever their file's layout: another one is another scheme.
std::string content(const TextScheme& scheme);

/// The rules as inline assembly. Refers to `scheme`.
InlineRules inline_rules(const TextScheme& scheme);

} // namespace thinair::lower
