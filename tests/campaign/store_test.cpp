// Stores that cannot be used: a clear message, and what was there stays as it was.
#include "campaign/sqlite.h"
#include "campaign/store.h"
#include "tests/campaign/support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <fstream>

namespace thinair::campaign {
namespace {

TEST(Store, TwoCampaignsInOneDirectory) {
  const Directory directory;
  const auto settings = settings_for(directory.sub("c"), 10);
  const auto held = Store::open(settings.directory, settings.identity);
  EXPECT_EQ(error_of([&] { Store::open(settings.directory, settings.identity); }),
            settings.directory + ": error: another campaign is running in this directory");
}

TEST(Store, AnotherCampaignInTheSameDirectory) {
  const Directory directory;
  auto settings = settings_for(directory.sub("c"), 10);
  {
    const auto made = Store::open(settings.directory, settings.identity);
  }
  settings.identity.seed = 6;
  EXPECT_EQ(error_of([&] { Store::open(settings.directory, settings.identity); }),
            settings.directory +
                ": error: this directory holds a campaign with another seed (5); choose another "
                "directory");
}

TEST(Store, AnotherProfileIsNotPrintedWhole) {
  const Directory directory;
  auto settings = settings_for(directory.sub("c"), 10);
  {
    const auto made = Store::open(settings.directory, settings.identity);
  }
  settings.identity.profile = "cycles = 1\n";
  EXPECT_EQ(error_of([&] { Store::open(settings.directory, settings.identity); }),
            settings.directory + ": error: this directory holds a campaign with another profile; "
                                 "choose another directory");
}

TEST(Store, AModelThatChangedIsAnotherCampaign) {
  const Directory directory;
  auto settings = settings_for(directory.sub("c"), 100);
  settings.identity.contents = {"one", {"two", ""}};
  run(settings, judge_store_load, {}, never);
  const auto before = Store::open_existing(settings.directory).digest();
  const auto refusal = [&](const Contents& contents) {
    auto other = settings.identity;
    other.contents = contents;
    return error_of([&] { Store::open(settings.directory, other); });
  };
  const std::string hint = " has changed since this campaign began\n  hint: put back what it was, "
                           "or choose another directory";
  EXPECT_EQ(refusal({"1", {"two", ""}}), settings.directory + ": error: model fake" + hint);
  EXPECT_EQ(refusal({"one", {"2", ""}}), settings.directory + ": error: target first" + hint);
  EXPECT_EQ(refusal({"one", {"two", ""}}), "no error");
  EXPECT_EQ(Store::open_existing(settings.directory).digest(), before);
  EXPECT_EQ(Store::open_existing(settings.directory).identity().contents,
            settings.identity.contents);
}

TEST(Store, PartsOfDifferentModelsAreNotUnited) {
  const Directory directory;
  auto settings = settings_for(directory.sub("part0"), 100);
  settings.shards = 2;
  settings.identity.contents = {"one", {}};
  run(settings, judge_store_load, {}, never);
  settings.directory = directory.sub("part1");
  settings.shard = 1;
  settings.identity.contents = {"two", {}};
  run(settings, judge_store_load, {}, never);
  EXPECT_EQ(error_of([&] { Store::unite(directory.sub("part0"), {directory.sub("part1")}); }),
            directory.sub("part0") + ": error: model fake has changed since this campaign began\n"
                                     "  hint: put back what it was, or choose another directory");
  EXPECT_EQ(error_of([&] {
              Store::unite(directory.sub("all"), {directory.sub("part0"), directory.sub("part1")});
            }),
            directory.sub("part1") +
                "/campaign.db: error: model fake is not the same in both campaigns");
}

/// It says nothing of contents: what they are now is taken to be what they were.
TEST(Store, AStoreWithoutContentsLearnsThem) {
  const Directory directory;
  auto settings = settings_for(directory.sub("c"), 100);
  run(settings, judge_store_load, {}, never);
  settings.identity.contents = {"one", {"two", "three"}};
  EXPECT_EQ(error_of([&] { Store::open(settings.directory, settings.identity); }), "no error");
  EXPECT_EQ(Store::open_existing(settings.directory).identity().contents,
            settings.identity.contents);
  settings.identity.contents.targets[1] = "3";
  EXPECT_NE(error_of([&] { Store::open(settings.directory, settings.identity); }), "no error");
}

TEST(Store, ACorruptedFileIsLeftAsItIs) {
  const Directory directory;
  const auto settings = settings_for(directory.sub("c"), 10);
  fs::create_directories(settings.directory);
  const std::string garbage(4096, 'x');
  std::ofstream(settings.directory + "/campaign.db") << garbage;
  EXPECT_NE(error_of([&] {
              Store::open(settings.directory, settings.identity);
            }).find("damaged or no campaign store"),
            std::string::npos);
  std::ifstream file(settings.directory + "/campaign.db");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), garbage);
}

