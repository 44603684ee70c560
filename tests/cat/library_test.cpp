// herd's own library, where herdtools7 is installed: how many of its files we can check.
#include "tests/cat/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace thinair::cat {
namespace {

namespace fs = std::filesystem;

/// Parts of models that only their includers complete, and models that herd refuses as well; with
/// what is missing.
constexpr auto unfit = std::to_array<std::string_view>({
    "LL.cat",                      // WW of filters.cat
    "aarch64-obsolete.cat",        // fences as relations
    "aarch64show.cat",             // isb
    "arm-models/mixed/ev.cat",     // obs
    "arm-models/non-mixed/ev.cat", // obs
    "c11_los.cat",                 // generate_orders of cross.cat
    "cos-ok-opt.cat",              // pco
    "deps-instances.cat",          // co
    "deps-new.cat",                // co
    "deps.cat",                    // co
    "doc64.cat",                   // fences as relations
    "herd.cat",                    // fences as relations
    "ppc-checks.cat",              // ppo
    "pretty.cat",                  // fences as relations
    "show-deps.cat",               // co
    "uniproc-normw-cat.cat",       // rf -1
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
  std::size_t checked = 0;
  std::vector<std::string> refused;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cat") continue;
    const std::string name = fs::relative(entry.path(), root).string();
    try {
      check_model(read(entry.path()), options);
      ++checked;
    } catch (const std::exception& e) {
      const bool expected = std::ranges::find(unfit, name) != unfit.end();
      EXPECT_TRUE(expected) << name << "\n" << e.what();
      refused.push_back(name);
    }
  }
  std::printf("%zu of %zu files check\n", checked, checked + refused.size());
  RecordProperty("checked", static_cast<int>(checked));
  EXPECT_GT(checked, 70U);
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
    runs(name, Architecture::x86);
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
