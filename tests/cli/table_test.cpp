// What is made from the table of commands mentions every command and option: help, completion, the
// man page.
#include "cli/command.h"
#include "cli/help.h"
#include "gen/profile.h"
#include "litmus/text/wrap.h"
#include "lower/target.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace thinair::cli {
namespace {

bool contains(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

/// What is left of a man page when roff's escapes are undone.
std::string plain(const std::string& page) {
  std::string out;
  for (const char c : page)
    if (c != '\\') out += c;
  return out;
}

TEST(Table, RowsAreWellFormed) {
  std::set<std::string_view> names;
  for (const Command* command : commands()) {
    EXPECT_TRUE(names.insert(command->name).second) << command->name << " stands twice";
    EXPECT_FALSE(command->summary.empty() || command->summary.ends_with('.')) << command->name;
    EXPECT_TRUE(command->description.ends_with('.')) << command->name;
    EXPECT_TRUE(contains(std::string(command->example), "thinair " + std::string(command->name)))
        << command->name;
    EXPECT_NE(command->run, nullptr) << command->name;
    EXPECT_EQ(find_command(command->name), command);
    std::set<std::string_view> options;
    for (const auto& option : options_of(*command)) {
      EXPECT_TRUE(options.insert(option.name).second) << command->name << " --" << option.name;
      EXPECT_EQ(option.takes == Takes::nothing, option.value.empty()) << option.name;
      EXPECT_EQ(option.takes == Takes::word, !option.words.empty()) << option.name;
    }
    EXPECT_TRUE(options.contains("json") && options.contains("help"));
  }
}

/// Whoever asks a model says under which rules, and when actions are the same; herd stands in for
/// herd7, and counts executions of the model alone.
TEST(Table, WhereAModelIsNamedItsRulesAreChosen) {
  const std::set<std::string_view> with_models_as_operands = {"distinguish", "health"};
  std::size_t asked = 0;
  for (const Command* command : commands()) {
    bool names_one = with_models_as_operands.contains(command->name);
    std::set<std::string_view> names;
    for (const auto& option : options_of(*command)) {
      names_one = names_one || option.takes == Takes::model;
      names.insert(option.name);
    }
    if (!names_one || command->name == "herd") continue;
    ++asked;
    EXPECT_TRUE(names.contains("causality")) << command->name;
    EXPECT_TRUE(names.contains("identity")) << command->name;
  }
  EXPECT_GE(asked, 10U);
}

/// An empty value names nothing, whatever the option takes.
TEST(Table, NoOptionTakesNothingForAValue) {
  for (const Command* command : commands())
    for (const auto& option : options_of(*command)) {
      if (option.takes == Takes::nothing) continue;
      const Ran ran = tool({std::string(command->name), "--" + std::string(option.name), ""});
      EXPECT_EQ(ran.exit, 2) << command->name << " --" << option.name;
      EXPECT_TRUE(contains(ran.err, "--" + std::string(option.name) + " needs a value")) << ran.err;
    }
}

TEST(Table, HelpMentionsEverything) {
  for (const Command* command : commands()) {
    const std::string name(command->name);
    EXPECT_TRUE(contains(overview(), name + " ")) << name;
    const Ran ran = tool({name, "--help"});
    EXPECT_EQ(ran.exit, 0);
    EXPECT_EQ(ran.out, tool({"help", name}).out);
    EXPECT_TRUE(contains(ran.out, std::string(command->example))) << name;
    for (const auto& option : options_of(*command))
      EXPECT_TRUE(contains(ran.out, written(option))) << name << " --" << option.name;
  }
}

TEST(Table, HelpSaysWhatEachProfileDraws) {
  for (const Command* command : commands()) {
    const auto options = options_of(*command);
    if (std::ranges::find(options, Takes::profile, &Option::takes) == options.end()) continue;
    const auto text = help_of(*command);
    for (const auto& profile : gen::profiles()) {
      EXPECT_FALSE(gen::about(profile).empty()) << profile.name;
      EXPECT_TRUE(contains(text, "\n  " + profile.name + " ")) << command->name;
      EXPECT_TRUE(contains(text, gen::about(profile).substr(0, 20))) << command->name;
    }
  }
}

TEST(Table, HelpFitsItsWidth) {
  for (const Command* command : commands()) {
    const std::string text = help_of(*command);
    const std::string before_example = text.substr(0, text.find("\nexample:"));
    std::size_t column = 0;
    for (const char c : before_example) {
      column = c == '\n' ? 0 : column + ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0);
      EXPECT_LE(column, 80U) << command->name;
    }
  }
}

/// Lists, too, are read in a terminal of 80 columns.
TEST(Table, ListsFitTheWidthOfHelp) {
  for (const auto& words : {std::vector<std::string>{"models"}, {"scheme", "list"}, {"help"}}) {
    const auto listed = tool(words);
    EXPECT_EQ(listed.exit, 0);
    std::istringstream lines(listed.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(text::columns(line), 80U) << line;
  }
}

TEST(Completion, BashKnowsEveryOption) {
  const Ran ran = tool({"completion", "bash"});
  ASSERT_EQ(ran.exit, 0);
  for (const Command* command : commands())
    for (const auto& option : options_of(*command)) {
      const std::string line = "'" + std::string(command->name) + " '*)";
      const auto at = ran.out.find(line);
      ASSERT_NE(at, std::string::npos) << line;
      EXPECT_TRUE(contains(ran.out.substr(at, ran.out.find(";;\n", at) - at),
                           "--" + std::string(option.name)))
          << command->name << " --" << option.name;
    }
}

TEST(Completion, BashAcceptsAndCompletes) {
  if (!has_program("bash")) GTEST_SKIP() << "no bash";
  const Folder folder;
  const std::string file = folder.write("completion", tool({"completion", "bash"}).out);
  const Ran syntax = shell("bash -n '" + file + "'");
  EXPECT_EQ(syntax.exit, 0) << syntax.err;
  const auto complete = [&](const std::string& words, int index) {
    return shell("bash -c 'source \"" + file + "\"; COMP_WORDS=(thinair " + words +
                 "); COMP_CWORD=" + std::to_string(index) +
                 "; _thinair; printf \"%s\\n\" \"${COMPREPLY[@]}\"'")
        .out;
  };
  EXPECT_EQ(complete("comp", 1), "completion\n");
  EXPECT_EQ(complete("completion z", 2), "zsh\n");
  EXPECT_EQ(complete("man --js", 2), "--json\n");
  EXPECT_EQ(complete("help ma", 2), "man\n");
  EXPECT_EQ(complete("gen --profile varh", 3), "varhandle\n");
  EXPECT_EQ(complete("sound --target x86 : tab", 5), "table2\n") << "bash cuts words at colons";
  EXPECT_EQ(complete("fuzz -t model : jam1", 5), "jam19\n");
  EXPECT_EQ(complete("fuzz -m jam1", 3), "jam19\n");
}

TEST(Completion, BashOffersEveryTargetAndProfile) {
  if (!has_program("bash")) GTEST_SKIP() << "no bash";
  const Folder folder;
  const std::string file = folder.write("completion", tool({"completion", "bash"}).out);
  const auto offered = [&](const std::string& words) {
    return "\n" + shell("cd " + folder.path() + " && bash -c 'source \"" + file +
                        "\"; COMP_WORDBREAKS=; COMP_WORDS=(thinair " + words +
                        " \"\"); COMP_CWORD=3; _thinair; printf \"%s\\n\" \"${COMPREPLY[@]}\"'")
                      .out;
  };
  for (const char* words : {"lower --target", "sound -t", "fuzz -t", "reduce --target"}) {
    const std::string all = offered(words);
    for (const auto& target : lower::targets())
      EXPECT_TRUE(contains(all, "\n" + target.name + "\n")) << words << all;
  }
  for (const char* words : {"gen -p", "fuzz --profile", "distinguish --profile"}) {
    const std::string all = offered(words);
    for (const auto& profile : gen::profiles())
      EXPECT_TRUE(contains(all, "\n" + profile.name + "\n")) << words << all;
  }
}

TEST(Completion, ZshKnowsEveryOption) {
  const Ran ran = tool({"completion", "zsh"});
  ASSERT_EQ(ran.exit, 0);
  EXPECT_TRUE(ran.out.starts_with("#compdef thinair\n"));
  for (const Command* command : commands()) {
    const auto at = ran.out.find("    " + std::string(command->name) + ") _arguments");
    ASSERT_NE(at, std::string::npos) << command->name;
    const std::string line = ran.out.substr(at, ran.out.find('\n', at) - at);
    for (const auto& option : options_of(*command))
      EXPECT_TRUE(contains(line, "--" + std::string(option.name) + "[")) << line;
  }
}

TEST(Completion, ZshAccepts) {
  if (!has_program("zsh")) GTEST_SKIP() << "no zsh";
  const Folder folder;
  const Ran syntax =
      shell("zsh -n '" + folder.write("_thinair", tool({"completion", "zsh"}).out) + "'");
  EXPECT_EQ(syntax.exit, 0) << syntax.err;
}

TEST(Man, MentionsEverything) {
  const std::string page = plain(tool({"man"}).out);
  for (const Command* command : commands()) {
    EXPECT_TRUE(contains(page, ".SS thinair " + std::string(command->name) + " "));
    for (const auto& option : options_of(*command))
      EXPECT_TRUE(contains(page, "--" + std::string(option.name))) << option.name;
  }
  for (const auto& row : exit_codes())
    EXPECT_TRUE(contains(page, ".B " + std::to_string(static_cast<int>(row.code)))) << row.meaning;
}

TEST(Man, RendersWithoutWarnings) {
  if (!has_program("groff")) GTEST_SKIP() << "no groff";
  const Folder folder;
  const Ran ran =
      shell("groff -man -Tutf8 -ww '" + folder.write("thinair.1", tool({"man"}).out) + "'");
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(contains(ran.out, "memory model"));
}

} // namespace
} // namespace thinair::cli
