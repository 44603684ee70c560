// Uniting stores: whole or not at all, whatever happens meanwhile.
#include "campaign/directory.h"
#include "campaign/sqlite.h"
#include "campaign/store.h"
#include "litmus/random.h"
#include "tests/campaign/support.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

namespace thinair::campaign {
namespace {

using Clock = std::chrono::steady_clock;

/// A campaign in three parts, and what a store of all of them says.
class Merge : public testing::Test {
 protected:
  static constexpr std::uint32_t parts = 3, programs = 400;

  void SetUp() override {
    whole_ = Store::open_existing(finished(directory_.sub("whole"), programs).directory).digest();
    auto settings = settings_for("", programs);
    settings.shards = parts;
    for (settings.shard = 0; settings.shard < parts; ++settings.shard) {
      settings.directory = part(settings.shard);
      run(settings, judge_store_load, {}, never);
    }
  }

  std::string part(std::uint32_t i) const { return directory_.sub("part" + std::to_string(i)); }
  std::vector<std::string> all() const { return {part(0), part(1), part(2)}; }

  Directory directory_;
  std::string whole_;
};

std::set<std::string> names_in(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory))
    names.insert(entry.path().filename().string());
  return names;
}

/// Kills a child that does `f` after a while; true where it had ended.
bool killed(const std::function<void()>& f, std::chrono::microseconds after) {
  const pid_t child = ::fork();
  if (child == 0) {
    said_by([&]() -> std::string {
      f();
      return "";
    });
    ::_exit(0);
  }
  std::this_thread::sleep_for(after);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status);
}

std::int64_t microseconds_of(const std::function<void()>& f) {
  const auto begin = Clock::now();
  f();
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count();
}

int kills_wanted() {
  const char* wanted = std::getenv("THINAIR_KILLS"); // the nightly run asks for 100
  return wanted == nullptr ? 10 : std::atoi(wanted);
}

TEST_F(Merge, KilledAtRandomMomentsItIsWholeOrAbsent) {
  const int kills = kills_wanted();
  litmus::Random random(17);
  const auto place = directory_.sub("all");
  const auto unite = [&] { Store::unite(place, all()); };
  const auto usual = microseconds_of(unite);
  int done = 0, whole = 0;
  for (int round = 0; done < kills && round < 200 + 20 * kills; ++round) {
    fs::remove(store_path(place));
    if (killed(unite, std::chrono::microseconds(random.between(0, usual + usual / 4)))) continue;
    ++done;
    if (!fs::exists(store_path(place))) continue;
    ++whole;
    EXPECT_TRUE(Store::open_existing(place).digest() == whole_);
  }
  EXPECT_EQ(done, kills);
  std::printf("of %d killed merges %d were done\n", done, whole);
  unite();
  EXPECT_TRUE(Store::open_existing(place).digest() == whole_);
  EXPECT_EQ(names_in(place), (std::set<std::string>{"campaign.db", "lock"}));
}

TEST_F(Merge, KilledAtRandomMomentsItKeepsWhatWasThere) {
  litmus::Random random(18);
  const auto place = directory_.sub("all"), first = directory_.sub("first");
  Store::unite(first, {part(0)});
  const auto before = Store::open_existing(first).digest();
  const auto unite = [&] { Store::unite(place, {part(1), part(2)}); };
  const auto reset = [&] {
    fs::create_directories(place);
    fs::copy_file(store_path(first), store_path(place), fs::copy_options::overwrite_existing);
  };
  reset();
  const auto usual = microseconds_of(unite);
  for (int i = 0; i < kills_wanted(); ++i) {
    reset();
    killed(unite, std::chrono::microseconds(random.between(0, usual + usual / 4)));
    const auto now = Store::open_existing(place).digest();
    EXPECT_TRUE(now == before || now == whole_);
  }
  reset();
  unite();
  EXPECT_TRUE(Store::open_existing(place).digest() == whole_);
  EXPECT_EQ(names_in(place), (std::set<std::string>{"campaign.db", "lock"}));
}

