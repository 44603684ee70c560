// A user's own opt and llc: the code is that of LLVM in this process, errors are theirs.
#include "gen/generator.h"
#include "litmus/text/error.h"
#include "lower/sequential.h"
#include "oracle/cat/model.h"
#include "runners/find_target.h"
#include "runners/hardware.h"
#include "runners/process.h"
#include "runners/soundness.h"
#include "runners/temporary_directory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace thinair::runners {
namespace {

/// The directory of the tools of the LLVM that we are built with; empty where there are none.
std::string own_tools() {
  const std::string version = lower::backend_version();
  const std::string directory =
      fmt::format("/usr/lib/llvm-{}/bin", version.substr(0, version.find('.')));
  const bool there =
      !find_program(directory + "/opt").empty() && !find_program(directory + "/llc").empty();
  return there ? directory : "";
}

std::vector<litmus::Program> programs(std::size_t count) {
  gen::Generator generator(gen::load_profile("varhandle"), 9, 0);
  std::vector<litmus::Program> result;
  while (result.size() < count) result.push_back(generator.next().program);
  return result;
}

TEST(UsersTools, GiveTheCodeOfTheLlvmInThisProcess) {
  const std::string directory = own_tools();
  if (directory.empty()) GTEST_SKIP() << "no opt and llc";
  const auto all = programs(20);
  for (const char* level : {"x86:llvm-O0", "x86:llvm-O2", "aarch64:llvm-O2", "riscv:llvm-O2"}) {
    lower::Target inside = lower::Target::named(level);
    lower::Target outside = find_target(fmt::format("{}@{}", level, directory));
    EXPECT_EQ(outside.name(), fmt::format("{}@{}", level, directory));
    const auto wanted = inside.lower(all), got = outside.lower(all);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto* code = std::get_if<lower::Lowered>(&got[i]);
      const auto* other = std::get_if<lower::Lowered>(&wanted[i]);
      ASSERT_EQ(code != nullptr, other != nullptr);
      if (!code) continue;
      EXPECT_EQ(code->program, other->program);
      EXPECT_EQ(lower::sequential_difference(code->source, *code, 1), std::nullopt);
      ++equal;
    }
    EXPECT_GT(equal, 15U);
  }
}

/// LLVM 18 drops the old value of an exchange without acquire into the zero register, and `dmb
/// ishld` orders no such read (LLVM issue 68428); LLVM 19 does not. Where scripts/get-llvm has put
/// it.
TEST(UsersTools, Llvm18DropsWhatAnAcquireFenceOrders) {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  const std::string directory =
      (data != nullptr ? std::string(data)
                       : std::string(home != nullptr ? home : "") + "/.local/share") +
      "/thinair/llvm-18/bin";
  if (find_program(directory + "/opt").empty()) GTEST_SKIP() << "no LLVM 18 (scripts/get-llvm)";
  const auto test = litmus::parse(
      {"exchange",
       "Java exchange\n{ 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }\n"
       "Thread0 { Y.getAndSetRelease(1); VarHandle.acquireFence(); int b = "
       "X.getOpaque(); }\nThread1 { X.setOpaque(1); Y.setRelease(2); }\nexists (true)\n"});
  const cat::Plan model = cat::load_model("jam21", cat::Architecture::java);
  const Processor processor(lower::machine_of("aarch64"));
  const auto verdict = [&](const std::string& name) {
    lower::Target target = find_target(name);
    const Hardware hardware = [&](const litmus::Test& code) { return processor.run(code, {}); };
    return check_soundness(test, model, target, hardware, {}).verdict;
  };
  EXPECT_EQ(verdict("aarch64:llvm-O2@" + directory), Soundness::unsound);
  if (lower::backend_version().starts_with("18.")) return;
  EXPECT_EQ(verdict("aarch64:llvm-O2"), Soundness::sound);
}

TEST(UsersTools, OfAnotherVersionAreLiftedToo) {
  std::size_t versions = 0;
  for (int version = 14; version <= 22; ++version) {
    const std::string directory = fmt::format("/usr/lib/llvm-{}/bin", version);
    if (directory == own_tools() || find_program(directory + "/opt").empty() ||
        find_program(directory + "/llc").empty())
      continue;
    ++versions;
    lower::Target target = find_target(fmt::format("x86:llvm-O2@{}", directory));
    std::size_t lifted = 0;
    for (const auto& result : target.lower(programs(20)))
      if (const auto* code = std::get_if<lower::Lowered>(&result)) {
        EXPECT_EQ(lower::sequential_difference(code->source, *code, 1), std::nullopt);
        ++lifted;
      }
    EXPECT_GT(lifted, 10U) << directory;
  }
  if (versions == 0) GTEST_SKIP() << "no other opt and llc";
}

std::string error_of(const std::string& name) {
  try {
    find_target(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "found";
}

TEST(UsersTools, ThatAreNotThereAreAnError) {
  const TemporaryDirectory empty;
  EXPECT_EQ(error_of("x86:llvm-O2@" + empty.path()), "error: no program " + empty.path() + "/opt");
  EXPECT_EQ(error_of("x86:llvm-O4@/usr/bin"),
            "error: no target is called \"x86:llvm-O4@/usr/bin\"\n  hint: your own opt and llc are "
            "x86:llvm-O2@DIR (or -O0, -O1, -O3)");
}

TEST(UsersTools, ThatFailSayWhy) {
  const TemporaryDirectory directory;
  for (const char* tool : {"opt", "llc"}) {
    const std::string path = directory.write(
        tool, "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho 'no such pass' >&2\nexit 7\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  lower::Target target = find_target("x86:llvm-O2@" + directory.path());
  try {
    target.lower(programs(1)[0]);
    FAIL() << "compiled";
  } catch (const Unsupported& failed) {
    EXPECT_EQ(std::string(failed.what()),
              fmt::format("unsupported: {}/opt: exit status 7: no such pass", directory.path()));
  }
}

} // namespace
} // namespace thinair::runners
