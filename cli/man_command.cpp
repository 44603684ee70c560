// thinair man: the manual page in roff, from the table of commands.
#include "cli/help.h"
#include "cli/version.h"
#include "litmus/text/json.h"

#include <fmt/format.h>

namespace thinair::cli {
namespace {

/// The code point that `text` begins with (valid UTF-8: it comes from this program) and its length
/// in bytes.
std::pair<unsigned, std::size_t> first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(text[i]));
  };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  unsigned point = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = (point << 6U) | (byte(i) & 0x3FU);
  return {point, length};
}

/// Text as roff shows it unchanged: no request, no escape, ASCII only.
std::string roff(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  while (!text.empty()) {
    const auto [point, length] = first_code_point(text);
    if (point == '\\') {
      out += "\\e";
    } else if (point == '-') {
      out += "\\-";
    } else if (point == '\'') {
      out += "\\(aq";
    } else if (point == '~') {
      out += "\\(ti";
    } else if (point >= 0x80) {
      out += fmt::format("\\[u{:04X}]", point);
    } else {
      out += static_cast<char>(point);
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string options_section(std::span<const Option> options) {
  std::string out;
  for (const auto& option : options) {
    out += fmt::format(".TP\n.B {}\n{}", roff(written(option)), roff(option.help));
    if (!option.words.empty()) out += roff(fmt::format(" ({})", fmt::join(option.words, ", ")));
    if (option.required) out += " (required)";
    if (option.repeats) out += " (may be repeated)";
    out += "\n";
  }
  return out;
}

std::string command_section(const Command& command) {
  std::string out =
      fmt::format(".SS thinair {} [OPTION\\[u2026]] {}\n", roff(command.name), roff(command.usage));
  std::string_view rest = command.description;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    out += roff(rest.substr(0, end)) + "\n.PP\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  out += options_section(command.options);
  return out + fmt::format(".PP\nExample:\n.PP\n.EX\n  {}\n.EE\n", roff(command.example));
}

Exit show_man(const Arguments& arguments, Console& console) {
  const std::string page = man_page();
  console.out.write(arguments.json() ? json::Object().string("text", page).text() + "\n" : page);
  return Exit::clean;
}

} // namespace

std::string man_page() {
  std::string out =
      fmt::format(".TH THINAIR 1 \"\" \"thinair {}\" \"User Commands\"\n", version().number);
  out += ".SH NAME\nthinair \\- a fuzzer for implementations of Java\\(aqs memory model\n"
         ".SH SYNOPSIS\n.B thinair\n.I COMMAND\n[OPTION\\[u2026]] [OPERAND\\[u2026]]\n"
         ".SH DESCRIPTION\nthinair works out what a memory model allows a litmus test to do.\n"
         "Each command is described below; every command also has the common options.\n"
         ".SH COMMANDS\n";
  for (const Command* command : commands()) out += command_section(*command);
  out += ".SH COMMON OPTIONS\n" + options_section(common_options());
  out += ".TP\n.B \\-\\-version\nsay which version this is, of the program and of its models\n";
  out += ".SH EXIT STATUS\n";
  for (const auto& row : exit_codes())
    out += fmt::format(".TP\n.B {}\n{}\n", static_cast<int>(row.code), roff(row.meaning));
  return out;
}

extern constinit const Command man_command = {
    .name = "man",
    .summary = "print the manual page",
    .usage = "",
    .description = "Prints the manual page in roff, made from the same table as every --help.",
    .example = "thinair man > thinair.1 && man ./thinair.1",
    .run = show_man,
};

} // namespace thinair::cli
