// docs/tutorial.md: its commands are run one by one, and print what stands below them.
#include "tests/cli/tool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <vector>

namespace thinair::cli {
namespace {

const std::string root = THINAIR_SOURCE_DIR;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

/// Times differ from run to run.
std::string timeless(const std::string& line) {
  static const std::regex seconds(R"( in [0-9.]+ s)");
  return std::regex_replace(line, seconds, " in some time");
}

/// Whether the lines are those of the page, in which `…` stands for any number of lines.
bool agree(const std::vector<std::string>& page, std::size_t p, const std::vector<std::string>& got,
           std::size_t g) {
  if (p == page.size()) return g == got.size();
  if (page[p] == "…") {
    for (std::size_t next = g; next <= got.size(); ++next)
      if (agree(page, p + 1, got, next)) return true;
    return false;
  }
  return g < got.size() && timeless(page[p]) == timeless(got[g]) && agree(page, p + 1, got, g + 1);
}

struct Command {
  std::string line;
  std::vector<std::string> prints;
};

/// What is between ``` of the page: files to write, commands to run.
struct Block {
  std::string file; // empty: commands
  std::string text;
  std::vector<Command> commands;
};

std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> out;
  bool inside = false;
  for (const auto& line : lines_of(page)) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) out.push_back({line.starts_with("```litmus ") ? line.substr(10) : "", "", {}});
    } else if (inside && !out.back().file.empty()) {
      out.back().text += line + "\n";
    } else if (inside && line.starts_with("$ ")) {
      out.back().commands.push_back({line.substr(2), {}});
    } else if (inside) {
      out.back().commands.back().prints.push_back(line);
    }
  }
  return out;
}

TEST(Tutorial, PrintsWhatItSays) {
  if (tool({"scheme", "list"}).out.find("not in this build") != std::string::npos)
    GTEST_SKIP() << "this build has no LLVM, of which the page speaks";
  const Folder folder;
  std::filesystem::create_directory_symlink(root + "/corpus", folder.path("corpus"));
  const auto tools = std::filesystem::path(THINAIR_BINARY).parent_path().string();
  std::size_t commands = 0;
  for (const auto& block : blocks_of(read(root + "/docs/tutorial.md"))) {
    if (!block.file.empty()) folder.write(block.file, block.text);
    for (const auto& command : block.commands) {
      ++commands;
      const Ran ran =
          shell("cd '" + folder.path() + "' && PATH='" + tools + "':$PATH && " + command.line);
      const auto got = lines_of(ran.out + ran.err);
      EXPECT_TRUE(agree(command.prints, 0, got, 0)) << command.line << "\nprints\n"
                                                    << ran.out << ran.err;
    }
  }
  EXPECT_GE(commands, 10U) << "the page was not read";
}

} // namespace
} // namespace thinair::cli
