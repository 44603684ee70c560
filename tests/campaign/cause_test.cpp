// Causes: what is at fault is what was tried, and as few are told as explain everything.
#include "campaign/cause.h"
#include "gen/generator.h"
#include "lower/scheme_reader.h"
#include "oracle/cat/model.h"
#include "tests/campaign/support.h"
#include "tests/mutants/mutants.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

namespace thinair::campaign {
namespace {

using mutants::Mutant;

/// A campaign and its causes.
class Campaign {
 public:
  Campaign(const std::string& model, const std::vector<std::string>& targets,
           const gen::Profile& profile, std::uint64_t programs)
      : plan_(cat::load_model(model, cat::Architecture::java)),
        against_{.model = plan_, .model_name = model}, targets_(make_targets(targets, against_)) {
    auto settings = settings_for(directory_.sub("campaign"), programs);
    settings.profile = profile;
    settings.identity = {1, 16, model, targets, gen::print(profile), "1"};
    Events events;
    events.reason = [&](const litmus::Program& program, std::uint32_t target) {
      return targets_[target]->why(program, false);
    };
    run(
        settings,
        [&](const litmus::Program& program, std::size_t target) {
          return targets_[target]->judge(program);
        },
        events, never);
    groups_ = groups(Store::open_existing(settings.directory));
    causes_ = causes_of(groups_, targets_, against_);
  }

  Campaign(const std::string& model, const std::string& target, const gen::Profile& profile,
           std::uint64_t programs)
      : Campaign(model, std::vector{target}, profile, programs) {}

  const std::vector<Group>& found() const { return groups_; }
  const std::vector<Cause>& causes() const { return causes_; }

