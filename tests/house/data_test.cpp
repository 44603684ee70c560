// Fails on a test, a test's data or a document that nothing reads any more.
#include "litmus/text/prose.h"
#include "tests/house/tree.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace thinair::house {
namespace {

const File* find(std::string_view path) {
  for (const auto& file : files())
    if (file.path == path) return &file;
  return nullptr;
}

std::string all_test_sources() {
  std::string text;
  for (const auto& file : files())
    if ((file.in("tests") && (file.is_cpp() || file.path.ends_with("CMakeLists.txt"))) ||
        file.in("scripts"))
      text += file.text;
  return text;
}

TEST(Data, EveryRoomOfTestsIsBuilt) {
  const File* cmake = find("tests/CMakeLists.txt");
  ASSERT_NE(cmake, nullptr);
  std::set<std::string> folders;
  for (const auto& file : files())
    if (file.in("tests") && file.path.ends_with("_test.cpp"))
      folders.insert(file.path.substr(6, file.path.find('/', 6) - 6));
  EXPECT_FALSE(folders.empty());
  for (const auto& folder : folders)
    EXPECT_NE(cmake->text.find("thinair_tests(" + folder + " "), std::string::npos)
        << "tests/" << folder << " is not built";
}

/// A data file counts as read when a test names it, or names its folder.
TEST(Data, EveryDataFileIsReadByATest) {
  const std::string sources = all_test_sources();
  for (const auto& file : files()) {
    if (!file.in("tests") || file.is_cpp() || file.path.ends_with("CMakeLists.txt")) continue;
    const std::filesystem::path path = file.path;
    const std::string name = path.filename().string();
    bool read = sources.find(name) != std::string::npos;
    for (auto folder = path.parent_path(); !read && folder != "tests";
         folder = folder.parent_path())
      read = sources.find("\"" + folder.generic_string()) != std::string::npos ||
             sources.find(folder.generic_string() + "\"") != std::string::npos ||
             sources.find(folder.lexically_relative("tests").generic_string() + "/") !=
                 std::string::npos;
    EXPECT_TRUE(read) << file.path << " is read by no test";
  }
}

/// No line of prose is longer than an editor shows: breaking them anew changes nothing.
TEST(Docs, ProseIsInLinesThatAnEditorShows) {
  for (const auto& file : files())
    if (file.path.ends_with(".md")) {
      EXPECT_TRUE(text::wrapped_prose(file.text) == file.text)
          << file.path << " has lines of prose with more than " << text::prose_width << " columns";
    }
}

TEST(Docs, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  for (const auto& file : files()) {
    if (!file.has_extension(".md")) continue;
    const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
    for (std::sregex_iterator it(file.text.begin(), file.text.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1];
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(std::filesystem::exists(root() / folder / target))
          << file.path << " links to " << target;
    }
  }
}

/// The newest section of the changelog is that of the version which the build has.
TEST(Docs, TheChangelogKnowsTheVersion) {
  const File* cmake = find("CMakeLists.txt");
  const File* changes = find("CHANGELOG.md");
  ASSERT_NE(cmake, nullptr);
  ASSERT_NE(changes, nullptr);
  std::smatch version, section;
  ASSERT_TRUE(std::regex_search(cmake->text, version,
                                std::regex(R"(project\(thinair VERSION (\d+\.\d+\.\d+) )")));
  ASSERT_TRUE(std::regex_search(changes->text, section,
                                std::regex(R"(\n## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)\n)")));
  EXPECT_EQ(version[1], section[1]);
}

TEST(Docs, EveryPackageIsExplained) {
  const File* setup = find("scripts/setup");
  const File* page = find("docs/dependencies.md");
  ASSERT_NE(setup, nullptr);
  ASSERT_NE(page, nullptr);
  const std::regex row(R"(^(build|test)\|([a-z0-9+-]+)\|)");
  std::size_t packages = 0;
  for (const auto line : lines(setup->text)) {
    std::match_results<std::string_view::const_iterator> match;
    if (!std::regex_search(line.begin(), line.end(), match, row)) continue;
    ++packages;
    EXPECT_NE(page->text.find("`" + match[2].str() + "`"), std::string::npos) << match[2];
  }
  EXPECT_GT(packages, 10U);
}

} // namespace
} // namespace thinair::house
