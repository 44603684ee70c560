// thinair parse FILE…: reads tests and says what is wrong with them.
#include "cli/command.h"
#include "cli/inputs.h"
#include "litmus/json.h"
#include "litmus/language.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <array>

namespace thinair::cli {
namespace {

constexpr auto parse_options = std::to_array<Option>({
    {.name = "jobs",
     .letter = 'j',
     .takes = Takes::count,
     .value = "N",
     .help = "read N files at a time (default: 1)"},
});

std::string number_of(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string size_of(const litmus::Test& test) {
  if (test.is_java())
    return number_of(test.java().threads.size(), "thread") + ", " +
           fmt::format("{} access{}", count_accesses(test.java()),
                       count_accesses(test.java()) == 1 ? "" : "es");
  return number_of(test.code().threads(), "thread") + ", " +
         number_of(test.code().instructions(), "instruction");
}

std::string line_of(const litmus::Test& test, const std::string& file) {
  std::string note;
  if (test.language->beyond_herd != nullptr)
    if (const auto why = test.language->beyond_herd(test))
      note = fmt::format(" (herd7 cannot read it: {})", *why);
  return fmt::format("{}: {} {}: {}, {}{}\n", file, test.language->word, test.name, size_of(test),
                     number_of(test.clauses.size(), "clause"), note);
}

std::string parsed_object(const litmus::Test& test, const std::string& file) {
  return json::Object()
             .string("test", test.name)
             .string("file", file)
             .string("status", "ok")
             .raw("ast", litmus::to_json(test))
             .text() +
         "\n";
}

Exit parse_files(const Arguments& arguments, Console& console) {
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    const auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    return Done{.out = arguments.json() ? parsed_object(test, file) : line_of(test, file)};
  });
}

} // namespace

extern constinit const Command parse_command = {
    .name = "parse",
    .summary = "read tests and say what is wrong with them",
    .usage = "TEST…",
    .description =
        "Reads litmus tests (Java, X86_64, X86) and writes a line for each, or where it is wrong: "
        "place, excerpt, and what was expected. With --json, the object of a test holds its syntax "
        "tree.\n"
        "A folder stands for the .litmus files in it, @LIST for the tests a file lists, - for "
        "standard input.",
    .example = "thinair parse corpus",
    .operands = Operands::inputs,
    .options = parse_options,
    .run = parse_files,
};

} // namespace thinair::cli
