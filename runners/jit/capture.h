// What a JIT compiler makes of programs: one JVM a batch.
#pragma once

#include "litmus/text/watch.h"
#include "lower/compiler.h"
#include "lower/jit/method.h"
#include "runners/jit/compilers.h"
#include "runners/jit/jdk.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thinair::runners::jit {

/// Names of targets begin so.
inline constexpr std::string_view prefix = "jit:";

/// "jit:17:c2", "jit:aarch64:25:c1:nolse", "jit:25:c1+c2": the JDK is of this machine unless
/// another is named. With several compilers each thread's method may be compiled by any of them.
struct Asked {
  lower::Machine machine;
  std::string jdk;
  Settings settings; // of the first compiler
  std::vector<Compiler> compilers;

  bool is_mix() const { return compilers.size() > 1; }
  Settings settings_of(Compiler compiler) const;
};

/// Throws InputError for what is no such name.
Asked asked_by(std::string_view name);

using Captured = std::variant<lower::jit::Compilation, lower::NotLowered>;

/// Compiles the programs with javac and has a JVM compile them, too: an answer for each, in their
/// order. A JVM that dies or hangs has told of some, perhaps; the first of the others says what
/// became of it, and the rest are given to another JVM. Throws InputError for a JVM that does not
/// start or refuses its flags, LimitReached at the deadline, and where javac or a JVM hangs that
/// has told nothing.
std::vector<Captured> capture(std::span<const litmus::Program> programs, const Jdk& jdk,
                              const Settings& settings, const Deadline& deadline = {});

/// What a JVM prints of the programs. `ending`: how it ended, where that was not as it should.
struct Printed {
  std::string listing, ending;
};
Printed printed(std::span<const litmus::Program> programs, const Jdk& jdk, const Settings& settings,
                const Deadline& deadline = {});

/// The code of the programs in what a JVM printed.
std::vector<Captured> read_capture(std::span<const litmus::Program> programs,
                                   std::string_view listing, lower::Machine machine,
                                   Compiler compiler, std::string_view ending = {});

/// What a program's code is. Throws Unsupported with the reason where there is none.
const lower::jit::Compilation& compilation_in(const Captured& captured);

} // namespace thinair::runners::jit
