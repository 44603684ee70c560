// parse and fmt: expansion of operands, order of output, failures among successes, files rewritten.
#include "tests/cli/tool.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace thinair::cli {
namespace {

const std::string sb = R"(Java SB
{ 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 { X.setVolatile(1); int r = Y.get(); }
Thread1 { Y.setVolatile(1); int r = X.get(); }
exists (0:r=0 /\ 1:r=0)
)";

std::string named(const std::string& name) {
  std::string text = sb;
  return text.replace(5, 2, name);
}

TEST(Parse, SaysWhatATestIs) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  const Ran ran = tool({"parse", file});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.out, file + ": Java SB: 2 threads, 4 accesses, 1 clause\n");
  EXPECT_EQ(ran.err, "");
}

TEST(Parse, NeedsATest) {
  const Ran ran = tool({"parse"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.err,
            "thinair parse: error: expected TEST…\n  hint: for example: thinair parse corpus\n");
}

TEST(Parse, AFailureDoesNotStopTheOthers) {
  const Folder folder;
  const std::string good = folder.write("a.litmus", sb), bad = folder.write("b.litmus", "Jav SB\n");
  const std::string absent = folder.path("absent.litmus");
  const Ran ran = tool({"parse", bad, absent, good});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.out, good + ": Java SB: 2 threads, 4 accesses, 1 clause\n");
  EXPECT_NE(ran.err.find(bad + ":1:1: error: "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(absent + ": error: cannot read: No such file or directory\n"),
            std::string::npos);
}

TEST(Parse, WithJsonEveryFileHasItsObject) {
  const Folder folder;
  const std::string good = folder.write("a.litmus", sb), bad = folder.path("absent.litmus");
  const Ran ran = tool({"parse", "--json", bad, good});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(
      ran.out.find("{\"test\":null,\"file\":\"" + bad + "\",\"status\":\"error\",\"reason\":"), 0U);
  EXPECT_NE(ran.out.find("\n{\"test\":\"SB\",\"file\":\"" + good + "\",\"status\":\"ok\","),
            std::string::npos)
      << ran.out;
}

TEST(Inputs, FoldersAndListsExpandInOrder) {
  const Folder folder;
  const std::string b = folder.write("tests/b.litmus", named("B1"));
  const std::string a = folder.write("tests/deep/a.litmus", named("A1"));
  folder.write("tests/notes.txt", "no test");
  folder.write("lists/@inner", "# a comment\n\n../tests/b.litmus\r\n");
  folder.write("lists/outer", "../tests/deep/a.litmus # why\n@ @inner\n../tests\n");
  const Ran ran = tool({"parse", "@" + folder.path("lists/outer")});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  std::string names;
  for (std::size_t at = 0; (at = ran.out.find(": Java ", at)) != std::string::npos; at += 7)
    names += ran.out.substr(at + 7, 2) + " ";
  EXPECT_EQ(names, "A1 B1 B1 A1 ") << ran.out;
}

TEST(Inputs, WrongListsAndFoldersAreErrors) {
  const Folder folder;
  folder.write("empty/readme", "");
  const std::string self = folder.write("self", "@self\n");
  EXPECT_EQ(tool({"parse", folder.path("empty")}).err,
            folder.path("empty") + ": error: no .litmus file in this folder\n");
  EXPECT_NE(tool({"parse", "@" + self}).err.find("lists nest deeper than 16"), std::string::npos);
  EXPECT_EQ(tool({"parse", "@" + folder.path("absent")}).exit, 2);
}

TEST(Inputs, OrderDoesNotDependOnJobs) {
  const Folder folder;
  for (int i = 0; i < 50; ++i) {
    const std::string name = std::to_string(10 + i);
    folder.write("t" + name + ".litmus", i % 7 == 0 ? "nonsense" : named("T" + name));
  }
  const Ran one = tool({"parse", folder.path(), "--jobs", "1"});
  const Ran many = tool({"parse", folder.path(), "--jobs=8"});
  EXPECT_EQ(one.out, many.out);
  EXPECT_EQ(one.err, many.err);
  EXPECT_EQ(many.exit, 2);
}

TEST(Inputs, CountsParseWholeOrNotAtAll) {
  for (const char* value : {"abc", "-1", "2x", "", "99999999999999999999"}) {
    const Ran ran = tool({"parse", std::string("--jobs=") + value, "x"});
    EXPECT_EQ(ran.exit, 2) << value;
    EXPECT_NE(ran.err.find("jobs"), std::string::npos) << ran.err;
  }
}

TEST(Inputs, StandardInput) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  const Ran ran = shell("'" THINAIR_BINARY "' parse - <'" + file + "'");
  EXPECT_EQ(ran.out, "-: Java SB: 2 threads, 4 accesses, 1 clause\n");
}

TEST(Fmt, PrintsOneLayoutOnly) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  const Ran first = tool({"fmt", file});
  ASSERT_EQ(first.exit, 0) << first.err;
  const std::string again = folder.write("again.litmus", first.out);
  EXPECT_EQ(tool({"fmt", again}).out, first.out);
  EXPECT_NE(first.out, sb);
}

TEST(Fmt, CheckNamesWhatWouldChange) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  const std::string good = folder.write("good.litmus", tool({"fmt", file}).out);
  const Ran ran = tool({"fmt", "--check", file, good});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(ran.out, file + "\n");
  EXPECT_EQ(tool({"fmt", "--check", good}).exit, 0);
  EXPECT_EQ(read(file), sb) << "--check changes nothing";
}

TEST(Fmt, WriteReplacesAndKeepsPermissions) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  chmod(file.c_str(), 0640);
  const std::string expected = tool({"fmt", file}).out;
  const std::string link = folder.path("link.litmus");
  std::filesystem::create_symlink(file, link);
  const Ran ran = tool({"fmt", "--write", link});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(read(file), expected);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  struct stat status{};
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2)
      << "nothing is left behind";
}

TEST(Fmt, WriteLeavesAFileWithCommentsAlone) {
  const Folder folder;
  const std::string text = "Java SB\n\"a // title\"\nSource=http://example.org/a\n" + sb.substr(8);
  const std::string plain = folder.write("plain.litmus", text);
  const std::string file = folder.write("SB.litmus", text + "// said of it\n");
  const Ran ran = tool({"fmt", "--write", file, plain});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.err, file + ": error: has comments, which --write would lose\n");
  EXPECT_EQ(read(file), text + "// said of it\n");
  EXPECT_NE(read(plain), text);
}

TEST(Fmt, WrongInputChangesNothing) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", "Java SB\n{");
  EXPECT_EQ(tool({"fmt", "--write", file}).exit, 2);
  EXPECT_EQ(read(file), "Java SB\n{");
  EXPECT_EQ(tool({"fmt", "--write", "--check", file}).err,
            "thinair fmt: error: --check and --write exclude each other\n");
}

TEST(Fmt, JsonCarriesTheText) {
  const Folder folder;
  const std::string file = folder.write("SB.litmus", sb);
  const Ran ran = tool({"fmt", "--json", file});
  EXPECT_EQ(ran.out.find("{\"test\":\"SB\",\"file\":\"" + file +
                         "\",\"status\":\"ok\",\"changed\":true,\"text\":\"Java SB\\n"),
            0U)
      << ran.out;
}

} // namespace
} // namespace thinair::cli
