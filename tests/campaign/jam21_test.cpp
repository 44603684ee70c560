// What every campaign of JAM 2021 against jMT's table of x86 instructions finds, and how soon.
#include "gen/reduce.h"
#include "oracle/cat/model.h"
#include "tests/campaign/support.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace thinair::campaign {
namespace {

litmus::Program corpus_program(const std::string& name) {
  return litmus::parse(
             litmus::read_file(std::string(THINAIR_SOURCE_DIR) + "/corpus/jmt/" + name + ".litmus"))
      .java();
}

litmus::Program reduced(const Aimed& target, const litmus::Program& program) {
  return gen::reduce(program,
                     [&](const litmus::Program& p) { return interest_of(target.verdict(p)); })
      .program;
}

/// The reasons of both mismatches of the paper (jMT, section 7), by our engine.
struct Paper {
  std::string figure5, store_buffering;
  litmus::ContentHash smallest_store_buffering;
};

Paper paper() {
  const Aimed target("jam21", "x86:table2");
  const auto rfis = reduced(target, corpus_program("JMT-SB+rfis"));
  return {target.reason(corpus_program("JMT-Fig5")), target.reason(rfis),
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
  const Aimed target("jam21", "x86:table2");
  const auto figure5 = reduced(target, corpus_program("JMT-Fig5"));
  EXPECT_EQ(target.reason(figure5), "coherence: cofinal, coinit, volint");
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
  const Aimed target("jam21", "x86:table2");
  std::set<std::string> reasons;
  std::set<litmus::ContentHash> minimal;
  std::atomic<bool> stop = false;
  Events events;
  events.reason = [&](const litmus::Program& p, std::uint32_t) { return target->why(p, false); };
  events.new_minimal = [&](const MismatchRow& row) {
    EXPECT_LE(row.minimal_accesses, 8U) << "no longer than the paper's\n" << row.minimal;
    reasons.insert(as_text(row.minimal_finding.reason));
    minimal.insert(row.minimal_hash);
    stop = minimal.size() >= 5 && reasons.contains(known.figure5) &&
           reasons.contains(known.store_buffering) &&
           (!whole || minimal.contains(known.smallest_store_buffering));
  };
  const auto end =
      run(settings, [&](const auto& p, std::size_t) { return target->judge(p); }, events, stop);
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
