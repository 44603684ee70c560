// Fails when docs/cli.md does not describe what the program has: commands, options, exit codes.
#include "cli/command.h"
#include "cli/help.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace thinair::cli {
namespace {

const std::string& page() {
  static const std::string text = read(THINAIR_SOURCE_DIR "/docs/cli.md");
  return text;
}

std::string section_of(std::string_view command) {
  const std::string title = "### `thinair " + std::string(command) + "`\n";
  const auto begin = page().find(title);
  if (begin == std::string::npos) return {};
  return page().substr(begin, page().find("\n### ", begin) - begin);
}

TEST(Docs, EveryCommandHasASection) {
  for (const Command* command : commands())
    EXPECT_FALSE(section_of(command->name).empty()) << command->name;
}

TEST(Docs, SectionsMentionTheirOptions) {
  for (const Command* command : commands())
    for (const auto& option : command->options)
      EXPECT_NE(page().find("--" + std::string(option.name)), std::string::npos)
          << command->name << " --" << option.name;
}

TEST(Docs, NoOptionOrCommandIsInvented) {
  std::set<std::string> known = {"version"};
  for (const Command* command : commands())
    for (const auto& option : options_of(*command)) known.insert(std::string(option.name));
  const std::regex option(R"(--([a-z][a-z0-9-]*))"), command(R"(### `thinair ([a-z]+)`)");
  for (std::sregex_iterator it(page().begin(), page().end(), option), end; it != end; ++it)
    EXPECT_TRUE(known.contains((*it)[1])) << "--" << (*it)[1];
  for (std::sregex_iterator it(page().begin(), page().end(), command), end; it != end; ++it)
    EXPECT_NE(find_command((*it)[1].str()), nullptr) << (*it)[1];
}

TEST(Docs, ExitCodesAreThere) {
  for (const auto& row : exit_codes())
    EXPECT_NE(page().find("| " + std::to_string(static_cast<int>(row.code)) + " | "),
              std::string::npos)
        << row.meaning;
}

} // namespace
} // namespace thinair::cli
