// Campaigns with a made-up judge: the same finds whatever the jobs, shards and kills.
#include "campaign/coverage.h"
#include "campaign/statement.h"
#include "litmus/random.h"
#include "litmus/text/counted.h"
#include "tests/campaign/support.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <thread>

namespace thinair::campaign {
namespace {

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
    EXPECT_EQ(as_text(row.minimal_finding.reason), "store-load");
    EXPECT_EQ(judge_store_load(litmus::parse({"minimal", row.minimal}).java(), 0).verdict,
              Verdict::unsound);
  }
  std::uint64_t total = 0;
  const auto second = store.verdict_counts()[1];
  for (const auto count : second) total += count;
  EXPECT_EQ(total, store.program_count());
  EXPECT_EQ(store.verdict_counts()[1][static_cast<std::size_t>(Verdict::unsound)], 0U);
}

const char* const store_load = R"(Java T
{ x = 0; y = 0; 0:X=x; 0:Y=y; }
Thread0 { X.setVolatile(1); int a = Y.getVolatile(); }
exists (0:a=0)
)";

TEST(Campaign, AReductionBeginsAtAShortcutThatHolds) {
  for (const bool holds : {true, false}) {
    const Directory directory;
    auto settings = settings_for(directory.sub("c"), 200);
    const std::string text = holds ? store_load
                                   : "Java T\n{ x = 0; 0:X=x; }\nThread0 { int a = "
                                     "X.get(); }\nexists (0:a=0)\n";
    Events events;
    events.shortcut = [&](const litmus::Program&, std::uint32_t) {
      return std::optional(litmus::parse({"shortcut", text}).java());
    };
    std::vector<std::uint64_t> accesses; // of programs that a reduction has come to
    events.reducing = [&](const litmus::Program& program, std::uint32_t) {
      accesses.push_back(litmus::count_accesses(program));
    };
    ASSERT_GE(run(settings, judge_store_load, events, never).distinct, 1U);
    const auto larger = std::ranges::count_if(accesses, [](auto n) { return n > 2; });
    EXPECT_EQ(larger > 0, !holds) << "the shortcut is minimal";
    for (const auto& row : Store::open_existing(directory.sub("c")).mismatches()) {
      if (row.minimal.empty()) continue;
      EXPECT_EQ(row.minimal_accesses, 2U) << row.minimal;
    }
  }
}

TEST(Campaign, WhatIsDrawnNeedNotDependOnFinds) {
  const Directory directory;
  const auto drawn = [&](const std::string& name, bool learn, const Judge& judge) {
    auto settings = settings_for(directory.sub(name), 600);
    settings.learn_from_finds = learn;
    run(settings, judge, {}, never);
    std::set<std::pair<std::uint64_t, litmus::ContentHash>> programs;
    Store::open_existing(settings.directory).each_program([&](const ProgramRow& row) {
      programs.insert({row.place.index * 1000 + row.place.stream, row.hash});
    });
    return programs;
  };
  const Judge nothing = [](const litmus::Program&, std::size_t) { return Judgement{}; };
  EXPECT_EQ(drawn("a", false, judge_store_load), drawn("b", false, nothing));
  EXPECT_NE(drawn("c", true, judge_store_load), drawn("d", true, nothing));
}

TEST(Campaign, TheFindsDoNotDependOnJobs) {
  const Directory directory;
  auto settings = settings_for(directory.sub("one"), 800);
  const auto one = digest_of(settings);
  settings.directory = directory.sub("four");
  settings.jobs = 4;
  EXPECT_TRUE(digest_of(settings) == one);
  EXPECT_NE(one.find("mismatch"), std::string::npos);
}

