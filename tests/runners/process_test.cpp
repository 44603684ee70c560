// Child processes: what each way to end looks like, and that nothing stays behind.
#include "runners/process.h"
#include "runners/temporary_directory.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace thinair::runners {
namespace {

using End = Outcome::End;

Outcome shell(const std::string& script, Command command = {}) {
  command.argv = {"/bin/sh", "-c", script};
  return run(command);
}

TEST(Process, OutputsAndStatusComeBack) {
  const Outcome outcome = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.out, "out\n");
  EXPECT_EQ(outcome.error, "err\n");
  EXPECT_EQ(describe(outcome), "exit status 3");
}

TEST(Process, ArgumentsAreNotInterpreted) {
  const Outcome outcome = run({.argv = {"printf", "%s|", "a b", "$HOME", "; exit 9", "*"}});
  EXPECT_EQ(outcome.out, "a b|$HOME|; exit 9|*|");
}

TEST(Process, InputIsEmpty) { EXPECT_EQ(shell("cat; echo end").out, "end\n"); }

TEST(Process, DirectoryAndEnvironment) {
  const TemporaryDirectory directory;
  Command command;
  command.directory = directory.path();
  command.environment = {{"THINAIR_TEST_WORD", "word"}};
  EXPECT_EQ(shell("pwd; echo $THINAIR_TEST_WORD", command).out, directory.path() + "\nword\n");
}

TEST(Process, HungIsKilled) {
  Command command;
  Outcome outcome;
  for (double limit = 0.2; outcome.out.empty() && limit < 60; limit *= 4) {
    command.seconds = limit; // the machine may be too busy to start a shell in time
    outcome = shell("echo begun; sleep 1000", command);
  }
  EXPECT_EQ(outcome.end, End::timed_out);
  EXPECT_EQ(outcome.out, "begun\n");
  EXPECT_EQ(describe(outcome), "time limit reached");
}

TEST(Process, WhatDoesNotGetOnIsKilled) {
  const TemporaryDirectory directory;
  Command command;
  command.pulse = directory.path() + "/pulse";
  command.stall = 0.5;
  const Outcome stuck = shell("echo begun; sleep 1000", command);
  EXPECT_EQ(stuck.end, End::stalled);
  EXPECT_EQ(stuck.out, "begun\n");
  EXPECT_EQ(describe(stuck), "no progress");
  command.stall = 60;
  const Outcome slow = shell("for i in 1 2 3; do echo $i >>'" + command.pulse + "'; done", command);
  EXPECT_EQ(slow.end, End::exited) << "it gets on";
}

TEST(Process, SilentButRunningIsKilled) {
  Command command;
  command.seconds = 0.2;
  EXPECT_EQ(shell("exec >&- 2>&-; sleep 1000", command).end, End::timed_out);
}

TEST(Process, CrashedSaysItsSignal) {
  const Outcome outcome = shell("kill -SEGV $$");
  EXPECT_EQ(outcome.end, End::killed);
  EXPECT_EQ(outcome.code, SIGSEGV);
  EXPECT_EQ(describe(outcome), "killed by signal 11");
}

TEST(Process, TooMuchOutputIsCut) {
  Command command;
  command.output = 100'000;
  const Outcome outcome = shell("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyy; done", command);
  EXPECT_EQ(outcome.end, End::too_verbose);
  EXPECT_LT(outcome.out.size(), 300'000U);
}

TEST(Process, MissingProgramsAndDirectories) {
  EXPECT_EQ(run({.argv = {"thinair-no-such-program"}}).end, End::not_started);
  EXPECT_EQ(run({.argv = {"/dev/null"}}).end, End::not_started);
  const Outcome outcome = run({.argv = {"/bin/sh"}, .directory = "/no/such/directory"});
  EXPECT_EQ(outcome.end, End::not_started);
  EXPECT_EQ(describe(outcome), "not started: No such file or directory");
}

TEST(Process, WhatTheChildLeavesBehindIsKilled) {
  const Outcome outcome = shell("sleep 1000 >/dev/null 2>&1 & echo $!");
  ASSERT_EQ(outcome.end, End::exited);
  const int left = std::stoi(outcome.out);
  bool gone = false;
  for (int i = 0; i < 500 && !gone; ++i) { // init reaps it when it likes
    std::ifstream status("/proc/" + std::to_string(left) + "/stat");
    std::string pid, name, state;
    gone = !(status >> pid >> name >> state) || state == "Z";
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(gone);
}

TEST(Process, MemoryLimit) {
  Command command;
  command.memory = std::uint64_t{64} << 20;
  const Outcome outcome = shell("head -c 200000000 /dev/zero | tail -c 199999999 | wc -c", command);
  EXPECT_NE(outcome.out, "199999999\n");
}

} // namespace
} // namespace thinair::runners
