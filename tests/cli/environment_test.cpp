// What a user's environment lacks, or limits: an error that says so, never a fault of thinair, and
// files that are whole or as they were.
#include "litmus/random.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

namespace thinair::cli {
namespace {

const std::string program = "'" THINAIR_BINARY "'";

bool contains(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

const std::string sb = R"(Java SB
{ 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 { X.setVolatile(1); int r = Y.get(); }
Thread1 { Y.setVolatile(1); int r = X.get(); }
exists (0:r=0 /\ 1:r=0)
)";

/// A small campaign with finds, in DIR/c.
std::string campaign_in(const Folder& folder) {
  const auto place = folder.path("c");
  const Ran ran = tool({"fuzz", "--exhaustive", "--max-accesses", "4", "--modes", "plain",
                        "--quiet", "--model", "sc", "--target", "x86:table2", "--campaign", place});
  EXPECT_EQ(ran.exit, 1) << ran.err;
  return place;
}

/// Under `ulimit -f`, in blocks of 512 bytes (of 1024 in some shells).
Ran limited(int blocks, const std::string& words) {
  return shell("ulimit -f " + std::to_string(blocks) + "\n" + program + " " + words);
}

TEST(Environment, ALimitOnFileSizesIsAnError) {
  const Folder folder;
  const auto place = campaign_in(folder);
  const auto test = folder.write("SB.litmus", sb);
  const auto page = folder.path("c/report.html"), store = folder.path("c/campaign.db");
  const auto before = read(store);
  EXPECT_EQ(limited(1, "report '" + place + "'").exit, 2);
  EXPECT_FALSE(std::filesystem::exists(page));
  const Ran fuzz = limited(16, "fuzz --model jls04 --target x86:table2 --programs 200 --quiet "
                               "--campaign '" +
                                   folder.path("d") + "'");
  EXPECT_EQ(fuzz.exit, 2) << fuzz.err;
  EXPECT_TRUE(contains(fuzz.err, "(ulimit -f)")) << fuzz.err;
  const Ran merge = limited(16, "merge --output '" + folder.path("m") + "' '" + place + "'");
  EXPECT_EQ(merge.exit, 2) << merge.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("m/campaign.db")));
  EXPECT_EQ(limited(0, "gen --output '" + folder.path("g") + "'").exit, 2);
  EXPECT_EQ(limited(0, "check --html '" + folder.path("h") + "' '" + test + "'").exit, 2);
  const Ran out = shell("ulimit -f 1\n" + program + " man >'" + folder.path("man") + "'");
  EXPECT_EQ(out.exit, 2);
  EXPECT_TRUE(contains(out.err, "cannot write: File too large")) << out.err;
  EXPECT_TRUE(read(store) == before);
}

TEST(Environment, WithoutAPlaceForTemporaryFilesTheReasonIsSaid) {
  const Folder folder;
  const auto test = folder.write("SB.litmus", sb);
  for (const auto& place : {folder.path("absent"), test}) {
    const Ran ran = shell("TMPDIR='" + place + "' THINAIR_HERD7=/bin/true " + program +
                          " behaviours --engine herd7 --model sc '" + test + "'");
    EXPECT_EQ(ran.exit, 2) << ran.err;
    EXPECT_TRUE(contains(ran.err, place + ": error: no place for temporary files: ")) << ran.err;
  }
}

/// A herd7 that never answers; whoever asks it is killed.
TEST(Environment, WhatAKilledProcessLeftIsRemovedByTheNext) {
  const Folder folder;
  const auto test = folder.write("SB.litmus", sb);
  const auto herd7 =
      folder.write("herd7", "#!/bin/sh\n: >'" + folder.path("begun") + "'\nexec sleep 1000\n");
  std::filesystem::permissions(herd7, std::filesystem::perms::owner_all);
  const auto place = folder.path("tmp");
  std::filesystem::create_directories(place);
  const std::string ask = " behaviours --engine herd7 --model sc '" + test + "' ";
  const Ran ran = shell("export TMPDIR='" + place + "'\nTHINAIR_HERD7='" + herd7 + "' " + program +
                        ask + "&\nwhile [ ! -e '" + folder.path("begun") +
                        "' ]; do sleep 0.01; done\nkill -KILL $!\nwait $!\nls '" + place +
                        "' | wc -l\nTHINAIR_HERD7=/bin/true " + program + ask + ">/dev/null\nls '" +
                        place + "' | wc -l");
  EXPECT_EQ(ran.out, "1\n0\n") << ran.err;
}

TEST(Environment, WithoutACurrentFolderNothingIsAFaultOfOurs) {
  const Folder folder;
  std::filesystem::create_directories(folder.path("gone"));
  for (const std::string words : {"report c", "gen --output d", "parse x",
                                  "fuzz --model sc --target x86:table2 --programs 1 --quiet"}) {
    std::filesystem::create_directories(folder.path("gone"));
    const Ran ran =
        shell("cd '" + folder.path("gone") + "'\nrmdir ../gone\n" + program + " " + words);
    EXPECT_EQ(ran.exit, 2) << words << ": " << ran.err;
  }
}

TEST(Environment, AReportDoesNotGoOntoAStore) {
  const Folder folder;
  const auto place = campaign_in(folder);
  const auto store = folder.path("c/campaign.db"), link = folder.path("link");
  std::filesystem::create_symlink("c/campaign.db", link);
  const auto before = read(store);
  for (const auto& path : {store, link, folder.path("c/../c/campaign.db"), store + "-wal"}) {
    const Ran ran = tool({"report", place, "--output", path});
    EXPECT_EQ(ran.exit, 2);
    EXPECT_EQ(ran.err, path + ": error: this is a campaign's store, which a report would destroy\n"
                              "  hint: choose another --output\n");
  }
  EXPECT_TRUE(read(store) == before);
  EXPECT_EQ(tool({"store", "check", place}).exit, 0);
}

TEST(Store, CheckSaysWhatItIs) {
  const Folder folder;
  const auto place = campaign_in(folder);
  const Ran ran = tool({"store", "check", place});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, place + ": whole: store version 5, ")) << ran.out;
  const Ran json = tool({"store", "check", "--json", folder.path("c/campaign.db")});
  EXPECT_TRUE(
      contains(json.out, "\"status\":\"ok\",\"version\":5,\"checksums\":true,\"programs\":"))
      << json.out;
  auto bytes = read(folder.path("c/campaign.db"));
  const auto at = bytes.find("x86:table2");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'y';
  const auto damaged = folder.write("damaged", bytes);
  const Ran wrong = tool({"store", "check", damaged, place, folder.path("absent")});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_EQ(wrong.out, ran.out) << "the others are checked";
  EXPECT_TRUE(contains(wrong.err, damaged + ": error: table identity does not go with its "
                                            "checksum\n  hint: the file is damaged"))
      << wrong.err;
  EXPECT_TRUE(contains(wrong.err, "absent: error: cannot read: No such file")) << wrong.err;
  EXPECT_EQ(tool({"store"}).exit, 2);
  EXPECT_EQ(tool({"store", "check"}).exit, 2);
}

