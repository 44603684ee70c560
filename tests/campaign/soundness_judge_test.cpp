// Campaigns against a real model and a real scheme: what the literature knows is found and reduced.
#include "campaign/campaign.h"
#include "campaign/soundness_judge.h"
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
  EXPECT_EQ(judge.reason(program, seen.observables, seen.forbidden.at(0)), "coherence");
}

TEST(SoundnessJudge, TheSameProgramIsSoundForTheLanguageSpecification) {
  SoundnessJudge judge(cat::load_model("jls04", cat::Architecture::java), {"x86:table2"});
  EXPECT_EQ(judge(program_of(store_buffering_with_reads), 0).verdict, Verdict::sound);
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