 private:
  const Directory directory_;
  const cat::Plan plan_;
  const Against against_;
  Targets targets_;
  std::vector<Group> groups_;
  std::vector<Cause> causes_;
};

/// Every group belongs to exactly one cause, no two causes say the same, and the numbers are those
/// of the groups.
void expect_a_partition(const Campaign& campaign) {
  std::vector<int> times(campaign.found().size());
  std::set<std::string> sentences;
  for (const auto& cause : campaign.causes()) {
    std::uint64_t originals = 0;
    for (const auto i : cause.members) {
      ++times.at(i);
      originals += campaign.found()[i].originals;
      EXPECT_LE(campaign.found()[cause.smallest].first.minimal_accesses,
                campaign.found()[i].first.minimal_accesses);
    }
    EXPECT_EQ(cause.originals, originals);
    EXPECT_TRUE(sentences.insert(cause.sentence).second) << cause.sentence;
    EXPECT_FALSE(cause.sentence.empty());
  }
  EXPECT_EQ(std::ranges::count(times, 1), std::ssize(times));
}

/// The rules that a mutant changes.
std::vector<std::string> changed_rules(const Mutant& mutant) {
  const auto right = lower::Target::named(mutant.of).scheme();
  const auto wrong = mutants::scheme_of(mutant).text();
  std::vector<std::string> out;
  for (const auto& rule : wrong.rules())
    if (wrong.code(rule) != right.code(rule)) out.push_back(to_string(rule));
  return out;
}

/// "setVolatile", "setVolatile reference"
lower::RuleName rule_called(const std::string& words) {
  const auto blank = words.find(' ');
  const auto operation = lower::operation_named(words.substr(0, blank)).value();
  if (blank == std::string::npos) return operation;
  return {operation, lower::rule_type_named(words.substr(blank + 1)).value()};
}

/// The scheme with the change that a cause names in words, made by hand: "`mfence` behind get".
std::string changed_as_told(const std::string& file, const Cause& cause) {
  auto text = lower::Target::named(file).scheme();
  const auto machine = text.name().substr(0, text.name().find(':'));
  const auto fenced = lower::Target::named(machine + ":fenced").scheme();
  const auto& fence = fenced.code(litmus::Fence::full);
  const bool behind = cause.change.find(" behind ") != std::string::npos;
  const bool before = cause.change.find(" before ") != std::string::npos;
  for (const auto& part : cause.parts) {
    const auto rule = rule_called(part);
    const auto own = text.code(rule);
    text.set_code(rule, behind || before ? (before ? fence : "") + own + (behind ? fence : "")
                                         : fenced.code(rule));
  }
  return print(text);
}

/// Who does what a cause says has mended all its programs.
void expect_that_the_change_mends(const Campaign& campaign, const Cause& cause,
                                  const std::string& file, const std::string& changed) {
  write_bytes(changed, changed_as_told(file, cause));
  const Aimed mended("java", changed);
  for (const auto i : cause.members) {
    const auto test = litmus::parse({"minimal", campaign.found()[i].first.minimal});
    const auto verdict = mended.verdict(test.java());
    EXPECT_TRUE(verdict == Verdict::sound || verdict == Verdict::vacuous) << cause.change << "\n"
                                                                          << litmus::print(test);
  }
}

/// Constructors with final fields end in a barrier, and it is that rule which lacks it, not that of
/// the write which hands the object over.
TEST(Causes, OfAFreezeThatIsForgottenNameIt) {
  for (const std::string of : {"aarch64:cxx", "riscv:hotspot-c1"}) {
    const Directory directory;
    const auto file = directory.sub("mutant.scheme");
    const auto machine = of.substr(0, of.find(':'));
    write_bytes(file,
                fmt::format("scheme {}:mutant \"\" like {}\nfreeze {{ nop }}\n", machine, of));
    const Campaign campaign("java", file, gen::load_profile("final"), 300);
    ASSERT_FALSE(campaign.causes().empty()) << of;
    expect_a_partition(campaign);
    const auto& first = campaign.causes().front();
    EXPECT_EQ(first.side, Cause::Side::target) << first.sentence;
    EXPECT_EQ(first.parts, std::vector<std::string>{"freeze"}) << first.sentence;
    expect_that_the_change_mends(campaign, first, file, directory.sub("mended.scheme"));
  }
}

class CausesOfMutants : public ::testing::TestWithParam<const Mutant*> {};

TEST_P(CausesOfMutants, NameTheRuleAtFaultFirst) {
  const Mutant& mutant = *GetParam();
  const Directory directory;
  const auto file = directory.sub("mutant.scheme");
  write_bytes(file, print(mutants::scheme_of(mutant).text()));
  auto profile = gen::load_profile(mutant.profile);
  profile.wide = mutant.wide;
  const Campaign campaign("java", file, profile, 400);
  ASSERT_FALSE(campaign.causes().empty()) << "nothing was found";
  expect_a_partition(campaign);
  const auto& first = campaign.causes().front();
  EXPECT_EQ(first.side, Cause::Side::target);
  EXPECT_EQ(first.parts, changed_rules(mutant)) << first.sentence;
  EXPECT_TRUE(first.place.starts_with(file + ":")) << first.place;
  EXPECT_NE(first.sentence.find(mutant.rules.substr(0, mutant.rules.find(' '))), std::string::npos);
  expect_that_the_change_mends(campaign, first, file, directory.sub("mended.scheme"));
  RecordProperty("causes", static_cast<int>(campaign.causes().size()));
}

/// What code in halves gets wrong is mended by taking a long whole on both sides: two rules of
/// many are exchanged, a store's and a load's, and no fence helps.
TEST(Causes, OfHalvesAreTheRulesOfBothSides) {
  const auto mutant = std::ranges::find(mutants::mutants(), "x86-long-in-halves", &Mutant::name);
  ASSERT_NE(mutant, mutants::mutants().end());
  const Directory directory;
  const auto file = directory.sub("mutant.scheme");
  write_bytes(file, print(mutants::scheme_of(*mutant).text()));
  const Campaign campaign("java", file, gen::load_profile("widths"), 400);
  ASSERT_FALSE(campaign.causes().empty()) << "nothing was found";
  expect_a_partition(campaign);
  const auto& first = campaign.causes().front();
  EXPECT_EQ(first.side, Cause::Side::target) << first.sentence;
  EXPECT_EQ(first.parts.size(), 2U) << first.sentence;
  for (const auto& part : first.parts) EXPECT_TRUE(part.ends_with(" long")) << part;
  EXPECT_NE(first.sentence.find("more fences do not help"), std::string::npos) << first.sentence;
  expect_that_the_change_mends(campaign, first, file, directory.sub("mended.scheme"));
}

/// Where few are drawn (sanitizers), every eighth.
std::vector<const Mutant*> mutants_of_rules() {
  std::vector<const Mutant*> out;
  const std::size_t step = test::draws(8) < 8 ? 8 : 1;
  std::size_t n = 0;
  for (const auto& mutant : mutants::mutants())
    if (!mutant.rules.empty() && changed_rules(mutant).size() == 1 && n++ % step == 0)
      out.push_back(&mutant);
  return out;
}

std::string test_name(const ::testing::TestParamInfo<const Mutant*>& info) {
  std::string out(info.param->name);
  std::ranges::replace(out, '-', '_');
  return out;
}

INSTANTIATE_TEST_SUITE_P(Each, CausesOfMutants, ::testing::ValuesIn(mutants_of_rules()), test_name);

/// One rule of a scheme of another machine than x86, with less ordering than it needs.
struct Planted {
  const char* base;
  const char* operation;
  const char* code;
  const char* profile = "varhandle";
};

constexpr auto planted = std::to_array<Planted>({
    {"aarch64:hotspot-c2", "getVolatile", "ldr dst, [x]"},
    {"aarch64:hotspot-c2", "getAcquire", "ldr dst, [x]"},
    {"aarch64:hotspot-c2", "setVolatile", "str arg, [x]"},
    {"aarch64:hotspot-c2", "setRelease", "str arg, [x]"},
    {"aarch64:hotspot-c2", "fullFence", "dmb ishst"},
    {"aarch64:hotspot-c2", "getAndAdd", "ldadd arg, dst, [x]", "rmw"},
    {"aarch64:hotspot-c2", "getAndSet", "swp arg, dst, [x]", "rmw"},
    {"aarch64:hotspot-c2", "compareAndSet",
     "mov tmp, exp; cas tmp, new, [x]; cmp tmp, exp; cset dst, eq", "rmw"},
    {"riscv:cxx", "getVolatile", "lw dst, [x]"},
    {"riscv:cxx", "getAcquire", "lw dst, [x]"},
    {"riscv:cxx", "setRelease", "sw arg, [x]"},
    {"riscv:cxx", "setVolatile", "sw arg, [x]"},
    {"riscv:cxx", "fullFence", "fence w, w"},
});

/// Where not all are drawn, every fifth: AArch64 and RISC-V take their time.
TEST(Causes, OfMistakesPlantedOnOtherMachinesNameTheRuleFirst) {
  const std::size_t step = test::draws(8) > 8 ? 1 : 5;
  for (std::size_t i = 0; i < planted.size(); i += step) {
    const auto& [base, operation, code, profile] = planted[i];
    const Directory directory;
    const auto file = directory.sub("planted.scheme");
    const std::string machine(base, std::string_view(base).find(':'));
    write_bytes(file, fmt::format("scheme {}:planted like {}\n{} {{ {} }}\n", machine, base,
                                  operation, code));
    const Campaign campaign("java", file, gen::load_profile(profile), 300);
    ASSERT_FALSE(campaign.causes().empty()) << base << " " << operation;
    const auto& first = campaign.causes().front();
    EXPECT_EQ(first.parts, std::vector<std::string>{operation}) << base << ": " << first.sentence;
    EXPECT_EQ(first.side, Cause::Side::target);
  }
}

TEST(Causes, OfTable2UnderJam21AreFew) {
  const Campaign campaign("jam21", "x86:table2", gen::load_profile("varhandle"), 3000);
  ASSERT_GE(campaign.found().size(), 5U);
  expect_a_partition(campaign);
  EXPECT_LE(campaign.causes().size(), 3U);
}

/// RISC-V's loop of LR and SC keeps no order with a later read, whoever writes it: schemes that
/// share the rule are of one cause, the compiler's levels of another, and the model is not blamed.
TEST(Causes, OfSeveralTargetsAreToldOnce) {
  const std::vector<std::string> schemes{"riscv:cxx", "riscv:zabha"};
  std::vector<std::string> levels{"riscv:llvm-O2"};
  if (test::draws(8) >= 8) levels.emplace_back("riscv:llvm-O1"); // else: sanitizers
  std::vector<std::string> all = schemes;
  all.insert(all.end(), levels.begin(), levels.end());
  const Campaign campaign("java", all, gen::load_profile("varhandle"), 1000);
  ASSERT_FALSE(campaign.causes().empty());
  expect_a_partition(campaign);
  std::size_t of_schemes = 0, of_levels = 0;
  for (const auto& cause : campaign.causes()) {
    EXPECT_EQ(cause.side, Cause::Side::target) << cause.sentence;
    const bool by_rule = !cause.place.empty();
    (by_rule ? of_schemes : of_levels) += 1;
    for (const auto& target : cause.targets)
      EXPECT_NE(std::ranges::find(by_rule ? schemes : levels, target),
                (by_rule ? schemes : levels).end())
          << target << ": " << cause.sentence;
    EXPECT_NE(cause.sentence.find("ompareAnd"), std::string::npos) << cause.sentence;
  }
  EXPECT_GT(of_schemes, 0U);
  EXPECT_EQ(of_levels, 1U) << "all are named after the getAcquire behind an exchange";
}

/// No scheme can be mended where a model is the implementation: the definitions are told.
TEST(Causes, OfAModelAreDefinitions) {
  const Campaign campaign("sc", "model:tso", gen::load_profile("java5"), 600);
  ASSERT_FALSE(campaign.causes().empty());
  expect_a_partition(campaign);
  for (const auto& cause : campaign.causes()) EXPECT_NE(cause.side, Cause::Side::target);
  EXPECT_EQ(campaign.causes().front().side, Cause::Side::model);
}

/// The strongest schemes show nothing but interleavings: no program is left wrong by a rule of
/// theirs, whatever the model.
TEST(FencedScheme, IsSequentiallyConsistentOnEveryMachine) {
  const auto sc = cat::load_model("sc", cat::Architecture::java, {.as_plain = true});
  for (const auto& machine : lower::machines()) {
    const auto target = make_target(std::string(machine->prefix) + ":fenced", {.model = sc});
    int judged = 0;
    for (const auto* name : {"varhandle", "rmw", "coherence"}) {
      gen::Generator drawn(gen::load_profile(name), 7, 0);
      for (int i = 0; i < 60; ++i) {
        const auto program = drawn.next().program;
        const auto judgement = target->judge(program);
        judged += judgement.verdict == Verdict::sound ? 1 : 0;
        EXPECT_NE(judgement.verdict, Verdict::unsound)
            << target->name() << " " << litmus::to_string(judgement.findings.front().behaviour)
            << "\n"
            << litmus::print(as_test(program, "program"));
      }
    }
    EXPECT_GT(judged, 150) << machine->prefix;
  }
}

} // namespace
} // namespace thinair::campaign
