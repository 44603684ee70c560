// Finds the command, runs it, and turns errors into exit codes.
#include "cli/command.h"
#include "cli/failure.h"
#include "cli/help.h"
#include "cli/version.h"
#include "litmus/text/json.h"
#include "litmus/text/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::cli {
namespace {

bool wants_json(std::span<const std::string> words) {
  return std::ranges::find(words, "--json") != words.end();
}

InputError unknown_command(const std::string& word) {
  std::vector<std::string_view> names;
  for (const Command* command : commands()) names.push_back(command->name);
  const bool option = word.starts_with("-");
  const auto close = nearest(word, names);
  return InputError(fmt::format("thinair: error: unknown {} '{}'\n  hint: {}",
                                option ? "option" : "command", text::printable_word(word),
                                close ? fmt::format("did you mean '{}'?", *close)
                                      : std::string("'thinair help' lists the commands")));
}

Exit show_version(bool as_json, Console& console) {
  const Version v = version();
  console.out.write((as_json ? json::Object()
                                   .string("version", v.number)
                                   .string("commit", v.commit)
                                   .string("models", v.models)
                                   .text()
                             : to_string(v)) +
                    "\n");
  return Exit::clean;
}

Exit dispatch(std::span<const std::string> words, Console& console) {
  if (words.empty()) {
    console.diagnose(overview());
    return Exit::bad_input;
  }
  const std::string& first = words.front();
  if (first == "--version") return show_version(wants_json(words), console);
  const bool asks = first == "--help" || first == "-h";
  const Command* command = find_command(asks ? "help" : first);
  if (command == nullptr) throw unknown_command(first);
  const auto arguments = Arguments::parse(*command, words.subspan(1));
  if (arguments.has("help")) {
    console.out.write(arguments.json() ? json_of(*command) + "\n" : help_of(*command));
    return Exit::clean;
  }
  return command->run(arguments, console);
}

Exit report(std::span<const std::string> words, Console& console) {
  const Failure failure = failure_of(std::current_exception());
  if (wants_json(words)) console.out.write(json_of(failure, {}, {}) + "\n");
  console.out.flush();
  const bool known = !words.empty() && find_command(words[0]) != nullptr;
  console.diagnose(diagnostic(failure, known ? "thinair " + words[0] : "thinair"));
  return failure.exit;
}

Exit run_and_report(std::span<const std::string> words, Console& console) {
  try {
    const Exit exit = dispatch(words, console);
    console.out.flush();
    console.err.flush();
    return exit;
  } catch (const WriteError&) {
    throw;
  } catch (...) {
    return report(words, console);
  }
}

/// Whether there was anybody to tell.
bool tell(const WriteError& e, Console& console) {
  try {
    console.diagnose(fmt::format("thinair: error: {}", e.what()));
    console.err.flush();
    return true;
  } catch (const WriteError&) {
    return false; // standard error cannot be written either: the exit code says it
  }
}

} // namespace

Exit run(std::span<const std::string> words, Console& console) {
  try {
    return run_and_report(words, console);
  } catch (const WriteError& e) {
    if (!e.reader_left()) tell(e, console);
    return Exit::bad_input;
  }
}

} // namespace thinair::cli