TEST(Fuzz, MoreTargetsOrPartsThanThereCanBe) {
  const Folder folder;
  const auto refusal = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"fuzz", "--model", "sc",         "--programs",
                                      "1",    "--quiet", "--campaign", folder.path("c")};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = tool(words);
    EXPECT_EQ(ran.exit, 2) << ran.out;
    return ran.err;
  };
  std::vector<std::string> targets;
  for (int i = 0; i < 16; ++i) targets.insert(targets.end(), {"--target", "x86:table2"});
  EXPECT_TRUE(contains(refusal(targets), "a campaign has at most 15 targets, not 16"));
  EXPECT_TRUE(contains(refusal({"--target", "x86:table2", "--shard", "64/65"}),
                       "65 parts of a campaign with 64 streams: some would be empty"));
  EXPECT_TRUE(contains(refusal({"--target", "x86:table2", "--streams", "0"}), "--streams takes 1"));
  for (const char* shard : {"1/0", "1/1", "0/4294967297", "-1/4", "1/4x", "1", "/", " 1/4", "+1/4"})
    EXPECT_TRUE(contains(refusal({"--target", "x86:table2", "--shard", shard}),
                         "--shard takes I/N with 0 <= I < N, not '" + std::string(shard) + "'"))
        << shard;
  const Ran more =
      tool({"fuzz", "--model", "sc", "--target", "x86:table2", "--programs", "200", "--quiet",
            "--campaign", folder.path("d"), "--streams", "100", "--shard", "99/100"});
  EXPECT_LT(more.exit, 2) << more.err;
  EXPECT_TRUE(contains(more.out, "2 programs in ")) << "200 programs are dealt out: " << more.out;
}

/// Kills a child that becomes the program after a while; true where it had ended.
bool killed(const std::vector<std::string>& words, std::chrono::microseconds after) {
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execv(THINAIR_BINARY, argv.data());
    ::_exit(127);
  }
  std::this_thread::sleep_for(after);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status);
}

std::set<std::string> names_in(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    names.insert(entry.path().filename().string());
  return names;
}

TEST(Report, KilledAtRandomMomentsThePageIsWholeOrAbsent) {
  const char* wanted = std::getenv("THINAIR_KILLS"); // the nightly run asks for 100
  const int kills = wanted == nullptr ? 10 : std::atoi(wanted);
  const Folder folder;
  const auto place = campaign_in(folder), page = folder.path("c/report.html");
  using Clock = std::chrono::steady_clock;
  const std::vector<std::string> words = {"thinair", "report", place};
  const auto begin = Clock::now();
  ASSERT_EQ(shell(program + " report '" + place + "'").exit, 1);
  const auto usual =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count();
  const auto whole = read(page);
  litmus::Random random(23);
  int done = 0, written = 0;
  for (int round = 0; done < kills && round < 20 * kills; ++round) {
    std::filesystem::remove(page);
    if (killed(words, std::chrono::microseconds(random.between(0, usual)))) continue;
    ++done;
    if (!std::filesystem::exists(page)) continue;
    ++written;
    EXPECT_TRUE(read(page) == whole);
  }
  std::printf("of %d killed reports %d had written their page\n", done, written);
  EXPECT_EQ(done, kills);
  EXPECT_EQ(tool({"report", place}).exit, 1);
  EXPECT_TRUE(read(page) == whole);
  EXPECT_EQ(names_in(place), (std::set<std::string>{"campaign.db", "lock", "report.html"}));
}

} // namespace
} // namespace thinair::cli
