// Programs of all value types through every scheme: each thread alone computes what the source
// computes, and what a machine does not do is said by name.
#include "litmus/java/format.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "lower/prepare.h"
#include "lower/scheme.h"
#include "lower/sequential.h"
#include "lower/target.h"
#include "tests/support/draws.h"
#include "tests/support/random_types.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace thinair::lower {
namespace {

class LoweredTypes : public testing::TestWithParam<const char*> {};

/// Every second program has no updates: RISC-V has none of bytes without Zabha.
TEST_P(LoweredTypes, AThreadAloneComputesWhatItsSourceComputes) {
  const auto shipped = shipped_schemes(machine_of(GetParam()));
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < test::draws(600); ++seed) {
    litmus::Random random(seed);
    const auto program = prepared(
        test::RandomTypes(random, {.threads = 1, .divides = false, .updates = seed % 2 == 0})
            .make(),
        4);
    const auto& file = shipped[seed / 2 % shipped.size()];
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

INSTANTIATE_TEST_SUITE_P(Machine, LoweredTypes, testing::Values("x86", "aarch64", "riscv"));

/// Many more registers than the machine has: they live in memory, at the width of a long.
TEST_P(LoweredTypes, OfManyRegistersAreInMemory) {
  const auto scheme = *find_scheme(std::string(GetParam()) + ":fenced");
  for (std::uint64_t seed = 0; seed < test::draws(60); ++seed) {
    litmus::Random random(seed);
    auto made =
        test::RandomTypes(random, {.threads = 1, .divides = false, .updates = false}).make();
    auto& thread = made.threads[0];
    for (std::uint32_t i = 0; i < 40; ++i) {
      litmus::Assign copy;
      copy.target = litmus::RegisterId{static_cast<std::uint32_t>(thread.registers.size())};
      copy.declares = true;
      const litmus::RegisterId from{i % copy.target.value};
      const auto type = thread.registers[from.value].type;
      thread.registers.push_back({fmt::format("s{}", i), 0, type});
      copy.value = litmus::Expression::of(from);
      thread.body.push_back({std::move(copy), {}});
    }
    const auto program = prepared(made, 4);
    const auto lowered = lower_with(scheme, program);
    const auto difference = sequential_difference(program, lowered, seed);
    ASSERT_FALSE(difference) << *difference << "\n" << litmus::java::print(program);
  }
}

/// A word around a byte is no location of its own.
TEST(LoweredUpdates, OfBytesNeedZabhaOnRiscV) {
  const auto program =
      prepared(litmus::parse({"t", "Java T\n{ byte x; X=x; }\n"
                                   "Thread0 { byte r = X.getAndAdd((byte) 1); }\nexists (true)\n"})
                   .java(),
               4);
  try {
    lower_with(*find_scheme("riscv:cxx"), program);
    ADD_FAILURE();
  } catch (const Unsupported& unsupported) {
    EXPECT_STREQ(unsupported.what(),
                 "unsupported: getAndAdd of a byte: riscv has no such instructions for 8 bits, and "
                 "the scheme no rule `getAndAdd byte`");
  }
  EXPECT_EQ(sequential_difference(program, lower_with(*find_scheme("riscv:zabha"), program), 1),
            std::nullopt);
}

class TypedCompilers : public testing::TestWithParam<const char*> {};

/// Every second program has no updates, as above.
TEST_P(TypedCompilers, KeepWhatAThreadAloneComputes) {
  auto target = Target::named(GetParam());
  std::vector<litmus::Program> programs;
  for (std::uint64_t seed = 0; seed < test::draws(120); ++seed) {
    litmus::Random random(seed + 1000);
    programs.push_back(test::RandomTypes(random, {.threads = 1, .updates = seed % 2 == 0}).make());
  }
  std::uint64_t compared = 0;
  const auto all = target.lower(programs, 4);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto* lowered = std::get_if<Lowered>(&all[i]);
    if (lowered == nullptr) continue;
    try {
      const auto difference = sequential_difference(prepared(programs[i], 4), *lowered, i);
      ASSERT_FALSE(difference) << *difference << "\n" << litmus::java::print(programs[i]);
      ++compared;
    } catch (const Unsupported& unsupported) { // RISC-V updates the word around a byte
      ASSERT_STREQ(unsupported.what(), "unsupported: code that accesses what is no location");
    }
  }
  EXPECT_GT(compared, test::draws(120) / 3);
  RecordProperty("compared", static_cast<int>(compared));
}

std::string word_of(const testing::TestParamInfo<const char*>& info) {
  std::string out = info.param;
  std::ranges::replace_if(out, [](char c) { return c == ':' || c == '-'; }, '_');
  return out;
}

INSTANTIATE_TEST_SUITE_P(Target, TypedCompilers,
                         testing::Values("x86:llvm-O0", "x86:llvm-O2", "aarch64:llvm-O1",
                                         "aarch64:llvm-O2", "riscv:llvm-O1", "riscv:llvm-O2"),
                         word_of);

} // namespace
} // namespace thinair::lower
