// The class that a JIT's programs become: javac has nothing to say against it, whatever they are.
#include "gen/generator.h"
#include "litmus/java/format.h"
#include "lower/jit/inside.h"
#include "runners/jcstress/jvm.h"
#include "runners/jit/emit.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

namespace thinair::runners::jit {
namespace {

/// Of every profile, and the corpus.
std::vector<litmus::Program> programs() {
  std::vector<litmus::Program> out;
  for (const auto& profile : gen::profiles()) {
    gen::Generator drawn(profile, 20261120, 0);
    for (std::uint64_t left = test::draws(40); left > 0; --left)
      out.push_back(drawn.next().program);
  }
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(THINAIR_SOURCE_DIR "/corpus")) {
    if (entry.path().extension() != ".litmus") continue;
    const auto test = litmus::parse(litmus::read_file(entry.path().string()));
    if (test.is_java()) out.push_back(test.java());
  }
  return out;
}

/// Only they have classes of their own, and lines in which their objects are made.
TEST(JitEmitted, ProgramsThatLookInsideObjectsMakeThem) {
  const auto all = programs();
  const auto emitted = emit(all);
  std::vector<std::string_view> lines;
  for (std::string_view rest = emitted.source; !rest.empty();) {
    lines.push_back(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), lines.back().size() + 1));
  }
  std::size_t made = 0;
  for (std::size_t p = 0; p < all.size(); ++p) {
    if (!emitted.refused[p].empty()) continue;
    const bool inside = lower::jit::looks_inside(all[p]);
    EXPECT_EQ(emitted.lines[p].size(), inside ? all[p].objects.size() : 0);
    std::set<std::uint32_t> different(emitted.lines[p].begin(), emitted.lines[p].end());
    EXPECT_EQ(different.size(), emitted.lines[p].size());
    for (const auto line : emitted.lines[p]) {
      EXPECT_NE(lines.at(line - 1).find(" = new "), std::string_view::npos) << lines[line - 1];
      ++made;
    }
  }
  EXPECT_GE(made, 10 + test::draws(10)); // ten of the corpus
}

TEST(JitEmitted, Compiles) {
  const auto jvms = jcstress::installed_jvms();
  const auto jdk = std::ranges::find_if(jvms, &jcstress::Jvm::javac);
  if (jdk == jvms.end()) GTEST_SKIP() << "no javac";
  const TemporaryDirectory directory;
  directory.write(fmt::format("{}.java", batch_class), emit(programs()).source);
  const auto done = run({.argv = {jdk->home + "/bin/javac", "-nowarn", "-proc:none", "--release",
                                  "11", "-d", ".", fmt::format("{}.java", batch_class)},
                         .directory = directory.path(),
                         .seconds = 120});
  EXPECT_EQ(done.code, 0) << done.error.substr(0, 2000);
}

} // namespace
} // namespace thinair::runners::jit
