// A machine in one folder, known by one line: it is read, drawn, asked, compiled for and fuzzed as
// the program's own machines are.
#include "tests/cli/tool.h"
#include "tests/house/toy_machine/toy_machine.h"

#include <gtest/gtest.h>

namespace thinair::house {
namespace {

constexpr std::string_view folder = THINAIR_SOURCE_DIR "/tests/house/toy_machine/";

std::string in_folder(std::string_view name) { return std::string(folder) + std::string(name); }

constexpr std::string_view store_buffering = "TOY sb\n{ 0:r15=x; 0:r14=y; 1:r15=y; 1:r14=x; }\n"
                                             " P0             | P1             ;\n"
                                             " num r0, 1      | num r0, 1      ;\n"
                                             " st r0, [r15]   | st r0, [r15]   ;\n"
                                             " ld r1, [r14]   | ld r1, [r14]   ;\n"
                                             "exists (0:r1=0 /\\ 1:r1=0)\n";

constexpr std::string_view volatile_buffering =
    "Java sb\n{ x = 0; y = 0; X=x; Y=y; }\n"
    "Thread0 { X.setVolatile(1); int r0 = Y.getVolatile(); }\n"
    "Thread1 { Y.setVolatile(1); int r0 = X.getVolatile(); }\n"
    "exists (0:r0=0 /\\ 1:r0=0)\n";

/// One line makes the machine known.
class ToyMachine : public ::testing::Test {
 protected:
  const machine::MoreMachines more{toy::row, toy::lowering};
  const cli::Folder files;
};

TEST_F(ToyMachine, IsReadAndPrintedAndAnErrorHasItsPlace) {
  const auto test = files.write("sb.litmus", store_buffering);
  EXPECT_EQ(cli::tool({"parse", test}).exit, 0);
  const auto printed = cli::tool({"fmt", test});
  EXPECT_NE(printed.out.find("st r0, [r15]"), std::string::npos) << printed.out << printed.err;
  const auto wrong =
      cli::tool({"parse", files.write("wrong.litmus", "TOY wrong\n{ }\n P0 ;\n ldd r0, [r1] ;\n")});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find(":4:2: error: expected an instruction, found `ldd`"), std::string::npos)
      << wrong.err;
  EXPECT_NE(wrong.err.find("did you mean"), std::string::npos) << wrong.err;
}

TEST_F(ToyMachine, IsAskedByItsModelAndDrawn) {
  const auto test = files.write("sb.litmus", store_buffering);
  const auto model = in_folder("toy.cat");
  const auto weak = cli::tool({"behaviours", test, "-m", model});
  EXPECT_EQ(weak.exit, 0) << weak.err;
  EXPECT_NE(weak.out.find("0:r1=0; 1:r1=0"), std::string::npos) << weak.out;
  std::string fenced(store_buffering);
  const std::string load = " ld r1, [r14]   | ld r1, [r14]   ;";
  fenced.insert(fenced.find(load), " fence          | fence          ;\n");
  const auto strong = cli::tool({"behaviours", files.write("f.litmus", fenced), "-m", model});
  EXPECT_EQ(strong.out.find("0:r1=0; 1:r1=0"), std::string::npos) << strong.out;
  const auto drawn = cli::tool({"graph", test, "-m", model, "-f", "dot"});
  EXPECT_EQ(drawn.exit, 0) << drawn.err;
  EXPECT_NE(drawn.out.find("digraph"), std::string::npos) << drawn.out;
}

TEST_F(ToyMachine, IsCompiledForByItsSchemeAndFoundSoundOrNot) {
  const auto test = files.write("sb.litmus", volatile_buffering);
  const auto scheme = in_folder("fenced.scheme");
  EXPECT_EQ(cli::tool({"scheme", "check", scheme}).exit, 0);
  const auto sound = cli::tool({"sound", test, "-m", "sc", "-t", scheme});
  EXPECT_EQ(sound.exit, 0) << sound.out << sound.err;
  const auto weak = files.write("weak.scheme", "scheme toy:weak like fenced.scheme\n"
                                               "setVolatile { st arg, [x] }\n");
  files.write("fenced.scheme", cli::read(scheme));
  const auto unsound = cli::tool({"sound", test, "-m", "sc", "-t", weak});
  EXPECT_EQ(unsound.exit, 1) << unsound.out << unsound.err;
  EXPECT_NE(unsound.out.find("1 of 4 behaviours forbidden"), std::string::npos) << unsound.out;
  EXPECT_NE(unsound.out.find("st r13, [r15]"), std::string::npos) << unsound.out;
}

TEST_F(ToyMachine, SaysWhatItLacks) {
  const auto scheme = in_folder("fenced.scheme");
  const auto program = [&](std::string_view statement) {
    return files.write("t.litmus", "Java t\n{ x = 0; X=x; }\nThread0 { " + std::string(statement) +
                                       " }\nexists (x=1)\n");
  };
  const auto reason = [&](const std::string& test) {
    const auto ran = cli::tool({"sound", test, "-m", "sc", "-t", scheme});
    EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
    return ran.out + ran.err;
  };
  EXPECT_NE(reason(program("int r0 = X.getAndAdd(1);")).find("getAndAdd, for which the scheme has"),
            std::string::npos);
  EXPECT_NE(reason(program("int r0 = X.get(); X.set(r0 + 1);")).find("\"+\" between registers"),
            std::string::npos);
  EXPECT_NE(reason(program("int r0 = X.get(); if (r0 == 1) X.set(2);")).find("in toy code"),
            std::string::npos);
}

TEST_F(ToyMachine, IsFuzzedReducedReportedAndExplained) {
  files.write("fenced.scheme", cli::read(in_folder("fenced.scheme")));
  const auto weak = files.write("weak.scheme", "scheme toy:weak like fenced.scheme\n"
                                               "setVolatile { st arg, [x] }\n");
  const auto test = files.write("sb.litmus", volatile_buffering);
  const auto reduced = cli::tool({"reduce", test, "-m", "sc", "-t", weak});
  EXPECT_EQ(reduced.exit, 1) << reduced.out << reduced.err;
  EXPECT_NE(reduced.out.find("Thread1"), std::string::npos) << reduced.out;
  const auto store = files.path("campaign");
  const auto fuzzed = cli::tool(
      {"fuzz", "-m", "sc", "-t", weak, "-n", "300", "-p", "varhandle", "-c", store, "--quiet"});
  EXPECT_EQ(fuzzed.exit, 1) << fuzzed.out << fuzzed.err;
  const auto report = cli::tool({"report", store, "--markdown"});
  EXPECT_EQ(report.exit, 1) << report.err;
  EXPECT_NE(report.out.find("[r15]"), std::string::npos) << report.out;
  EXPECT_NE(cli::tool({"fuzz", "--help"}).out.find("toy:NAME"), std::string::npos);
}

TEST(ToyMachineIsGone, WithItsLine) {
  EXPECT_EQ(cli::tool({"fuzz", "--help"}).out.find("toy:NAME"), std::string::npos);
  const cli::Folder files;
  EXPECT_EQ(cli::tool({"parse", files.write("sb.litmus", store_buffering)}).exit, 2);
  EXPECT_EQ(machine::machine_named("toy"), nullptr);
}

} // namespace
} // namespace thinair::house
