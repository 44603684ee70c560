// thinair jdks: the JVMs that tests can be run on.
#include "cli/command.h"
#include "litmus/text/json.h"
#include "runners/jcstress/jvm.h"

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

Exit list(const Arguments& arguments, Console& console) {
  const auto jvms = runners::jcstress::installed_jvms();
  if (jvms.empty())
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
  return Exit::clean;
}

} // namespace

extern constinit const Command jdks_command = {
    .name = "jdks",
    .summary = "list the JVMs that tests can run on",
    .description =
        "Lists JVMs below JAVA_HOME, /usr/lib/jvm, what scripts/get-jdk has installed, and the "
        "java on PATH: name (for --jdk and jvm:NAME), version, vendor, virtual machine, modes, "
        "home. The Zero interpreter of a JDK that has one is a JVM of its own.",
    .example = "thinair jdks",
    .run = list,
};

} // namespace thinair::cli
