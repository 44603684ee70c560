// docs/language.md: its examples read, its tables name what there is.
#include "litmus/modes.h"
#include "litmus/test.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace thinair::litmus {
namespace {

std::string page() {
  std::ifstream file(std::string(THINAIR_SOURCE_DIR) + "/docs/language.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(LanguagePage, ExamplesAreTestsInTheLayoutOfThePrinter) {
  const std::string text = page();
  const std::string fence = "```\n";
  std::size_t examples = 0;
  for (std::size_t at = text.find(fence + "Java "); at != std::string::npos;
       at = text.find(fence + "Java ", at + 1)) {
    const std::size_t begin = at + fence.size();
    const std::string example = text.substr(begin, text.find(fence, begin) - begin);
    EXPECT_EQ(print(parse({"docs/language.md", example})), example);
    ++examples;
  }
  EXPECT_EQ(examples, 2U);
}

TEST(LanguagePage, NamesEveryMethodAndFence) {
  const std::string text = page();
  for (const MethodInfo& row : methods()) {
    const std::string arguments[] = {"()", "(v)", "(e, v)"};
    const std::string call = fmt::format("`{}{}`", row.name, arguments[row.arguments]);
    const bool abbreviated = row.name.starts_with("getAndBitwise") && row.name != "getAndBitwiseOr";
    EXPECT_TRUE(abbreviated || text.find(call) != std::string::npos) << call;
  }
  for (const FenceInfo& row : fences())
    EXPECT_NE(text.find(fmt::format("`{}`", row.name)), std::string::npos) << row.name;
}

TEST(LanguagePage, StatesTheLimits) {
  const std::string text = page();
  const Limits limits;
  for (const auto& [what, limit] :
       {std::pair<const char*, std::size_t>{"bytes of a file", limits.bytes},
        {"threads", limits.threads},
        {"statements of a test", limits.statements},
        {"characters of a name, a label, a metadata key", limits.name_length}})
    EXPECT_NE(text.find(fmt::format("| {} | {} |", what, limit)), std::string::npos) << what;
  for (const auto& [what, limit] :
       {std::pair<const char*, std::size_t>{"locations; monitors", limits.locations},
        {"connectives in a proposition", limits.depth},
        {"VarHandles of a thread", limits.registers_per_thread}})
    EXPECT_NE(text.find(fmt::format("{} | {} each |", what, limit)), std::string::npos) << what;
}

} // namespace
} // namespace thinair::litmus
