// Writes the sources of a batch and compiles them; bad ones are taken out.
#include "runners/jcstress/batch.h"

#include "litmus/text/error.h"
#include "runners/jcstress/helpers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

namespace thinair::runners::jcstress {
namespace {

namespace fs = std::filesystem;

constexpr double seconds_to_start = 60, seconds_a_test = 5;
constexpr int most_attempts = 8; // javac reports its first hundred errors only

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The first error of each test whose file javac complains of: "…/T00007.java:3: error: WHAT".
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

} // namespace

Batch::Batch(std::vector<Prepared> tests, const Jvm& compiler, const Jars& jars)
    : tests_(std::move(tests)), errors_(tests_.size()), compiler_(compiler), jars_(jars) {
  for (std::size_t i = 0; i < tests_.size(); ++i) tests_[i].class_name = fmt::format("T{:05}", i);
  write_sources();
  compile();
}

void Batch::write_sources() {
  const Grade recorded{"", true, "recorded"};
  for (std::size_t i = 0; i < tests_.size(); ++i) {
    try {
      directory_.write(fmt::format("src/{}/{}.java", package, tests_[i].class_name),
                       source_of(tests_[i], std::span(&recorded, 1)));
      if (const auto result = result_source(tests_[i].slots.size()))
        directory_.write(
            fmt::format("src/{}/{}.java", package, result_class(tests_[i].slots.size())), *result);
    } catch (const Unsupported& lacking) {
      errors_[i] = lacking.what();
    }
  }
  for (const Helper& helper : helpers())
    directory_.write(fmt::format("src/{}", helper.file), helper.text);
  directory_.write(fmt::format("topology-src/{}", topology().file), topology().text);
  fs::create_directories(directory_.path() + "/classes");
}

void Batch::compile() {
  for (int attempt = 1; !compile_once(); ++attempt)
    if (attempt == most_attempts)
      throw InputError("error: javac finds ever new errors in a batch; run fewer tests at a time");
  check_list();
}

/// On a class path of its own, in front of jcstress's where it is wanted.
void Batch::compile_topology() const {
  runners::run({.argv = {compiler_.home + "/bin/javac", "-J-XX:TieredStopAtLevel=1", "-nowarn",
                         "-proc:none", "-cp", jars_.core, "-d", "topology",
                         fmt::format("topology-src/{}", topology().file)},
                .directory = directory_.path(),
                .seconds = seconds_to_start});
}

/// False: javac had complaints, and the tests that they are about are out.
bool Batch::compile_once() {
  std::string files;
  std::set<std::string> results;
  for (std::size_t i = 0; i < tests_.size(); ++i) {
    if (!errors_[i].empty()) continue;
    files += fmt::format("src/{}/{}.java\n", package, tests_[i].class_name);
    if (result_source(tests_[i].slots.size())) results.insert(result_class(tests_[i].slots.size()));
  }
  for (const auto& name : results) files += fmt::format("src/{}/{}.java\n", package, name);
  for (const Helper& helper : helpers()) files += fmt::format("src/{}\n", helper.file);
  directory_.write("sources", files);
  // The processor is named: from JDK 23 on javac does not look for one. javac's own compiler stays
  // at its quick level, which is twice as fast for a run of seconds.
  const Outcome done = runners::run(
      {.argv = {compiler_.home + "/bin/javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC",
                "-g:none", "-nowarn", "-encoding", "UTF-8", "-cp", jars_.core, "-processor",
                "org.openjdk.jcstress.infra.processors.JCStressTestProcessor", "-d", "classes",
                "@sources"},
       .directory = directory_.path(),
       .seconds = seconds_to_start + seconds_a_test * static_cast<double>(tests_.size())});
  compile_seconds_ += done.seconds;
  if (done.end == Outcome::End::exited && done.code == 0) return true;
  bool removed = false;
  for (const auto& [file, what] : complaints(done.error + done.out)) {
    const auto found = std::ranges::find(tests_, file, &Prepared::class_name);
    if (found == tests_.end()) continue;
    auto& error = errors_[static_cast<std::size_t>(found - tests_.begin())];
    removed = removed || error.empty();
    error = "javac: " + what;
  }
  if (!removed)
    throw InputError(fmt::format("error: {}/bin/javac: {}\n{}", compiler_.home, describe(done),
                                 done.error.substr(0, 2000)));
  return false;
}

/// jcstress's processor drops a test that it cannot make sense of, and javac says nothing.
void Batch::check_list() {
  const std::string list = read_whole(directory_.path() + "/classes/META-INF/TestList");
  for (std::size_t i = 0; i < tests_.size(); ++i) {
    const std::string name = fmt::format("{}.{}", package, tests_[i].class_name);
    if (errors_[i].empty() &&
        list.find(fmt::format("{}S{}", name.size(), name)) == std::string::npos)
      errors_[i] = "jcstress's processor left the test out";
  }
}

std::string Batch::class_path(bool official) const {
  const std::string classes = directory_.path() + "/classes";
  return official ? fmt::format("{}/topology:{}:{}", directory_.path(), classes, jars_.all)
                  : fmt::format("{}:{}", classes, jars_.core);
}

std::vector<std::size_t> Batch::runnable(std::span<const std::size_t> chosen) const {
  std::vector<std::size_t> all(chosen.begin(), chosen.end());
  if (chosen.empty()) {
    all.resize(tests_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
  }
  std::erase_if(all, [&](std::size_t i) { return !errors_[i].empty(); });
  return all;
}

} // namespace thinair::runners::jcstress
