// Compilation schemes for machines of loads and stores: rules in the machine's own instructions.
#pragma once

#include "litmus/text/source.h"
#include "lower/lowered.h"
#include "lower/machine.h"

#include <memory>
#include <string>

namespace thinair::lower {

class TextScheme {
 public:
  /// The rules, as instructions of some machine.
  struct Rules {
    virtual ~Rules() = default;
    virtual Lowered lower(const litmus::Program& program) const = 0;
    virtual std::string content() const = 0;
  };

  TextScheme(Machine of, std::string called, std::string described,
             std::unique_ptr<const Rules> rules)
      : machine(of), name(std::move(called)), title(std::move(described)),
        rules_(std::move(rules)) {}

  /// Throws Unsupported.
  Lowered lower(const litmus::Program& program) const { return rules_->lower(program); }

  /// What the rules say, whatever their file's layout: another one is another scheme.
  std::string content() const { return rules_->content(); }

  Machine machine;
  std::string name, title;

 private:
  std::unique_ptr<const Rules> rules_;
};

/// Reads and checks a scheme file for `machine`, not x86. Throws InputError as parse_scheme does,
/// Unsupported for an instruction that the machine has and thinair does not know.
TextScheme parse_text_scheme(const text::Source& source, Machine machine);

} // namespace thinair::lower
