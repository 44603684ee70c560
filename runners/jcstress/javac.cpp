// Calls javac, reads its complaints, and looks into the list of tests that the processor writes.
#include "runners/jcstress/javac.h"

#include "litmus/text/error.h"
#include "litmus/text/file.h"
#include "runners/jcstress/emit.h"
#include "runners/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace thinair::runners::jcstress {
namespace {

namespace fs = std::filesystem;

constexpr double seconds_to_start = 60, seconds_a_test = 5;

/// The first error of each class whose file javac complains of: "…/T00007.java:3: error: WHAT".
std::map<std::string, std::string> complaints(std::string_view text) {
  std::map<std::string, std::string> found;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto end = line.find(".java:");
    const auto error = line.find(": error: ");
    if (end == std::string_view::npos || error == std::string_view::npos) continue;
    const auto slash = line.rfind('/', end);
    const auto begin = slash == std::string_view::npos ? 0 : slash + 1;
    found.emplace(line.substr(begin, end - begin), line.substr(error + 9));
  }
  return found;
}

/// Sources by name in a file that javac reads: quoted, as it takes blanks for ends.
std::string listed(const std::vector<std::string>& sources) {
  std::string text;
  for (const auto& source : sources) {
    text += '"';
    for (const char c : source) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  return text;
}

/// The processor is named: from JDK 23 on javac does not look for one. javac's own compiler stays
/// at its quick level, which is twice as fast for a run of seconds.
Outcome run_javac(const Compilation& compilation, const Jvm& compiler, const Jars& jars) {
  text::write_file(compilation.directory + "/sources", listed(compilation.sources),
                   text::Flush::no);
  text::make_folders(compilation.directory + "/classes");
  const double usual =
      seconds_to_start + seconds_a_test * static_cast<double>(compilation.tests.size());
  return run(
      {.argv = {compiler.home + "/bin/javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC",
                "-g:none", "-nowarn", "-encoding", "UTF-8", "-cp", jars.core, "-processor",
                "org.openjdk.jcstress.infra.processors.JCStressTestProcessor", "-d", "classes",
                "@sources"},
       .directory = compilation.directory,
       .seconds = seconds_within(compilation.deadline, usual)});
}

} // namespace

std::string list_entry(std::string_view name) {
  return fmt::format("JCTEST{}S{}", name.size(), name);
}

Compiled compile(const Compilation& compilation, const Jvm& compiler, const Jars& jars) {
  const Outcome done = run_javac(compilation, compiler, jars);
  if (done.end == Outcome::End::timed_out && compilation.deadline.passed())
    throw LimitReached(Limit::run_time);
  Compiled out{done.end == Outcome::End::exited && done.code == 0, {}, done.seconds};
  if (!out.complete) {
    for (const auto& [name, what] : complaints(done.error + done.out))
      if (std::ranges::find(compilation.tests, name) != compilation.tests.end())
        out.errors.emplace(name, "javac: " + what);
    if (out.errors.empty())
      throw InputError(fmt::format("error: {}/bin/javac: {}\n{}", compiler.home, describe(done),
                                   done.error.substr(0, 2000)));
    return out;
  }
  std::ifstream file(compilation.directory + "/classes/META-INF/TestList", std::ios::binary);
  const std::string list{std::istreambuf_iterator<char>(file), {}};
  for (const auto& test : compilation.tests)
    if (list.find(list_entry(fmt::format("{}.{}", package, test))) == std::string::npos)
      out.errors.emplace(test, "jcstress's processor left the test out");
  return out;
}

} // namespace thinair::runners::jcstress
