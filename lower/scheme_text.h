// What a scheme file says, rule by rule, in the text of its machine's instructions: the one form in
// which rules are printed, compared, counted and changed. Whoever does so need not know the
// machine.
#pragma once

#include "lower/operation.h"
#include "lower/peephole.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace thinair::lower {

class SchemeText {
 public:
  /// A line for each instruction ("  dmb ish\n") and label ("again:\n"), spelled as the machine
  /// prints them.
  const std::string& code(Operation operation) const { return rules_[index_of(operation)].code; }
  /// The file that has the operation's rule, which may be that of a scheme that this one is like,
  /// and the line of it in which the rule begins.
  const std::string& file(Operation operation) const { return rules_[index_of(operation)].file; }
  std::uint32_t line(Operation operation) const { return rules_[index_of(operation)].line; }
  const std::vector<Peephole>& peepholes() const { return peepholes_; }

  void set_code(Operation operation, std::string code) {
    rules_[index_of(operation)].code = std::move(code);
  }

  const std::string& name() const { return name_; }   // "x86:table2"
  const std::string& title() const { return title_; } // where it comes from; may be empty

 private:
  friend class SchemeReader; // the only one that makes them

  struct RuleText {
    std::string code, file;
    std::uint32_t line = 0;
  };

  std::string name_, title_;
  std::array<RuleText, operation_count> rules_;
  std::vector<Peephole> peepholes_;
};

/// The lines of a rule without what they are indented by, labels with their colons.
std::vector<std::string> lines_of(const std::string& code);
bool is_label(std::string_view line);

/// What the scheme's peepholes see of each instruction of a rule.
std::vector<Mark> marks_of(const SchemeText& scheme, Operation operation);

/// The file format again; operations with equal code share a rule.
std::string print(const SchemeText& scheme);
std::string print(const Peephole& peephole);

} // namespace thinair::lower
