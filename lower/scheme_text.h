// What a scheme file says, rule by rule, in the text of its machine's instructions: the one form in
// which rules are printed, compared, counted and changed. Whoever does so need not know the
// machine.
#pragma once

#include "lower/peephole.h"
#include "lower/rule_name.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace thinair::lower {

class SchemeText {
 public:
  /// A line for each instruction ("  dmb ish\n") and label ("again:\n"), spelled as the machine
  /// prints them.
  /// Where a type has no rule of its own, that of the operation for every type.
  const std::string& code(const RuleName& rule) const { return rules_.at(rule).code; }
  /// The file that has the rule, which may be that of a scheme that this one is like, and the line
  /// of it in which the rule begins.
  const std::string& file(const RuleName& rule) const { return rules_.at(rule).file; }
  std::uint32_t line(const RuleName& rule) const { return rules_.at(rule).line; }
  const std::vector<Peephole>& peepholes() const { return peepholes_; }

  /// The rule that makes the code of an operation on a type.
  RuleName rule_for(Operation operation, litmus::TypeKind type) const {
    return rules_.name_for(operation, type);
  }
  std::vector<RuleName> rules() const { return rules_.names(); }
  /// Whether some rule is for one type alone.
  bool tells_types_apart() const { return !rules_.typed().empty(); }

  void set_code(const RuleName& rule, std::string code) { rules_.own(rule).code = std::move(code); }

  const std::string& name() const { return name_; }   // "x86:table2"
  const std::string& title() const { return title_; } // where it comes from; may be empty

 private:
  friend class SchemeReader; // the only one that makes them

  struct RuleText {
    std::string code, file;
    std::uint32_t line = 0;
  };

  std::string name_, title_;
  RuleTable<RuleText> rules_;
  std::vector<Peephole> peepholes_;
};

/// The lines of a rule without what they are indented by, labels with their colons.
std::vector<std::string> lines_of(const std::string& code);
bool is_label(std::string_view line);

/// What the scheme's peepholes see of each instruction of a rule.
std::vector<Mark> marks_of(const SchemeText& scheme, const RuleName& rule);

/// Whether both have the same code for the operation, whatever the type.
bool alike(const SchemeText& a, const SchemeText& b, Operation operation);

/// The file format again; rules with equal code are one.
std::string print(const SchemeText& scheme);
std::string print(const Peephole& peephole);

} // namespace thinair::lower
