// Targets of machines whose code we do not interpret: schemes and LLVM, to herd7's text.
#pragma once

#include "lower/backend.h"
#include "lower/listing.h"
#include "lower/text_scheme.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace thinair::lower {

/// aarch64:cxx, riscv:llvm-O2, a scheme file that begins `scheme aarch64:…`. One for each thread of
/// ours.
class ListingTarget {
 public:
  /// Throws InputError for a name that is not there.
  static ListingTarget named(std::string_view name);

  /// Any program, as Target::lower takes it. Under a scheme LLVM does the rest (registers, jumps,
  /// arithmetic) without its optimizer. Throws Unsupported.
  LoweredListing lower(const litmus::Program& program, std::uint32_t loop_bound = 4);

  /// The IR of what was lowered, as the optimizer leaves it; a scheme's code is inline assembly.
  std::string ir(const LoweredListing& lowered);

  /// The object file that the code was read from.
  std::string object(const LoweredListing& lowered);

  const std::string& name() const { return name_; }
  Machine machine() const { return machine_; }
  const TextScheme* scheme() const { return scheme_.get(); } // null: LLVM's own code

 private:
  ListingTarget(std::string name, Machine machine, Level optimizer, Level generator,
                std::unique_ptr<TextScheme> scheme)
      : name_(std::move(name)), machine_(machine), backend_(optimizer, generator, machine),
        scheme_(std::move(scheme)) {}
  static ListingTarget of_scheme(TextScheme scheme);
  ProgramIr to_ir(const litmus::Program& flat) const;

  std::string name_;
  Machine machine_;
  Backend backend_;
  std::unique_ptr<TextScheme> scheme_; // none: LLVM's own code
};

} // namespace thinair::lower
