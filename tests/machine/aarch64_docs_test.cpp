// docs/language-aarch64.md: its example reads, its table has the rows of the code.
#include "litmus/test.h"
#include "machine/aarch64/program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace thinair::aarch64 {
namespace {

std::string page() {
  std::ifstream file(std::string(THINAIR_SOURCE_DIR) + "/docs/language-aarch64.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(AArch64Page, TheExampleIsRead) {
  const std::string text = page(), fence = "```\n";
  const std::size_t begin = text.find(fence + "AArch64 ") + fence.size();
  const std::string example = text.substr(begin, text.find(fence, begin) - begin);
  const auto test = litmus::parse({"docs/language-aarch64.md", example});
  EXPECT_EQ(test.code().instructions(), 10U);
  EXPECT_EQ(litmus::parse({"again", litmus::print(test)}).code().instructions(), 10U);
}

/// "`ldr` | `=rM` | b h": the mnemonics that the page's table gives, with their shapes.
std::set<std::string> listed() {
  std::set<std::string> out;
  std::istringstream lines(page());
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '|');) {
      std::erase(cell, '`');
      const auto first = cell.find_first_not_of(' ');
      cells.push_back(first == std::string::npos
                          ? ""
                          : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
    }
    if (cells.size() != 5) continue;
    const std::string stem = cells[1] == "b.CC" ? "b." : cells[1];
    const bool sized = cells[3].find("b h") != std::string::npos;
    std::vector<std::string> orders{""};
    if (cells[3].ends_with("a l al")) orders = {"", "a", "l", "al"};
    if (cells[3] == "b h, l") orders = {"", "l"};
    for (const auto& order : orders) {
      out.insert(stem + order + " " + cells[2]);
      std::string narrow = cells[2];
      std::ranges::replace(narrow, 'r', 'w');
      for (const char* size : {"b", "h"})
        if (sized) out.insert(stem + order + size + " " + narrow);
    }
  }
  return out;
}

TEST(AArch64Page, TheTableIsThatOfTheCode) {
  const auto rows = listed();
  for (const InstructionInfo& row : instructions()) {
    const std::string wanted = row.mnemonic + " " + row.shape;
    EXPECT_TRUE(rows.contains(wanted)) << wanted;
  }
  for (const std::string& row : rows) {
    const auto* info = instruction_named(row.substr(0, row.find(' ')));
    if (row.find(' ') + 1 < row.size() && row[row.find(' ') + 1] == ' ') continue;
    EXPECT_TRUE(info == nullptr || row == info->mnemonic + " " + info->shape) << row;
  }
  const std::string text = page();
  for (const InstructionInfo& row : instructions()) {
    if (row.for_herd || row.width) continue;
    EXPECT_NE(text.find("`" + row.mnemonic + "`"), std::string::npos) << row.mnemonic;
  }
}

} // namespace
} // namespace thinair::aarch64
