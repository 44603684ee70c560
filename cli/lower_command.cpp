// thinair lower TEST…: what a target makes of a program.
#include "cli/command.h"
#include "cli/inputs.h"
#include "litmus/text/json.h"
#include "litmus/x86/herd_export.h"
#include "lower/assembly.h"
#include "lower/lowered_test.h"
#include "lower/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli {
namespace {

constexpr auto formats =
    std::to_array<std::string_view>({"both", "asm", "litmus", "herd", "ir", "obj"});

constexpr auto options = std::to_array<Option>({
    {.name = "target",
     .letter = 't',
     .takes = Takes::text,
     .value = "TARGET",
     .help = "x86:table2 unless said; a scheme file, or a name that thinair scheme list prints"},
    {.name = "format",
     .letter = 'f',
     .takes = Takes::word,
     .value = "FORMAT",
     .help = "both (source and code side by side, unless said), asm, litmus (our dialect), herd "
             "(for herd7), ir (LLVM's, as it was optimized), obj (ELF)",
     .words = formats},
    {.name = "unroll",
     .takes = Takes::count,
     .value = "N",
     .help = "run loops without a bound of their own at most N times; 4 unless said"},
    {.name = "jobs",
     .letter = 'j',
     .takes = Takes::count,
     .value = "N",
     .help = "N files at a time; 1 unless said"},
});

const litmus::Test& java_test(const litmus::Test& test) {
  if (test.dialect != litmus::Dialect::java)
    throw InputError(
        fmt::format("{} is machine code already: only Java tests are lowered", test.name));
  return test;
}

/// herd7's spelling, with the way back: its names for things to the source's.
std::string for_herd(const litmus::Test& source, const lower::Lowered& lowered,
                     const std::string& target) {
  auto out = litmus::x86::herd_export(lower::lowered_test(source, lowered, target));
  lower::Restoration restoration = lowered.restoration;
  for (auto& row : restoration.rows)
    if (auto* place = std::get_if<litmus::Observable>(&row.found))
      for (const auto& [herds, ours] : out.names)
        if (ours == *place) {
          row.found = herds;
          break;
        }
  for (auto& [key, value] : out.test.metadata)
    if (key == "Restore") value = to_string(restoration);
  return litmus::print(out.test);
}

std::string optimized_ir(lower::Target& target, const lower::Lowered& lowered) {
  if (auto* compiler = target.compiler()) return compiler->ir(lowered.source, true);
  throw InputError(fmt::format("{} is a scheme: it has no IR", target.name()));
}

std::string in_format(std::string_view format, const litmus::Test& source, lower::Target& target,
                      const lower::Lowered& lowered) {
  if (format == "asm") return annotated_assembly(lowered);
  if (format == "litmus") return litmus::print(lowered_test(source, lowered, target.name()));
  if (format == "herd") return for_herd(source, lowered, target.name());
  if (format == "ir") return optimized_ir(target, lowered);
  if (format == "obj")
    return lower::Backend(lower::Level::O0).assemble(lower::assembly(lowered.program));
  return fmt::format("{} for {}\n{}{}\n", source.name, target.name(), side_by_side(lowered),
                     to_string(lowered.restoration));
}

std::string object_of(const litmus::Test& source, const std::string& file,
                      const lower::Target& target, const lower::Lowered& lowered) {
  std::vector<std::string> threads, rows;
  for (const auto& thread : lowered.program.threads) {
    std::vector<std::string> code;
    for (const auto& in : thread.code) {
      for (const auto& label : in.labels) code.push_back(json::quote(label + ":"));
      code.push_back(json::quote(lower::att(lowered.program, in)));
    }
    for (const auto& label : thread.end_labels) code.push_back(json::quote(label + ":"));
    threads.push_back(json::array(code));
  }
  for (const auto& row : lowered.restoration.rows) {
    json::Object object;
    object.string("source", to_string(row.source));
    if (const auto* place = std::get_if<litmus::Observable>(&row.found))
      object.string("target", to_string(*place));
    else
      object.integer("constant", std::get<std::int32_t>(row.found));
    rows.push_back(object.text());
  }
  json::Object object;
  object.string("test", source.name).string("file", file).string("status", "ok");
  object.string("target", target.name());
  object.raw("threads", json::array(threads)).raw("restore", json::array(rows));
  return object.text() + "\n";
}

Exit lower_files(const Arguments& arguments, Console& console) {
  const std::string name = arguments.text("target", "x86:table2");
  const std::string format = arguments.text("format", "both");
  const auto loop_bound = static_cast<std::uint32_t>(arguments.count("unroll", 4));
  lower::Target::named(name); // a wrong name is an error of the command, not of each test
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    const auto test = litmus::parse(read_input(file));
    progress.test = test.name;
    lower::Target target = lower::Target::named(name);
    const auto lowered = target.lower(java_test(test).java(), loop_bound);
    return Done{.out = arguments.json() ? object_of(test, file, target, lowered)
                                        : in_format(format, test, target, lowered)};
  });
}

} // namespace

extern constinit const Command lower_command = {
    .name = "lower",
    .summary = "compile a test to x86 by a scheme or with LLVM",
    .usage = "TEST…",
    .description =
        "Writes the machine code that a target makes of each test, with the place where each "
        "register of the source is found at the end.\n"
        "Targets are compilation schemes (x86:table2 and others, or a file of your own) and LLVM "
        "from -O0 to -O3 (x86:llvm-O2).",
    .example = "thinair lower corpus/jmt/JMT-Fig5.litmus --target x86:table2",
    .operands = Operands::inputs,
    .options = options,
    .run = lower_files,
};

} // namespace thinair::cli
