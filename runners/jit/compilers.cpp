// The table of compilers, and flags.
#include "runners/jit/compilers.h"

#include "litmus/text/error.h"
#include "lower/jit/compiled.h"
#include "runners/jit/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::runners::jit {
namespace {

constexpr auto table = std::to_array<CompilerInfo>({
    {Compiler::c1, "c1", "C1", "c1", 1},
    {Compiler::c2, "c2", "C2", "c2", 0},
    {Compiler::graal, "graal", "Graal's compiler", "JVMCI", 0},
});

using Flags = std::vector<std::string>;

void add_c1(const Jdk&, Flags& flags) {
  // Without more stack, C1 calls some of Unsafe's methods that it else compiles in place.
  for (const auto* flag : {"-XX:+UnlockDiagnosticVMOptions", "-XX:C1InlineStackLimit=100"})
    flags.emplace_back(flag);
}

void add_c2(const Jdk&, Flags& flags) { flags.emplace_back("-XX:-TieredCompilation"); }

/// Graal's compiler is a Java program in the same JVM (JEP 243): whoever waits for it waits for
/// what it needs, too, so only the batch's methods do. It compiles both ways of a branch that was
/// never taken only if told to.
void add_graal(const Jdk& jdk, Flags& flags) {
  if (jdk.jvm.graal.empty())
    throw InputError(fmt::format("error: there is no Graal for the JDK {}\n  hint: "
                                 "'scripts/get-graal {}' fetches its compiler (there is one for 21 "
                                 "and 25)",
                                 jdk.jvm.name, jdk.jvm.feature));
  const std::string_view options = jdk.jvm.feature < 22 ? "graal" : "jdk.graal"; // renamed in 24.0
  std::ranges::copy(jcstress::info(jcstress::Mode::graal).flags(jdk.jvm, 0),
                    std::back_inserter(flags));
  flags.emplace_back("-XX:CompileCommand=BackgroundCompilation,*.*,true");
  flags.push_back(fmt::format("-XX:CompileCommand=BackgroundCompilation,{}*.{}*,false", batch_class,
                              method_prefix));
  flags.push_back(fmt::format("-D{}.RemoveNeverExecutedCode=false", options));
}

void add_stress(std::uint64_t seed, Flags& flags) {
  for (const auto* flag : {"-XX:+UnlockDiagnosticVMOptions", "-XX:+StressLCM", "-XX:+StressGCM",
                           "-XX:+StressIGVN", "-XX:+StressCCP"})
    flags.emplace_back(flag);
  flags.push_back(fmt::format("-XX:StressSeed={}", seed % 4294967295U));
}

} // namespace

std::span<const CompilerInfo> compilers() { return table; }

const CompilerInfo& info(Compiler compiler) { return table[static_cast<std::size_t>(compiler)]; }

std::vector<std::string> flags_of(const Jdk& jdk, const Settings& settings) {
  // Thresholds are a hundred times what they are, so that nothing but the batch's methods is
  // compiled and no profile of the library's methods is taken for ripe; those of the batch come at
  // once, before a profile of theirs is worth anything to C2: without one it compiles both ways of
  // every branch and leaves none to the interpreter.
  Flags flags{"-Xbatch",
              "-Xmx256m",
              "-XX:+UseSerialGC",
              "-XX:CompileThresholdScaling=100",
              "-XX:CompileCommand=quiet",
              fmt::format("-XX:CompileCommand=CompileThresholdScaling,{}*.{}*,0.00002", batch_class,
                          method_prefix),
              fmt::format("-XX:CompileCommand=dontinline,{}*.{}*", batch_class, method_prefix),
              fmt::format("-XX:CompileCommand=print,{}*.{}*", batch_class, method_prefix)};
  switch (settings.compiler) {
  case Compiler::c1: add_c1(jdk, flags); break;
  case Compiler::c2: add_c2(jdk, flags); break;
  case Compiler::graal: add_graal(jdk, flags); break;
  }
  if (!directives_of(settings).empty())
    flags.push_back(fmt::format("-XX:CompilerDirectivesFile={}", directives_file));
  if (settings.stress) add_stress(*settings.stress, flags);
  if (const auto atomics = lower::jit::compiled_code(jdk.machine).atomics; !atomics.empty())
    flags.push_back(fmt::format("-XX:{}{}", settings.lse ? '+' : '-', atomics));
  return flags;
}

std::string directives_of(const Settings& settings) {
  // C2 is left out for the methods of the batch: then the VM compiles them with C1 for good (tier
  // 1), as it does where C2 gives up, in a JVM that has C2 and knows so.
  if (settings.compiler != Compiler::c1) return {};
  return fmt::format("[{{ match: \"{}*.{}*\", c2: {{ Exclude: true }} }}]\n", batch_class,
                     method_prefix);
}

} // namespace thinair::runners::jit
