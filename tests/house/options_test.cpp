// Fails where a library speaks of an option of the tool: it says what was reached or is missing,
// and the tool what to do about it (cli/limits.h).
#include "cli/command.h"
#include "tests/house/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <regex>
#include <set>

namespace thinair::house {
namespace {

constexpr auto libraries =
    std::to_array<std::string_view>({"include", "litmus", "models", "oracle", "machine", "lower",
                                     "runners", "gen", "library", "campaign", "health"});

std::set<std::string> options_of_the_tool() {
  std::set<std::string> names;
  for (const auto* command : cli::commands())
    for (const auto& option : cli::options_of(*command)) names.insert(std::string(option.name));
  return names;
}

/// Comments and literals alone: the rest is blank.
std::string prose_only(const std::string& text) {
  std::string prose = code_only(text);
  for (std::size_t i = 0; i < text.size(); ++i)
    prose[i] = prose[i] == text[i] && text[i] != '\n' ? ' ' : text[i];
  return prose;
}

/// The options of the tool that a line names.
std::set<std::string> named_in(std::string_view line, const std::set<std::string>& options) {
  static const std::regex option(R"re((?:^|[^\w(])\(?--([a-z][a-z0-9-]*))re");
  std::set<std::string> found;
  const std::string text(line);
  for (std::sregex_iterator it(text.begin(), text.end(), option), end; it != end; ++it)
    if (options.contains((*it)[1])) found.insert((*it)[1]);
  return found;
}

/// Without what makes the command lines which show a find again.
std::string without_commands(std::string text) {
  static const std::regex command(
      R"re(shell_command\([^;]*;|string model_options\([^{]*\{[^}]*\})re");
  return std::regex_replace(text, command, "");
}

TEST(Options, NoLibraryNamesOne) {
  const auto options = options_of_the_tool();
  EXPECT_GT(options.size(), 50U);
  std::size_t seen = 0;
  for (const auto& file : files()) {
    const auto is_in = [&](std::string_view room) { return file.in(room); };
    if (!file.is_cpp() || std::ranges::none_of(libraries, is_in)) continue;
    ++seen;
    const std::string text = prose_only(without_commands(file.text));
    for (const auto line : lines(text))
      for (const auto& name : named_in(line, options))
        ADD_FAILURE() << file.path << " names --" << name << ": " << line;
  }
  EXPECT_GT(seen, 400U);
}

TEST(Options, TheMeasureFindsThem) {
  const std::set<std::string> options = {"timeout", "line"};
  const auto count = [&](const std::string& text) {
    return named_in(prose_only(without_commands(text)), options).size();
  };
  EXPECT_EQ(count("double seconds = 60; // --timeout: a test"), 1U);
  EXPECT_EQ(count("stop(\"time limit reached (--timeout)\")"), 1U);
  EXPECT_EQ(count("x = \"--line\"; // or --timeout"), 2U);
  EXPECT_EQ(count("while (n) --timeout; "), 0U);
  EXPECT_EQ(count("page = \"var(--line)\";"), 0U);
  EXPECT_EQ(count("out = shell_command(\"thinair sound - --timeout 5\");"), 0U);
}

} // namespace
} // namespace thinair::house
