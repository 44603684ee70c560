// A directory of jcstress tests that builds and runs on its own, with Maven and nothing of ours.
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

/// pom.xml, what it checks, README.md, a source a test, a result class for each number of slots
/// above eight, and the tests themselves (`thinair jcstress run DIR` runs them). Throws InputError
/// where two tests have one name.
std::vector<ProjectFile> project(std::span<const Graded> tests, const std::string& command);

/// Compiles the sources of a project that has been written, to nowhere: what is wrong with a test,
/// by its class (javac.h). Throws InputError where javac cannot be run.
std::map<std::string, std::string> compile_project(const std::string& directory,
                                                   std::span<const Graded> tests,
                                                   const Jvm& compiler, const Jars& jars);

/// Writes files below `directory`, making what is missing. Throws InputError where it cannot.
void write_files(const std::string& directory, std::span<const ProjectFile> files);

} // namespace thinair::runners::jcstress
