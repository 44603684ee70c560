// thinair lower TEST…: what a target makes of a program.
#include "cli/command.h"
#include "cli/inputs.h"
#include "litmus/language.h"
#include "litmus/text/json.h"
#include "lower/assembly.h"
#include "lower/lowered_test.h"
#include "runners/find_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli {
namespace {

constexpr auto lower_formats =
    std::to_array<std::string_view>({"both", "asm", "litmus", "herd", "ir", "obj"});

constexpr auto lower_options = std::to_array<Option>({
    {.name = "target",
     .letter = 't',
     .takes = Takes::target,
     .value = "TARGET",
     .help = "default: x86:table2; a scheme file, a name that thinair scheme list prints, "
             "x86:llvm-O2@DIR with your own opt and llc, or jit:JDK:COMPILER, what a JVM compiles"},
    {.name = "format",
     .letter = 'f',
     .takes = Takes::word,
     .value = "FORMAT",
     .help = "both (source and code side by side; the default), asm, litmus (a test of the "
             "machine), herd "
             "(for herd7), ir (LLVM's, as it was optimized), obj (ELF)",
     .words = lower_formats},
    {.name = "unroll",
     .takes = Takes::count,
     .value = "N",
     .help = "run loops without a bound of their own at most N times (default: 4)"},
    {.name = "jobs",
     .letter = 'j',
     .takes = Takes::count,
     .value = "N",
     .help = "N files at a time (default: 1)"},
});

const litmus::Test& java_test(const litmus::Test& test) {
  require_java(test, "to lower: they are machine code already");
  return test;
}

/// herd7's spelling, with the way back: its names for things to the source's.
std::string for_herd(const litmus::Test& source, const lower::Lowered& lowered,
                     const std::string& target) {
  auto out = litmus::for_herd(lower::lowered_test(source, lowered, target));
  lower::Restoration restoration = lowered.restoration;
  const auto rename = [&](litmus::Observable& place) {
    const auto known =
        std::ranges::find(out.names, place, [](const auto& row) { return row.second; });
    if (known != out.names.end()) place = known->first;
  };
  for (auto& row : restoration.rows) {
    if (auto* place = std::get_if<litmus::Observable>(&row.found)) rename(*place);
    if (row.high) rename(*row.high);
  }
  for (auto& [key, value] : out.test.metadata)
    if (key == "Restore") value = to_string(restoration);
  return litmus::print(out.test);
}

std::string in_format(std::string_view format, const litmus::Test& source, lower::Target& target,
                      const lower::Lowered& lowered) {
  if (format == "asm") return annotated_assembly(lowered);
  if (format == "litmus") return litmus::print(lowered_test(source, lowered, target.name()));
  if (format == "herd") return for_herd(source, lowered, target.name());
  if (format == "ir") return target.ir(lowered);
  if (format == "obj") return target.object(lowered);
  return fmt::format("{} for {}\n{}{}\n", source.name, target.name(), side_by_side(lowered),
                     to_string(lowered.restoration));
}

std::string restore_array(const lower::Restoration& restoration) {
  std::vector<std::string> rows;
  for (const auto& row : restoration.rows) {
    json::Object object;
    object.string("source", to_string(row.source));
    if (const auto* place = std::get_if<litmus::Observable>(&row.found))
      object.string("target", to_string(*place));
    else
      object.integer("constant", std::get<litmus::Value>(row.found));
    if (row.high) object.string("high", to_string(*row.high));
    rows.push_back(object.text());
  }
  return json::array(rows);
}

std::string object_of(const litmus::Test& source, const std::string& file,
                      const lower::Target& target, const lower::Lowered& lowered) {
  std::vector<std::string> threads;
  for (std::size_t t = 0; t < lowered.program.threads(); ++t) {
    std::vector<std::string> code;
    for (const auto& line : lower::code_lines(lowered.program, *lowered.language, t))
      code.push_back(json::quote(line));
    threads.push_back(json::array(code));
  }
  json::Object object;
  object.string("test", source.name).string("file", file).string("status", "ok");
  object.string("target", target.name());
  object.raw("threads", json::array(threads));
  object.raw("restore", restore_array(lowered.restoration));
  return object.text() + "\n";
}

std::string output(const Arguments& arguments, const std::string& file, const std::string& name,
                   const litmus::Test& test) {
  const std::string format = arguments.text("format", "both");
  const auto loop_bound = static_cast<std::uint32_t>(arguments.count("unroll", 4));
  lower::Target target = runners::find_target(name);
  const auto lowered = target.lower(test.java(), loop_bound);
  return arguments.json() ? object_of(test, file, target, lowered)
                          : in_format(format, test, target, lowered);
}

Exit lower_files(const Arguments& arguments, Console& console) {
  const std::string name = arguments.text("target", "x86:table2");
  runners::find_target(name); // a wrong name is an error of the command, not of each test
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    const auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    return Done{.out = output(arguments, file, name, java_test(test))};
  });
}

} // namespace

extern constinit const Command lower_command = {
    .name = "lower",
    .summary = "compile a test by a scheme or with LLVM",
    .usage = "TEST…",
    .description =
        "Writes the machine code that a target makes of each test, with the place where each "
        "register of the source is found at the end.\n"
        "Targets are compilation schemes (x86:table2 and others, or a file of your own) and LLVM "
        "from -O0 to -O3 (x86:llvm-O2, aarch64:llvm-O2, riscv:llvm-O2); thinair scheme list prints "
        "them.",
    .example = "thinair lower corpus/jmt/JMT-Fig5.litmus --target x86:table2",
    .operands = Operands::inputs,
    .options = lower_options,
    .run = lower_files,
};

} // namespace thinair::cli
