// The inputs of commands that read files: expansion of operands, and a job over each of them.
#pragma once

#include "cli/arguments.h"
#include "cli/console.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <functional>
#include <string>
#include <vector>

namespace thinair::cli {

/// Files that operands stand for, in order. `@LIST` is a file with one operand a line, relative to
/// the list (`#` begins a comment); a directory stands for its `.litmus` files, sorted, those of
/// its folders included; `-` is standard input. Throws InputError for a list that cannot be read
/// or contains itself, and for a folder without tests. A file that is not there is not looked for
/// here: it is its own test's failure.
std::vector<std::string> expand(const std::vector<std::string>& operands);

/// Reads `path`, or standard input for `-`; the limit is that of the readers.
text::Source read_input(const std::string& path);

/// What a job leaves behind.
struct Done {
  Exit exit = Exit::clean;
  std::string out = {}; // for standard output
  std::string err = {}; // for standard error
};

/// What a job knows of its input when it fails: the test's name, once read.
struct Progress {
  std::string test;
};

using Job = std::function<Done(const std::string& file, Progress& progress)>;

/// Runs `job` on every one of `files`, `--jobs` at a time, and writes what each leaves in the
/// order of the inputs, whatever the number of jobs. An input that fails does not stop the others:
/// its error goes to standard error and, with --json, as one object to standard output. The worst
/// exit code of all.
Exit for_each(const std::vector<std::string>& files, const Arguments& arguments, Console& console,
              const Job& job);

/// The same for the files that the operands stand for.
Exit for_each_input(const Arguments& arguments, Console& console, const Job& job);

} // namespace thinair::cli
