// javac with jcstress's annotation processor, and what came of each test.
#pragma once

#include "litmus/text/watch.h"
#include "runners/jcstress/jvm.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::runners::jcstress {

struct Compilation {
  std::string directory;            // to run in; class files go to `classes` below it
  std::vector<std::string> sources; // files, absolute or below it
  std::vector<std::string> tests;   // classes in `package` that must come of it
  Deadline deadline = {};           // after which nobody wants it any more
};

struct Compiled {
  bool complete = false;                     // javac had nothing to complain of: there are classes
  std::map<std::string, std::string> errors; // by class: what is wrong with a test
  double seconds = 0;
};

/// One call of javac. Errors are javac's first one about a test's file or, where javac was content,
/// that the processor left the test out. A complaint about anything but tests is an InputError,
/// an end by the deadline LimitReached.
Compiled compile(const Compilation& compilation, const Jvm& compiler, const Jars& jars);

/// How a test's line in META-INF/TestList begins; `name` with its package.
std::string list_entry(std::string_view name);

} // namespace thinair::runners::jcstress
