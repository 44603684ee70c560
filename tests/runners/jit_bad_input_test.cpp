// JVMs that die, hang, refuse their flags or print something new, and JDKs and emulators that are
// not there: shell scripts that print recorded listings stand in for them.
#include "litmus/text/error.h"
#include "runners/jit/capture.h"
#include "runners/temporary_directory.h"
#include "tests/runners/jit_recordings.h"
#include "tests/support/needs_llvm.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace thinair::runners::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view listing_name = "aarch64-25-c2.listing";

class FakeJvm {
 public:
  /// `script`: what its java does; `blocks PATTERN` prints the methods of which the head matches.
  explicit FakeJvm(const std::string& script) {
    write("bin/javac", "#!/bin/sh\nexit 0\n");
    write("bin/java", fmt::format("#!/bin/sh\nhome=$(dirname \"$(dirname \"$0\")\")\n"
                                  "blocks() {{ awk -v want=\"$1\" '/^Compiled method/ {{ p = ($0 ~ "
                                  "want) }} p' {}/tests/runners/jit/{}; }}\n"
                                  "echo launch >>\"$home/launches\"\n{}\n",
                                  THINAIR_SOURCE_DIR, listing_name, script));
  }

  Jdk jdk() const {
    Jdk out{lower::machine_of("aarch64"), {}, {home_.path() + "/bin/java"}};
    out.jvm.name = "25";
    out.jvm.feature = 25;
    out.jvm.home = home_.path();
    out.jvm.javac = out.jvm.c1 = out.jvm.c2 = true;
    return out;
  }

  std::size_t launches() const {
    return fs::exists(home_.path() + "/launches") ? fs::file_size(home_.path() + "/launches") / 7
                                                  : 0;
  }

 private:
  void write(const std::string& name, const std::string& text) {
    fs::permissions(home_.write(name, text), fs::perms::owner_all);
  }

  TemporaryDirectory home_;
};

/// By program, "" where there is code, else the reason.
std::vector<std::string> captured_by(const FakeJvm& jvm) {
  std::vector<std::string> out;
  for (const auto& captured : capture(recorded_programs(), jvm.jdk(), {})) {
    const auto* refused = std::get_if<lower::NotLowered>(&captured);
    out.push_back(refused != nullptr ? refused->reason : "");
  }
  return out;
}

class JitBadInput : public test::NeedsLlvm {};

TEST_F(JitBadInput, AJvmThatIsFineIsAskedOnce) {
  const FakeJvm jvm("blocks .");
  EXPECT_EQ(captured_by(jvm), (std::vector<std::string>(4)));
  EXPECT_EQ(jvm.launches(), 1);
}

TEST_F(JitBadInput, AJvmThatDiesCostsOneProgram) {
  const FakeJvm jvm(
      "if [ \"$(wc -l <\"$home/launches\")\" = 1 ]; then blocks 'm_state|m_result|m_0_'\n"
      "  kill -SEGV $$\nfi\n"
      "blocks 'm_state|m_result|m_[23]_' | sed 's/m_2_/m_0_/; s/m_3_/m_1_/'");
  const auto found = captured_by(jvm);
  EXPECT_EQ(found[0], "");
  EXPECT_TRUE(found[1].starts_with("unsupported: a thread that C2 did not compile: the JVM was "))
      << found[1];
  EXPECT_EQ(found[2], "");
  EXPECT_EQ(found[3], "");
  EXPECT_EQ(jvm.launches(), 2);
}

TEST_F(JitBadInput, AJvmThatAlwaysDiesIsGivenUp) {
  const FakeJvm jvm("kill -SEGV $$");
  const auto found = captured_by(jvm);
  for (const auto& reason : found) EXPECT_FALSE(reason.empty());
  EXPECT_EQ(jvm.launches(), 4); // each has had one of its own
}

TEST_F(JitBadInput, AJvmThatHangsHasToldWhatItHasTold) {
  const FakeJvm jvm("sleep 60");
  EXPECT_THROW(capture(recorded_programs(), jvm.jdk(), {}, Deadline::in(1)), LimitReached);
}

