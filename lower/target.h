// What a program can be lowered to, by name: schemes and compilers behind one interface.
#pragma once

#include "lower/compiler.h"
#include "lower/lowered.h"
#include "lower/scheme.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thinair::lower {

/// "x86:table2", "x86:llvm-O2": a target that is part of the program.
struct TargetInfo {
  std::string name;
  std::string title;
};
std::vector<TargetInfo> targets();

/// A scheme or a compiler, ready to lower programs. Holds what a compiler needs between programs:
/// one for each thread of ours.
class Target {
 public:
  /// A shipped target, or a scheme file (a name with a slash or that ends in ".scheme"). Throws
  /// InputError with the nearest name there is, Unsupported for machines other than x86.
  static Target named(std::string_view name);

  explicit Target(Scheme scheme) : name_(scheme.name), how_(std::move(scheme)) {}
  explicit Target(Level level);

  /// Any program: accesses inside expressions are taken out, loops unrolled up to their bound, or
  /// `loop_bound`. The restoration speaks of the program's own registers only. Throws Unsupported.
  Lowered lower(const litmus::Program& program, std::uint32_t loop_bound = 4);

  /// Many at once: a compiler takes less than half the time for each.
  std::vector<std::variant<Lowered, NotLowered>> lower(std::span<const litmus::Program> programs,
                                                       std::uint32_t loop_bound = 4);

  const std::string& name() const { return name_; }
  const Scheme* scheme() const { return std::get_if<Scheme>(&how_); }
  Compiler* compiler() { return std::get_if<Compiler>(&how_); }

 private:
  std::string name_;
  std::variant<Scheme, Compiler> how_;
};

} // namespace thinair::lower
