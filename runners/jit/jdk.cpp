// Finds JDKs of other machines where scripts/get-jdk puts them, and the emulator.
#include "runners/jit/jdk.h"

#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "lower/jit/compiled.h"
#include "runners/process.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace thinair::runners::jit {
namespace {

namespace fs = std::filesystem;
using lower::Machine;

std::string emulator_of(Machine machine) {
  const std::string name = fmt::format("qemu-{}", lower::jit::compiled_code(machine).system);
  const std::string own =
      find_program(fmt::format("{}/qemu/bin/{}", jcstress::data_directory(), name));
  return own.empty() ? find_program(name) : own;
}

std::string folder_of(Machine machine) {
  return fmt::format("{}/jdk-{}", jcstress::data_directory(), lower::info(machine).prefix);
}

/// The home of the JDK below a root, as its `release` file says: of what version.
std::optional<Jdk> look_at_root(Machine machine, const std::string& root) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root + "/usr/lib/jvm", error)) {
    if (entry.is_symlink() || !fs::exists(entry.path() / "bin/java")) continue;
    Jdk jdk{machine, {}, {}};
    jdk.jvm.home = entry.path().string();
    jdk.jvm.name = fs::path(root).filename().string();
    std::ifstream release(jdk.jvm.home + "/release");
    for (std::string line; std::getline(release, line);)
      if (line.starts_with("JAVA_VERSION=\"")) jdk.jvm.version = line.substr(14, line.size() - 15);
    jdk.jvm.vendor = "Debian";
    jdk.jvm.vm = fmt::format("OpenJDK for {}", lower::info(machine).prefix);
    jdk.jvm.feature = std::atoi(jdk.jvm.name.c_str());
    jdk.jvm.c1 = jdk.jvm.c2 = true;
    jdk.jvm.graal = jcstress::find_graal(jdk.jvm.feature);
    jdk.command = {emulator_of(machine), "-L", root, jdk.jvm.java()};
    return jdk;
  }
  return std::nullopt;
}

std::vector<Jdk> jdks_of(Machine machine) {
  std::vector<Jdk> out;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_of(machine), error))
    if (auto jdk = look_at_root(machine, entry.path().string())) out.push_back(*std::move(jdk));
  std::ranges::sort(out, {}, [](const Jdk& jdk) { return jdk.jvm.feature; });
  return out;
}

} // namespace

std::optional<Machine> own_machine() {
  utsname name{};
  if (uname(&name) != 0) return std::nullopt;
  for (const Machine machine : lower::machines())
    if (machine->compiled != nullptr && machine->compiled->system == name.machine) return machine;
  return std::nullopt;
}

std::vector<Jdk> foreign_jdks() {
  std::vector<Jdk> out;
  for (const Machine machine : lower::machines())
    if (machine->compiled != nullptr && machine != own_machine())
      std::ranges::move(jdks_of(machine), std::back_inserter(out));
  return out;
}

Jdk find_jdk(Machine machine, const std::string& name) {
  if (machine == own_machine()) {
    Jdk jdk{machine, jcstress::find_jvm(name), {}};
    if (jdk.jvm.zero)
      throw InputError(fmt::format("error: {} is an interpreter: it compiles nothing", name));
    jdk.command = {jdk.jvm.java()};
    return jdk;
  }
  const std::string_view prefix = lower::info(machine).prefix;
  const std::string_view system = lower::jit::compiled_code(machine).system; // as scripts call it
  const auto all = jdks_of(machine);
  const auto found = std::ranges::find(all, name, [](const Jdk& jdk) { return jdk.jvm.name; });
  if (found == all.end()) {
    std::vector<std::string> names;
    for (const Jdk& jdk : all) names.push_back(jdk.jvm.name);
    throw InputError(fmt::format("error: no JDK '{}' for {} is installed (there is: {})\n  hint: "
                                 "'scripts/get-jdk --machine {} {}' installs one",
                                 text::printable_word(name), prefix,
                                 names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                                 system, text::printable_word(name)));
  }
  if (found->command.front().empty())
    throw InputError(fmt::format("error: no emulator of {} for the JDK '{}': no program qemu-{}\n"
                                 "  hint: 'scripts/get-jdk --machine {} {}' installs it, or the "
                                 "package qemu-user",
                                 prefix, name, system, system, name));
  return *found;
}

} // namespace thinair::runners::jit
