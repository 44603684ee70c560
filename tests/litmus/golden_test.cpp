// The Java files of the golden data: every one is read, and printing loses nothing.
#include "litmus/test.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace thinair::litmus {
namespace {

namespace fs = std::filesystem;

fs::path golden() {
  const char* set = std::getenv("THINAIR_GOLDEN");
  return set ? fs::path(set) : fs::path(THINAIR_SOURCE_DIR) / "../shared/golden";
}

std::vector<fs::path> litmus_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  return files;
}

class GoldenJava : public testing::TestWithParam<const char*> {};

TEST_P(GoldenJava, ReadsAndPrints) {
  const fs::path folder = golden() / GetParam();
  if (!fs::exists(folder)) GTEST_SKIP() << "no golden data at " << folder;
  std::size_t read = 0;
  for (const fs::path& file : litmus_files(folder)) {
    const text::Source source = read_file(file.string());
    if (!source.text.starts_with("Java")) continue;
    SCOPED_TRACE(file.string());
    try {
      const litmus::Test test = parse(source);
      const std::string printed = print(test);
      const litmus::Test again = parse({"printed", printed});
      EXPECT_EQ(again, test) << printed;
      EXPECT_EQ(print(again), printed);
      ++read;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GT(read, 0U);
}

INSTANTIATE_TEST_SUITE_P(Folders, GoldenJava,
                         testing::Values("java/tests", "jam21/tests", "scale/tests"));

} // namespace
} // namespace thinair::litmus