TEST(Store, DamagedPagesAreNoticedAndLeftAsTheyAre) {
  const Directory directory;
  const auto settings = finished(directory.sub("c"), 300);
  const auto path = settings.directory + "/campaign.db";
  auto bytes = bytes_of(path);
  ASSERT_GT(bytes.size(), 5U * 4096);
  for (std::size_t page = 3; page * 4096 < bytes.size(); ++page)
    bytes.replace(page * 4096, 64, std::string(64, '\x5a'));
  std::ofstream(path, std::ios::binary) << bytes;
  const auto error = error_of([&] { Store::open(settings.directory, settings.identity); });
  EXPECT_NE(error.find("the file is damaged or no campaign store; it was left as it is"),
            std::string::npos)
      << error;
  EXPECT_NE(error_of([&] { Store::open_existing(settings.directory); }), "no error");
  EXPECT_EQ(bytes_of(path), bytes);
}

TEST(Store, ATruncatedFileIsNoticed) {
  const Directory directory;
  const auto settings = finished(directory.sub("c"), 300);
  const auto path = settings.directory + "/campaign.db";
  fs::resize_file(path, fs::file_size(path) / 2);
  const auto bytes = bytes_of(path);
  EXPECT_NE(error_of([&] { Store::open(settings.directory, settings.identity); }), "no error");
  EXPECT_EQ(bytes_of(path), bytes);
}

TEST(Store, AnotherProgramsDatabaseIsLeftAsItIs) {
  const Directory directory;
  const auto settings = settings_for(directory.sub("c"), 10);
  fs::create_directories(settings.directory);
  const auto path = settings.directory + "/campaign.db";
  { // a database with a table, made by nobody we know
    Database other(path, true);
    other.execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)");
  }
  const auto bytes = bytes_of(path);
  EXPECT_EQ(error_of([&] { Store::open(settings.directory, settings.identity); }),
            path + ": error: not a campaign store; it was left as it is");
  EXPECT_EQ(bytes_of(path), bytes);
}

/// Without the lines on programs that have no verdict: older stores do not say why.
std::string without_undecided(const std::string& directory) {
  const auto store = Store::open_existing(directory);
  auto digest = store.digest();
  for (const auto& row : store.undecided()) {
    const auto line =
        fmt::format("undecided {} {} {} {}\n{}\n", row.target, litmus::to_string(row.hash),
                    name(row.verdict), row.reason.text, row.program);
    digest.erase(digest.find(line), line.size());
  }
  return digest;
}

TEST(Store, AStoreOfAnOlderVersionIsBroughtUpToDate) {
  for (const char* older :
       {"DROP TABLE baseline; DROP TABLE checksum; PRAGMA user_version = 3",
        "DROP TABLE baseline; DROP TABLE checksum; DROP TABLE undecided; PRAGMA user_version = 2",
        "DROP TABLE baseline; DROP TABLE checksum; DROP TABLE undecided; DROP TABLE pending; "
        "PRAGMA user_version = 1"}) {
    const Directory directory;
    auto settings = finished(directory.sub("c"), 300);
    Database(settings.directory + "/campaign.db", false).execute(older);
    EXPECT_GT(Store::open_existing(settings.directory).program_count(), 0U);
    EXPECT_FALSE(Store::open_existing(settings.directory).has_checksums());
    settings.programs = 600;
    run(settings, judge_store_load, {}, never);
    EXPECT_FALSE(Store::open_existing(settings.directory).undecided().empty());
    EXPECT_TRUE(Store::open_existing(settings.directory).has_checksums());
    const auto whole = finished(directory.sub("whole"), 600).directory;
    EXPECT_EQ(without_undecided(settings.directory), without_undecided(whole)) << older;
  }
}

