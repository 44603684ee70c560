// A kind of target in one file: an implementation that loses every write. What a campaign, a
// reduction and a question need is here; one row makes it known to the rest of the program.
#include "campaign/judged_target.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "oracle/answer.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <map>

namespace thinair::house {
namespace {

using campaign::Against;
using campaign::Explanation;
using campaign::Look;

class Forgetful : public campaign::JudgedTarget {
 public:
  using JudgedTarget::JudgedTarget;

  Look look(const litmus::Test& test) override {
    Look out;
    out.judged = judged(test, against().with);
    out.code = "every write is lost\n";
    return out;
  }

 protected:
  /// Reads give what their location begins with. Only registers are looked at.
  runners::Judged judged(const litmus::Test& test,
                         const runners::SoundnessOptions& options) override {
    std::map<litmus::Observable, litmus::Value> read;
    const auto& program = test.java();
    for (std::uint32_t t = 0; t < program.threads.size(); ++t)
      for (const auto& statement : program.threads[t].body) {
        const auto* access = std::get_if<litmus::Access>(&statement.node);
        if (access == nullptr || litmus::is_rmw(info(access->method).action))
          throw Unsupported("unsupported: more than gets and sets, by the toy");
        if (!access->target) continue;
        const auto& name = program.threads[t].registers[access->target->value].name;
        read[{litmus::ThreadId(t), name}] = program.locations[access->location.value].initial;
      }
    litmus::Test asked = test;
    asked.clauses.clear();
    runners::Judged out;
    litmus::Behaviour shown;
    for (const auto& [observable, value] : read) {
      out.observables.push_back(observable);
      shown.push_back(value);
    }
    asked.locations = out.observables;
    oracle::Oracle oracle(asked, model(), options.oracle);
    out.behaviours = {shown};
    const auto answer = oracle.allows(shown);
    if (answer == oracle::Answer::forbidden) out.forbidden = out.behaviours;
    out.verdict = answer == oracle::Answer::forbidden ? runners::Soundness::unsound
                  : answer == oracle::Answer::allowed ? runners::Soundness::sound
                                                      : runners::Soundness::unknown;
    return out;
  }

  void show(Explanation& out, const litmus::Test& /*test*/, const Look& look,
            const litmus::Proposition& /*asked*/) override {
    out.lowered = look.code;
  }
};

const auto kinds = std::to_array<campaign::TargetKind>({{
    .prefix = "toy:",
    .form = "toy:forgetful",
    .help = "an implementation that loses every write",
    .names = [] { return std::vector<std::string>{"toy:forgetful"}; },
    .make = [](const std::string& name,
               const Against& against) -> std::unique_ptr<campaign::Target> {
      if (name != "toy:forgetful") throw InputError("error: there is one toy: toy:forgetful");
      return std::make_unique<Forgetful>(name, against);
    },
}});

constexpr const char* read_back = "Java back\n{ x = 0; y = 0; X=x; Y=y; }\n"
                                  "Thread0 { X.set(1); int r = X.get(); int s = Y.get(); }\n"
                                  "Thread1 { Y.setVolatile(1); }\nexists (0:r=0)\n";

TEST(ToyTarget, IsJudgedReducedFuzzedReportedAndToldOf) {
  const campaign::MoreKinds more(kinds);
  const cli::Folder folder;
  const auto test = folder.write("back.litmus", read_back);
  const auto sound = cli::tool({"sound", test, "-m", "sc", "-t", "toy:forgetful"});
  EXPECT_EQ(sound.exit, 1) << sound.err;
  EXPECT_NE(sound.out.find("0:r=0; 0:s=0"), std::string::npos) << sound.out;
  const auto reduced = cli::tool({"reduce", test, "-m", "sc", "-t", "toy:forgetful"});
  EXPECT_EQ(reduced.exit, 1) << reduced.err;
  EXPECT_EQ(reduced.out.find("Thread1"), std::string::npos) << reduced.out;
  const auto store = folder.path("campaign");
  const auto fuzzed = cli::tool({"fuzz", "-m", "sc", "-t", "toy:forgetful", "-n", "60", "-p",
                                 "java5", "-c", store, "--quiet"});
  EXPECT_EQ(fuzzed.exit, 1) << fuzzed.err;
  const auto report = cli::tool({"report", store, "--markdown"});
  EXPECT_EQ(report.exit, 1) << report.err;
  EXPECT_NE(report.out.find("every write is lost"), std::string::npos);
  EXPECT_NE(report.out.find("thinair sound - --model sc --target toy:forgetful"),
            std::string::npos);
  EXPECT_NE(cli::tool({"fuzz", "--help"}).out.find("toy:forgetful"), std::string::npos);
  EXPECT_NE(cli::tool({"completion", "bash"}).out.find("toy:forgetful"), std::string::npos);
  const auto wrong = cli::tool({"sound", test, "-m", "sc", "-t", "toy:other"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("there is one toy"), std::string::npos) << wrong.err;
}

TEST(ToyTarget, IsGoneWithItsRow) {
  EXPECT_EQ(cli::tool({"fuzz", "--help"}).out.find("toy:forgetful"), std::string::npos);
  const cli::Folder folder;
  EXPECT_EQ(
      cli::tool({"sound", folder.write("t.litmus", read_back), "-m", "sc", "-t", "toy:forgetful"})
          .exit,
      2);
}

} // namespace
} // namespace thinair::house