TEST(Campaign, WhoHearsOfProgramsBeforehandFindsTheSame) {
  const Directory directory;
  auto settings = settings_for(directory.sub("plain"), 800);
  const auto plain = digest_of(settings);
  settings.directory = directory.sub("ahead");
  settings.ahead = true;
  std::set<litmus::ContentHash> heard;
  std::uint64_t asked = 0, foreseen = 0;
  bool reduces = false;
  Events events;
  events.coming = [&](std::span<const litmus::Program> programs) {
    for (const auto& program : programs) heard.insert(litmus::content_hash(program));
    reduces = false;
  };
  const Judge judge = [&](const litmus::Program& program, std::size_t target) {
    const auto judgement = judge_store_load(program, target);
    asked += reduces ? 0 : 1;
    foreseen += !reduces && heard.contains(litmus::content_hash(program)) ? 1 : 0;
    reduces = reduces || (target == 0 && judgement.verdict == Verdict::unsound);
    return judgement;
  };
  run(settings, judge, events, never);
  EXPECT_TRUE(Store::open_existing(settings.directory).digest() == plain);
  EXPECT_GT(asked, 100U);
  EXPECT_EQ(foreseen, asked);
  settings.directory = directory.sub("half"); // resumed in the middle of what was foreseen
  for (const std::uint64_t programs : {150, 333, 800}) {
    settings.programs = programs;
    run(settings, judge_store_load, events, never);
  }
  EXPECT_TRUE(Store::open_existing(settings.directory).digest() == plain);
}

TEST(Campaign, MoreProgramsContinueWhereFewerEnded) {
  const Directory directory;
  auto settings = settings_for(directory.sub("split"), 200);
  run(settings, judge_store_load, {}, never);
  settings.programs = 700;
  const auto in_two = digest_of(settings);
  settings.directory = directory.sub("whole");
  EXPECT_TRUE(digest_of(settings) == in_two);
}

/// What the status line and the summary say, not only what is stored.
TEST(Campaign, NumbersAreOfAllRunsTogether) {
  const Directory directory;
  auto settings = settings_for(directory.sub("split"), 200);
  run(settings, judge_store_load, {}, never);
  settings.programs = 700;
  const auto second = run(settings, judge_store_load, {}, never);
  settings.directory = directory.sub("whole");
  const auto whole = run(settings, judge_store_load, {}, never);
  const auto numbers = [](const Progress& p) {
    return std::vector{p.programs, p.drawn,       p.mismatches, p.distinct,
                       p.unknown,  p.unsupported, p.coverage,   p.model_parts};
  };
  EXPECT_EQ(numbers(second), numbers(whole));
  const auto counts = Store::open_existing(settings.directory).coverage();
  EXPECT_EQ(whole.coverage, combinations_covered(counts)) << "of all streams together";
  // Rates are of the run alone: nearly all programs drawn are new ones.
  EXPECT_NEAR(second.programs_per_s / second.drawn_per_s, 1, 0.1);
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
  const auto part = [&](int i) { return directory.sub("shard" + std::to_string(i)); };
  const auto united = directory.sub("united");
  Store::unite(united, {part(0), part(1)});
  Store::unite(united, {part(2), part(3)}); // what is there is added to
  EXPECT_TRUE(Store::open_existing(united).digest() == whole);
  EXPECT_THROW(Store::unite(united, {part(0)}), InputError);
  EXPECT_TRUE(Store::open_existing(united).digest() == whole);
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
  litmus::Random random(99);
  const char* wanted = std::getenv("THINAIR_KILLS"); // the nightly run asks for 100
  const int kills = wanted == nullptr ? 10 : std::atoi(wanted);
  int done = 0;
  for (int round = 0; done < kills && round < 10 * kills; ++round) {
    settings.directory = directory.sub("killed" + std::to_string(round));
    settings.jobs = 1;
    while (done < kills && !killed_run(settings, std::chrono::milliseconds(random.between(1, 40))))
      ++done;
    settings.jobs = 2;
    EXPECT_TRUE(digest_of(settings) == whole);
  }
  EXPECT_EQ(done, kills);
}

Settings exhaustive_settings(const std::string& directory) {
  auto settings = settings_for(directory, 0);
  settings.programs.reset();
  settings.space = gen::Space{
      4, 2, 2, {litmus::Method::get, litmus::Method::getVolatile, litmus::Method::setVolatile}, {}};
  settings.identity.profile = gen::to_string(*settings.space);
  return settings;
}

