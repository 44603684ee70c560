// Stores that something else has changed: refused, or the same answers as before.
#include "campaign/sqlite.h"
#include "campaign/store.h"
#include "litmus/random.h"
#include "tests/campaign/support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <set>

namespace thinair::campaign {
namespace {

constexpr std::size_t header = 100; // SQLite's, at the beginning of the file

/// All that a store can be asked, times too.
std::string answers(const std::string& directory) {
  const auto store = Store::open_existing(directory);
  auto text = store.digest() + fmt::format("{}\n", store.elapsed_s());
  for (const auto& s : store.samples())
    text += fmt::format("{} {} {} {}\n", s.elapsed_s, s.programs, s.mismatches, s.distinct);
  for (const auto& row : store.mismatches())
    text += fmt::format("{} {} {} {} {}{}", row.found_after_s, row.steps, row.tried,
                        row.minimal_accesses, row.original, row.minimal);
  for (std::uint32_t stream = 0; stream < store.identity().streams; ++stream)
    for (const auto& row : store.pending(stream))
      text +=
          fmt::format("{} {} {} {} {}", row.stream, row.target, row.steps, row.tried, row.program);
  return text;
}

/// The same store in a directory of its own, with a byte of one of its files changed.
class Damaged {
 public:
  explicit Damaged(std::string directory) : directory_(std::move(directory)) {
    fs::create_directories(directory_);
  }

  void set(const std::string& name, const std::string& bytes) { files_[name] = bytes; }

  const std::string& with(const std::string& name, std::size_t at, unsigned char flipped) {
    for (const auto& entry : fs::directory_iterator(directory_)) fs::remove(entry);
    for (const auto& [file, bytes] : files_) {
      auto changed = bytes;
      if (file == name) changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(flipped));
      write_bytes(directory_ + "/" + file, changed);
    }
    return directory_;
  }

