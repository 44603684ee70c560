// Fails on an #include between rooms that the architecture does not allow, and on a library's
// header outside its room.
#include "tests/house/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>

namespace thinair::house {
namespace {

/// A room may include itself and rooms of a lower level; its library, nobody else.
struct Room {
  std::string_view folder;
  int level;
  std::string_view library;     // how headers that only this room may include begin
  std::string_view inside = {}; // the folder around the rooms that may include this one
};

/// Headers of an inner room that may be included from outside all the same.
constexpr std::array<std::string_view, 1> shown_outside = {"oracle/umm/model.h"};

constexpr auto rooms = std::to_array<Room>({
    {"include", 0, {}}, // for programs outside: knows nobody
    {"litmus", 0, {}},
    {"models", 1, {}},
    {"oracle/graph", 2, {}},
    {"machine", 3, {}}, // values and machine: the same level
    {"machine/code", 11, {}},
    {"machine/*/code", 12, {}},
    {"oracle/values", 3, "z3", "oracle"},
    {"oracle/cat", 4, {}},
    {"oracle/question", 4, {}}, // cat and question: the same level
    {"oracle/executions", 5, {}, "oracle"},
    {"oracle/umm", 6, {}, "oracle"}, // umm and causality: the same level
    {"oracle/causality", 6, {}, "oracle"},
    {"oracle", 7, {}}, // the door, which others go through
    {"oracle/explain", 8, {}},
    {"gen", 9, {}}, // gen and lower: the same level, so they do not know each other
    {"lower", 9, "llvm"},
    {"runners", 10, {}},
    {"library", 12, {}}, // library and campaign: the same level
    {"campaign", 12, "sqlite3"},
    {"health", 13, {}},
    {"cli", 14, "boost/"},
});

constexpr std::array<std::string_view, 2> everywhere = {"tests", "bench"};

/// A library that can be missing: one file alone may include it, which the build then leaves out.
constexpr std::string_view optional_library = "llvm", its_file = "lower/backend.cpp";

/// Where programs outside of the tree begin: with what is installed, by its name there.
bool is_outside(const File& file) { return file.in("examples") || file.in("cmake"); }

/// Whether `path` is in `folder`; `*` stands for any one folder.
bool is_in(std::string_view path, std::string_view folder) {
  const auto star = folder.find('*');
  if (star == std::string_view::npos)
    return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
  if (!path.starts_with(folder.substr(0, star))) return false;
  path.remove_prefix(star);
  path.remove_prefix(std::min(path.find('/'), path.size()));
  const auto rest = folder.substr(star + 1);
  return path.starts_with(rest) && path.substr(rest.size()).starts_with('/');
}

/// The innermost.
std::optional<Room> room_of(std::string_view path) {
  std::optional<Room> found;
  for (const auto& room : rooms)
    if (is_in(path, room.folder) && (!found || room.folder.size() > found->folder.size()))
      found = room;
  return found;
}

/// "machine/x86/code/lift.h" is x86's; empty where it is no single machine's.
std::string_view machine_of(std::string_view path) {
  constexpr std::string_view folder = "machine/";
  if (!path.starts_with(folder)) return {};
  path.remove_prefix(folder.size());
  const auto name = path.substr(0, path.find('/'));
  return name == path || name == "common" || name == "code" ? std::string_view() : name;
}

bool is_shown(const Room& room, const File& file, std::string_view header) {
  return room.inside.empty() || file.in(room.inside) ||
         std::ranges::find(shown_outside, header) != shown_outside.end();
}

bool may_use_all(const File& file) {
  return std::ranges::any_of(everywhere, [&](std::string_view folder) { return file.in(folder); });
}

bool is_standard(std::string_view name) {
  return name.find_first_of("/.") == std::string_view::npos;
}

/// Why `file` may not include `included` (with its delimiters); empty where it may.
std::string complaint(const File& file, const std::string& included) {
  const std::string name = included.substr(1, included.size() - 2);
  if (is_outside(file))
    return included.front() == '<' && (name == "thinair/thinair.h" || is_standard(name))
               ? ""
               : name + " is not what programs outside have";
  if (file.in("include") && !is_standard(name)) return name + " is not for programs outside";
  if (name.starts_with(optional_library) && file.path != its_file)
    return name + " belongs to " + std::string(its_file) + " alone";
  const auto from = room_of(file.path), to = room_of(name);
  for (const auto& room : rooms) {
    const bool vendor = !room.library.empty() && name.starts_with(room.library);
    if (vendor && (!from || from->folder != room.folder))
      return name + " belongs to " + std::string(room.folder);
  }
  if (name.starts_with("gtest/") && !file.in("tests")) return name + " belongs to tests";
  if (name.starts_with("benchmark/") && !file.in("bench")) return name + " belongs to bench";
  if (included.front() == '<') return {};
  if (!to && !name.starts_with("tests/") && !name.starts_with("bench/"))
    return name + " is not written relative to the root of the tree";
  if (may_use_all(file)) return {};
  if (!from || !to) return name + " is outside the rooms";
  if (const auto machine = machine_of(name); !machine.empty() && machine != machine_of(file.path))
    return "what is about one machine is known by its own folder and the tables alone";
  if (from->folder != to->folder && to->level >= from->level)
    return std::string(from->folder) + " does not know " + std::string(to->folder);
  if (!is_shown(*to, file, name))
    return "what is behind " + std::string(to->inside) + "/ is asked through its door";
  return {};
}

TEST(Edges, OnlyDownwards) {
  std::size_t checked = 0;
  for (const auto& file : files()) {
    if (!file.is_cpp()) continue;
    for (const auto& included : includes(file)) {
      ++checked;
      const std::string why = complaint(file, included);
      EXPECT_TRUE(why.empty()) << file.path << " includes " << included << ": " << why;
    }
  }
  EXPECT_GT(checked, 100U) << "the tree was not found";
}

TEST(Edges, EveryIncludeExists) {
  for (const auto& file : files()) {
    if (!file.is_cpp()) continue;
    for (const auto& included : includes(file)) {
      if (included.front() == '<' || included.ends_with(".inc\"")) continue; // .inc: generated
      EXPECT_TRUE(std::filesystem::exists(root() / included.substr(1, included.size() - 2)))
          << file.path << " includes " << included;
    }
  }
}

TEST(Edges, EverySourceIsInARoom) {
  for (const auto& file : files()) {
    if (file.is_cpp()) {
      EXPECT_TRUE(room_of(file.path) || may_use_all(file) || is_outside(file)) << file.path;
    }
  }
}

TEST(Edges, TheArchitectureNamesEveryRoom) {
  const auto page = std::ranges::find(files(), "docs/architecture.md", &File::path);
  ASSERT_NE(page, files().end());
  for (const auto& room : rooms)
    EXPECT_NE(page->text.find("`" + std::string(room.folder) + "`"), std::string::npos)
        << room.folder;
}

TEST(Edges, TheRulesCatchWhatTheyAreFor) {
  const File litmus{"litmus/a.cpp", {}}, gen{"gen/a.cpp", {}}, cli{"cli/a.cpp", {}};
  const File test{"tests/cli/a.cpp", {}};
  EXPECT_FALSE(complaint(litmus, "\"oracle/graph/path.h\"").empty());
  EXPECT_FALSE(complaint(gen, "\"lower/scheme.h\"").empty());
  EXPECT_FALSE(complaint(cli, "<z3++.h>").empty());
  EXPECT_FALSE(complaint(test, "<z3++.h>").empty());
  EXPECT_FALSE(complaint(cli, "<gtest/gtest.h>").empty());
  EXPECT_FALSE(complaint(cli, "\"command.h\"").empty());
  EXPECT_FALSE(complaint(cli, "\"oracle/executions/behaviours.h\"").empty());
  EXPECT_FALSE(complaint(cli, "\"oracle/causality/rules.h\"").empty());
  EXPECT_FALSE(complaint(cli, "\"oracle/umm/machine.h\"").empty());
  EXPECT_FALSE(complaint({"oracle/causality/a.cpp", {}}, "\"oracle/answer.h\"").empty());
  const File header{"include/thinair/a.h", {}}, example{"examples/a.cpp", {}};
  const File lower{"lower/a.cpp", {}}, library{"library/a.cpp", {}};
  EXPECT_FALSE(complaint(header, "\"litmus/test.h\"").empty());
  EXPECT_FALSE(complaint(header, "<fmt/format.h>").empty());
  EXPECT_FALSE(complaint(example, "\"include/thinair/thinair.h\"").empty());
  EXPECT_FALSE(complaint(lower, "<llvm/IR/Module.h>").empty());
  EXPECT_FALSE(complaint(library, "\"cli/command.h\"").empty());
  EXPECT_FALSE(complaint(lower, "\"machine/x86/program.h\"").empty());
  EXPECT_FALSE(complaint(cli, "\"machine/x86/code/lift.h\"").empty());
  EXPECT_FALSE(complaint({"machine/x86/step.cpp", {}}, "\"lower/machine.h\"").empty());
  EXPECT_FALSE(complaint({"machine/x86/code/a.cpp", {}}, "\"machine/riscv/program.h\"").empty());
  EXPECT_TRUE(complaint({"machine/x86/code/a.cpp", {}}, "\"machine/x86/step.h\"").empty());
  EXPECT_TRUE(complaint({"machine/x86/code/a.cpp", {}}, "\"runners/operational.h\"").empty());
  EXPECT_TRUE(complaint({"lower/backend.cpp", {}}, "<llvm/IR/Module.h>").empty());
  EXPECT_TRUE(complaint(header, "<string>").empty());
  EXPECT_TRUE(complaint(example, "<thinair/thinair.h>").empty());
  EXPECT_TRUE(complaint(library, "\"runners/soundness.h\"").empty());
  EXPECT_TRUE(complaint(cli, "<boost/program_options.hpp>").empty());
  EXPECT_TRUE(complaint(cli, "\"litmus/test.h\"").empty());
  EXPECT_TRUE(complaint(cli, "\"oracle/answer.h\"").empty());
  EXPECT_TRUE(complaint(cli, "\"oracle/umm/model.h\"").empty());
  EXPECT_TRUE(complaint({"oracle/explain/a.cpp", {}}, "\"oracle/causality/rules.h\"").empty());
  EXPECT_TRUE(complaint(gen, "\"oracle/explain/witness.h\"").empty());
  EXPECT_TRUE(complaint(test, "\"cli/command.h\"").empty());
}

} // namespace
} // namespace thinair::house
