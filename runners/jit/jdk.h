// JDKs whose compilers are asked for code: of this machine, or of another one under an emulator.
#pragma once

#include "lower/machine.h"
#include "runners/jcstress/jvm.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners::jit {

struct Jdk {
  lower::Machine machine;
  jcstress::Jvm jvm;
  std::vector<std::string> command; // that starts its java, an emulator in front where it needs one
};

/// The machine that this program runs on; absent where code for it is not lifted.
std::optional<lower::Machine> own_machine();

/// The JDKs of other machines that scripts/get-jdk has unpacked, by machine and version.
std::vector<Jdk> foreign_jdks();

/// The JDK of a name ("17", a home) for a machine. Throws InputError: what is there, and how to get
/// what is not.
Jdk find_jdk(lower::Machine machine, const std::string& name);

} // namespace thinair::runners::jit
