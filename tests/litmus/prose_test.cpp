// Prose in short lines: nothing is lost, and what is no prose stays as it is.
#include "litmus/text/prose.h"
#include "litmus/text/wrap.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace thinair::text {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// Paragraphs, lists, tables and code, with words of all lengths.
std::string random_page(std::mt19937_64& bits) {
  const std::vector<std::string> words{"a",
                                       "store",
                                       "`x = 1`",
                                       "-",
                                       "#3",
                                       "12.",
                                       "…",
                                       "fence,",
                                       "[docs](docs/cli.md)",
                                       "**not**",
                                       "synchronisation"};
  const std::vector<std::string> starts{"",    "",   "",   "- ",   "  - ",
                                        "1. ", "| ", "# ", "    ", "```\n"};
  std::string out;
  for (auto lines = bits() % 12; lines > 0; --lines) {
    out += starts[bits() % starts.size()] + "word";
    for (auto n = bits() % 40; n > 0; --n) out += " " + words[bits() % words.size()];
    out += bits() % 3 == 0 ? "\n\n" : "\n";
  }
  return out;
}

TEST(Prose, KeepsEveryWordAndItsOwnResult) {
  std::mt19937_64 bits(3);
  for (std::uint64_t i = 0; i < test::draws(2000); ++i) {
    const auto page = random_page(bits), wrapped = wrapped_prose(page, 60);
    EXPECT_EQ(words_of(wrapped), words_of(page)) << page;
    EXPECT_EQ(wrapped_prose(wrapped, 60), wrapped) << page;
  }
}

TEST(Prose, IsInShortLines) {
  std::mt19937_64 bits(4);
  for (std::uint64_t i = 0; i < test::draws(2000); ++i) {
    std::string page = "- first";
    for (auto n = bits() % 90; n > 0; --n) page += bits() % 9 == 0 ? "\n  word" : " word";
    for (const auto& line : lines_of(wrapped_prose(page + "\n")))
      EXPECT_LE(columns(line), prose_width) << line;
  }
}

TEST(Prose, IsNotWhatIsCodeATableOrAHeading) {
  const std::string lone(200, 'x');
  const std::vector<std::string> pages{
      "```\n" + lone + " " + lone + "\n```\n", "| " + lone + " | " + lone + " |\n",
      "# " + lone + " " + lone + "\n", "    " + lone + " " + lone + "\n", "short\nlines stay\n"};
  for (const auto& page : pages) EXPECT_EQ(wrapped_prose(page), page);
}

TEST(Prose, BeginsNoListOrHeadingByBreaking) {
  const auto wrapped = wrapped_prose("one two three - four # five 6. seven\n", 14);
  for (const auto& line : lines_of(wrapped))
    EXPECT_TRUE(line[0] != '-' && line[0] != '#' && line[0] != '6') << wrapped;
}

TEST(Prose, ItemsAreIndented) {
  EXPECT_EQ(wrapped_prose("- one two three\n12. four five six\n", 12),
            "- one two\n  three\n12. four\n    five six\n");
}

} // namespace
} // namespace thinair::text
