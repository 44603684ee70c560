// thinair jdks: the JVMs that tests can be run on.
#include "cli/command.h"
#include "litmus/text/json.h"
#include "runners/jcstress/jvm.h"
#include "runners/jit/jdk.h"

#include <fmt/format.h>

namespace thinair::cli {
namespace {

using runners::jcstress::Jvm;

std::vector<std::string> mode_names(const Jvm& jvm) {
  std::vector<std::string> names;
  for (const auto mode : modes_of(jvm)) names.emplace_back(info(mode).name);
  return names;
}

std::string json_of(const Jvm& jvm) {
  std::vector<std::string> modes;
  for (const auto& name : mode_names(jvm)) modes.push_back(json::quote(name));
  json::Object object;
  object.string("jdk", jvm.name).string("version", jvm.version).string("vendor", jvm.vendor);
  object.string("vm", jvm.vm).raw("modes", json::array(modes)).boolean("javac", jvm.javac);
  return object.string("home", jvm.home).text() + "\n";
}

/// A JDK of another machine: its compilers are asked for code (jit:aarch64:25:c2), tests do not run
/// on it.
std::string of_other_machine(const runners::jit::Jdk& jdk, bool as_json) {
  const std::string name = fmt::format("{}:{}", lower::info(jdk.machine).prefix, jdk.jvm.name);
  const bool runs = !jdk.command.front().empty();
  if (!as_json)
    return fmt::format("{:10} {:12} {:16} {:28} {:24} {}{}\n", name, jdk.jvm.version,
                       jdk.jvm.vendor, jdk.jvm.vm, "jit: c1 c2", jdk.jvm.home,
                       runs ? "" : " (no emulator)");
  json::Object object;
  object.string("jdk", name).string("version", jdk.jvm.version).string("vendor", jdk.jvm.vendor);
  object.string("vm", jdk.jvm.vm).raw("modes", "[]").boolean("javac", false);
  object.string("machine", lower::info(jdk.machine).prefix).boolean("emulator", runs);
  return object.string("home", jdk.jvm.home).text() + "\n";
}

Exit list_jdks(const Arguments& arguments, Console& console) {
  const auto jvms = runners::jcstress::installed_jvms();
  const auto foreign = runners::jit::foreign_jdks();
  if (jvms.empty() && foreign.empty())
    throw InputError("error: no JDK of version 9 or later is installed\n  hint: 'scripts/get-jdk "
                     "17' installs one");
  for (const Jvm& jvm : jvms) {
    console.out.write(arguments.json()
                          ? json_of(jvm)
                          : fmt::format("{:10} {:12} {:16} {:28} {:24} {}{}\n", jvm.name,
                                        jvm.version, jvm.vendor, jvm.vm,
                                        fmt::format("{}", fmt::join(mode_names(jvm), " ")),
                                        jvm.home, jvm.javac ? "" : " (no javac)"));
  }
  for (const auto& jdk : foreign) console.out.write(of_other_machine(jdk, arguments.json()));
  return Exit::clean;
}

} // namespace

extern constinit const Command jdks_command = {
    .name = "jdks",
    .summary = "list the JVMs that tests can run on",
    .description =
        "Lists JVMs below JAVA_HOME, /usr/lib/jvm, what scripts/get-jdk has installed, and the "
        "java on PATH: name (for --jdk and jvm:NAME), version, vendor, virtual machine, modes, "
        "home. The Zero interpreter of a JDK that has one is a JVM of its own. JDKs of other "
        "machines, from scripts/get-jdk --machine, come last: they are for targets "
        "jit:MACHINE:NAME:COMPILER alone.",
    .example = "thinair jdks",
    .run = list_jdks,
};

} // namespace thinair::cli
