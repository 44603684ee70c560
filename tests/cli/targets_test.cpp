// Every command that takes a target takes every kind of it, or says what is missing.
#include "campaign/target.h"
#include "cli/command.h"
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::cli {
namespace {

constexpr const char* store_buffering = "Java SB\n{ x = 0; y = 0; X=x; Y=y; }\n"
                                        "Thread0 { X.set(1); int a = Y.get(); }\n"
                                        "Thread1 { Y.set(1); int b = X.get(); }\n"
                                        "exists (0:a=0 /\\ 1:b=0)\n";

bool has(const Command& command, std::string_view option) {
  const auto options = options_of(command);
  return std::ranges::find(options, option, &Option::name) != options.end();
}

bool takes_any_target(const Command& command) {
  const auto options = options_of(command);
  return std::ranges::any_of(options, [](const Option& o) { return o.takes == Takes::any_target; });
}

/// A command line that asks about `target`, and ends soon: of a test, in a campaign, or of a model.
std::vector<std::string> line(const Command& command, const Folder& folder,
                              const std::string& target) {
  std::vector<std::string> words = {std::string(command.name), "--target", target};
  if (!has(command, "model"))
    words.insert(words.end(), {"sc", "--max-accesses", "1"});
  else
    words.insert(words.end(), {"--model", "sc"});
  if (has(command, "programs")) words.insert(words.end(), {"--programs", "2"});
  if (has(command, "campaign"))
    words.insert(words.end(), {"--campaign", folder.path("campaign"), "--quiet"});
  else if (has(command, "model"))
    words.push_back(folder.write("sb.litmus", store_buffering));
  return words;
}

/// One of a kind; a JVM that is not there: finding one is not what this is about.
std::string example_of(const campaign::TargetKind& kind) {
  const auto first = kind.names().front();
  return first == kind.prefix ? first + "/nowhere/at/all" : first;
}

TEST(Targets, EveryCommandTakesEveryKind) {
  std::size_t commands_with_targets = 0;
  for (const Command* command : commands()) {
    if (!takes_any_target(*command)) continue;
    ++commands_with_targets;
    for (const auto& kind : campaign::target_kinds()) {
      const Folder folder;
      const auto target = example_of(kind);
      SCOPED_TRACE(std::string(command->name) + " " + target);
      const Ran ran = tool(line(*command, folder, target));
      EXPECT_EQ(ran.err.find("no target is called"), std::string::npos) << ran.err;
      if (ran.exit == 2) {
        EXPECT_NE(ran.err.find("/nowhere/at/all"), std::string::npos) << ran.err;
      } else if (ran.exit == 3) { // what judges it is not here, or took too long
        EXPECT_NE((ran.out + ran.err).find("herd7"), std::string::npos) << ran.out << ran.err;
      } else {
        EXPECT_TRUE(ran.exit == 0 || ran.exit == 1) << ran.exit << "\n" << ran.err;
      }
      EXPECT_NE(tool({std::string(command->name), "--help"}).out.find(kind.form),
                std::string::npos);
    }
  }
  EXPECT_GE(commands_with_targets, 3U) << "sound, reduce and fuzz";
}

TEST(Targets, AKindThatIsNotThereIsOneErrorThatNamesThoseThatAre) {
  for (const Command* command : commands()) {
    if (!takes_any_target(*command)) continue;
    for (const char* wrong : {"arm:cxx", "table", "jit", ":", "x86"}) {
      const Folder folder;
      const Ran ran = tool(line(*command, folder, wrong));
      SCOPED_TRACE(std::string(command->name) + " " + wrong + "\n" + ran.err);
      EXPECT_EQ(ran.exit, 2);
      EXPECT_NE(ran.err.find("no target is called"), std::string::npos);
      const bool suggests = ran.err.find("did you mean") != std::string::npos;
      if (suggests) continue;
      for (const auto& kind : campaign::target_kinds())
        EXPECT_NE(ran.err.find(kind.form), std::string::npos) << kind.form;
    }
  }
}

/// Another model as the implementation: the same answer from each command.
TEST(Targets, SoundAndReduceSayTheSameOfAModel) {
  const Folder folder;
  const auto test = folder.write("sb.litmus", store_buffering);
  for (const auto& [model, exit] : {std::pair{"tso", 1}, {"sc", 0}}) {
    const std::string target = std::string("model:") + model;
    EXPECT_EQ(tool({"sound", test, "-m", "sc", "-t", target}).exit, exit);
    EXPECT_EQ(tool({"reduce", test, "-m", "sc", "-t", target}).exit, exit);
  }
}

} // namespace
} // namespace thinair::cli
