// Finds JVMs by asking each java what it is.
#include "runners/jcstress/jvm.h"

#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "runners/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

namespace thinair::runners::jcstress {
namespace {

namespace fs = std::filesystem;
using Flags = std::vector<std::string>;

constexpr int oldest = 9; // VarHandle
constexpr double patience = 20;

Flags stress_flags(const Jvm&, std::uint64_t seed) {
  return {"-XX:-TieredCompilation",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:+StressLCM",
          "-XX:+StressGCM",
          "-XX:+StressIGVN",
          "-XX:+StressCCP",
          fmt::format("-XX:StressSeed={}", seed % 4294967295U)};
}

/// JVMCI, the JVM's interface for compilers written in Java (JEP 243).
Flags graal_flags(const Jvm& jvm, std::uint64_t) {
  return {"-XX:+UnlockExperimentalVMOptions", "-XX:+EnableJVMCI", "-XX:+UseJVMCICompiler",
          "--upgrade-module-path=" + jvm.graal};
}

bool any(const Jvm&) { return true; }
bool has_c2(const Jvm& jvm) { return jvm.c2; }

constexpr auto mode_table = std::to_array<ModeInfo>({
    {Mode::interpreted, "int", "the interpreter alone", any,
     [](const Jvm&, std::uint64_t) -> Flags { return {"-Xint"}; }},
    {Mode::c1, "c1", "the quick compiler", [](const Jvm& jvm) { return jvm.c1; },
     [](const Jvm&, std::uint64_t) -> Flags { return {"-XX:TieredStopAtLevel=1"}; }},
    {Mode::c2, "c2", "the optimizing compiler", has_c2,
     [](const Jvm&, std::uint64_t) -> Flags { return {"-XX:-TieredCompilation"}; }},
    {Mode::tiered, "tiered", "as users run it: first one, then the other",
     [](const Jvm& jvm) { return jvm.c1 && jvm.c2; },
     [](const Jvm&, std::uint64_t) -> Flags { return {}; }},
    {Mode::stress, "stress", "c2 with instruction scheduling at random", has_c2, stress_flags},
    {Mode::graal, "graal", "c1, then Graal's compiler in the place of c2",
     [](const Jvm& jvm) { return !jvm.graal.empty() && jvm.c1; }, graal_flags},
});

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

/// `java.version = 17.0.15` lines of -XshowSettings.
std::map<std::string, std::string> properties(std::string_view text) {
  std::map<std::string, std::string> found;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto equals = line.find(" = ");
    const auto begin = line.find_first_not_of(' ');
    if (equals == std::string_view::npos || begin >= equals) continue;
    found.emplace(line.substr(begin, equals - begin), line.substr(equals + 3));
  }
  return found;
}

/// "17.0.15" is 17, "1.8.0" is 8, "28-ea" is 28.
int feature_of(std::string_view version) {
  int number = 0;
  std::from_chars(version.data(), version.data() + version.size(), number);
  return version.starts_with("1.") ? feature_of(version.substr(2)) : number;
}

std::string lower_word(std::string_view text) {
  std::string word;
  for (const char c : text.substr(0, text.find_first_of(" ,")))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

std::vector<std::string> children(const std::string& directory) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error))
    found.push_back(entry.path().string());
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> jars_in(const std::string& directory) {
  auto all = children(directory);
  std::erase_if(all, [](const std::string& path) { return !path.ends_with(".jar"); });
  return all;
}

/// The home of the java on PATH.
std::string home_on_path() {
  const std::string java = find_program("java");
  std::error_code error;
  const auto real = fs::canonical(java, error);
  return error ? "" : real.parent_path().parent_path().string();
}

std::vector<std::string> candidate_homes() {
  std::vector<std::string> homes;
  if (const char* home = variable("JAVA_HOME")) homes.emplace_back(home);
  for (const auto& directory : {std::string("/usr/lib/jvm"), data_directory() + "/jdk"})
    std::ranges::copy(children(directory), std::back_inserter(homes));
  homes.push_back(home_on_path());
  return homes;
}

bool has_zero(const std::string& home) { return fs::exists(home + "/lib/zero/libjvm.so"); }

/// Names by version; where two share one, by their whole version and vendor.
void give_names(std::vector<Jvm>& jvms) {
  const auto suffix = [](const Jvm& j) { return j.zero ? "-zero" : ""; };
  std::map<std::pair<int, bool>, int> of_feature;
  for (const Jvm& j : jvms) ++of_feature[{j.feature, j.zero}];
  std::set<std::string> used;
  for (Jvm& j : jvms) {
    const bool first = !used.contains(fmt::format("{}{}", j.feature, suffix(j)));
    std::string name = fmt::format("{}{}", j.feature, suffix(j));
    if (!first) name = fmt::format("{}-{}{}", j.version, lower_word(j.vendor), suffix(j));
    j.name = name;
    for (int n = 2; !used.insert(j.name).second; ++n) j.name = fmt::format("{}-{}", name, n);
  }
}

