// Nothing that an input holds reaches a terminal as it is: every command and option, names of
// files, lists, lines of files. And every diagnostic has one form.
#include "cli/command.h"
#include "litmus/text/printable.h"
#include "litmus/text/utf8.h"
#include "models/library.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <regex>

namespace thinair::cli {
namespace {

/// Escape sequences in C0 and in C1 (as a byte, and as UTF-8), a mark that turns a line around, and
/// bytes that are never UTF-8.
const std::string hostile = "\x1b[2J\x9b\u009b31m\u202e\xff\xfe";

const std::string valid_test = "Java ok\n{ X=x; }\nThread0 { X.set(1); int a = X.get(); }\n"
                               "exists (0:a=1)\n";

using Words = std::vector<std::string>;

bool is_clean(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto point = text::decode_utf8(text, at);
    if (!point) return false;
    if (point->value != '\n' && point->value != '\t' && !text::is_printable(point->value))
      return false;
    at += point->length;
  }
  return true;
}

/// `WHERE: error: WHAT`, where WHERE is a place in a file, a file, or a command.
bool is_well_formed(const std::string& diagnostic) {
  static const std::regex form("[^\n]+: (error|unsupported|unknown|warning): [^\n]+(\n(  [^\n]*)?)*"
                               "(\n[^\n]+: (error|unsupported|unknown|warning): [^\n]+(\n(  "
                               "[^\n]*)?)*)*");
  return std::regex_match(diagnostic, form);
}

/// Runs a command line as it is and with --json; what both write is clean. The worse exit code.
int check(const Words& words, bool fails = true) {
  int worst = 0;
  for (const bool as_json : {false, true}) {
    Words line = words;
    if (as_json) line.emplace_back("--json");
    const Ran ran = tool(line);
    std::string shown;
    for (const auto& word : line) shown += text::printable_word(word) + ' ';
    EXPECT_TRUE(is_clean(ran.err)) << shown << text::printable(ran.err);
    if (as_json) {
      EXPECT_TRUE(is_clean(ran.out)) << shown << text::printable(ran.out);
    }
    EXPECT_TRUE(ran.exit == 2 || ran.exit == 3 || !fails) << shown << ran.exit << ran.err;
    EXPECT_NE(ran.exit, 4) << shown << ran.err;
    if (ran.exit == 2 || ran.exit == 3) {
      EXPECT_TRUE(is_well_formed(ran.err)) << shown << text::printable(ran.err);
    }
    worst = std::max(worst, ran.exit);
  }
  return worst;
}

/// What a command needs so that it does little, besides the option that is looked at.
class CommandLines {
 public:
  explicit CommandLines(const Folder& folder)
      : test_(folder.write("ok.litmus", valid_test)), nowhere_(folder.write("file", "") + "/") {}

  /// Below a file, where nothing can be made.
  std::string nowhere(const std::string& name) const { return nowhere_ + name; }

  Words with(const Command& command, const Option& option, const std::string& value) const {
    Words words = {std::string(command.name)};
    for (const auto& [name, given] : few_) {
      const auto options = options_of(command);
      const auto known = std::ranges::find(options, name, &Option::name);
      if (known == options.end() || name == option.name) continue;
      words.push_back("--" + name);
      words.push_back(given.empty() ? nowhere("x") : given);
    }
    words.push_back("--" + std::string(option.name));
    words.push_back(value);
    for (const auto& operand : operands(command)) words.push_back(operand);
    return words;
  }

  Words operands(const Command& command) const {
    if (command.name == "distinguish") return {"sc", "sc"};
    if (command.name == "models") return {"check", test_};
    switch (command.operands) {
    case Operands::none:
    case Operands::command: return {};
    case Operands::inputs: return {test_};
    case Operands::words: return {std::string(command.words.front()), test_};
    }
    return {};
  }

