// docs/language-x86.md: its example is printed as it stands, its tables name what there is.
#include "litmus/test.h"
#include "machine/x86/program.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace thinair::x86 {

using namespace litmus;
namespace {

std::string page() {
  std::ifstream file(std::string(THINAIR_SOURCE_DIR) + "/docs/language-x86.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(X86Page, TheExampleIsInTheLayoutOfThePrinter) {
  const std::string text = page(), fence = "```\n";
  const std::size_t begin = text.find(fence + "X86_64 ") + fence.size();
  const std::string example = text.substr(begin, text.find(fence, begin) - begin);
  EXPECT_EQ(print(parse({"docs/language-x86.md", example})), example);
}

TEST(X86Page, NamesEveryInstructionConditionAndType) {
  const std::string text = page();
  for (const OpcodeInfo& row : opcodes()) {
    const std::string plain = "`" + std::string(row.mnemonic);
    const bool named = text.find(plain + "`") != std::string::npos ||
                       text.find(plain + " ") != std::string::npos ||
                       (row.reads_flags && text.find(plain + "CC") != std::string::npos);
    EXPECT_TRUE(named) << row.mnemonic;
  }
  const std::size_t line = text.find("CC is any of");
  ASSERT_NE(line, std::string::npos);
  const std::string conditions = text.substr(line, text.find('(', line) - line);
  for (std::uint8_t i = 0; i < 16; ++i) {
    const std::string each = " " + std::string(name(static_cast<ConditionCode>(i)));
    EXPECT_TRUE(conditions.find(each + " ") != std::string::npos ||
                conditions.find(each + ",") != std::string::npos)
        << each;
  }
  for (const TypeInfo& row : types())
    EXPECT_NE(text.find("\"" + std::string(row.name) + "\""), std::string::npos) << row.name;
}

} // namespace
} // namespace thinair::x86