TEST(Campaign, EveryPartHasItsStreamsAndEveryTargetItsPlace) {
  const Directory directory;
  const auto refusal = [&](std::uint32_t streams, std::uint32_t shards, std::size_t targets) {
    auto settings = settings_for(directory.sub("c"), 10);
    settings.identity.streams = streams;
    settings.identity.targets.resize(targets, "t");
    settings.shards = shards;
    return error_of([&] { run(settings, judge_store_load, {}, never); });
  };
  EXPECT_EQ(refusal(16, 17, 1),
            "error: 17 parts of a campaign with 16 streams: some would be empty\n  hint: at most "
            "16 parts, or 17 streams in every part");
  EXPECT_EQ(refusal(0, 1, 1), "error: a campaign has 1 to 65536 streams, not 0");
  EXPECT_EQ(refusal(65'537, 1, 1), "error: a campaign has 1 to 65536 streams, not 65537");
  EXPECT_EQ(refusal(16, 1, 16), "error: a campaign has at most 15 targets, not 16\n  hint: make "
                                "two campaigns of them");
  EXPECT_FALSE(fs::exists(directory.sub("c"))) << "refused before anything is written";
  EXPECT_EQ(refusal(17, 17, 15), "no error");
}

TEST(ExhaustiveCampaign, JudgesEveryProgramOnceAndReducesEveryMismatch) {
  const Directory directory;
  const auto settings = exhaustive_settings(directory.sub("c"));
  const auto end = run(settings, judge_store_load, {}, never);
  const auto all = gen::count(*settings.space);
  EXPECT_GT(all, 1000U);
  EXPECT_EQ(end.programs, all);
  EXPECT_EQ(end.drawn, all);
  EXPECT_EQ(end.total, all);
  EXPECT_EQ(end.distinct, 1U);
  const auto store = Store::open_existing(directory.sub("c"));
  EXPECT_GT(store.mismatches().size(), 50U);
  for (const auto& row : store.mismatches()) EXPECT_EQ(row.minimal_accesses, 2U) << row.original;
  EXPECT_EQ(statement(settings, end),
            "all " + text::grouped(all) +
                " programs with at most 4 accesses in at most 2 threads over at most 2 locations, "
                "of get, getVolatile, setVolatile: 1 minimal mismatch (" +
                text::grouped(end.mismatches) + " programs in all) between first, second and fake");
}

TEST(ExhaustiveCampaign, JobsShardsAndKillsDoNotMatter) {
  const Directory directory;
  auto settings = exhaustive_settings(directory.sub("whole"));
  const auto whole = digest_of(settings);
  settings.directory = directory.sub("killed");
  settings.jobs = 3;
  killed_run(settings, std::chrono::milliseconds(30));
  killed_run(settings, std::chrono::milliseconds(60));
  EXPECT_TRUE(digest_of(settings) == whole);
  std::vector<std::string> parts;
  settings.shards = 3;
  std::uint64_t total = 0;
  for (settings.shard = 0; settings.shard < 3; ++settings.shard) {
    settings.directory = directory.sub("shard" + std::to_string(settings.shard));
    total += *run(settings, judge_store_load, {}, never).total;
    parts.push_back(settings.directory);
  }
  EXPECT_EQ(total, gen::count(*settings.space));
  Store::unite(directory.sub("united"), parts);
  EXPECT_TRUE(Store::open_existing(directory.sub("united")).digest() == whole);
}

TEST(ExhaustiveCampaign, AStatementBeforeTheEndSaysSo) {
  const Directory directory;
  const auto settings = exhaustive_settings(directory.sub("c"));
  std::atomic<bool> stop = false;
  std::atomic<int> judged = 0;
  const Judge sound = [&](const litmus::Program&, std::size_t) -> Judgement {
    if (++judged == 100) stop = true;
    return {};
  };
  const auto end = run(settings, sound, {}, stop);
  const auto text = statement(settings, end);
  EXPECT_EQ(
      text.find(text::grouped(end.drawn) + " of " + text::grouped(*end.total) + " programs with "),
      0U)
      << text;
  EXPECT_NE(text.find(": no mismatch between first, second and fake so far"), std::string::npos);
}

TEST(Campaign, TheTimeLeftFollowsFromTheRate) {
  Progress progress;
  EXPECT_EQ(eta_s(progress), std::nullopt);
  progress.total = 100;
  EXPECT_EQ(eta_s(progress), std::nullopt);
  progress.drawn = 60;
  progress.drawn_per_s = 20;
  EXPECT_DOUBLE_EQ(*eta_s(progress), 2.0);
}

TEST(Campaign, NumbersAreGrouped) {
  EXPECT_EQ(text::grouped(0), "0");
  EXPECT_EQ(text::grouped(999), "999");
  EXPECT_EQ(text::grouped(1234567), "1,234,567");
}

/// Every run is over after a few questions: a reduction takes many runs.
TEST(Campaign, AReductionThatIsInterruptedGoesOnWhereItWas) {
  const Directory directory;
  auto settings = settings_for(directory.sub("whole"), 200);
  const auto whole = digest_of(settings);
  settings.directory = directory.sub("parts");
  bool pending = false;
  int runs = 0;
  for (std::uint64_t done = 0; done < *settings.programs; ++runs) {
    ASSERT_LT(runs, 2000);
    std::atomic<bool> stop = false;
    std::atomic<int> judged = 0;
    const Judge counting = [&](const litmus::Program& program, std::size_t target) {
      if (++judged == 80) stop = true;
      return judge_store_load(program, target);
    };
    done = run(settings, counting, {}, stop).drawn;
    const auto store = Store::open_existing(settings.directory);
    for (std::uint32_t s = 0; s < settings.identity.streams; ++s)
      pending = pending || !store.pending(s).empty();
  }
  EXPECT_TRUE(pending);
  EXPECT_TRUE(Store::open_existing(settings.directory).digest() == whole);
  EXPECT_NE(whole.find("mismatch"), std::string::npos);
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
  EXPECT_TRUE(digest_of(settings) == whole);
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

/// Bugs planted in one of forty pairs of methods, in one thread or between two.
Judgement judge_planted(const litmus::Program& program, std::size_t) {
  for (const auto& key : coverage_keys(program)) {
    const auto text = to_string(key);
    std::uint64_t hash = 14695981039346656037U; // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    if ((hash >> 20) % 40 == 0) return {Verdict::unsound, "", {{{}, explain::core_in(text)}}};
  }
  return {};
}

std::uint64_t distinct_finds(std::uint64_t seed, bool steer) {
  const Directory directory;
  auto settings = settings_for(directory.sub("c"), 800);
  settings.identity.seed = seed;
  settings.identity.streams = 1;
  settings.identity.targets = {"planted"};
  settings.steer = steer;
  return run(settings, judge_planted, {}, never).distinct;
}

TEST(Coverage, SteeringBeatsUniformDrawing) {
  std::uint64_t steered = 0, uniform = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    steered += distinct_finds(seed, true);
    uniform += distinct_finds(seed, false);
  }
  RecordProperty("steered", static_cast<int>(steered));
  RecordProperty("uniform", static_cast<int>(uniform));
  EXPECT_GT(steered * 10, uniform * 11) << steered << " and " << uniform << " finds";
}

/// What the model's parts say steers too, and whoever resumes steers the same way.
TEST(Coverage, PartsOfTheModelAreCountedAndResumed) {
  const auto parts = [](const litmus::Program& program) {
    CoverageKey key{CoverageKey::Kind::definition};
    key.part = "n" + std::to_string(litmus::count_accesses(program));
    return std::vector<CoverageKey>{key};
  };
  const Directory directory;
  auto whole = settings_for(directory.sub("whole"), 640);
  whole.model_parts = parts;
  auto halves = settings_for(directory.sub("halves"), 320);
  halves.model_parts = parts;
  const auto end = run(whole, judge_store_load, {}, never);
  EXPECT_GT(end.model_parts, 1U);
  run(halves, judge_store_load, {}, never);
  halves.programs = 640;
  halves.jobs = 2;
  run(halves, judge_store_load, {}, never);
  const auto counts = Store::open_existing(whole.directory).coverage();
  EXPECT_EQ(counts, Store::open_existing(halves.directory).coverage());
  EXPECT_GT(parts_covered(counts), 1U);
  EXPECT_EQ(Store::open_existing(whole.directory).digest(),
            Store::open_existing(halves.directory).digest());
}

TEST(Coverage, KeysSayWhatMeetsWhat) {
  const auto test = litmus::parse(
      {"t", "Java t\n{ x = 0; y = 0; X=x; Y=y; }\n"
            "Thread0 { X.setVolatile(1); fullFence(); int r1 = Y.get(); }\n"
            "Thread1 { int r1 = X.getAcquire(); int r2 = X.get(); }\nexists (0:r1=0)\n"});
  std::vector<std::string> texts;
  for (const auto& key : coverage_keys(test.java())) texts.push_back(to_string(key));
  std::ranges::sort(texts);
  EXPECT_EQ(texts,
            (std::vector<std::string>{"com get setVolatile", "com getAcquire setVolatile",
                                      "po-fence fullFence get", "po-fence setVolatile fullFence",
                                      "po-same getAcquire get"}));
}

} // namespace
} // namespace thinair::campaign