/// Version 4 has checksums, and nothing of baselines.
TEST(Store, AStoreFromBeforeBaselinesIsReadAndBroughtUpToDate) {
  const Directory directory;
  auto settings = finished(directory.sub("c"), 300);
  Database(settings.directory + "/campaign.db", false)
      .execute("DROP TABLE baseline; PRAGMA user_version = 4");
  EXPECT_TRUE(Store::open_existing(settings.directory).baseline_faults().empty());
  EXPECT_TRUE(Store::open_existing(settings.directory).has_checksums());
  settings.programs = 600;
  run(settings, judge_store_load, {}, never);
  EXPECT_EQ(Store::open_existing(settings.directory).version(), 5);
  EXPECT_EQ(Store::open_existing(settings.directory).digest(),
            Store::open_existing(finished(directory.sub("whole"), 600).directory).digest());
}

litmus::State state_in(const char* text) { return litmus::state_in(text).value(); }

/// The smallest program stays, whoever met it: a resumed run, or another part of the campaign.
TEST(Store, ABaselinesOwnFaultIsKept) {
  const Directory directory;
  auto settings = settings_for(directory.sub("c"), 100);
  const auto text = [](int n) {
    return fmt::format("Java program\n{{\n  x = 0;\n  0:X=x;\n}}\nThread0 {{\n  X.set({});\n}}\n",
                       n);
  };
  Events events;
  std::optional<BaselineFault> fault;
  events.baseline_fault = [&](std::uint32_t) { return fault; };
  const auto stored = [&](const std::string& where) {
    const auto rows = Store::open_existing(where).baseline_faults();
    return rows.empty() ? std::string() : rows.at(0).fault.program;
  };
  run(settings, judge_store_load, events, never);
  EXPECT_EQ(stored(settings.directory), "");
  fault = BaselineFault{3, text(1), state_in("0:r0=0")};
  settings.programs = 200;
  run(settings, judge_store_load, events, never);
  EXPECT_EQ(stored(settings.directory), text(1));
  fault = BaselineFault{4, text(2), state_in("0:r0=0")}; // larger
  settings.programs = 300;
  run(settings, judge_store_load, events, never);
  EXPECT_EQ(stored(settings.directory), text(1));
  fault = BaselineFault{2, text(3), state_in("0:r0=0")};
  settings.programs = 400;
  run(settings, judge_store_load, events, never);
  EXPECT_EQ(stored(settings.directory), text(3));
  Store::unite(directory.sub("united"), {settings.directory});
  EXPECT_EQ(stored(directory.sub("united")), text(3));
  Store::open_existing(settings.directory).examine();
}

TEST(Store, EveryProgramWithoutAVerdictHasItsReason) {
  const Directory directory;
  const auto settings = finished(directory.sub("c"), 400);
  const auto store = Store::open_existing(settings.directory);
  std::uint64_t unknown = 0;
  for (const auto& counts : store.verdict_counts())
    unknown += counts.at(static_cast<std::size_t>(Verdict::unknown));
  EXPECT_GT(unknown, 0U);
  const auto rows = store.undecided();
  EXPECT_EQ(rows.size(), unknown);
  for (const auto& row : rows) {
    EXPECT_EQ(row.verdict, Verdict::unknown);
    EXPECT_EQ(row.reason, "four threads are too many");
    const auto program = litmus::parse({"row", row.program}).java();
    EXPECT_EQ(program.threads.size(), 4U);
    EXPECT_EQ(litmus::content_hash(program), row.hash);
  }
}

