// thinair completion bash|zsh: shell completion, from the table of commands.
#include "campaign/target.h"
#include "cli/help.h"
#include "gen/profile.h"
#include "litmus/text/json.h"
#include "lower/target.h"
#include "models/library.h"

#include <fmt/format.h>

#include <array>

namespace thinair::cli {
namespace {

constexpr auto shells = std::to_array<std::string_view>({"bash", "zsh"});

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& file : models::files())
    if (!file.name.starts_with("library/"))
      names.emplace_back(file.name.substr(0, file.name.rfind('.')));
  return names;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command* command : commands()) names.emplace_back(command->name);
  return names;
}

/// The names that an option takes beside files; none where it takes no names.
std::vector<std::string> names_of(Takes takes) {
  std::vector<std::string> names;
  switch (takes) {
  case Takes::model: return model_names();
  case Takes::any_target:
    for (const auto& kind : campaign::target_kinds())
      for (auto& name : kind.names()) names.push_back(std::move(name));
    break;
  case Takes::target:
    for (const auto& target : lower::targets()) names.push_back(target.name);
    break;
  case Takes::profile:
    for (const auto& profile : gen::profiles()) names.push_back(profile.name);
    break;
  case Takes::nothing:
  case Takes::text:
  case Takes::count:
  case Takes::seconds:
  case Takes::file:
  case Takes::directory:
  case Takes::word: break;
  }
  return names;
}

/// What `compgen` is asked for, for the value of an option.
std::string bash_values(const Option& option) {
  switch (option.takes) {
  case Takes::file: return "-f";
  case Takes::directory: return "-d";
  case Takes::model:
  case Takes::target:
  case Takes::any_target:
  case Takes::profile: return fmt::format("-f -W '{}'", fmt::join(names_of(option.takes), " "));
  case Takes::word: return fmt::format("-W '{}'", fmt::join(option.words, " "));
  case Takes::nothing:
  case Takes::text:
  case Takes::count:
  case Takes::seconds: return "";
  }
  return "";
}

std::string bash_operands(const Command& command) {
  switch (command.operands) {
  case Operands::none: return "";
  case Operands::inputs: return "-f";
  case Operands::words: return fmt::format("-f -W '{}'", fmt::join(command.words, " "));
  case Operands::command: return fmt::format("-W '{}'", fmt::join(command_names(), " "));
  }
  return "";
}

std::string bash_case_of(const Command& command) {
  std::string out, names;
  for (const auto& option : options_of(command)) {
    names += fmt::format("{}--{}", names.empty() ? "" : " ", option.name);
    const std::string values = bash_values(option);
    if (option.takes == Takes::nothing) continue;
    out += fmt::format("    '{} --{}') offer {} ;;\n", command.name, option.name, values);
    if (option.letter != '\0') {
      names += fmt::format(" -{}", option.letter);
      out += fmt::format("    '{} -{}') offer {} ;;\n", command.name, option.letter, values);
    }
  }
  return out +
         fmt::format("    '{0} '*) case $cur in -*) offer -W '{1}' ;; *) offer {2} ;; esac ;;\n",
                     command.name, names, bash_operands(command));
}

/// `text` in single quotes for a shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

/// Text inside `[…]` or before `:` of a zsh specification.
std::string zsh_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_values(const Option& option) {
  switch (option.takes) {
  case Takes::nothing: return "";
  case Takes::file: return ":file:_files";
  case Takes::directory: return ":directory:_files -/";
  case Takes::model:
  case Takes::target:
  case Takes::any_target:
  case Takes::profile:
    return fmt::format(":{}:{{compadd -- {}; _files}}", zsh_escaped(option.value),
                       zsh_escaped(fmt::format("{}", fmt::join(names_of(option.takes), " "))));
  case Takes::word: return fmt::format(":word:({})", fmt::join(option.words, " "));
  case Takes::text:
  case Takes::count:
  case Takes::seconds: return fmt::format(":{}:", zsh_escaped(option.value));
  }
  return "";
}

std::string zsh_operands(const Command& command) {
  switch (command.operands) {
  case Operands::none: return "";
  case Operands::inputs: return " '*:input:_files'";
  case Operands::words:
    return fmt::format(" '1:word:({})' '*:file:_files'", fmt::join(command.words, " "));
  case Operands::command: return fmt::format(" '1:command:({})'", fmt::join(command_names(), " "));
  }
  return "";
}

std::string zsh_case_of(const Command& command) {
  std::string out = fmt::format("    {}) _arguments", command.name);
  for (const auto& option : options_of(command)) {
    const std::string tail = fmt::format("[{}]{}", zsh_escaped(option.help), zsh_values(option));
    const std::string star = option.repeats ? "*" : "";
    out += " " + shell_quoted(fmt::format("{}--{}{}", star, option.name, tail));
    if (option.letter != '\0')
      out += " " + shell_quoted(fmt::format("{}-{}{}", star, option.letter, tail));
  }
  return out + zsh_operands(command) + " ;;\n";
}

Exit show_completion(const Arguments& arguments, Console& console) {
  if (arguments.operands().size() != 1)
    throw InputError("thinair completion: error: expected one shell, bash or zsh");
  const std::string& shell = arguments.operands()[0];
  const std::string text = shell == "bash" ? bash_completion() : zsh_completion();
  console.out.write(arguments.json()
                        ? json::Object().string("shell", shell).string("text", text).text() + "\n"
                        : text);
  return Exit::clean;
}

} // namespace

std::string bash_completion() {
  std::string cases;
  for (const Command* command : commands()) cases += bash_case_of(*command);
  return fmt::format(R"bash(# Completion of thinair for bash; made by `thinair completion bash`.
_thinair() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} at=$COMP_CWORD prev before
  # bash cuts words at colons, and replaces what stands behind the last of them
  while [ "$at" -gt 1 ] && [[ ${{COMP_WORDS[at]}} == :* || ${{COMP_WORDS[at - 1]}} == : ]]; do
    at=$((at - 1))
    cur=${{COMP_WORDS[at]}}$cur
  done
  prev=${{COMP_WORDS[at - 1]}}
  [[ $COMP_WORDBREAKS != *:* ]] || before=${{cur%"${{cur##*:}}"}}
  offer() {{
    [ $# -eq 0 ] && return
    mapfile -t COMPREPLY < <(compgen "$@" -- "$cur")
    COMPREPLY=("${{COMPREPLY[@]#"$before"}}")
  }}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    offer -W '{} --help --version'
    return
  fi
  case "${{COMP_WORDS[1]}} $prev" in
{}  esac
}}
complete -o filenames -F _thinair thinair
)bash",
                     fmt::join(command_names(), " "), cases);
}

std::string zsh_completion() {
  std::string names, cases;
  for (const Command* command : commands()) {
    names += "    " +
             shell_quoted(zsh_escaped(command->name) + ":" + std::string(command->summary)) + "\n";
    cases += zsh_case_of(*command);
  }
  return fmt::format(R"zsh(#compdef thinair
# Completion of thinair for zsh; made by `thinair completion zsh`.
_thinair() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_thinair "$@"
)zsh",
                     names, cases);
}

extern constinit const Command completion_command = {
    .name = "completion",
    .summary = "print completion for a shell",
    .usage = "bash|zsh",
    .description =
        "Prints completion of commands and options for bash or zsh. For bash, load it with "
        "'source <(thinair completion bash)'; for zsh, write it to a file _thinair in a "
        "folder of $fpath.",
    .example = "thinair completion bash > ~/.local/share/bash-completion/completions/thinair",
    .operands = Operands::words,
    .words = shells,
    .run = show_completion,
};

} // namespace thinair::cli
