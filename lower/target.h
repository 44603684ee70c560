// What a program can be lowered to, by name: schemes and compilers behind one interface.
#pragma once

#include "litmus/choices.h"
#include "lower/compiler.h"
#include "lower/lowered.h"
#include "lower/machine.h"
#include "lower/scheme.h"

#include <cstdint>
#include <functional>
#include <optional>
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
  Machine machine;
};
std::vector<TargetInfo> targets(); // by machine

/// The level that "x86:llvm-O2" names; none for other names.
std::optional<Level> level_of(std::string_view target);

/// Whether a name of a target is the path of a scheme file: it has a slash, or ends in ".scheme".
bool is_scheme_file(std::string_view name);

/// The machine that a name, or the scheme file it is the path of, is of. Throws InputError for a
/// file that cannot be read.
Machine machine_named(std::string_view target);

/// The parts of "mix:A,B"; none where the name is not that of a mix.
std::vector<std::string> parts_of_mix(std::string_view name);

/// "error: no target is called …", with the nearest name there is.
[[noreturn]] void no_such_target(std::string_view name);

/// Code by something outside of this room; may throw Unsupported.
using Lowering = std::function<Lowered(const litmus::Program&)>;

/// A scheme or a compiler, ready to lower programs. Holds what a compiler needs between programs:
/// one for each thread that lowers.
class Target {
 public:
  /// A shipped target, or a scheme file (a name with a slash or that ends in ".scheme"). Throws
  /// InputError with the nearest name there is, Unsupported for compilers outside of this process
  /// (runners/find_target.h).
  static Target named(std::string_view name);

  /// Reads and checks a scheme file of any machine. Throws InputError.
  static Target of_scheme(const text::Source& source);

  explicit Target(Scheme scheme);
  explicit Target(Level level, Machine machine = {});
  Target(std::string name, Level level, Machine machine, IrTools tools)
      : name_(std::move(name)), machine_(machine),
        how_(Compiler(level, machine, std::move(tools))) {}
  Target(std::string name, Machine machine, Lowering lowering)
      : name_(std::move(name)), machine_(machine), how_(std::move(lowering)) {}

  /// Several schemes as one target: the program's choices say which compiles what. Throws
  /// InputError where they are not schemes of one machine.
  static Target mix(std::vector<Target> schemes, std::vector<std::string> names);

  /// Any program: accesses inside expressions are taken out, loops unrolled up to their bound, or
  /// `loop_bound`. The restoration speaks of the program's own registers only. Throws Unsupported.
  Lowered lower(const litmus::Program& program, std::uint32_t loop_bound = 4);

  /// Many at once: a compiler takes less than half the time for each.
  std::vector<std::variant<Lowered, NotLowered>> lower(std::span<const litmus::Program> programs,
                                                       std::uint32_t loop_bound = 4);

  /// Does beforehand what is dear and better done for many at once: a compiler compiles them.
  void prepare(std::span<const litmus::Program> programs, std::uint32_t loop_bound = 4);
  /// A compiler looks there for what was compiled before, by itself or others of its name.
  void share(CodeMemory& memory);

  const std::string& name() const { return name_; }
  Machine machine() const { return machine_; }
  /// What the target does, beside its name: the rules of a scheme as they are understood, the
  /// version of a compiler.
  std::string content() const;
  /// LLVM's IR of what was lowered, as the optimizer leaves it. Throws InputError where there is
  /// none.
  std::string ir(const Lowered& lowered);
  /// An object file of the code.
  std::string object(const Lowered& lowered);

  /// Of a mix of schemes: which may compile what. One for everything else.
  litmus::Choices choices() const;
  /// What the file of a scheme says. Throws InputError for what is no scheme.
  const SchemeText& scheme() const;

  /// Whether it is a scheme, or a mix of them: not a compiler.
  bool is_scheme() const { return schemes() > 0; }

 private:
  using Schemes = std::vector<Scheme>; // one, or those of a mix

  static Target mixed(std::string_view name);
  Lowered lowered(const litmus::Program& prepared);
  std::size_t schemes() const; // how many; none of a compiler

  std::string name_;
  Machine machine_;
  std::variant<Schemes, Compiler, Lowering> how_;
  std::vector<std::string> mix_; // names; empty: it is no mix
};

} // namespace thinair::lower