/// No file may grow beyond what the store has now: as on a disk that fills up.
TEST(Store, NoRoomIsSaidAndWhatWasStoredStays) {
  const Directory directory;
  auto settings = finished(directory.sub("c"), 300);
  const auto before = Store::open_existing(settings.directory).program_count();
  settings.programs = 1500;
  const auto room = fs::file_size(settings.directory + "/campaign.db");
  const auto error = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{room, room};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return error_of([&] { run(settings, judge_store_load, {}, never); });
  });
  EXPECT_EQ(error.find(settings.directory + "/campaign.db: error: "), 0U) << error;
  EXPECT_NE(
      error.find("hint: reading or writing failed: is the disk full or gone, or a file at the "
                 "limit on sizes (ulimit -f)?"),
      std::string::npos)
      << error;
  EXPECT_GE(Store::open_existing(settings.directory).program_count(), before);
  run(settings, judge_store_load, {}, never); // there is room again
  const auto whole = finished(directory.sub("whole"), 1500);
  EXPECT_TRUE(Store::open_existing(settings.directory).digest() ==
              Store::open_existing(whole.directory).digest());
}

TEST(Store, AFullDiskIsSaidAndWhatWasStoredStays) {
  const Directory directory;
  const auto disk = directory.sub("disk");
  fs::create_directories(disk);
  if (::mount("none", disk.c_str(), "tmpfs", 0, "size=256k") != 0)
    GTEST_SKIP() << "only root can mount a small disk";
  auto settings = settings_for(disk + "/c", 20'000);
  const auto error = error_of([&] { run(settings, judge_store_load, {}, never); });
  EXPECT_NE(error.find("the disk is full: free some space and run the same command again"),
            std::string::npos)
      << error;
  EXPECT_GT(Store::open_existing(settings.directory).program_count(), 0U);
  EXPECT_EQ(::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0);
  settings.programs = 600;
  EXPECT_GE(run(settings, judge_store_load, {}, never).programs, 500U);
  ::umount(disk.c_str());
}

/// As somebody who may not write there, also where the tests run as root.
std::string as_nobody(const std::function<void()>& f) {
  return in_child([&]() -> std::string {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) return "still root";
    return error_of(f);
  });
}

TEST(Store, AReadOnlyDirectory) {
  const Directory directory;
  fs::permissions(directory.path(),
                  fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
  const auto settings = finished(directory.sub("c"), 100);
  const auto before = Store::open_existing(settings.directory).digest();
  const auto readable = fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                        fs::perms::others_exec;
  fs::permissions(settings.directory, readable);
  EXPECT_EQ(as_nobody([&] { Store::open(settings.directory, settings.identity); }),
            settings.directory + "/lock: error: Permission denied");
  EXPECT_EQ(as_nobody([&] { Store::open(settings.directory + "/new", settings.identity); }),
            settings.directory + "/new: error: Permission denied");
  fs::permissions(settings.directory, fs::perms::owner_all);
  EXPECT_TRUE(Store::open_existing(settings.directory).digest() == before);
}

TEST(Store, AStoreOfANewerVersion) {
  const Directory directory;
  const auto settings = settings_for(directory.sub("c"), 10);
  {
    const auto made = Store::open(settings.directory, settings.identity);
  }
  {
    std::fstream file(settings.directory + "/campaign.db",
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(60); // PRAGMA user_version, big-endian, in the header
    file.write("\0\0\0\x63", 4);
  }
  EXPECT_NE(error_of([&] {
              Store::open(settings.directory, settings.identity);
            }).find("written by a newer version"),
            std::string::npos);
}

TEST(Store, NoCampaignThere) {
  const Directory directory;
  EXPECT_EQ(error_of([&] { Store::open_existing(directory.path()); }),
            directory.path() + ": error: no campaign there (no campaign.db)");
}

TEST(Store, AFileWhereTheDirectoryShouldBe) {
  const Directory directory;
  std::ofstream(directory.sub("file")) << "x";
  const auto settings = settings_for(directory.sub("file"), 10);
  EXPECT_NE(error_of([&] { Store::open(settings.directory, settings.identity); }), "no error");
}

} // namespace
} // namespace thinair::campaign
