// RISC-V programs in our engine and in the real herd7, under the same models: random ones, and
// those that diy7 makes where it is found.
#include "litmus/text/error.h"
#include "machine/riscv/front_end.h"
#include "oracle/cat/model.h"
#include "runners/herd7.h"
#include "tests/runners/agreement.h"
#include "tests/support/random_riscv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace thinair::runners {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t usual) {
  const char* given = std::getenv(name);
  return given ? std::strtoull(given, nullptr, 10) : usual;
}

class RiscvAgreement : public testing::TestWithParam<const char*> {
 protected:
  static constexpr std::size_t batch = 500; // programs a process

  void SetUp() override {
    if (!find_herd7()) GTEST_SKIP() << "no herd7 here (scripts/get-herd7)";
  }

  static HerdOptions options() {
    HerdOptions out;
    out.model = GetParam();
    out.seconds = 10;
    out.optace = "true"; // both models are coherent, so that herd7 may leave out early what is not
    return out;
  }
};

/// THINAIR_RISCV_PROGRAMS of them, 300 by default, from THINAIR_RISCV_SEED on.
TEST_P(RiscvAgreement, RandomPrograms) {
  const auto count = from_environment("THINAIR_RISCV_PROGRAMS", 300);
  const auto first = from_environment("THINAIR_RISCV_SEED", 1);
  const cat::Plan plan = cat::load_model(GetParam(), riscv::architecture);
  Agreement counts;
  for (std::uint64_t done = 0; done < count; done += batch) {
    std::vector<litmus::Test> tests;
    for (auto seed = first + done; seed < first + std::min(done + batch, count); ++seed)
      tests.push_back(litmus::parse({"random.litmus", test::random_riscv(seed)}));
    agree(tests, plan, options(), counts);
  }
  std::printf("%s: %s\n", GetParam(), to_string(counts).c_str());
  EXPECT_LE(counts.undecided * 20, count) << "too many come to nothing";
  EXPECT_EQ(counts.within, 0U);
}

/// The tests of a folder, as diy7 writes them: THINAIR_RISCV_TESTS.
TEST_P(RiscvAgreement, AFolderOfTests) {
  const char* folder = std::getenv("THINAIR_RISCV_TESTS");
  if (folder == nullptr) GTEST_SKIP() << "THINAIR_RISCV_TESTS names no folder";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".litmus") files.push_back(entry.path().string());
  std::ranges::sort(files);
  const cat::Plan plan = cat::load_model(GetParam(), riscv::architecture);
  Agreement counts;
  for (std::size_t done = 0; done < files.size(); done += batch) {
    std::vector<litmus::Test> tests;
    for (auto i = done; i < std::min(done + batch, files.size()); ++i)
      tests.push_back(litmus::parse(litmus::read_file(files[i])));
    agree(tests, plan, options(), counts);
  }
  std::printf("%s: %s\n", GetParam(), to_string(counts).c_str());
}

INSTANTIATE_TEST_SUITE_P(Models, RiscvAgreement, testing::Values("riscv", "riscv-tso"));

} // namespace
} // namespace thinair::runners
