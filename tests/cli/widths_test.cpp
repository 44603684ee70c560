// Values of x86 tests are printed as their declared types show them, by every command, as herd7
// prints them.
#include "machine/x86/program.h"
#include "runners/herd7.h"
#include "tests/cli/tool.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

namespace thinair::cli {
namespace {

using x86::Width;

struct Case {
  std::string type, value; // as it is shown
  char suffix;
};

/// The least, the greatest, and -1 or what its bits are, of every type that has a name.
std::vector<Case> cases() {
  std::vector<Case> out;
  for (const auto& [name, type] : litmus::types()) {
    const char suffix = type.width == Width::b   ? 'b'
                        : type.width == Width::w ? 'w'
                        : type.width == Width::l ? 'l'
                                                 : 'q';
    const auto top = litmus::Value(std::uint64_t{1} << (8 * static_cast<unsigned>(type.width) - 1));
    for (const litmus::Value value : {top, top - 1, litmus::Value{-1}, litmus::Value{0}})
      out.push_back({std::string(name), litmus::shown(value, type), suffix});
  }
  return out;
}

/// The value written, and read back into a register of its type.
std::string att(const Case& c) {
  const std::string reg = c.suffix == 'q'   ? "%rbx"
                          : c.suffix == 'l' ? "%ebx"
                          : c.suffix == 'w' ? "%bx"
                                            : "%bl";
  return "X86_64 t\n{ " + c.type + " x=" + c.value + "; " + c.type + " y; " + c.type +
         " 0:rbx; }\n P0 ;\n mov" + c.suffix + " (x)," + reg + " ;\n mov" + c.suffix + " " + reg +
         ",(y) ;\nexists ([y]=" + c.value + " /\\ [x]=" + c.value + " /\\ 0:rbx=" + c.value + ")\n";
}

void expect_shown(const Ran& ran, const std::string& state) {
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find(state), std::string::npos) << state << "\n" << ran.out;
}

void check(const std::string& file, const std::string& state, const Case& c) {
  SCOPED_TRACE(c.type + " " + c.value);
  const auto model = [](std::vector<std::string> words) {
    words.insert(words.end(), {"--model", "x86-tso"});
    return tool(words);
  };
  expect_shown(model({"behaviours", file}), "\n" + state + "\n");
  expect_shown(model({"behaviours", file}), "holds; Always");
  expect_shown(model({"behaviours", file, "--json"}), "[\"" + state + "\"]");
  expect_shown(model({"behaviours", file, "--engine", "operational"}), "\n" + state + "\n");
  expect_shown(model({"herd", file}), "\n" + state + ";\n");
  const auto drawn = model({"graph", file, "--outcome", state});
  expect_shown(drawn, ": " + state + "\n");
  expect_shown(drawn, "W x=" + c.value + " initial\n");
  expect_shown(drawn, "R x reads " + c.value + "\n");
  expect_shown(model({"explain", file, "--outcome", state}), " is allowed under x86-tso\n");
}

TEST(Widths, OfEveryTypeInX86_64) {
  const Folder folder;
  for (const auto& c : cases()) {
    const auto file = folder.write("t.litmus", att(c));
    check(file, "0:rbx=" + c.value + "; [x]=" + c.value + "; [y]=" + c.value, c);
  }
}

TEST(Widths, OfEveryTypeInX86) {
  const Folder folder;
  for (const auto& c : cases()) {
    if (c.suffix != 'l') continue; // its registers have 32 bits
    const auto file = folder.write(
        "t.litmus", "X86 t\n{ " + c.type + " x=" + c.value + "; " + c.type +
                        " y; }\n P0 ;\n MOV EBX,[x] ;\n MOV [y],EBX ;\nexists ([y]=" + c.value +
                        " /\\ [x]=" + c.value + ")\n");
    check(file, "[x]=" + c.value + "; [y]=" + c.value, c);
  }
}

/// herd7 reads no number above 2^63-1: those are written below 0 for it.
TEST(Widths, AreHerd7s) {
  const auto herd7 = runners::find_herd7("");
  if (!herd7) GTEST_SKIP() << "no herd7";
  const Folder folder;
  std::vector<std::string> states;
  for (const auto& c : cases()) {
    auto test = litmus::parse({"t", att(c)});
    test.name += std::to_string(states.size());
    folder.write(fmt::format("{:02}.litmus", states.size()), litmus::print(test));
    states.push_back("\n0:rbx=" + c.value + "; [x]=" + c.value + "; [y]=" + c.value);
  }
  const Ran theirs = tool({"behaviours", folder.path(), "--model", "x86-tso", "--engine", "herd7"});
  const Ran raw = shell("'" + *herd7 + "' '" + folder.path() + "'/*.litmus");
  std::size_t at = 0, raw_at = 0;
  for (const auto& state : states) {
    at = theirs.out.find(state + "\n", at);
    raw_at = raw.out.find(state + ";\n", raw_at);
    ASSERT_NE(at, std::string::npos) << state << "\n" << theirs.out << theirs.err;
    ASSERT_NE(raw_at, std::string::npos) << state << "\n" << raw.out << raw.err;
    ++at, ++raw_at;
  }
}

/// herd7's output for a test without a clause, to the byte but for the time.
TEST(Widths, HerdOfATestThatAsksNothing) {
  const Folder folder;
  const auto file = folder.write("e.litmus", "X86_64 e\n{ x=0; }\n P0 ;\n movl $1,(x) ;\n");
  const Ran ran = tool({"herd", file, "--model", "x86-tso"});
  EXPECT_EQ(ran.out.substr(0, ran.out.find("Time")),
            "Test e Required\nStates 1\n\nOk\nWitnesses\nPositive: 1 Negative: 0\n"
            "Condition forall (true)\nObservation e Always 1 0\n");
}

} // namespace
} // namespace thinair::cli
