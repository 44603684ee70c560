// Programs of all value types through every scheme: each thread alone computes what the source
// computes, and what a machine does not do is said by name.
#include "litmus/java/format.h"
#include "litmus/text/error.h"
#include "lower/prepare.h"
#include "lower/scheme.h"
#include "lower/sequential.h"
#include "tests/support/draws.h"
#include "tests/support/random_types.h"

#include <gtest/gtest.h>

#include <string>

namespace thinair::lower {
namespace {

TEST(LoweredTypes, AThreadAloneComputesWhatItsSourceComputes) {
  const auto shipped = shipped_schemes(machine_of("x86"));
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < test::draws(600); ++seed) {
    litmus::Random random(seed);
    const auto program =
        prepared(test::RandomTypes(random, {.threads = 1, .divides = false}).make(), 4);
    const auto& file = shipped[seed % shipped.size()];
    const auto scheme = parse_scheme({std::string(file.file), std::string(file.text)});
    try {
      const auto lowered = lower_with(scheme, program);
      const auto difference = sequential_difference(program, lowered, seed);
      ASSERT_FALSE(difference) << *difference << "\n"
                               << scheme.text().name() << "\n"
                               << litmus::java::print(program);
      ++compared;
    } catch (const Unsupported& unsupported) { // more registers than there are
      ASSERT_EQ(std::string(unsupported.what()).find("types"), std::string::npos);
    }
  }
  EXPECT_GT(compared, test::draws(600) / 2);
}

} // namespace
} // namespace thinair::lower
