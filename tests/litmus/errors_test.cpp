// The exact text of every message: each tests/litmus/errors/NAME.litmus must be refused with the
// text in NAME.expected. THINAIR_GOLDENS=show prints what is said now, THINAIR_GOLDENS=promote
// writes it.
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace thinair::litmus {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return fs::path(THINAIR_SOURCE_DIR) / "tests/litmus/errors"; }

std::vector<fs::path> files_ending(const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What reading the file says, with the name it has here.
std::string said(const fs::path& path) {
  try {
    parse({path.filename().string(), content(path)});
  } catch (const InputError& error) {
    return std::string(error.what()) + "\n";
  }
  return "read without an error\n";
}

std::string wanted_action() {
  const char* set = std::getenv("THINAIR_GOLDENS");
  return set ? set : "test";
}

TEST(Errors, TextsAreAsPromoted) {
  const std::string action = wanted_action();
  for (const fs::path& input : files_ending(".litmus")) {
    fs::path golden = input;
    golden.replace_extension(".expected");
    const std::string now = said(input);
    if (action == "show") std::cout << now << "\n";
    if (action == "promote") std::ofstream(golden, std::ios::binary) << now;
    EXPECT_NE(now, "read without an error\n") << input;
    EXPECT_EQ(content(golden), now) << golden;
  }
}

TEST(Errors, EveryExpectedTextIsOfAnInput) {
  for (fs::path golden : files_ending(".expected")) {
    golden.replace_extension(".litmus");
    EXPECT_TRUE(fs::exists(golden)) << golden << " is missing";
  }
}

TEST(Errors, TextsHaveOneForm) {
  for (const fs::path& golden : files_ending(".expected")) {
    const std::string text = content(golden);
    SCOPED_TRACE(text);
    const std::string place = golden.stem().string() + ".litmus:";
    EXPECT_TRUE(text.starts_with(place));
    EXPECT_NE(text.find(": error: expected "), std::string::npos);
    EXPECT_NE(text.find("^\n"), std::string::npos);
    const auto lines = std::ranges::count(text, '\n');
    EXPECT_GE(lines, 3);
    EXPECT_LE(lines, 4);
    EXPECT_EQ(lines == 4, text.find("\n  hint: ") != std::string::npos);
  }
}

TEST(Errors, ThereAreEnough) {
  const std::size_t least = 60;
  EXPECT_GE(files_ending(".litmus").size(), least);
}

} // namespace
} // namespace thinair::litmus
