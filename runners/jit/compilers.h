// HotSpot's compilers, and the flags with which a JVM shows what one of them makes of a batch.
#pragma once

#include "runners/jit/jdk.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners::jit {

enum class Compiler : std::uint8_t { c1, c2, graal };

struct CompilerInfo {
  Compiler compiler;
  std::string_view name;   // in targets
  std::string_view title;  // for people
  std::string_view listed; // in listings: "Compiled method (c1)"
  int level;               // of tiered compilation, of the code that is meant; 0: any
};
std::span<const CompilerInfo> compilers();
const CompilerInfo& info(Compiler compiler);

struct Settings {
  Compiler compiler = Compiler::c2;
  bool lse = true; // AArch64's atomic instructions; without, loops of exclusives
  std::optional<std::uint64_t> stress = {}; // C2 shuffles what it may, by this seed
};

/// The flags of a JVM that is asked so, for people: what is said of the same code elsewhere depends
/// on them. Throws InputError where the compiler is not there.
std::vector<std::string> flags_of(const Jdk& jdk, const Settings& settings);

/// The compiler directives (JEP 165) that flags_of() names a file of; empty where it names none.
std::string directives_of(const Settings& settings);
inline constexpr std::string_view directives_file = "directives";

} // namespace thinair::runners::jit