TEST_F(JitBadInput, AJvmThatRefusesItsFlagsIsAnErrorOfTheCall) {
  const FakeJvm jvm("echo 'Unrecognized VM option UseLSE' >&2; exit 1");
  try {
    captured_by(jvm);
    FAIL() << "it was believed";
  } catch (const InputError& wrong) {
    EXPECT_NE(std::string(wrong.what()).find("Unrecognized VM option UseLSE"), std::string::npos);
  }
}

TEST_F(JitBadInput, AListingOfAnotherFormIsRefusedByItsLine) {
  const FakeJvm jvm("blocks . | sed 's/^  0x/  @0x/; 20s/.*/  0xzz: nothing/'");
  try {
    captured_by(jvm);
    FAIL() << "it was believed";
  } catch (const Unsupported& lacking) {
    EXPECT_NE(std::string(lacking.what()).find("line "), std::string::npos) << lacking.what();
  }
  // Without the code's addresses nothing is left of it.
  EXPECT_THROW(captured_by(FakeJvm("blocks . | grep -v '^  0x'")), Unsupported);
  // Another word for the entry point: as if there were none.
  EXPECT_THROW(captured_by(FakeJvm("blocks . | sed 's/Verified Entry Point/Way In/'")),
               Unsupported);
}

TEST_F(JitBadInput, AJvmThatSaysNothingOfTheMethodsIsToldSo) {
  const FakeJvm jvm("blocks 'm_state|m_result'");
  for (const auto& reason : captured_by(jvm))
    EXPECT_EQ(reason, "unsupported: a thread that C2 did not compile");
  const FakeJvm no_getters("blocks 'm_[0-9]'");
  for (const auto& reason : captured_by(no_getters))
    EXPECT_EQ(reason, "unsupported: a JVM that did not compile the getters of fields");
}

/// XDG_DATA_HOME while it exists.
class DataHome {
 public:
  explicit DataHome(const std::string& path) {
    if (const char* now = std::getenv("XDG_DATA_HOME")) before_ = now;
    ::setenv("XDG_DATA_HOME", path.c_str(), 1);
  }
  DataHome(const DataHome&) = delete;
  DataHome& operator=(const DataHome&) = delete;
  ~DataHome() {
    if (before_.empty())
      ::unsetenv("XDG_DATA_HOME");
    else
      ::setenv("XDG_DATA_HOME", before_.c_str(), 1);
  }

 private:
  std::string before_;
};

std::string complaint(const std::string& name) {
  try {
    const auto asked = asked_by(name);
    flags_of(find_jdk(asked.machine, asked.jdk), asked.settings);
  } catch (const InputError& wrong) {
    return wrong.what();
  }
  return "";
}

TEST_F(JitBadInput, WhatIsNotInstalledIsNamedWithWhatInstallsIt) {
  const TemporaryDirectory data;
  const DataHome home(data.path());
  const auto none = complaint("jit:riscv64:21:c2");
  EXPECT_NE(none.find("no JDK '21' for riscv is installed (there is: none)"), std::string::npos);
  EXPECT_NE(none.find("scripts/get-jdk --machine riscv64 21"), std::string::npos) << none;
  const std::string java = "thinair/jdk-riscv/21/usr/lib/jvm/java-21/bin/java";
  fs::permissions(data.write(java, "#!/bin/sh\n"), fs::perms::owner_all);
  const char* path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  ::setenv("PATH", data.path().c_str(), 1);
  const auto no_emulator = complaint("jit:riscv64:21:c2");
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_NE(no_emulator.find("no emulator of riscv for the JDK '21': no program qemu-riscv64"),
            std::string::npos)
      << no_emulator;
  fs::permissions(data.write("thinair/qemu/bin/qemu-riscv64", "#!/bin/sh\n"), fs::perms::owner_all);
  EXPECT_EQ(complaint("jit:riscv64:21:c2"), "");
  const auto no_graal = complaint("jit:riscv64:21:graal");
  EXPECT_NE(no_graal.find("there is no Graal for the JDK 21"), std::string::npos) << no_graal;
  EXPECT_NE(no_graal.find("scripts/get-graal 21"), std::string::npos) << no_graal;
}

} // namespace
} // namespace thinair::runners::jit