std::string names_of(const std::vector<Jvm>& jvms) {
  std::vector<std::string> names;
  for (const Jvm& j : jvms) names.push_back(j.name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::span<const ModeInfo> modes() { return mode_table; }

const ModeInfo& info(Mode mode) { return *std::ranges::find(mode_table, mode, &ModeInfo::mode); }

std::string data_directory() {
  if (const char* data = variable("XDG_DATA_HOME")) return std::string(data) + "/thinair";
  const char* home = variable("HOME");
  return (home != nullptr ? std::string(home) : std::string()) + "/.local/share/thinair";
}

std::optional<Jvm> look_at(const std::string& home, std::string& why) {
  Jvm jvm;
  jvm.home = home;
  if (find_program(jvm.java()).empty()) {
    why = "there is no bin/java";
    return std::nullopt;
  }
  const Outcome asked =
      run({.argv = {jvm.java(), "-XshowSettings:properties", "-version"}, .seconds = patience});
  if (asked.end != Outcome::End::exited || asked.code != 0) {
    why = "java -version: " + describe(asked);
    return std::nullopt;
  }
  auto found = properties(asked.error + asked.out);
  jvm.version = found["java.version"];
  jvm.vendor = found["java.vendor"];
  jvm.vm = found["java.vm.name"];
  jvm.feature = feature_of(jvm.version);
  jvm.c1 = jvm.c2 = found["java.vm.info"].starts_with("mixed mode");
  jvm.zero = jvm.vm.find("Zero") != std::string::npos;
  jvm.javac = !find_program(home + "/bin/javac").empty();
  if (jvm.c2) jvm.graal = find_graal(jvm.feature);
  jvm.name = std::to_string(jvm.feature);
  if (jvm.feature >= oldest) return jvm;
  why = fmt::format("Java {} has no VarHandle: 9 or later is needed", jvm.version);
  return std::nullopt;
}

std::vector<Jvm> installed_jvms() {
  std::vector<Jvm> found;
  std::set<std::string> seen;
  for (const auto& home : candidate_homes()) {
    std::error_code error;
    const auto real = fs::canonical(home, error);
    std::string why;
    if (home.empty() || error || !seen.insert(real.string()).second) continue;
    auto jvm = look_at(real.string(), why);
    if (!jvm) continue;
    found.push_back(*jvm);
    if (jvm->zero || !has_zero(jvm->home)) continue;
    jvm->zero = true;
    jvm->vm = "OpenJDK Zero VM";
    jvm->c1 = jvm->c2 = false;
    jvm->graal.clear();
    found.push_back(*jvm);
  }
  std::ranges::stable_sort(found, {}, [](const Jvm& j) { return std::pair(j.feature, j.zero); });
  give_names(found);
  return found;
}

Jvm find_jvm(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    std::string why;
    if (auto jvm = look_at(fs::path(name).lexically_normal().string(), why)) return *jvm;
    throw InputError(fmt::format("error: {}: {}\n  hint: this takes the home of a JDK, as "
                                 "'thinair jdks' lists them",
                                 text::printable_word(name), why));
  }
  const auto all = installed_jvms();
  const auto found = std::ranges::find(all, name, &Jvm::name);
  if (found != all.end()) return *found;
  const auto same_version = std::ranges::find(all, name, &Jvm::version);
  if (same_version != all.end()) return *same_version;
  throw InputError(fmt::format("error: no JDK '{}' is installed (there is: {})\n  hint: "
                               "'scripts/get-jdk {}' installs one",
                               text::printable_word(name), names_of(all),
                               text::printable_word(name)));
}

std::vector<Mode> modes_of(const Jvm& jvm) {
  std::vector<Mode> usable;
  for (const ModeInfo& m : mode_table)
    if (m.runs_on(jvm)) usable.push_back(m.mode);
  return usable;
}

Mode find_mode(const Jvm& jvm, std::string_view name) {
  const auto usable = modes_of(jvm);
  std::vector<std::string_view> names;
  for (const Mode mode : usable) names.push_back(info(mode).name);
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return usable[static_cast<std::size_t>(found - names.begin())];
  throw InputError(fmt::format(
      "error: the JVM {} has no mode '{}' (it has: {}){}", jvm.name, name, fmt::join(names, ", "),
      name == info(Mode::graal).name && jvm.c2
          ? fmt::format("\n  hint: 'scripts/get-graal {}' fetches Graal's compiler", jvm.feature)
          : ""));
}

Mode default_mode(const Jvm& jvm) { return jvm.c2 ? Mode::c2 : modes_of(jvm).back(); }

Jvm find_compiler(const Jvm& target) {
  if (target.javac && !target.zero) return target;
  const auto all = installed_jvms();
  const auto can = [&](const Jvm& j) { return j.javac && !j.zero && j.feature <= target.feature; };
  const auto found = std::ranges::find_if(all, can);
  if (found != all.end()) return *found;
  throw InputError(fmt::format(
      "error: no javac for Java {}: {} has none, nor has another JDK up to that version\n  hint: "
      "install a JDK, not only a JRE: 'scripts/get-jdk 17'",
      target.feature, target.home));
}

std::string find_graal(int feature) {
  const std::string directory = fmt::format("{}/graal/{}", data_directory(), feature);
  return fmt::format("{}", fmt::join(jars_in(directory), ":"));
}

Jars find_jcstress() {
  const char* given = variable("THINAIR_JCSTRESS");
  const std::string directory =
      given != nullptr ? given : fmt::format("{}/jcstress/{}", data_directory(), jcstress_version);
  Jars jars{fmt::format("{}/jcstress-core-{}.jar", directory, jcstress_version), {}};
  if (!fs::exists(jars.core)) {
    const bool other = std::ranges::any_of(children(directory), [](const std::string& path) {
      return path.find("jcstress-core-") != std::string::npos;
    });
    throw InputError(fmt::format("error: {} in {}\n  hint: 'scripts/get-jcstress' fetches it (from "
                                 "Maven Central, once)",
                                 other ? fmt::format("a jcstress that is not {}", jcstress_version)
                                       : fmt::format("no jcstress {}", jcstress_version),
                                 directory));
  }
  jars.all = fmt::format("{}", fmt::join(jars_in(directory), ":"));
  return jars;
}

} // namespace thinair::runners::jcstress
