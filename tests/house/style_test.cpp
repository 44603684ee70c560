// Fails on what the house rules forbid and a compiler does not see: lengths, missing opening
// comments, left-over markers, paths of one machine.
#include "tests/house/tree.h"

#include <gtest/gtest.h>

#include <regex>

namespace thinair::house {
namespace {

constexpr std::size_t longest_file = 800;
constexpr std::size_t longest_function = 80;

/// The comment that `text` opens with, after `#!`; empty where there is none.
std::string opening_comment(const File& file) {
  const std::string marker = file.is_cpp() ? "//" : "#";
  std::string comment;
  for (auto line : lines(file.text)) {
    if (line.starts_with("#!")) continue;
    if (!line.starts_with(marker) || line == marker) break;
    comment += line.substr(marker.size());
  }
  return comment;
}

bool is_script(const File& file) {
  return file.text.starts_with("#!") || file.path.ends_with("CMakeLists.txt") ||
         file.has_extension(".cmake");
}

TEST(Style, EveryFileSaysWhatItIsFor) {
  for (const auto& file : files()) {
    if (!file.is_cpp() && !is_script(file)) continue;
    const std::string comment = opening_comment(file);
    EXPECT_NE(comment.find_first_of(".:"), std::string::npos)
        << file.path << " does not open with a sentence on what it is for";
  }
}

TEST(Style, FilesAreShort) {
  for (const auto& file : files()) {
    if (file.is_cpp() || is_script(file)) {
      EXPECT_LE(lines(file.text).size(), longest_file) << file.path;
    }
  }
}

TEST(Style, FunctionsFitAScreen) {
  std::size_t seen = 0;
  for (const auto& file : files()) {
    if (!file.is_cpp()) continue;
    for (const auto& function : functions(file.text)) {
      ++seen;
      EXPECT_LE(function.length, longest_function)
          << file.path << ":" << function.line << ": " << function.signature;
    }
  }
  EXPECT_GT(seen, 100U) << "the measure finds no functions any more";
}

TEST(Style, EveryHeaderIsGuarded) {
  for (const auto& file : files()) {
    if (file.has_extension(".h")) {
      EXPECT_NE(file.text.find("#pragma once"), std::string::npos) << file.path;
    }
  }
}

/// Written in halves, so that this file passes its own test.
TEST(Style, NothingIsLeftForLater) {
  const std::regex marker("\\b(TO"
                          "DO|FIX"
                          "ME|XX"
                          "X)\\b");
  for (const auto& file : files()) {
    std::size_t number = 0;
    for (const auto line : lines(file.text)) {
      ++number;
      EXPECT_FALSE(std::regex_search(line.begin(), line.end(), marker))
          << file.path << ":" << number << ": " << line;
    }
  }
}

TEST(Style, NoPathOfOneMachine) {
  const std::regex path("(^|[^\\w$/.}])/(ho"
                        "me|ro"
                        "ot|wo"
                        "rk|Us"
                        "ers|tmp/te"
                        "am)/");
  for (const auto& file : files()) {
    std::size_t number = 0;
    for (const auto line : lines(file.text)) {
      ++number;
      EXPECT_FALSE(std::regex_search(line.begin(), line.end(), path))
          << file.path << ":" << number << ": " << line;
    }
  }
}

TEST(Style, NoVendorTypesThatWeAvoid) {
  const std::regex avoided(R"(\bshared_ptr\b|\bnew [A-Za-z_:]+[({]|\bstd::\w+_distribution\b)");
  for (const auto& file : files()) {
    if (!file.is_cpp() || file.in("tests")) continue;
    const std::string code = code_only(file.text);
    EXPECT_FALSE(std::regex_search(code, avoided)) << file.path;
  }
}

TEST(Measure, FindsFunctionsAndTheirLength) {
  const auto found = functions(R"cpp(
// a comment with { a brace
namespace n {
struct S {
  int a = 1;
  bool operator==(const S&) const {
    return true;
  }
};
const int table[] = {1, 2};
constexpr auto t = std::to_array<int>({
  1,
});
std::string f(int x = 3,
              const char* s = "{") {
  if (x) { return "}"; }
  return R"(}{)";
}
#define M(x) { x
} // namespace n
)cpp");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].line, 6U);
  EXPECT_EQ(found[0].length, 3U);
  EXPECT_EQ(found[1].line, 14U);
  EXPECT_EQ(found[1].length, 5U);
}

TEST(Measure, OpeningComment) {
  EXPECT_EQ(opening_comment({"a.cpp", "// One.\n// Two.\n#include <x>\n"}), " One. Two.");
  EXPECT_EQ(opening_comment({"a", "#!/bin/sh\n# One.\nset -e\n"}), " One.");
  EXPECT_EQ(opening_comment({"a.cpp", "#include <x>\n// late.\n"}), "");
}

} // namespace
} // namespace thinair::house
