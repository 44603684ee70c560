// Campaigns with a made-up judge: the same finds whatever the jobs, shards and kills.
#include "campaign/campaign.h"
#include "campaign/coverage.h"
#include "gen/walk.h"
#include "litmus/random.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace thinair::campaign {
namespace {

namespace fs = std::filesystem;

/// A directory of the test's own, gone at its end.
class Directory {
 public:
  Directory() {
    std::string name = (fs::temp_directory_path() / "thinair-campaign-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() {
    std::error_code ignored;
    fs::permissions(path_, fs::perms::owner_all, ignored);
    fs::remove_all(path_, ignored);
  }
  std::string sub(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

/// "Wrong" where a volatile write is followed by a volatile read of another location in some
/// thread.
Judgement judge_store_load(const litmus::Program& program, std::size_t target) {
  for (const auto& thread : program.threads) {
    const litmus::Access* before = nullptr;
    for (const auto& statement : thread.body) {
      const auto* access = std::get_if<litmus::Access>(&statement.node);
      if (access == nullptr) continue;
      if (before != nullptr && before->method == litmus::Method::setVolatile &&
          access->method == litmus::Method::getVolatile && before->location != access->location &&
          target == 0)
        return {Verdict::unsound, "", {{"0:r1=0", "store-load"}}};
      before = access;
    }
  }
  if (program.threads.size() == 4) return {Verdict::unknown, "four threads are too many", {}};
  return {};
}

Settings settings_for(const std::string& directory, std::uint64_t programs) {
  Settings settings;
  settings.directory = directory;
  settings.profile = gen::load_profile("varhandle");
  settings.identity = {5, 16, "fake", {"first", "second"}, gen::print(settings.profile), "1"};
  settings.programs = programs;
  return settings;
}

const std::atomic<bool> never = false;

std::string digest_of(const Settings& settings, const Judge& judge = judge_store_load) {
  run(settings, judge, {}, never);
  return Store::open_existing(settings.directory).digest();
}

TEST(Campaign, FindsReducesAndRemembers) {
  const Directory directory;
  const auto settings = settings_for(directory.sub("c"), 600);
  std::vector<MismatchRow> announced;
  Events events;
  events.new_minimal = [&](const MismatchRow& row) { announced.push_back(row); };
  const auto progress = run(settings, judge_store_load, events, never);
  EXPECT_GT(progress.mismatches, 5U);
  EXPECT_GE(progress.distinct, 1U);
  EXPECT_GT(progress.unknown, 0U);
  EXPECT_EQ(announced.size(), progress.distinct);
  const auto store = Store::open_existing(directory.sub("c"));
  EXPECT_EQ(store.program_count(), progress.programs);
  for (const auto& row : store.mismatches()) {
    EXPECT_EQ(row.target, 0U);
    if (row.minimal.empty()) continue;
    EXPECT_EQ(row.minimal_accesses, 2U) << row.minimal;
    EXPECT_EQ(row.minimal_finding.reason, "store-load");
    EXPECT_EQ(judge_store_load(litmus::parse({"minimal", row.minimal}).java(), 0).verdict,
              Verdict::unsound);
  }
  std::uint64_t total = 0;
  const auto second = store.verdict_counts()[1];
  for (const auto count : second) total += count;
  EXPECT_EQ(total, store.program_count());
  EXPECT_EQ(store.verdict_counts()[1][static_cast<std::size_t>(Verdict::unsound)], 0U);
}

TEST(Campaign, TheFindsDoNotDependOnJobs) {
  const Directory directory;
  auto settings = settings_for(directory.sub("one"), 800);
  const auto one = digest_of(settings);
  settings.directory = directory.sub("four");
  settings.jobs = 4;
  EXPECT_EQ(digest_of(settings), one);
  EXPECT_NE(one.find("mismatch"), std::string::npos);
}

TEST(Campaign, MoreProgramsContinueWhereFewerEnded) {
  const Directory directory;
  auto settings = settings_for(directory.sub("split"), 200);
  run(settings, judge_store_load, {}, never);
  settings.programs = 700;
  const auto in_two = digest_of(settings);
  settings.directory = directory.sub("whole");
  EXPECT_EQ(digest_of(settings), in_two);
}

TEST(Campaign, FourShardsUniteToTheWhole) {
  const Directory directory;
  auto settings = settings_for(directory.sub("whole"), 600);
  const auto whole = digest_of(settings);
  settings.shards = 4;
  for (settings.shard = 0; settings.shard < 4; ++settings.shard) {
    settings.directory = directory.sub("shard" + std::to_string(settings.shard));
    run(settings, judge_store_load, {}, never);
  }
  auto united = Store::open(directory.sub("united"), settings.identity);
  for (int i = 0; i < 4; ++i)
    united.merge(Store::open_existing(directory.sub("shard" + std::to_string(i))));
  EXPECT_EQ(united.digest(), whole);
  EXPECT_THROW(united.merge(Store::open_existing(directory.sub("shard0"))), InputError);
}

/// Runs the campaign in a child and kills it after a while; true when it had already ended.
bool killed_run(const Settings& settings, std::chrono::milliseconds after) {
  const pid_t child = ::fork();
  if (child == 0) {
    run(settings, judge_store_load, {}, never);
    ::_exit(0);
  }
  std::this_thread::sleep_for(after);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status);
}

TEST(Campaign, KilledAtRandomMomentsItEndsWithTheSameStore) {
  const Directory directory;
  auto settings = settings_for(directory.sub("whole"), 600);
  const auto whole = digest_of(settings);
  settings.directory = directory.sub("killed");
  litmus::Random random(99);
  const char* wanted = std::getenv("THINAIR_KILLS"); // the nightly run asks for 100
  const int kills = wanted == nullptr ? 10 : std::atoi(wanted);
  int done = 0;
  for (int i = 0;
       i < kills && !killed_run(settings, std::chrono::milliseconds(random.between(1, 40))); ++i)
    ++done;
  EXPECT_GT(done, 0);
  settings.jobs = 2;
  EXPECT_EQ(digest_of(settings), whole);
}

TEST(Campaign, AStopEndsItAndNothingIsLost) {
  const Directory directory;
  auto settings = settings_for(directory.sub("whole"), 500);
  const auto whole = digest_of(settings);
  settings.directory = directory.sub("stopped");
  std::atomic<bool> stop = false;
  std::atomic<int> judged = 0;
  const Judge counting = [&](const litmus::Program& program, std::size_t target) {
    if (++judged == 100) stop = true;
    return judge_store_load(program, target);
  };
  run(settings, counting, {}, stop);
  EXPECT_LT(Store::open_existing(settings.directory).program_count(), 200U);
  EXPECT_EQ(digest_of(settings), whole);
}

TEST(Campaign, AJudgeThatBreaksEndsTheCampaignWithItsError) {
  const Directory directory;
  const Judge broken = [](const litmus::Program&, std::size_t) -> Judgement {
    throw Bug("broken judge");
  };
  EXPECT_THROW(run(settings_for(directory.sub("c"), 50), broken, {}, never), Bug);
}

TEST(Campaign, ProgramsAreShared) {
  std::uint64_t total = 0;
  for (std::uint32_t s = 0; s < 16; ++s) total += share(1003, s, 16);
  EXPECT_EQ(total, 1003U);
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

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
                "--campaign directory");
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

TEST(Coverage, KeysSayWhatMeetsWhat) {
  const auto test = litmus::parse(
      {"t", "Java t\n{ x = 0; y = 0; X=x; Y=y; }\n"
            "Thread0 { X.setVolatile(1); fullFence(); int r1 = Y.get(); }\n"
            "Thread1 { int r1 = X.getAcquire(); int r2 = X.get(); }\nexists (0:r1=0)\n"});
  EXPECT_EQ(coverage_keys(test.java()),
            (std::vector<std::string>{"com get setVolatile", "com getAcquire setVolatile",
                                      "po-fence fullFence get", "po-fence setVolatile fullFence",
                                      "po-same getAcquire get"}));
}

} // namespace
} // namespace thinair::campaign
