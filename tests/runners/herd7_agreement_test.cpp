// Our engine against the real herd7 on random programs, under every shipped model that herd7 reads.
// A herd7 process is given many programs at once.
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "runners/herd7.h"
#include "tests/runners/agreement.h"
#include "tests/runners/herd7_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace thinair::runners {
namespace {

using graph::Architecture;

/// How many programs in all, 500 unless THINAIR_HERD7_PROGRAMS says otherwise (scripts/nightly).
std::size_t program_count() {
  const char* given = std::getenv("THINAIR_HERD7_PROGRAMS");
  return given ? std::strtoul(given, nullptr, 10) : 500;
}

/// Where the seeds begin: THINAIR_HERD7_SEED, or 1.
std::uint64_t first_seed() {
  const char* given = std::getenv("THINAIR_HERD7_SEED");
  return given ? std::strtoul(given, nullptr, 10) : 1;
}

struct Compared {
  const char* model;
  bool coherent; // so that herd7 may leave out early what is not (`-optace true`)
};

constexpr auto java_models = std::to_array<Compared>({{"sc", true},
                                                      {"tso", true},
                                                      {"jls04", false},
                                                      {"jam19", false},
                                                      {"jam21", false},
                                                      {"coherence", true},
                                                      {"pram", false},
                                                      {"causal", false},
                                                      {"pc", false}});
constexpr auto x86_models = std::to_array<Compared>({{"sc", true},
                                                     {"tso", true},
                                                     {"x86-tso", true},
                                                     {"coherence", true},
                                                     {"pram", false},
                                                     {"causal", false},
                                                     {"pc", false}});

class Herd7Agreement : public testing::Test {
 protected:
  static constexpr std::size_t batch = 500; // programs a process

  void SetUp() override {
    if (!find_herd7()) GTEST_SKIP() << "no herd7 here (scripts/get-herd7)";
  }

  static void compare(std::span<const Compared> models, Architecture architecture) {
    const std::size_t each = program_count() / 2 / models.size();
    Agreement counts;
    for (std::size_t m = 0; m < models.size(); ++m) {
      const auto& [model, coherent] = models[m];
      SCOPED_TRACE(model);
      const cat::Plan plan = cat::load_model(model, architecture, {.as_plain = true});
      HerdOptions options;
      options.model = model;
      options.seconds = 2;
      if (coherent && architecture == x86::architecture) options.optace = "true";
      for (std::size_t done = 0, seed = first_seed(); done < each; done += batch, ++seed) {
        const auto count = std::min(batch, each - done);
        agree(herd7_programs(architecture, count, 100 * seed + m, plan.orders_memory), plan,
              options, counts);
      }
    }
    std::printf("%s\n", to_string(counts).c_str());
    EXPECT_LE(counts.undecided * 20, each * models.size()) << "too many come to nothing";
  }
};

TEST_F(Herd7Agreement, JavaPrograms) { compare(java_models, Architecture::java); }

TEST_F(Herd7Agreement, X86Programs) { compare(x86_models, x86::architecture); }

} // namespace
} // namespace thinair::runners
