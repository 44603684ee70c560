// What every campaign of JAM 2021 against jMT's table of x86 instructions finds, and how soon.
#include "campaign/soundness_judge.h"
#include "gen/reduce.h"
#include "oracle/cat/model.h"
#include "tests/campaign/support.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace thinair::campaign {
namespace {

cat::Plan jam21() { return cat::load_model("jam21", cat::Architecture::java); }

litmus::Program corpus_program(const std::string& name) {
  return litmus::parse(
             litmus::read_file(std::string(THINAIR_SOURCE_DIR) + "/corpus/jmt/" + name + ".litmus"))
      .java();
}

litmus::Program reduced(SoundnessJudge& judge, const litmus::Program& program) {
  return gen::reduce(program,
                     [&](const litmus::Program& p) {
                       return judge(p, 0).verdict == Verdict::unsound ? gen::Interest::yes
                                                                      : gen::Interest::no;
                     })
      .program;
}

/// The reasons of both mismatches of the paper (jMT, section 7), by our engine.
struct Paper {
  std::string figure5, store_buffering;
  litmus::ContentHash smallest_store_buffering;
};

Paper paper() {
  SoundnessJudge judge(jam21(), {"x86:table2"});
  const auto rfis = reduced(judge, corpus_program("JMT-SB+rfis"));
  return {judge.reason(corpus_program("JMT-Fig5"), 0), judge.reason(rfis, 0),
          litmus::content_hash(rfis)};
}

/// In Figure 5 the coherence of two writes decides (`cofinal`), with no part of the model but those
/// for volatile accesses; in SB+rfis there are no two such writes.
TEST(PaperMismatches, HaveReasonsOfTheirOwn) {
  const Paper known = paper();
  EXPECT_EQ(known.figure5, "coherence: cofinal, volint");
  EXPECT_EQ(known.store_buffering, "coherence: coinit, po-loc, volint");
}

/// A store of 0 looks like the initial value: then it takes the rule that this comes first, too.
TEST(PaperMismatches, Figure5ReducesToFiveAccesses) {
  SoundnessJudge judge(jam21(), {"x86:table2"});
  const auto figure5 = reduced(judge, corpus_program("JMT-Fig5"));
  EXPECT_EQ(judge.reason(figure5, 0), "coherence: cofinal, coinit, volint");
  EXPECT_EQ(litmus::count_accesses(figure5), 5U);
}

/// Ends when the reasons of both are found; the number of programs is what counts.
class EachSeed : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(EachSeed, FindsBothReasonsOfThePaper) {
  const Directory directory;
  const Paper known = paper();
  const bool whole = std::getenv("THINAIR_WHOLE_CAMPAIGNS") != nullptr; // the nightly run's
  auto settings = settings_for(directory.sub("c"), whole ? 20'000 : 6'000);
  settings.identity = {GetParam(), 64, "jam21", {"x86:table2"}, gen::print(settings.profile), "1"};
  SoundnessJudge judge(jam21(), settings.identity.targets);
  std::set<std::string> reasons;
  std::set<litmus::ContentHash> minimal;
  std::atomic<bool> stop = false;
  Events events;
  events.reason = [&](const litmus::Program& p, std::uint32_t t) {
    return Why{judge.reason(p, t), ""};
  };
  events.new_minimal = [&](const MismatchRow& row) {
    EXPECT_LE(row.minimal_accesses, 8U) << "no longer than the paper's\n" << row.minimal;
    reasons.insert(row.minimal_finding.reason);
    minimal.insert(row.minimal_hash);
    stop = minimal.size() >= 5 && reasons.contains(known.figure5) &&
           reasons.contains(known.store_buffering) &&
           (!whole || minimal.contains(known.smallest_store_buffering));
  };
  const auto end =
      run(settings, [&](const auto& p, std::size_t t) { return judge(p, t); }, events, stop);
  RecordProperty("programs", static_cast<int>(end.programs));
  EXPECT_TRUE(reasons.contains(known.figure5)) << "after " << end.programs;
  EXPECT_TRUE(reasons.contains(known.store_buffering)) << "after " << end.programs;
  EXPECT_GE(minimal.size(), 5U);
  if (whole) {
    EXPECT_TRUE(minimal.contains(known.smallest_store_buffering)) << "after " << end.programs;
  }
}

INSTANTIATE_TEST_SUITE_P(Some, EachSeed, ::testing::Values(1, 2, 3, 4, 5));

} // namespace
} // namespace thinair::campaign
