// A directory of jcstress tests that builds and runs on its own, with Maven and without thinair.
#pragma once

#include "runners/jcstress/emit.h"
#include "runners/jcstress/jvm.h"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace thinair::runners::jcstress {

struct ProjectFile {
  std::string path; // below the directory
  std::string text;
};

/// A test with its grades.
struct Graded {
  Prepared test;
  std::vector<Grade> grades;
  std::string litmus; // the test as it was read, printed
};

/// The tests that one project can hold.
class Members {
 public:
  /// Throws InputError where a test of another file has this class, Unsupported where its name is
  /// too long for the files that jcstress makes of it.
  void add(const Prepared& test, const std::string& file);

 private:
  std::map<std::string, std::string> files_; // by class
};

/// pom.xml, what it checks, README.md, a source a test, a result class for each number of slots
/// above eight, and the tests themselves (`thinair jcstress run DIR` runs them). The tests are
/// Members.
std::vector<ProjectFile> project(std::span<const Graded> tests, const std::string& command);

/// Compiles the sources of a project that has been written, to nowhere: what is wrong with a test,
/// by its class (javac.h). Throws InputError where javac cannot be run.
std::map<std::string, std::string> compile_project(const std::string& directory,
                                                   std::span<const Graded> tests,
                                                   const Jvm& compiler, const Jars& jars);

/// Writes files below `directory`, making what is missing. Throws InputError where it cannot.
void write_files(const std::string& directory, std::span<const ProjectFile> files);

} // namespace thinair::runners::jcstress
