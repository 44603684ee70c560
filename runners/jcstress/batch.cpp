// Writes the sources of a batch and compiles them; bad ones are taken out.
#include "runners/jcstress/batch.h"

#include "litmus/text/error.h"
#include "runners/jcstress/helpers.h"
#include "runners/jcstress/javac.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

namespace thinair::runners::jcstress {
namespace {

namespace fs = std::filesystem;

constexpr double seconds_for_one_class = 60;
constexpr int most_attempts = 8; // javac reports its first hundred errors only

} // namespace

Batch::Batch(std::vector<Prepared> tests, const Jvm& compiler, const Jars& jars, Deadline deadline)
    : tests_(std::move(tests)), errors_(tests_.size()), deadline_(deadline), compiler_(compiler),
      jars_(jars) {
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
      if (const auto result = result_source(tests_[i]))
        directory_.write(fmt::format("src/{}/{}.java", package, result_class(tests_[i])), *result);
    } catch (const Unsupported& lacking) {
      errors_[i] = lacking.what();
    }
  }
  for (const Helper& helper : helpers())
    directory_.write(fmt::format("src/{}", helper.file), helper.text);
  directory_.write(fmt::format("topology-src/{}", topology().file), topology().text);
  fs::create_directories(directory_.path() + "/classes");
}

/// Again without the tests that javac complains of, until there are none.
void Batch::compile() {
  for (int attempt = 1; !compile_once(); ++attempt)
    if (attempt == most_attempts)
      throw InputError("error: javac finds ever new errors in a batch; run fewer tests at a time");
}

/// On a class path of its own, in front of jcstress's where it is wanted.
void Batch::compile_topology() const {
  runners::run({.argv = {compiler_.home + "/bin/javac", "-J-XX:TieredStopAtLevel=1", "-nowarn",
                         "-proc:none", "-cp", jars_.core, "-d", "topology",
                         fmt::format("topology-src/{}", topology().file)},
                .directory = directory_.path(),
                .seconds = seconds_for_one_class});
}

/// False: javac had complaints, and the tests that they are about are out.
bool Batch::compile_once() {
  Compilation compilation{directory_.path(), {}, {}, deadline_};
  std::set<std::string> classes;
  for (std::size_t i = 0; i < tests_.size(); ++i) {
    if (!errors_[i].empty()) continue;
    compilation.tests.push_back(tests_[i].class_name);
    classes.insert(tests_[i].class_name);
    if (result_source(tests_[i])) classes.insert(result_class(tests_[i]));
  }
  for (const auto& name : classes)
    compilation.sources.push_back(fmt::format("src/{}/{}.java", package, name));
  for (const Helper& helper : helpers())
    compilation.sources.push_back(fmt::format("src/{}", helper.file));
  const Compiled done = jcstress::compile(compilation, compiler_, jars_);
  for (const auto& [name, what] : done.errors) {
    const auto found = std::ranges::find(tests_, name, &Prepared::class_name);
    errors_[static_cast<std::size_t>(found - tests_.begin())] = what;
  }
  return done.complete;
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
