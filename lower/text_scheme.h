// Compilation schemes for machines of loads and stores: rules in the machine's own instructions.
#pragma once

#include "litmus/text/source.h"
#include "lower/lowered.h"
#include "lower/machine.h"
#include "lower/peephole.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace thinair::lower {

class TextScheme {
 public:
  /// The rules, as instructions of some machine.
  struct Rules {
    virtual ~Rules() = default;
    /// What the program's choices say by which; all are of this machine.
    virtual Lowered lower(std::span<const Rules* const> mix,
                          const litmus::Program& program) const = 0;
    virtual std::string content() const = 0;
    /// By operation: as scheme files have them.
    virtual const std::vector<std::string>& texts() const = 0;
    virtual const std::vector<Peephole>& peepholes() const = 0;
  };

  TextScheme(Machine of, std::string called, std::string described,
             std::unique_ptr<const Rules> rules)
      : machine(of), name(std::move(called)), title(std::move(described)),
        rules_(std::move(rules)) {}

  const Rules& rules() const { return *rules_; }
  /// Throws Unsupported.
  Lowered lower(const litmus::Program& program) const {
    const Rules* const self = rules_.get();
    return rules_->lower({&self, 1}, program);
  }

  /// What the rules say, whatever their file's layout: another one is another scheme.
  std::string content() const { return rules_->content(); }

  Machine machine;
  std::string name, title;

 private:
  std::unique_ptr<const Rules> rules_;
};

/// One scheme, or a mix of several of one machine. Throws Unsupported.
Lowered lower_with(std::span<const TextScheme> schemes, const litmus::Program& program);

/// Reads and checks a scheme file for `machine`, not x86. Throws InputError as parse_scheme does,
/// Unsupported for an instruction that the machine has and thinair does not know.
TextScheme parse_text_scheme(const text::Source& source, Machine machine);

} // namespace thinair::lower
