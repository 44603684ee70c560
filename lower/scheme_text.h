// A scheme file rule by rule, as text: for those who change rules and need not know the machine.
#pragma once

#include "litmus/text/source.h"
#include "lower/scheme.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace thinair::lower {

class SchemeText {
 public:
  /// Throws InputError as reading a scheme does, instructions aside: those are looked at when the
  /// changed text is read (Target::of_scheme).
  explicit SchemeText(const text::Source& source, int depth = 0);

  /// What stands between the braces: a line for each instruction or label, no comments.
  const std::string& code(Operation operation) const { return rules_[index_of(operation)].code; }
  /// The file that has the operation's rule, which may be that of a scheme that this one is like,
  /// and the line of it in which the rule begins.
  const std::string& file(Operation operation) const { return rules_[index_of(operation)].file; }
  std::uint32_t line(Operation operation) const { return rules_[index_of(operation)].line; }
  void set_code(Operation operation, std::string code) {
    rules_[index_of(operation)].code = std::move(code);
  }

  /// A scheme file that says all this; operations with equal code share a rule.
  text::Source source() const;

  const std::string& name() const { return name_; }
  const std::string& file() const { return file_; }

 private:
  struct RuleText {
    std::string code, file;
    std::uint32_t line = 0;
  };

  std::string file_, name_, title_;
  std::array<RuleText, operation_count> rules_;
  std::vector<std::string> peepholes_;
};

/// The text of a scheme by its name or path. Throws InputError where it is neither.
text::Source scheme_source(std::string_view name);

} // namespace thinair::lower
