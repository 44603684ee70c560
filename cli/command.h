// What a command of the tool is, and the table of them all: parsing, help, shell completion and the
// man page are made from it.
#pragma once

#include "cli/arguments.h"
#include "cli/console.h"
#include "litmus/text/error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace thinair::cli {

/// What an option takes: how its value is checked, and what a shell offers for it.
enum class Takes : std::uint8_t {
  nothing,
  text,
  count,   // a whole number
  seconds, // a number, not negative
  file,
  directory,
  model,      // a name of an embedded model, or a file
  target,     // what `thinair scheme list` prints, or a file
  any_target, // the same, or model:M, or jvm:JDK
  profile,    // a name of a profile, or a file
  word,       // one of Option::words
};

struct Option {
  std::string_view name; // long, without its dashes
  char letter = '\0';
  Takes takes = Takes::nothing;
  std::string_view value = {}; // how help calls what it takes
  std::string_view help;       // a phrase; its default included
  std::span<const std::string_view> words = {};
  bool required = false;
  bool repeats = false;
};

/// The words of an option that takes a row of a table.
template <class Row, std::size_t N>
constexpr std::array<std::string_view, N> names_of(const std::array<Row, N>& rows) {
  std::array<std::string_view, N> names;
  for (std::size_t i = 0; i < N; ++i) names[i] = rows[i].name;
  return names;
}

/// What operands are, for usage, checks and completion.
enum class Operands : std::uint8_t {
  none,
  inputs,  // files, directories and @lists
  words,   // Command::words first, then what the command says
  command, // the name of a command, or nothing
};

struct Command {
  std::string_view name;
  std::string_view summary;     // one line, no full stop
  std::string_view usage = {};  // operands as usage shows them: "TEST…"
  std::string_view description; // sentences, a paragraph a line
  std::string_view example;     // a command line that works
  Operands operands = Operands::none;
  std::span<const std::string_view> words = {};
  std::span<const Option> options = {};
  bool herd_style = false; // long options may be written with one dash, as herd's are
  Exit (*run)(const Arguments&, Console&) = nullptr;
};

/// All commands, in the order in which help lists them.
std::span<const Command* const> commands();
const Command* find_command(std::string_view name);

/// Options that every command has: --help and --json.
std::span<const Option> common_options();

/// A command's own options, then the common ones.
std::vector<Option> options_of(const Command& command);

/// The whole tool: `arguments` without the program's name. Never throws; see docs/cli.md for the
/// exit codes.
Exit run(std::span<const std::string> arguments, Console& console);

} // namespace thinair::cli