 private:
  const std::string test_, nowhere_;
  const std::map<std::string, std::string> few_ = {
      {"model", "sc"}, {"target", "x86:table2"}, {"programs", "1"},    {"campaign", ""},
      {"output", ""},  {"corpus", ""},           {"max-accesses", "1"}};
};

TEST(Hostile, ValuesOfEveryOption) {
  const Folder folder;
  const CommandLines lines(folder);
  std::size_t looked_at = 0;
  for (const Command* command : commands()) {
    for (const Option& option : options_of(*command)) {
      if (option.takes == Takes::nothing) continue;
      const bool made = option.takes == Takes::file || option.takes == Takes::directory;
      check(lines.with(*command, option, made ? lines.nowhere(hostile) : hostile + "\n"), false);
      ++looked_at;
    }
    EXPECT_EQ(check({std::string(command->name), "--" + hostile}), 2);
    EXPECT_EQ(check({std::string(command->name), "-" + hostile}), 2);
  }
  EXPECT_GT(looked_at, 100U);
  EXPECT_EQ(check({hostile}), 2);
  EXPECT_EQ(check({"--" + hostile}), 2);
}

TEST(Hostile, OperandsOfEveryCommand) {
  const Folder folder;
  const CommandLines lines(folder);
  const std::string name = hostile + "\n.litmus"; // within a line, so its end is escaped, too
  const std::string there = folder.write(name, valid_test), bad = folder.write("b" + name, "Jva\n");
  const std::string list = folder.write(hostile, hostile + "\n"),
                    directory = folder.path("d" + name);
  std::filesystem::create_directory(directory);
  for (const Command* command : commands()) {
    if (command->operands == Operands::none || command->operands == Operands::command) continue;
    if (command->name == "results" || command->name == "merge" || command->name == "report")
      continue; // they take folders: below
    const Option model{.name = "identity", .help = ""};
    Words words = lines.with(*command, model, "index");
    words.resize(words.size() - lines.operands(*command).size());
    if (std::ranges::none_of(options_of(*command),
                             [](const Option& option) { return option.name == "identity"; }))
      words.resize(words.size() - 2);
    const auto has_action = [&](std::string_view action) {
      return std::ranges::find(command->words, action) != command->words.end();
    };
    if (command->operands == Operands::words && command->name != "distinguish")
      words.emplace_back(has_action("check") ? "check" : command->words.front());
    const bool reads_models = command->name == "models" || command->name == "distinguish";
    const bool takes_words_alone = command->name == "completion" || command->name == "distinguish";
    for (const auto& operand :
         {folder.path("none" + name), std::string(5000, 'n'), bad, "@" + list, "@none" + name,
          directory, "@" + folder.write("list", name + "\n@\x9b\n")}) {
      Words line = words;
      line.push_back(operand);
      if (command->name == "distinguish") line.emplace_back("sc");
      check(line, !reads_models || operand != bad); // a word is a model, too: its title
    }
    if (takes_words_alone) continue;
    words.push_back(there);
    check(words, false);
  }
  for (const char* command : {"merge", "report"})
    for (const auto& place : {lines.nowhere(hostile), std::string(5000, 'n')})
      check({command, place, "--output", lines.nowhere("x")});
}

TEST(Hostile, LinesOfFiles) {
  const Folder folder;
  const auto file = [&](const std::string& name, const std::string& text) {
    return folder.write(name, text);
  };
  const std::string test = file("ok.litmus", valid_test);
  const auto with_test = [&](const std::string& text) {
    EXPECT_GE(check({"parse", file("t.litmus", text)}), 2) << text::printable(text);
  };
  with_test("Java t\n\"" + hostile + "\"\n{ }");
  with_test("Java t\n\"\u009b\u202e\" no\n{ }");
  with_test("Java t\n{ x = \u009b; }");
  with_test("Java t\nKey\u202e=1\n{ }");
  with_test("X86_64 t\n{ }\n \u009b ;\n");
  const auto with_profile = [&](const std::string& text) {
    EXPECT_EQ(check({"gen", "--profile", file("p.profile", text)}), 2) << text::printable(text);
  };
  with_profile(hostile + " = 1\n");
  with_profile("cycles = " + hostile + "\n");
  with_profile(hostile + "\n");
  const auto with_model = [&](const std::string& text) {
    EXPECT_GE(check({"models", "check", file("m.cat", text)}), 2) << text::printable(text);
    EXPECT_GE(check({"check", test, "--model", file("m.cat", text)}), 2) << text::printable(text);
  };
  with_model("\"m\"\ninclude \"" + hostile + "\"\n");
  with_model("\"m\"\nlet " + hostile + "\n");
  with_model("\"" + hostile);
  with_model("\"m\"\nacyclic nothing\u009b as a\n");
  with_model("\"m\"\ncall \u202e(po)\n");
  const auto with_scheme = [&](const std::string& text) {
    EXPECT_GE(check({"scheme", "check", file("s.scheme", text)}), 2) << text::printable(text);
    EXPECT_GE(check({"lower", test, "--target", file("s.scheme", text)}), 2);
  };
  with_scheme(hostile);
  with_scheme("scheme x86:t \"" + hostile + "\"\n");
  with_scheme("scheme x86:t \"t\"\nget { " + hostile + " }\n");
  with_scheme("scheme aarch64:t \"t\"\nget { " + hostile + " }\n");
  const std::string known = file("known", hostile + "\n");
  EXPECT_EQ(check({"report", "--known", known, folder.path("none")}), 2);
  EXPECT_EQ(check({"explain", test, "--model", "sc", "--outcome", hostile}), 2);
  check({"graph", test, "--model", "sc", "--outcome", "0:" + hostile + "=1"}, false);
}

/// So many bytes, which a terminal hands over in pieces; fewer where no more come for a while.
std::string read_from(int terminal, std::size_t bytes) {
  constexpr int patience_ms = 20'000;
  std::string got;
  pollfd waiting{terminal, POLLIN, 0};
  while (got.size() < bytes && ::poll(&waiting, 1, patience_ms) > 0) {
    std::string piece(1000, '\0');
    const auto size = ::read(terminal, piece.data(), piece.size());
    if (size <= 0) break;
    got.append(piece, 0, static_cast<std::size_t>(size));
  }
  return got;
}

/// What a terminal gets of results.
TEST(Hostile, ATerminalGetsWhatIsPrintable) {
  int ours = -1, its = -1;
  ASSERT_EQ(::openpty(&ours, &its, nullptr, nullptr, nullptr), 0);
  std::FILE* terminal = ::fdopen(its, "w");
  {
    ResultSink sink(terminal);
    EXPECT_TRUE(sink.is_terminal());
    sink.write("a" + hostile + "\xC3"); // cut within a character
    sink.write("\xA9\n");
    sink.write("\xE2\x88");
    sink.flush();
  }
  const std::string expected = "a\\x1b[2J\\x9b\\u{9b}31m\\u{202e}\\xff\\xfeé\r\n\\xe2\\x88";
  EXPECT_EQ(read_from(ours, expected.size()), expected);
  std::fclose(terminal);
  ::close(ours);
  const Folder folder;
  std::FILE* file = std::fopen(folder.path("f").c_str(), "w");
  {
    ResultSink sink(file);
    sink.write(hostile);
    sink.flush();
  }
  std::fclose(file);
  EXPECT_EQ(read(folder.path("f")), hostile) << "what is no terminal gets every byte";
}

} // namespace
} // namespace thinair::cli
