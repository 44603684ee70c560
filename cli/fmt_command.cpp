// thinair fmt FILE…: tests in canonical layout.
#include "cli/command.h"
#include "cli/inputs.h"
#include "litmus/text/file.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <array>

namespace thinair::cli {
namespace {

constexpr auto fmt_options = std::to_array<Option>({
    {.name = "check",
     .help = "write nothing but the names of files that would change; exit 1 if any"},
    {.name = "write", .letter = 'w', .help = "change the files in place"},
});

/// Reads, prints, and makes sure that nothing but layout differs.
std::string canonical_layout(const text::Source& source, Progress& progress) {
  const auto test = litmus::parse(source);
  progress.test = test.name;
  std::string printed = litmus::print(test);
  THINAIR_CHECK(litmus::parse({source.name, printed}) == test,
                fmt::format("the canonical layout of {} is another test", source.name));
  return printed;
}

/// Whether a comment may stand in the text: its marker, outside quotes and `Key=Value` lines.
bool may_have_comments(std::string_view text) {
  bool in_quotes = false, in_metadata = true;
  std::size_t line = 0; // where the current one begins
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '\n') {
      line = i + 1;
      in_quotes = false;
    }
    if (text[i] == '"') in_quotes = !in_quotes;
    if (text[i] == '{') in_metadata = false;
    const auto two = text.substr(i, 2);
    if (in_quotes || (two != "//" && two != "/*" && two != "(*")) continue;
    if (in_metadata && text.substr(line, i - line).find('=') != std::string_view::npos) continue;
    return true;
  }
  return false;
}

std::string object_of(const std::string& test, const std::string& file, bool changed,
                      const std::string& text, bool with_text) {
  json::Object object;
  object.string("test", test).string("file", file).string("status", "ok");
  object.boolean("changed", changed);
  if (with_text) object.string("text", text);
  return object.text() + "\n";
}

Done format_file(const std::string& file, const Arguments& arguments, Progress& progress) {
  const bool check = arguments.has("check"), write = arguments.has("write");
  const auto source = read_input(file);
  const std::string printed = canonical_layout(source, progress);
  const bool changed = printed != source.text;
  if (write && changed && may_have_comments(source.text))
    throw InputError(fmt::format("{}: error: has comments, which --write would lose", file));
  if (write && changed) text::write_file(file, printed);
  Done done{.exit = check && changed ? Exit::finding : Exit::clean};
  if (arguments.json()) {
    done.out = object_of(progress.test, file, changed, printed, !check && !write);
  } else if (check) {
    if (changed) done.out = file + "\n";
  } else if (!write) {
    done.out = printed;
  }
  return done;
}

Exit format_files(const Arguments& arguments, Console& console) {
  if (arguments.has("check") && arguments.has("write"))
    throw InputError("thinair fmt: error: --check and --write exclude each other");
  return for_each_input(arguments, console, [&](const std::string& file, Progress& progress) {
    if (arguments.has("write") && file == "-")
      throw InputError("thinair fmt: error: standard input cannot be changed in place");
    return format_file(file, arguments, progress);
  });
}

} // namespace

extern constinit const Command fmt_command = {
    .name = "fmt",
    .summary = "write tests in canonical layout",
    .usage = "TEST…",
    .description =
        "Writes tests in the one layout that thinair prints. Comments are not part of a test and "
        "are not kept.\n"
        "With --write a file is replaced as a whole or not at all; a file with comments is left "
        "alone, with an error.",
    .example = "thinair fmt --check corpus",
    .operands = Operands::inputs,
    .options = fmt_options,
    .run = format_files,
};

} // namespace thinair::cli
