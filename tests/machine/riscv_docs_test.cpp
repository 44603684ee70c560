// docs/language-riscv.md: its example is printed as it stands, its tables name what there is.
#include "litmus/test.h"
#include "machine/riscv/program.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace thinair::riscv {
namespace {

std::string page() {
  std::ifstream file(std::string(THINAIR_SOURCE_DIR) + "/docs/language-riscv.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether a table has the word as the first of some code.
bool names(const std::string& text, std::string_view word) {
  const std::string plain = "`" + std::string(word);
  for (auto at = text.find(plain); at != std::string::npos; at = text.find(plain, at + 1)) {
    const char behind = text[at + plain.size()];
    if (behind == '`' || behind == ' ') return true;
  }
  return false;
}

TEST(RiscvPage, TheExampleIsInTheLayoutOfThePrinter) {
  const std::string text = page(), fence = "```\n";
  const std::size_t begin = text.find(fence + "RISCV ") + fence.size();
  const std::string example = text.substr(begin, text.find(fence, begin) - begin);
  EXPECT_EQ(print(litmus::parse({"docs/language-riscv.md", example})), example);
}

TEST(RiscvPage, NamesEveryInstructionAndSpelling) {
  const std::string text = page();
  const std::string tables = text.substr(text.find("## Instructions"));
  for (const InstructionInfo& row : instructions())
    EXPECT_TRUE(names(tables, row.mnemonic)) << row.mnemonic;
  for (const Alias& alias : aliases()) EXPECT_TRUE(names(tables, alias.word)) << alias.word;
}

TEST(RiscvPage, NamesNoInstructionThatThereIsNot) {
  const std::string text = page();
  const auto begin = text.find("## Instructions"), end = text.find("**Annotations.**");
  for (auto at = text.find("| `", begin); at < end; at = text.find("| `", at + 1))
    for (auto word = at + 3; word < end && text[word] != '|'; ++word) {
      if (text[word - 1] != '`' || text[word] < 'a' || text[word] > 'z') continue;
      const std::string mnemonic = text.substr(word, text.find_first_of("` ", word) - word);
      EXPECT_TRUE(opcode_named(mnemonic)) << mnemonic;
    }
}

} // namespace
} // namespace thinair::riscv
