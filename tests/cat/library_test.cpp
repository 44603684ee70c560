// herd's own library, where herdtools7 is installed: how many of its files we can check.
#include "machine/x86/front_end.h"
#include "tests/cat/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace thinair::cat {
namespace {

namespace fs = std::filesystem;

struct Unfit {
  std::string_view file;
  std::string_view wrong; // what we say is wrong with it
};

/// Files that herd7 refuses as well, whatever the program (tests/runners/herd7_library_test.cpp
/// runs it on them).
constexpr auto unfit = std::to_array<Unfit>({
    {"LL.cat", "unbound name 'WW'"}, // it forgets to include filters.cat
    {"aarch64-obsolete.cat", "expected a relation, found a set"}, // fences are events now
    {"arm-models/mixed/ev.cat", "unbound name 'obs'"},            // nobody defines it
    {"arm-models/non-mixed/ev.cat", "unbound name 'obs'"},        //
    {"doc64.cat", "expected a relation, found a set"},            // fences are events now
    {"herd.cat",
     "filters.cat:7:13: error: expected a relation, found a set"}, // includes pretty.cat
    {"pretty.cat",
     "filters.cat:7:13: error: expected a relation, found a set"}, // fences are events now
    {"uniproc-normw-cat.cat", "unexpected character '-'"},         // "rf -1" for rf^-1
});

/// Files that herd7 runs since nothing uses what is wrong: a check says so all the same.
constexpr auto wrong_unused = std::to_array<Unfit>({
    {"aarch64util.cat", "unbound name 'SPURIOUS'"},
    {"enumerations.cat", "unbound name 'inv-scope'"},
});

/// Parts of models, wrong by themselves, with a file that includes them and checks.
constexpr auto parts = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"c11_los.cat", "c11_base.cat"},
    {"ppc-checks.cat", "ppc.cat"},
});

/// Where scripts/get-herd7 and distributions put it, or THINAIR_HERD_LIBRARY.
fs::path library() {
  std::vector<fs::path> places;
  if (const char* given = std::getenv("THINAIR_HERD_LIBRARY")) places.emplace_back(given);
  if (const char* home = std::getenv("HOME"))
    places.push_back(fs::path(home) / ".local/share/thinair/herd7/usr/share/herdtools7/herd");
  places.emplace_back("/usr/share/herdtools7/herd");
  places.emplace_back("/usr/local/share/herdtools7/herd");
  const auto found = std::ranges::find_if(
      places, [](const fs::path& place) { return fs::is_regular_file(place / "stdlib.cat"); });
  return found == places.end() ? fs::path{} : *found;
}

text::Source read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {path.string(), {std::istreambuf_iterator<char>(in), {}}};
}

TEST(HerdLibrary, EveryFileButAFewChecks) {
  const fs::path root = library();
  if (root.empty()) GTEST_SKIP() << "herdtools7 is not installed";
  LoadOptions options;
  options.include_path = {root.string()};
  std::set<std::string> alone;
  std::map<std::string, std::string> refused; // with the message
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cat") continue;
    const std::string name = fs::relative(entry.path(), root).string();
    try {
      check_model(read(entry.path()), options);
      alone.insert(name);
    } catch (const InputError& e) {
      refused.emplace(name, e.what());
    }
  }
  for (const auto& [file, includer] : parts) {
    EXPECT_EQ(refused.erase(std::string(file)), 1U) << file << " checks by itself";
    EXPECT_TRUE(alone.contains(std::string(includer))) << includer;
    EXPECT_NE(read(root / includer).text.find(file), std::string::npos) << includer;
  }
  const auto expect_refused = [&](const Unfit& row) {
    const auto& message = refused[std::string(row.file)];
    EXPECT_NE(message.find(row.wrong), std::string::npos) << row.file << ": " << message;
    refused.erase(std::string(row.file));
  };
  std::ranges::for_each(unfit, expect_refused);
  std::ranges::for_each(wrong_unused, expect_refused);
  for (const auto& [file, message] : refused) ADD_FAILURE() << file << "\n" << message;
  const std::size_t all =
      alone.size() + parts.size() + unfit.size() + wrong_unused.size() + refused.size();
  std::printf("%zu of %zu files check by themselves, %zu within others; %zu are refused by herd7 "
              "as well\n",
              alone.size(), all, parts.size(), unfit.size());
  EXPECT_GE(alone.size(), 84U);
}

TEST(HerdLibrary, ModelsRunUnchanged) {
  const fs::path root = library();
  if (root.empty()) GTEST_SKIP() << "herdtools7 is not installed";
  const auto runs = [&](std::string_view name, Architecture architecture) {
    const Plan plan = load_model((root / (std::string(name) + ".cat")).string(), architecture);
    EXPECT_FALSE(plan.axioms.empty()) << name;
    EXPECT_TRUE(plan.interpreted.empty()) << name;
  };
  for (const char* name : {"sc", "tso", "x86tso", "x86tso-mixed", "herdcat", "minimal"})
    runs(name, x86::architecture);
  for (const char* name : {"sc", "minimal", "uni"}) runs(name, Architecture::java);
}

// herd's cross.cat is run by the native search; as it is written it is interpreted.
TEST(HerdLibrary, CrossIsNativeUnlessAskedFor) {
  const fs::path root = library();
  if (root.empty()) GTEST_SKIP() << "herdtools7 is not installed";
  LoadOptions options;
  options.include_path = {root.string()};
  const std::string_view model = "include \"cross.cat\"\nwith co from generate_cos co0\n";
  EXPECT_EQ(load(model, Architecture::java, options).choices.at(0).kind,
            Choice::Kind::linearisations_by_class);
  options.native_orders = false;
  EXPECT_EQ(load(model, Architecture::java, options).choices.at(0).kind, Choice::Kind::interpreted);
}

} // namespace
} // namespace thinair::cat
