// JVMs that are installed, and the ways to run them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners::jcstress {

struct Jvm {
  std::string name; // "17", "25-zero", "17.0.15-debian" where there are several of 17
  std::string home;
  std::string version; // java.version: "17.0.15", "28-ea"
  std::string vendor;
  std::string vm; // java.vm.name
  int feature = 0;
  bool c1 = false, c2 = false; // its compilers
  bool zero = false;           // the Zero interpreter of this JDK
  std::string graal = {};      // the module path of Graal's compiler for it; empty: there is none
  bool javac = false;

  std::string java() const { return home + "/bin/java"; }
};

/// How a JVM runs code.
enum class Mode : std::uint8_t { interpreted, c1, c2, tiered, stress, graal };

struct ModeInfo {
  Mode mode;
  std::string_view name; // int, c1, c2, tiered, stress, graal
  std::string_view help;
  bool (*runs_on)(const Jvm& jvm);
  std::vector<std::string> (*flags)(const Jvm& jvm, std::uint64_t seed);
};
std::span<const ModeInfo> modes();
const ModeInfo& info(Mode mode);

/// Asks the java below `home`; absent with a reason in `why` where that cannot be run or is older
/// than 9.
std::optional<Jvm> look_at(const std::string& home, std::string& why);

/// JVMs below $JAVA_HOME, the system's directory of JVMs, what scripts/get-jdk has installed, and
/// the java on PATH; by version, each home once, Zero beside its JDK.
std::vector<Jvm> installed_jvms();

/// By name (`17`, `25-zero`) or by the path of a home. Throws InputError: what is there, and how to
/// get what is not.
Jvm find_jvm(const std::string& name_or_path);

/// The modes of this JVM.
std::vector<Mode> modes_of(const Jvm& jvm);

/// "int", … for this JVM. Throws InputError for an unknown one and one that it lacks.
Mode find_mode(const Jvm& jvm, std::string_view name);

/// The default: c2, or what the JVM has.
Mode default_mode(const Jvm& jvm);

/// A JDK with a javac that can compile for `target`. Throws InputError where there is none.
Jvm find_compiler(const Jvm& target);

/// The jars of Graal's compiler for a JDK, as scripts/get-graal has fetched them, as a module path;
/// empty where there are none.
std::string find_graal(int feature);

/// $XDG_DATA_HOME/thinair, or below the home directory.
std::string data_directory();

/// The class path of jcstress and what it needs, from $THINAIR_JCSTRESS or what
/// scripts/get-jcstress has fetched. Throws InputError: missing, or not the version that we know.
struct Jars {
  std::string core; // enough to compile and for the fast path
  std::string all;  // a class path for its command line
};
Jars find_jcstress();

inline constexpr std::string_view jcstress_version = "0.16";

} // namespace thinair::runners::jcstress
