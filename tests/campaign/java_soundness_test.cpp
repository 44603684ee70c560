// The model `java` allows what the shipped compilers and schemes for x86 make of random programs.
#include "campaign/code_target.h"
#include "gen/generator.h"
#include "oracle/cat/model.h"
#include "tests/campaign/support.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace thinair::campaign {
namespace {

std::uint64_t programs() {
  const char* given = std::getenv("THINAIR_JAVA_PROGRAMS"); // the nightly run asks for 5,000
  return given != nullptr ? std::strtoull(given, nullptr, 10) : test::draws(60);
}

TEST(JavaModel, IsSoundOnX86) {
  const auto java = cat::load_model("java", cat::Architecture::java);
  const auto targets = make_targets(code_names(lower::Machine::x86), {.model = java});
  std::size_t judged = 0, undecided = 0;
  for (const auto* name : {"varhandle", "rmw", "thinair", "coherence"}) {
    gen::Generator drawn(gen::load_profile(name), 20261119, 0);
    for (std::uint64_t i = 0; i < programs() / 4 + 1; ++i) {
      const auto program = drawn.next().program;
      for (const auto& target : targets) {
        const auto judgement = target->judge(program);
        ++judged;
        undecided += is_undecided(judgement.verdict);
        EXPECT_NE(judgement.verdict, Verdict::unsound)
            << target->name() << " " << judgement.findings.front().behaviour << "\n"
            << litmus::print(as_test(program, "program"));
      }
    }
  }
  fmt::print("{} judgements, {} undecided\n", judged, undecided);
  EXPECT_LT(50 * undecided, judged);
}

/// The test above can fail: per-location coherence as the implementation is not enough for volatile
/// accesses.
TEST(JavaModel, RefusesWhatOrdersNoLocations) {
  const cat::LoadOptions load{.as_plain = true};
  const auto java = cat::load_model("java", cat::Architecture::java);
  const auto coherence = make_target("model:coherence", {.model = java, .load = load});
  const auto store_buffering =
      litmus::parse({"sb", "Java SB\n{ x = 0; y = 0; X=x; Y=y; }\n"
                           "Thread0 { X.setVolatile(1); int r = Y.getVolatile(); }\n"
                           "Thread1 { Y.setVolatile(1); int r = X.getVolatile(); }\n"
                           "exists (0:r=0 /\\ 1:r=0)\n"})
          .java();
  EXPECT_EQ(coherence->judge(store_buffering).verdict, Verdict::unsound);
}

} // namespace
} // namespace thinair::campaign
