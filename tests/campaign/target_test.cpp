// Campaigns against a real model and a real scheme: what the literature knows is found and reduced.
#include "campaign/campaign.h"
#include "campaign/soundness_judge.h"
#include "gen/reduce.h"
#include "gen/tidy.h"
#include "litmus/text/error.h"
#include "oracle/cat/model.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace thinair::campaign {
namespace {

cat::Plan jam21() { return cat::load_model("jam21", cat::Architecture::java); }

litmus::Program program_of(const char* text) { return litmus::parse({"test", text}).java(); }

constexpr const char* store_buffering_with_reads = R"(Java sb-rfis
{ x = 0; y = 0; X=x; Y=y; }
Thread0 { X.set(1); int a = X.getVolatile(); int b = Y.getVolatile(); }
Thread1 { Y.set(1); int c = Y.getVolatile(); int d = X.getVolatile(); }
exists (0:a=1)
)";

TEST(SoundnessJudge, SbRfisIsUnsoundForJam21AndCoherenceIsWhy) {
  SoundnessJudge judge(jam21(), {"x86:table2"});
  const auto program = program_of(store_buffering_with_reads);
  const auto judgement = judge(program, 0);
  ASSERT_EQ(judgement.verdict, Verdict::unsound);
  EXPECT_EQ(judgement.findings.front().behaviour, "0:a=1; 0:b=0; 1:c=1; 1:d=0; [x]=1; [y]=1");
  const auto seen = judge.look(program, 0);
  EXPECT_EQ(judge.reason(program, seen.observables, seen.forbidden.at(0)),
            "coherence: coinit, volint");
}

TEST(SoundnessJudge, TheSameProgramIsSoundForTheLanguageSpecification) {
  SoundnessJudge judge(cat::load_model("jls04", cat::Architecture::java), {"x86:table2"});
  EXPECT_EQ(judge(program_of(store_buffering_with_reads), 0).verdict, Verdict::sound);
}

TEST(SoundnessJudge, AProgramWithoutAccessesIsSound) {
  const auto program =
      program_of("Java t\n{ x = 0; X=x; }\nThread0 { int r = 1; }\nexists (0:r=1)\n");
  for (const char* model : {"jam21", "jam19", "jls04", "sc", "tso"}) {
    SoundnessJudge judge(cat::load_model(model, cat::Architecture::java), {"x86:table2"});
    EXPECT_EQ(judge(program, 0).verdict, Verdict::sound) << model;
  }
}

TEST(SoundnessJudge, AModelIsATargetAndSeveralAreComparedAtOnce) {
  SoundnessJudge judge(cat::load_model("sc", cat::Architecture::java),
                       {"model:tso", "x86:table2", "model:sc", "model:jls04"});
  const auto program = program_of("Java sb\n{ x = 0; y = 0; X=x; Y=y; }\n"
                                  "Thread0 { X.set(1); int a = Y.get(); }\n"
                                  "Thread1 { Y.set(1); int b = X.get(); }\nexists (0:a=0)\n");
  const auto tso = judge(program, 0);
  ASSERT_EQ(tso.verdict, Verdict::unsound);
  EXPECT_EQ(tso.findings, judge(program, 1).findings);
  EXPECT_EQ(judge(program, 2).verdict, Verdict::sound);
  const auto jls04 = judge(program, 3); // says nothing of memory: registers are compared
  ASSERT_EQ(jls04.verdict, Verdict::unsound);
  EXPECT_EQ(jls04.findings.front().behaviour, "0:a=0; 1:b=0");
  EXPECT_EQ(judge.reason(program, 0), "sc: cobase, fr");
  EXPECT_THROW(SoundnessJudge(jam21(), {"model:jam12"}), InputError);
}

/// The model's own verdicts decide, not the reducer's passes: every single edit made here by hand
/// leaves a sound program.
TEST(SoundnessJudge, AReductionIsMinimalUnderEditsOfAnotherHand) {
  SoundnessJudge judge(jam21(), {"x86:table2"});
  const auto wrong = [&](const litmus::Program& program) {
    return judge(program, 0).verdict == Verdict::unsound;
  };
  const auto figure5 = litmus::parse(
      litmus::read_file(std::string(THINAIR_SOURCE_DIR) + "/corpus/jmt/JMT-Fig5.litmus"));
  for (const auto& program : {program_of(store_buffering_with_reads), figure5.java()}) {
    ASSERT_TRUE(wrong(program));
    const auto minimal = gen::reduce(program, [&](const litmus::Program& p) {
                           return wrong(p) ? gen::Interest::yes : gen::Interest::no;
                         }).program;
    for (std::size_t t = 0; t < minimal.threads.size(); ++t) {
      auto fewer = minimal;
      fewer.threads[t].body.clear();
      EXPECT_FALSE(wrong(gen::tidy(fewer))) << litmus::print(as_test(minimal, "minimal"));
      for (std::size_t s = 0; s < minimal.threads[t].body.size(); ++s) {
        auto shorter = minimal;
        auto& body = shorter.threads[t].body;
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(s));
        EXPECT_FALSE(wrong(gen::tidy(shorter))) << litmus::print(as_test(minimal, "minimal"));
        auto plainer = minimal;
        auto* access = std::get_if<litmus::Access>(&plainer.threads[t].body[s].node);
        if (access == nullptr || litmus::is_rmw(info(access->method).action)) continue;
        const auto plain =
            litmus::reads(info(access->method).action) ? litmus::Method::get : litmus::Method::set;
        if (access->method == plain) continue;
        access->method = plain;
        EXPECT_FALSE(wrong(plainer)) << litmus::print(as_test(minimal, "minimal"));
      }
    }
  }
}

TEST(SoundnessJudge, WhatAnEngineLacksIsUnsupported) {
  SoundnessJudge judge(jam21(), {"x86:table2"});
  const auto judgement = judge(
      program_of(
          "Java m\n{ x = 0; X=x; }\nThread0 { lock(m); X.set(1); unlock(m); }\nexists (x=1)\n"),
      0);
  EXPECT_EQ(judgement.verdict, Verdict::unsupported);
  EXPECT_NE(judgement.reason.find("monitors"), std::string::npos) << judgement.reason;
}

TEST(SoundnessJudge, AnUnknownTargetIsRefusedAtOnce) {
  EXPECT_THROW(SoundnessJudge(jam21(), {"x86:table3"}), InputError);
}

TEST(SoundnessJudge, ACampaignFindsItWithoutBeingTold) {
  std::string directory =
      (std::filesystem::temp_directory_path() / "thinair-judge-XXXXXX").string();
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  Settings settings;
  settings.directory = directory + "/c";
  settings.profile = gen::load_profile("varhandle");
  settings.identity = {1, 16, "jam21", {"x86:table2"}, gen::print(settings.profile), "test"};
  settings.programs = 250;
  SoundnessJudge judge(jam21(), settings.identity.targets);
  const std::atomic<bool> never = false;
  const auto end =
      run(settings, [&](const auto& p, std::size_t t) { return judge(p, t); }, {}, never);
  EXPECT_GE(end.distinct, 1U);
  for (const auto& row : Store::open_existing(settings.directory).mismatches()) {
    if (row.minimal.empty()) continue;
    EXPECT_LE(row.minimal_accesses, 8U) << "no longer than the paper's\n" << row.minimal;
    EXPECT_EQ(judge(litmus::parse({"minimal", row.minimal}).java(), 0).verdict, Verdict::unsound);
  }
  std::filesystem::remove_all(directory);
}

} // namespace
} // namespace thinair::campaign
