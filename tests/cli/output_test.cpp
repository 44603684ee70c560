// The program as a process: where output goes, and what happens when it cannot be written.
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

namespace thinair::cli {
namespace {

const std::string program = "'" THINAIR_BINARY "'";

TEST(Output, VersionNamesTheModels) {
  const Ran ran = shell(program + " --version");
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out.find("thinair "), 0U);
  EXPECT_NE(ran.out.find(", models "), std::string::npos);
}

TEST(Output, AReaderThatLeavesIsNoError) {
  const Ran ran = shell("{ " + program + " man; echo $? >&2; } | true");
  EXPECT_EQ(ran.err.find("error"), std::string::npos) << ran.err;
}

TEST(Output, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const Ran ran = shell(program + " man >/dev/full");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.err, "thinair: error: cannot write: No space left on device\n");
}

TEST(Output, BothStreamsClosedStillExitsWithACode) {
  EXPECT_EQ(shell(program + " man >&- 2>&-").exit, 2);
  EXPECT_EQ(shell(program + " nonsense 2>&-").exit, 2);
}

} // namespace
} // namespace thinair::cli
