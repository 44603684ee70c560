// thinair litmus-to-java TEST…: a test as plain Java that anyone can run.
#include "cli/command.h"
#include "cli/inputs.h"
#include "litmus/choices.h"
#include "litmus/java/names.h"
#include "litmus/java/source.h"
#include "litmus/text/json.h"

namespace thinair::cli {
namespace {

/// What the test says and Java cannot.
std::string dropped(const litmus::Test& test, const std::string& file) {
  if (!test.is_java() || litmus::choices_of(test.java()) == 1) return "";
  return file + ": note: `@N` is left out: a JVM itself decides which of its compilers compiles "
                "an access, and the class does not say\n";
}

Exit write_java(const Arguments& arguments, Console& console) {
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    const auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    const std::string text = litmus::java::plain_source(test, file);
    const std::string note = dropped(test, file);
    if (!arguments.json()) return Done{.out = text, .err = note};
    return Done{.out = json::Object()
                           .string("test", test.name)
                           .string("file", file)
                           .string("status", "ok")
                           .string("class", litmus::java::class_name(test.name))
                           .string("save_as", litmus::java::source_file_name(test))
                           .string("text", text)
                           .text() +
                       "\n",
                .err = note};
  });
}

} // namespace

extern constinit const Command litmus_to_java_command = {
    .name = "litmus-to-java",
    .summary = "write a test as plain Java, for a bug report",
    .usage = "TEST…",
    .description =
        "Writes each Java test as one class that needs nothing but a JDK: a method a thread, and a "
        "main that runs them against each other, says which JVM that is, counts the final states, "
        "and marks those that the test asks about. It is meant to be read; 'thinair jcstress' is "
        "the harness that looks hard.\n"
        "The first lines name the test's file, and say how to keep the class and run it: 'java "
        "CLASS.java [ROUNDS]'.",
    .example = "thinair litmus-to-java corpus/jmt/JMT-Fig5.litmus",
    .operands = Operands::inputs,
    .run = write_java,
};

} // namespace thinair::cli
