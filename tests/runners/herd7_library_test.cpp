// Models of herd7's own library, unchanged, run by herd7 and by us on the same programs; and files
// of that library that we refuse, which herd7 must refuse too.
#include "litmus/text/error.h"
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "runners/herd7.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"
#include "tests/runners/agreement.h"
#include "tests/runners/herd7_programs.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace thinair::runners {
namespace {

namespace fs = std::filesystem;
using graph::Architecture;

/// The folder of the library that belongs to the herd7 that is found.
std::optional<fs::path> library(const std::string& herd7) {
  const Outcome outcome = run({.argv = {herd7, "-libdir"}, .seconds = 20});
  fs::path place = outcome.out.substr(0, outcome.out.find('\n'));
  if (!fs::is_regular_file(place / "stdlib.cat")) return std::nullopt;
  return place;
}

struct Case {
  const char* model;   // a file of the library
  const char* prelude; // names that programs of the architecture lack, for both of us
  Architecture architecture;
};

constexpr auto java = Architecture::java;
constexpr auto x86 = x86::architecture;

/// C11's and Power's names as what comes closest to them.
constexpr const char* c11_on_java =
    "let RLX = O\nlet SC = V\nlet ACQ_REL = RA & RMW\nlet A = M \\ W & R\n";
constexpr const char* c11_on_x86 =
    "let RLX = M\nlet SC = X | MFENCE\nlet ACQ = R & X\nlet REL = W & X\n"
    "let ACQ_REL = X\nlet RMW = emptyset\nlet A = X\n";
constexpr const char* power = "let SYNC = try MFENCE with F & V\nlet LWSYNC = F \\ SYNC\n"
                              "let X = try X with RMW\n";
constexpr const char* fences_on_java = "let MFENCE = F & V\nlet X = RMW\n";

constexpr auto cases = std::to_array<Case>({
    {"sc", "", java},
    {"sc", "", x86},
    {"tso", fences_on_java, java},
    {"tso", "", x86},
    {"x86tso", fences_on_java, java},
    {"x86tso", "", x86},
    {"x86tso-mixed", fences_on_java, java},
    {"x86tso-mixed", "", x86},
    {"rc11", c11_on_java, java},
    {"rc11", c11_on_x86, x86},
    {"ppc", power, java},
    {"ppc", power, x86},
    {"herdcat", power, java},
    {"herdcat", power, x86},
    {"minimal", "", java},
    {"uniproc", "", x86},
});

class Herd7Library : public testing::Test {
 protected:
  void SetUp() override {
    const auto program = find_herd7();
    if (!program) GTEST_SKIP() << "no herd7 here (scripts/get-herd7)";
    herd7_ = *program;
    const auto found = library(herd7_);
    if (!found) GTEST_SKIP() << "a herd7 without its library";
    library_ = *found;
  }

  std::string herd7_;
  fs::path library_;
};

TEST_F(Herd7Library, ModelsHaveTheSameStates) {
  const TemporaryDirectory folder;
  Agreement counts;
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.model) + (c.architecture == java ? ", Java" : ", x86"));
    cat::LoadOptions load;
    load.include_path = {library_.string()};
    load.as_plain = true; // as herd7 does
    HerdOptions options;
    options.model = folder.write(std::string(c.model) + "-of-herd7.cat",
                                 "\"herd7's\"\n" + std::string(c.prelude) + "include \"" + c.model +
                                     ".cat\"\n");
    options.optace = "false"; // as the model says, RMWs torn apart included
    options.seconds = 1;
    const cat::Plan plan = cat::load_model(options.model, c.architecture, load);
    agree(herd7_programs(c.architecture, 15, 7, plan.orders_memory), plan, options, counts);
  }
  std::printf("%s\n", to_string(counts).c_str());
  EXPECT_LE(counts.undecided, 20U) << "of 16 times 15";
}

/// cross.cat as it is written, interpreted in each execution, and as we search it.
TEST_F(Herd7Library, CrossIsTheSameInterpreted) {
  cat::LoadOptions load;
  load.include_path = {library_.string()};
  load.as_plain = true;
  const auto file = (library_ / "sc.cat").string();
  const auto native = cat::load_model(file, java, load);
  load.native_orders = false;
  const auto interpreted = cat::load_model(file, java, load);
  ASSERT_FALSE(interpreted.interpreted.empty());
  for (const auto& test : herd7_programs(java, 12, 3, true)) {
    EXPECT_EQ(states_of(test, executions::behaviours(test, native)),
              states_of(test, executions::behaviours(test, interpreted)))
        << litmus::print(test);
  }
}

/// What tests/cat/library_test.cpp says herd7 refuses as well.
TEST_F(Herd7Library, RefusesWhatWeRefuse) {
  for (const char* name :
       {"LL.cat", "aarch64-obsolete.cat", "arm-models/mixed/ev.cat", "arm-models/non-mixed/ev.cat",
        "doc64.cat", "herd.cat", "pretty.cat", "uniproc-normw-cat.cat"}) {
    const fs::path file = library_ / name;
    const TemporaryDirectory folder;
    const auto test =
        folder.write("t.litmus", litmus::print(herd7_programs(x86, 1, 1, true).at(0)));
    const Outcome outcome =
        run({.argv = {herd7_, "-archcheck", "false", "-I", file.parent_path().string(), "-model",
                      file.string(), test},
             .seconds = 20});
    EXPECT_EQ(outcome.out.find("Observation"), std::string::npos) << name;
    EXPECT_FALSE(outcome.error.empty()) << name;
  }
}

} // namespace
} // namespace thinair::runners
