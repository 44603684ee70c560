// Campaigns against a real model and a real scheme: what the literature knows is found and reduced.
#include "campaign/model_target.h"
#include "gen/generator.h"
#include "gen/reduce.h"
#include "gen/tidy.h"
#include "tests/campaign/support.h"
#include "tests/support/draws.h"

#include <gtest/gtest.h>

#include <set>

namespace thinair::campaign {
namespace {

litmus::Program program_of(const char* text) { return litmus::parse({"test", text}).java(); }

constexpr const char* store_buffering_with_reads = R"(Java sb-rfis
{ x = 0; y = 0; X=x; Y=y; }
Thread0 { X.set(1); int a = X.getVolatile(); int b = Y.getVolatile(); }
Thread1 { Y.set(1); int c = Y.getVolatile(); int d = X.getVolatile(); }
exists (0:a=1)
)";

TEST(Target, SbRfisIsUnsoundForJam21AndCoherenceIsWhy) {
  const Aimed target("jam21", "x86:table2");
  const auto program = program_of(store_buffering_with_reads);
  const auto judgement = target->judge(program);
  ASSERT_EQ(judgement.verdict, Verdict::unsound);
  EXPECT_EQ(litmus::to_string(judgement.findings.front().behaviour),
            "0:a=1; 0:b=0; 1:c=1; 1:d=0; [x]=1; [y]=1");
  EXPECT_EQ(target.reason(program), "coherence: coinit, volint");
  const auto look = target->look(as_test(program, "sb-rfis"));
  EXPECT_EQ(look.judged.forbidden.size(), judgement.findings.size());
  EXPECT_FALSE(look.trace.empty());
  EXPECT_FALSE(look.side_by_side.empty());
}

TEST(Target, TheSameProgramIsSoundForTheLanguageSpecification) {
  EXPECT_EQ(Aimed("jls04", "x86:table2").verdict(program_of(store_buffering_with_reads)),
            Verdict::sound);
}

TEST(Target, AProgramWithoutAccessesIsSound) {
  const auto program =
      program_of("Java t\n{ x = 0; X=x; }\nThread0 { int r = 1; }\nexists (0:r=1)\n");
  for (const char* model : {"jam21", "jam19", "jls04", "sc", "tso"})
    EXPECT_EQ(Aimed(model, "x86:table2").verdict(program), Verdict::sound) << model;
}

TEST(Target, AModelIsATargetAndSeveralAreComparedAtOnce) {
  const auto sc = cat::load_model("sc", cat::Architecture::java);
  const Against against{.model = sc, .model_name = "sc"};
  const auto targets =
      make_targets({"model:tso", "x86:table2", "model:sc", "model:jls04"}, against);
  const auto program = program_of("Java sb\n{ x = 0; y = 0; X=x; Y=y; }\n"
                                  "Thread0 { X.set(1); int a = Y.get(); }\n"
                                  "Thread1 { Y.set(1); int b = X.get(); }\nexists (0:a=0)\n");
  const auto tso = targets[0]->judge(program);
  ASSERT_EQ(tso.verdict, Verdict::unsound);
  EXPECT_EQ(tso.findings, targets[1]->judge(program).findings);
  EXPECT_EQ(targets[2]->judge(program).verdict, Verdict::sound);
  const auto jls04 = targets[3]->judge(program); // says nothing of memory: registers are compared
  ASSERT_EQ(jls04.verdict, Verdict::unsound);
  EXPECT_EQ(litmus::to_string(jls04.findings.front().behaviour), "0:a=0; 1:b=0");
  EXPECT_EQ(as_text(targets[0]->why(program, false).reason), "sc: cobase, fr");
  EXPECT_THROW(make_target("model:jam12", against), InputError);
}

/// Values of every type, references, elements: what one model calls a value, the other does, too.
TEST(Target, ScIsWithinEveryModelWhateverIsDrawn) {
  for (const auto& target : model_kind.names()) {
    const std::string name = target.substr(std::string_view("model:").size());
    const Aimed sc(name, "model:sc");
    const auto known = cat::load_model(name, cat::Architecture::java).meaning.known;
    std::uint64_t sound = 0;
    for (const auto& profile : gen::profiles()) {
      gen::Generator drawn(gen::restricted(profile, known), 20261120, 0);
      for (std::uint64_t i = 0; i < test::draws(20); ++i) {
        const auto program = drawn.next().program;
        const auto verdict = sc.verdict(program);
        ASSERT_NE(verdict, Verdict::unsound) << name << "\n"
                                             << litmus::print(as_test(program, "drawn"));
        sound += verdict == Verdict::sound ? 1 : 0;
      }
    }
    EXPECT_GT(sound, 0U) << name;
  }
}

/// Several targets of one kind, and of several, each in the place of its name: whatever the order.
TEST(Target, EachIsInThePlaceOfItsName) {
  const auto sc = cat::load_model("sc", cat::Architecture::java);
  std::vector<std::string> names = {"x86:table2", "model:tso", "x86:hotspot-c1", "model:sc",
                                    "x86:llvm-O2"};
  std::ranges::sort(names);
  do {
    const auto targets = make_targets(names, {.model = sc});
    ASSERT_EQ(targets.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(targets[i]->name(), names[i]);
  } while (std::ranges::next_permutation(names).found);
}

/// Judging and looking for a reason end with the time, whatever the target.
TEST(Target, WhatIsAskedAfterTheDeadlineIsUnknown) {
  const auto program = program_of(store_buffering_with_reads);
  for (const char* name : {"x86:table2", "model:tso"}) {
    const Aimed target("jam21", name);
    EXPECT_NE(target.verdict(program), Verdict::unknown) << name;
    target->set_deadline(Deadline(Deadline::Clock::now()));
    const auto late = target->judge(program);
    EXPECT_EQ(late.verdict, Verdict::unknown) << name;
    EXPECT_NE(late.reason.text.find("time limit reached"), std::string::npos) << late.reason.text;
    EXPECT_EQ(target.reason(program), "not worked out") << name;
  }
}

/// What suits the most demanding of them, whichever stands first.
TEST(Target, TuningSuitsAll) {
  class Made : public Target {
   public:
    explicit Made(Tuning tuning) : Target("made"), tuning_(tuning) {}
    Tuning tuning() const override { return tuning_; }
    Judgement judge(const litmus::Program&, runners::SameProgram*) override { return {}; }
    Why why(const litmus::Program&, bool) override { return {}; }
    Look look(const litmus::Test&) override { return {}; }
    Explanation explain(const litmus::Test&, const litmus::State&) override { return {}; }

   private:
    Tuning tuning_;
  };
  static constexpr auto own = std::to_array<std::string_view>({"jvm"});
  const Tuning slow{.candidates = 40,
                    .chunk = 1,
                    .jobs = 32,
                    .grace_s = 30,
                    .grace_share = 0.25,
                    .learn_from_finds = false,
                    .profiles = own};
  for (const bool first : {true, false}) {
    Targets targets;
    targets.push_back(std::make_unique<Made>(first ? slow : Tuning{}));
    targets.push_back(std::make_unique<Made>(first ? Tuning{} : slow));
    const auto all = tuning_of(targets);
    EXPECT_EQ(all.candidates, 40U);
    EXPECT_EQ(all.chunk, 1U);
    EXPECT_EQ(all.jobs, 32U);
    EXPECT_EQ(all.grace_s, 30);
    EXPECT_EQ(all.grace_share, 0.25);
    EXPECT_FALSE(all.learn_from_finds);
    ASSERT_EQ(all.profiles.size(), 1U);
    EXPECT_EQ(all.profiles[0], "jvm");
  }
  EXPECT_EQ(tuning_of({}).chunk, Tuning{}.chunk);
}

/// Help, completion and errors are made from the rows: each must have what they need.
TEST(Target, EveryKindIsToldApartAndNamesWhatItHas) {
  std::set<std::string_view> prefixes;
  const auto sc = cat::load_model("sc", cat::Architecture::java);
  for (const auto& kind : target_kinds()) {
    EXPECT_TRUE(prefixes.insert(kind.prefix).second) << kind.prefix;
    EXPECT_TRUE(kind.prefix.ends_with(':')) << kind.prefix;
    EXPECT_TRUE(kind.form.starts_with(kind.prefix)) << kind.form;
    EXPECT_FALSE(kind.help.empty() || kind.help.ends_with('.')) << kind.help;
    EXPECT_FALSE(kind.names().empty()) << kind.prefix;
    for (const auto& name : kind.names()) {
      EXPECT_TRUE(name.starts_with(kind.prefix)) << name;
      if (name == kind.prefix) continue; // there are some, which nobody lists
      EXPECT_EQ(make_target(name, {.model = sc})->name(), name);
    }
    EXPECT_THROW(make_target(std::string(kind.prefix), {.model = sc}), InputError) << kind.prefix;
  }
  const auto error = error_of([&] { make_target("arm:cxx", {.model = sc}); });
  EXPECT_TRUE(error.starts_with("error: no target is called \"arm:cxx\"\n  hint: ")) << error;
}

/// The model's own verdicts decide, not the reducer's passes: every single edit made here by hand
/// leaves a sound program.
TEST(Target, AReductionIsMinimalUnderEditsOfAnotherHand) {
  const Aimed target("jam21", "x86:table2");
  const auto wrong = [&](const litmus::Program& program) {
    return target.verdict(program) == Verdict::unsound;
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

TEST(Target, WhatAnEngineLacksIsUnsupported) {
  const Aimed target("jam21", "x86:table2");
  const auto judgement = target->judge(program_of(
      "Java m\n{ x = 0; X=x; }\nThread0 { lock(m); X.set(1); unlock(m); }\nexists (x=1)\n"));
  EXPECT_EQ(judgement.verdict, Verdict::unsupported);
  EXPECT_NE(judgement.reason.text.find("monitors"), std::string::npos) << judgement.reason.text;
}

TEST(Target, AnUnknownTargetIsRefusedAtOnce) {
  EXPECT_THROW(Aimed("jam21", "x86:table3"), InputError);
}

TEST(Target, ACampaignFindsItWithoutBeingTold) {
  const Directory directory;
  auto settings = settings_for(directory.sub("c"), 250);
  settings.identity = {1, 16, "jam21", {"x86:table2"}, gen::print(settings.profile), "test"};
  const Aimed target("jam21", "x86:table2");
  const auto end =
      run(settings, [&](const auto& p, std::size_t) { return target->judge(p); }, {}, never);
  EXPECT_GE(end.distinct, 1U);
  for (const auto& row : Store::open_existing(settings.directory).mismatches()) {
    if (row.minimal.empty()) continue;
    EXPECT_LE(row.minimal_accesses, 8U) << "no longer than the paper's\n" << row.minimal;
    EXPECT_EQ(target.verdict(litmus::parse({"minimal", row.minimal}).java()), Verdict::unsound);
  }
}

} // namespace
} // namespace thinair::campaign