 private:
  std::string directory_;
  std::map<std::string, std::string> files_;
};

struct Flip {
  std::size_t at = 0;
  unsigned char bits = 0;
};

/// Every byte of the header and some of the others; with THINAIR_DAMAGES=all every byte of the
/// file, each in three ways.
std::vector<Flip> flips(std::size_t size, std::size_t some) {
  litmus::Random random(7);
  const auto bits = [&] { return static_cast<unsigned char>(random.between(1, 255)); };
  std::vector<Flip> out;
  if (std::getenv("THINAIR_DAMAGES") != nullptr) {
    for (std::size_t at = 0; at < size; ++at)
      for (const unsigned char b : {static_cast<unsigned char>(1U << at % 8), bits(), bits()})
        out.push_back({at, b});
    return out;
  }
  for (std::size_t at = 0; at < header; ++at) out.push_back({at, bits()});
  for (std::size_t i = 0; i < some; ++i)
    out.push_back(
        {static_cast<std::size_t>(random.between(0, static_cast<int>(size) - 1)), bits()});
  return out;
}

/// And if the campaign goes on, to the same end: tried on some of those that are not refused.
TEST(Damage, AnyChangedByteIsRefusedOrHarmless) {
  const Directory directory;
  const auto settings = finished(directory.sub("c"), 200);
  const auto whole = finished(directory.sub("whole"), 240).directory;
  const auto wanted = answers(settings.directory),
             wanted_in_the_end = Store::open_existing(whole).digest();
  const auto bytes = bytes_of(settings.directory + "/campaign.db");
  Damaged damaged(directory.sub("damaged"));
  damaged.set("campaign.db", bytes);
  std::size_t refused = 0, harmless = 0;
  for (const auto& [at, bits] : flips(bytes.size(), 300)) {
    SCOPED_TRACE(fmt::format("byte {} ^ {}", at, int{bits}));
    const auto& place = damaged.with("campaign.db", at, bits);
    std::string found, error;
    ASSERT_NO_THROW(error = error_of([&] { found = answers(place); }));
    if (error != "no error") {
      ++refused;
      continue;
    }
    EXPECT_TRUE(found == wanted);
    if (++harmless % 8 != 0) continue;
    const auto further = settings_for(place, 240);
    ASSERT_NO_THROW(error = error_of([&] { run(further, judge_store_load, {}, never); }));
    if (error == "no error") {
      EXPECT_TRUE(Store::open_existing(place).digest() == wanted_in_the_end);
    }
  }
  RecordProperty("refused", static_cast<int>(refused));
  RecordProperty("harmless", static_cast<int>(harmless));
  std::printf("of a store of %zu bytes %zu changes are refused and %zu are harmless\n",
              bytes.size(), refused, harmless);
  EXPECT_GT(refused, harmless / 4) << "most of the file is values";
}

/// What is damaged in the log of a killed campaign is lost as if it had been killed earlier, or
/// refused: it ends with the same store.
TEST(Damage, AnyChangedByteOfTheLogIsRefusedOrLikeAnEarlierKill) {
  const Directory directory;
  const auto whole = Store::open_existing(finished(directory.sub("whole"), 300).directory).digest();
  auto settings = settings_for(directory.sub("killed"), 300);
  in_child([&]() -> std::string {
    std::atomic<int> judged = 0;
    run(
        settings,
        [&](const litmus::Program& program, std::size_t target) {
          if (++judged == 500) ::_exit(0); // as if killed
          return judge_store_load(program, target);
        },
        {}, never);
    return "";
  });
  const auto log = bytes_of(settings.directory + "/campaign.db-wal");
  ASSERT_GT(log.size(), 20U * 4096);
  Damaged damaged(directory.sub("damaged"));
  damaged.set("campaign.db", bytes_of(settings.directory + "/campaign.db"));
  damaged.set("campaign.db-wal", log);
  litmus::Random random(8);
  int ended = 0;
  for (int i = 0; i < 40; ++i) {
    const auto at = static_cast<std::size_t>(random.between(0, static_cast<int>(log.size()) - 1));
    settings.directory = damaged.with("campaign.db-wal", at, 0x10);
    if (error_of([&] { run(settings, judge_store_load, {}, never); }) != "no error") continue;
    EXPECT_TRUE(Store::open_existing(settings.directory).digest() == whole) << "byte " << at;
    ++ended;
  }
  EXPECT_GT(ended, 10);
}

/// Each is a statement of SQL, so that SQLite finds nothing wrong.
constexpr auto wrong_values = std::to_array<const char*>({
    "UPDATE coverage SET programs = -1",
    "UPDATE coverage SET programs = 1 << 60",
    "UPDATE coverage SET programs = 'many'",
    "UPDATE coverage SET stream = 99 WHERE stream = 3",
    "UPDATE program SET verdicts = x'09' || substr(verdicts, 2)",
    "UPDATE program SET verdicts = x''",
    "UPDATE program SET verdicts = x'00000000'",
    "UPDATE program SET idx = -3",
    "UPDATE program SET stream = 16",
    "UPDATE program SET strategy = 1000",
    "UPDATE program SET hash = substr(hash, 2)",
    "UPDATE mismatch SET target = 2",
    "UPDATE mismatch SET target = -1",
    "UPDATE mismatch SET minimal = 'Jav' WHERE minimal != ''",
    "UPDATE mismatch SET minimal = original WHERE minimal != ''",
    "UPDATE mismatch SET minimal_hash = hash WHERE minimal != ''",
    "UPDATE mismatch SET original = replace(original, 'setVolatile', 'set')",
    "UPDATE mismatch SET original = 'X86 a' || char(10) || '{ x=0; }' || char(10) || 'P0 ;' || "
    "char(10) || 'nop ;' || char(10) || 'exists ([x]=0)'",
    "UPDATE mismatch SET found_after_s = 9e999",
    "UPDATE mismatch SET steps = -1",
    "UPDATE undecided SET verdict = 5",
    "UPDATE undecided SET program = ''",
    "UPDATE offer SET program = 'nothing'",
    "UPDATE offer SET stream = 99 WHERE place = 0 AND stream = (SELECT min(stream) FROM offer)",
    "UPDATE stream SET next_index = -1",
    "UPDATE stream SET reductions = 0.5",
    "UPDATE sample SET elapsed_s = -1",
    "UPDATE sample SET programs = NULL",
    "UPDATE clock SET elapsed_s = 9e999",
    "UPDATE identity SET key = 'sead' WHERE key = 'seed'",
    "UPDATE identity SET value = '5x' WHERE key = 'seed'",
    "UPDATE identity SET value = '0' WHERE key = 'streams'",
    "DELETE FROM identity WHERE key LIKE 'target%'",
    "ALTER TABLE stream RENAME COLUMN reductions TO deductions",
    "DROP TABLE sample",
    "CREATE TRIGGER late AFTER INSERT ON program BEGIN DELETE FROM program; END",
});

/// Values that cannot be are seen without checksums, too.
TEST(Damage, WrongValuesAreRefusedInStoresOfEveryVersion) {
  const Directory directory;
  const auto settings = finished(directory.sub("c"), 300);
  const auto newest = bytes_of(settings.directory + "/campaign.db");
  Database(settings.directory + "/campaign.db", false)
      .execute("DROP TABLE baseline; DROP TABLE checksum; PRAGMA user_version = 3");
  const auto older = bytes_of(settings.directory + "/campaign.db");
  const auto path = settings.directory + "/campaign.db";
  for (const auto& bytes : {newest, older})
    for (const char* wrong : wrong_values) {
      write_bytes(path, bytes);
      Database(path, false).execute(wrong);
      const auto changed = bytes_of(path);
      if (changed == bytes) continue; // no such row there
      const auto error = error_of([&] { Store::open_existing(settings.directory); });
      EXPECT_NE(error.find("the file is damaged or no campaign store; it was left as it is"),
                std::string::npos)
          << wrong << ": " << error;
      EXPECT_EQ(error_of([&] { Store::open(settings.directory, settings.identity); }), error);
      EXPECT_TRUE(bytes_of(path) == changed) << wrong;
    }
}

/// A value that could be right is noticed where there are checksums.
TEST(Damage, RightValuesInTheWrongPlaceAreRefused) {
  const Directory directory;
  const auto settings = finished(directory.sub("c"), 300);
  const auto path = settings.directory + "/campaign.db";
  const auto bytes = bytes_of(path);
  for (const char* wrong :
       {"UPDATE coverage SET programs = programs + 1 WHERE key LIKE 'drawn%'",
        "DELETE FROM program WHERE idx = 3", "UPDATE mismatch SET reason = 'another'",
        "UPDATE stream SET next_index = next_index + 1 WHERE stream = 2",
        "UPDATE identity SET value = '6' WHERE key = 'seed'",
        "INSERT INTO sample VALUES (1.0, 2, 3, 4)", "DELETE FROM checksum",
        "UPDATE checksum SET row_count = row_count - 1 WHERE name = 'program'",
        "PRAGMA user_version = 3"}) {
    write_bytes(path, bytes);
    Database(path, false).execute(wrong);
    ASSERT_FALSE(bytes_of(path) == bytes) << wrong;
    EXPECT_NE(error_of([&] { Store::open_existing(settings.directory); }), "no error") << wrong;
  }
}

TEST(Damage, WhatCampaignsWriteIsWhole) {
  const Directory directory;
  for (const char* profile : {"varhandle", "rmw", "thinair", "coherence"}) {
    auto settings = settings_for(directory.sub(profile), 200);
    settings.profile = gen::load_profile(profile);
    settings.identity.profile = gen::print(settings.profile);
    run(settings, judge_store_load, {}, never);
    const auto store = Store::open_existing(settings.directory);
    EXPECT_EQ(error_of([&] { store.examine(); }), "no error") << profile;
  }
}

/// A change that is given up takes its part of the sums with it.
TEST(Damage, WhatIsNotCommittedIsNotInTheSums) {
  const Directory directory;
  auto settings = finished(directory.sub("c"), 100);
  {
    auto store = Store::open(settings.directory, settings.identity);
    Chunk chunk;
    chunk.after = {3, 1000, 0, 0};
    chunk.programs.push_back({{{1, 2}}, {3, 7}, 0, {Verdict::sound, Verdict::sound}});
    chunk.coverage[coverage_key_in("drawn cycle").value()] = 5;
    Database other(settings.directory + "/campaign.db", false);
    other.execute(
        "CREATE TRIGGER never BEFORE INSERT ON stream BEGIN SELECT RAISE(ABORT, 'no'); END");
    EXPECT_NE(error_of([&] { store.commit(chunk); }), "no error");
    other.execute("DROP TRIGGER never");
    store.commit(chunk);
  }
  EXPECT_EQ(error_of([&] { Store::open_existing(settings.directory); }), "no error");
}

} // namespace
} // namespace thinair::campaign
