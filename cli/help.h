// Texts made from the table of commands.
#pragma once

#include "cli/command.h"

#include <string>

namespace thinair::cli {

/// `thinair help`: every command with its summary.
std::string overview();

/// `thinair COMMAND --help`.
std::string help_of(const Command& command);

/// A row of the table: name, summary, usage, options.
std::string json_of(const Command& command);

/// "--jobs N", "-I, --include DIR": an option as usage writes it.
std::string written(const Option& option);

/// The exit codes, a line each, as help and the man page show them.
struct ExitCode {
  Exit code;
  std::string_view meaning;
};
std::span<const ExitCode> exit_codes();

std::string bash_completion();
std::string zsh_completion();
std::string man_page();

} // namespace thinair::cli
