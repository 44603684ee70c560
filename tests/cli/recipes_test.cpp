// The recipes of docs/fuzzing.md do what the page says: Slurm's batch script, run as Slurm runs it.
#include "tests/cli/tool.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

namespace thinair::cli {
namespace {

/// The indented block of the page that begins with this line, as a file.
std::string block(const std::string& first) {
  std::istringstream page(read(THINAIR_SOURCE_DIR "/docs/fuzzing.md"));
  std::string text, line;
  constexpr std::size_t indent = 4;
  while (std::getline(page, line)) {
    const bool indented = line.starts_with(std::string(indent, ' '));
    if (text.empty() && line != std::string(indent, ' ') + first) continue;
    if (!indented) break;
    text += line.substr(indent) + "\n";
  }
  return text;
}

const std::string& recipe() {
  static const std::string text = block("#!/bin/bash");
  return text;
}

/// Runs it as part 7 with this in the place of thinair, signals the script alone once that has
/// begun (`begun` is there), and says how the script ended.
Ran as_slurm(const Folder& folder, const std::string& program, const std::string& begun,
             const std::string& signal) {
  const auto script = folder.write("fuzz.sh", recipe());
  const auto tool = folder.write("bin/thinair", program);
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  return shell(fmt::format("cd '{0}'\nPATH='{0}/bin':$PATH SLURM_ARRAY_TASK_ID=7 bash fuzz.sh "
                           "</dev/null &\nn=0\nwhile [ ! -e '{1}' ] && [ $n -lt 3000 ]; do sleep "
                           "0.01; n=$((n+1)); done\nkill -{2} $!\nwait $!\necho \"ended $?\"",
                           folder.path(), begun, signal));
}

TEST(Slurm, WarnsTheScriptAndRequeuesIt) {
  const auto& text = recipe();
  ASSERT_FALSE(text.empty()) << "the recipe is not in docs/fuzzing.md any more";
  std::string options;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("#SBATCH ")) options += line.substr(7);
  for (const char* option : {" --signal=B:TERM@", " --requeue", " --time="})
    EXPECT_NE(options.find(option), std::string::npos) << option << " in" << options;
  std::smatch array, parts;
  ASSERT_TRUE(std::regex_search(options, array, std::regex("--array=0-([0-9]+)")));
  ASSERT_TRUE(std::regex_search(text, parts, std::regex("SLURM_ARRAY_TASK_ID/([0-9]+)\"")));
  EXPECT_EQ(std::stoi(array[1]) + 1, std::stoi(parts[1])) << "every part has its job";
  EXPECT_LE(std::stoi(parts[1]), 64) << "more need --streams";
}

/// The program hears of the warning and ends as it likes; findings are no failure.
TEST(Slurm, TheWarningIsHandedOnAndAFindingIsNoFailure) {
  for (const auto& [code, shown] : {std::pair(0, 0), {1, 0}, {3, 0}, {2, 2}, {4, 4}}) {
    const Folder folder;
    const Ran ran =
        as_slurm(folder,
                 fmt::format("#!/bin/sh\ntrap 'sleep 0.2; echo warned; exit {}' TERM\n: >begun\n"
                             "for n in $(seq 1200); do sleep 0.05; done\n",
                             code),
                 folder.path("begun"), "TERM");
    EXPECT_EQ(ran.out, fmt::format("warned\nended {}\n", shown)) << ran.err;
  }
}

TEST(Slurm, ItsEndWithoutAWarningIsSeenToo) {
  for (const auto& [code, shown] : {std::pair(0, 0), {1, 0}, {3, 0}, {2, 2}, {4, 4}}) {
    const Folder folder;
    const Ran ran = as_slurm(folder, fmt::format("#!/bin/sh\n: >begun\nexit {}\n", code),
                             folder.path("begun"), "0");
    EXPECT_NE(ran.out.find(fmt::format("ended {}\n", shown)), std::string::npos) << ran.out;
  }
}

/// The program itself: warned, it ends with a store that is whole.
TEST(Slurm, ThinairEndsInAnOrderlyWay) {
  const Folder folder;
  const auto store = folder.path("part7/campaign.db");
  const Ran ran = as_slurm(folder, "#!/bin/sh\nexec '" THINAIR_BINARY "' \"$@\"\n", store, "TERM");
  EXPECT_EQ(ran.out.substr(ran.out.find("ended ")), "ended 0\n") << ran.out << ran.err;
  EXPECT_NE(ran.out.find(" programs in "), std::string::npos) << "the summary: " << ran.out;
  EXPECT_EQ(tool({"store", "check", folder.path("part7")}).exit, 0);
  EXPECT_FALSE(std::filesystem::exists(store + "-wal")) << "closed in an orderly way";
}

} // namespace
} // namespace thinair::cli
