// What a JIT compiler makes of programs: one JVM a batch.
#pragma once

#include "litmus/text/watch.h"
#include "lower/compiler.h"
#include "lower/jit/method.h"
#include "runners/jit/jdk.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace thinair::runners::jit {

enum class Compiler : std::uint8_t { c1, c2 };

struct Settings {
  Compiler compiler = Compiler::c2;
  bool lse = true; // AArch64's atomic instructions; without, loops of exclusives
  std::optional<std::uint64_t> stress = {}; // C2 shuffles what it may, by this seed
};

/// Names of targets begin so.
inline constexpr std::string_view prefix = "jit:";

/// "jit:17:c2", "jit:aarch64:25:c1:nolse": the JDK is of this machine unless another is named.
struct Asked {
  lower::Machine machine;
  std::string jdk;
  Settings settings;
};

/// Throws InputError for what is no such name.
Asked asked_by(std::string_view name);

using Captured = std::variant<lower::jit::Compilation, lower::NotLowered>;

/// Compiles the programs with javac and has a JVM compile them, too: an answer for each, in their
/// order. A JVM that dies has told of some, perhaps; the others say what became of it. Throws
/// InputError for a JVM that does not start or refuses its flags, LimitReached at the deadline, and
/// where javac or the JVM hangs.
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

/// The flags of a JVM that is asked so, for people: what is said of the same code elsewhere depends
/// on them.
std::vector<std::string> flags_of(const Jdk& jdk, const Settings& settings);

} // namespace thinair::runners::jit