/// As on a disk that fills up, after ever more.
TEST_F(Merge, WithoutRoomNothingChanges) {
  const auto place = directory_.sub("all");
  Store::unite(place, {part(0)});
  const auto before = Store::open_existing(place).digest();
  std::size_t refused = 0;
  for (rlim_t room = 0; room < 400'000; room += 20'000) {
    const auto error = in_child([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{room, room};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      return error_of([&] { Store::unite(place, {part(1), part(2)}); });
    });
    if (error == "no error") break;
    ++refused;
    EXPECT_NE(error.find(": error: "), std::string::npos) << error;
    EXPECT_TRUE(Store::open_existing(place).digest() == before);
    EXPECT_FALSE(fs::exists(draft_path(place)));
  }
  EXPECT_GT(refused, 3U);
}

TEST_F(Merge, AWrongPartLeavesEverythingAsItWas) {
  const auto place = directory_.sub("all");
  Database(store_path(part(2)), false).execute("UPDATE coverage SET programs = programs + 1");
  EXPECT_NE(error_of([&] { Store::unite(place, all()); }).find("checksum"), std::string::npos);
  EXPECT_EQ(names_in(place), std::set<std::string>{"lock"});
  Store::unite(place, {part(0), part(1)});
  const auto before = Store::open_existing(place).digest();
  EXPECT_NE(error_of([&] { Store::unite(place, {part(2)}); }), "no error");
  EXPECT_NE(error_of([&] { Store::unite(place, {part(1)}); }).find("is in both stores"),
            std::string::npos);
  EXPECT_TRUE(Store::open_existing(place).digest() == before);
}

TEST_F(Merge, NobodyElseMayBeWriting) {
  const auto settings = settings_for(directory_.sub("all"), 10);
  const auto held = Store::open(settings.directory, settings.identity);
  EXPECT_EQ(error_of([&] { Store::unite(settings.directory, all()); }),
            settings.directory + ": error: another campaign is running in this directory");
}

/// A log beside the store that is replaced would be read as that of the new one.
TEST_F(Merge, TheLogOfAKilledCampaignIsNotTakenForItsOwn) {
  const auto place = directory_.sub("all");
  auto settings = settings_for(place, programs);
  settings.shards = parts;
  in_child([&]() -> std::string {
    run(settings, judge_store_load, {}, never);
    auto store = Store::open(settings.directory, settings.identity);
    store.add_sample({1, 2, 3, 4});
    ::_exit(0); // as if killed: the log stays
  });
  ASSERT_TRUE(fs::exists(store_path(place) + "-wal"));
  Store::unite(place, {part(1), part(2)});
  EXPECT_TRUE(Store::open_existing(place).digest() == whole_);
}

/// A draft that a killed merge left is nobody's.
TEST_F(Merge, ACampaignCleansUpToo) {
  const auto place = directory_.sub("c");
  fs::create_directories(place);
  write_bytes(draft_path(place), "half");
  write_bytes(draft_path(place) + "-wal", "half");
  finished(place, 20);
  EXPECT_EQ(names_in(place), (std::set<std::string>{"campaign.db", "lock"}));
}

TEST(Directories, KnowTheFilesOfAStoreByAnyName) {
  const Directory directory;
  const auto place = finished(directory.sub("c"), 20).directory;
  const auto link = directory.sub("link"), hard = directory.sub("hard");
  fs::create_symlink("c/campaign.db", link);
  fs::create_hard_link(store_path(place), hard);
  fs::create_symlink("c/campaign.db-wal", directory.sub("log")); // which is not there
  fs::create_directory_symlink("c", directory.sub("d"));
  for (const auto& path :
       {store_path(place), link, hard, directory.sub("log"), place + "/campaign.db-wal",
        place + "/campaign.db-shm", place + "/lock", directory.sub("d/campaign.db"),
        directory.sub("d/../c/campaign.db-journal"), draft_path(place)})
    EXPECT_TRUE(is_of_a_store(path, place)) << path;
  const auto other = finished(directory.sub("other"), 20).directory;
  EXPECT_TRUE(is_of_a_store(store_path(other), place)) << "another's";
  for (const auto* name : {"c/report.html", "report.html", "campaign.db-wal", "c/absent/lock"})
    EXPECT_FALSE(is_of_a_store(directory.sub(name), place)) << name;
}

} // namespace
} // namespace thinair::campaign
