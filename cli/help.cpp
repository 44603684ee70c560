// Help for people and for machines, from the table of commands.
#include "cli/help.h"

#include "campaign/target.h"
#include "gen/profile.h"
#include "litmus/text/json.h"
#include "litmus/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli {
namespace {

using text::columns;
using text::padded;
using text::wrapped;

constexpr auto codes = std::to_array<ExitCode>({
    {Exit::clean, "clean"},
    {Exit::finding,
     "a finding: a mismatch, a violated expectation, a file not in canonical layout"},
    {Exit::bad_input, "wrong use, bad input, or output that could not be written"},
    {Exit::undecided, "undecided, vacuous or unsupported"},
    {Exit::bug, "a fault of thinair itself"},
});

std::string rows(std::span<const std::pair<std::string, std::string>> rows) {
  std::size_t left = 0;
  for (const auto& row : rows) left = std::max(left, columns(row.first));
  left = std::min<std::size_t>(left, 28) + 4;
  std::string out;
  for (const auto& [name, text] : rows) {
    out += padded("  " + name, left);
    if (columns(name) + 4 > left) out += "\n" + std::string(left, ' ');
    out += wrapped(text, left, left) + "\n";
  }
  return out;
}

std::string paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out += wrapped(text.substr(0, end), 0, 0) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string help_text(const Option& option) {
  std::string text(option.help);
  if (!option.words.empty()) text += fmt::format(" ({})", fmt::join(option.words, ", "));
  if (option.required) text += " (required)";
  if (option.repeats) text += " (may be repeated)";
  return text;
}

/// From the table of kinds.
std::string target_rows() {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& kind : campaign::target_kinds()) lines.emplace_back(kind.form, kind.help);
  lines.emplace_back("FILE.scheme",
                     "a scheme of your own, for the machine that its first line names");
  return rows(lines);
}

/// Each by what its file begins with.
std::string profile_rows() {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& profile : gen::profiles()) lines.emplace_back(profile.name, gen::about(profile));
  lines.emplace_back("FILE", "a profile of your own: 'thinair gen --show-profile' writes one");
  return rows(lines);
}

Exit show_help(const Arguments& arguments, Console& console) {
  if (!arguments.operands().empty()) {
    const Command& command = *find_command(arguments.operands()[0]);
    console.out.write(arguments.json() ? json_of(command) + "\n" : help_of(command));
    return Exit::clean;
  }
  if (!arguments.json()) {
    console.out.write(overview());
    return Exit::clean;
  }
  for (const Command* command : commands()) console.out.write(json_of(*command) + "\n");
  return Exit::clean;
}

} // namespace

std::span<const ExitCode> exit_codes() { return codes; }

std::string written(const Option& option) {
  std::string text = option.letter == '\0' ? std::string() : fmt::format("-{}, ", option.letter);
  text += fmt::format("--{}", option.name);
  if (option.takes != Takes::nothing) text += fmt::format(" {}", option.value);
  return text;
}

std::string overview() {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Command* command : commands()) lines.emplace_back(command->name, command->summary);
  std::string out = "usage: thinair COMMAND [OPTION…] [OPERAND…]\n\ncommands:\n" + rows(lines);
  out += "\n" +
         wrapped("'thinair COMMAND --help' describes a command; 'thinair --version' says which "
                 "version this is.") +
         "\n\nexit codes:\n";
  for (const auto& row : codes)
    out += fmt::format("  {}  {}\n", static_cast<int>(row.code), wrapped(row.meaning, 5, 5));
  return out;
}

std::string help_of(const Command& command) {
  std::string out = fmt::format("usage: thinair {} [OPTION…]", command.name);
  if (!command.usage.empty()) out += fmt::format(" {}", command.usage);
  out += fmt::format("\n\n{}\n\noptions:\n", paragraphs(command.description));
  out.erase(out.find("\n\n\n"), 1);
  const auto options = options_of(command);
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& option : options) lines.emplace_back(written(option), help_text(option));
  out += rows(lines);
  const auto takes = [&](Takes what) {
    return std::ranges::find(options, what, &Option::takes) != options.end();
  };
  if (takes(Takes::any_target)) out += "\ntargets:\n" + target_rows();
  if (takes(Takes::profile)) out += "\nprofiles:\n" + profile_rows();
  return out + fmt::format("\nexample:\n  {}\n", command.example);
}

std::string json_of(const Command& command) {
  std::vector<std::string> options;
  for (const auto& option : options_of(command)) {
    json::Object row;
    row.string("name", option.name).boolean("takes_value", option.takes != Takes::nothing);
    row.string("help", option.help).boolean("required", option.required);
    options.push_back(row.text());
  }
  return json::Object()
      .string("name", command.name)
      .string("summary", command.summary)
      .string("usage", command.usage)
      .string("description", command.description)
      .string("example", command.example)
      .raw("options", json::array(options))
      .text();
}

extern constinit const Command help_command = {
    .name = "help",
    .summary = "list the commands, or describe one",
    .usage = "[COMMAND]",
    .description =
        "Lists the commands with a line each, or describes one of them as its --help does.",
    .example = "thinair help parse",
    .operands = Operands::command,
    .run = show_help,
};

} // namespace thinair::cli
