// Whatever herd7 reads of an x86 test is read, and what it ignores is ignored: each random test is
// written plainly and in another way that herd7 reads, and both are the same test.
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "machine/x86/program.h"
#include "tests/support/herd_spelling.h"

#include <gtest/gtest.h>

namespace thinair::litmus {
namespace {

/// Without what only tells people something, and `lock` where it says nothing new.
litmus::Test essence(litmus::Test test) {
  test.title.clear();
  test.metadata.clear();
  for (x86::Thread& thread : std::get<litmus::Code>(test.program).of<x86::Instruction>().threads)
    for (x86::Instruction& in : thread.code) in.lock &= in.opcode != x86::Opcode::xchg;
  return test;
}

TEST(HerdSpelling, IsTheSameTest) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto [plain, wild] = test::two_spellings(seed);
    SCOPED_TRACE(std::to_string(seed) + "\n" + wild);
    try {
      const litmus::Test expected = essence(parse({"plain.litmus", plain}));
      const litmus::Test found = essence(parse({"wild.litmus", wild}));
      ASSERT_EQ(found, expected) << plain << print(found);
      ASSERT_EQ(essence(parse({"again.litmus", print(found)})), found) << print(found);
    } catch (const InputError& error) {
      FAIL() << error.what();
    }
  }
}

} // namespace
} // namespace thinair::litmus
