// The table of commands: a new command is a file that defines it and one line here.
#include "cli/command.h"

#include <algorithm>
#include <array>

// clang-format off
#define THINAIR_COMMANDS(X) \
  X(parse_command)          \
  X(fmt_command)            \
  X(gen_command)            \
  X(fuzz_command)           \
  X(reduce_command)         \
  X(distinguish_command)    \
  X(health_command)         \
  X(report_command)         \
  X(merge_command)          \
  X(store_command)          \
  X(models_command)         \
  X(behaviours_command)     \
  X(check_command)          \
  X(results_command)        \
  X(herd_command)           \
  X(lower_command)          \
  X(scheme_command)         \
  X(graph_command)          \
  X(explain_command)        \
  X(sound_command)          \
  X(litmus_to_java_command) \
  X(jcstress_command)       \
  X(jdks_command)           \
  X(completion_command)     \
  X(man_command)            \
  X(help_command)
// clang-format on

namespace thinair::cli {

// NOLINTNEXTLINE(bugprone-macro-parentheses): declares a name
#define THINAIR_DECLARE(command) extern const Command command;
THINAIR_COMMANDS(THINAIR_DECLARE)
#undef THINAIR_DECLARE

namespace {

#define THINAIR_ROW(command) &command,
constexpr auto table = std::to_array<const Command*>({THINAIR_COMMANDS(THINAIR_ROW)});
#undef THINAIR_ROW

constexpr auto common = std::to_array<Option>({
    {.name = "json", .help = "write JSON, one object a line"},
    {.name = "help", .letter = 'h', .help = "describe this command and exit"},
});

} // namespace

std::span<const Command* const> commands() { return table; }

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Command::name);
  return found == table.end() ? nullptr : *found;
}

std::span<const Option> common_options() { return common; }

std::vector<Option> options_of(const Command& command) {
  std::vector<Option> options(command.options.begin(), command.options.end());
  options.insert(options.end(), common.begin(), common.end());
  return options;
}

} // namespace thinair::cli
