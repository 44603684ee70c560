// Tests read as herd7 takes them: what nothing introduces is 0; and the same tests refused with a
// word on that.
#include "litmus/canonical.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <gtest/gtest.h>

namespace thinair::litmus {
namespace {

const std::string head = "Java t\n{ x=0; 0:X=x; 1:X=x; }\n";
const std::string other = "Thread1 { X.set(1); }\n";

TEST(HerdManner, RegistersThatNothingIntroducesAreZero) {
  const text::Source unset{"t.litmus",
                           head + "Thread0 { X.set(r1 + 2); int r2 = r2 + r1; }\n" + other};
  const text::Source set{"t.litmus", head +
                                         "Thread0 { int r1 = 0; int r2 = 0; X.set(r1 + 2); "
                                         "r2 = r2 + r1; }\n" +
                                         other};
  const Program found = parse_as_herd(unset).java();
  ASSERT_EQ(found.threads.at(0).registers.size(), 2U);
  EXPECT_EQ(found.threads[0].registers[0].initial, 0);
  const Program expected = parse(set).java();
  EXPECT_EQ(found.threads[0].body.size() + 2, expected.threads[0].body.size());
  EXPECT_EQ(parse_as_herd(set), parse(set));
}

TEST(HerdManner, SoIsWhatOnlyAQuestionNames) {
  const text::Source asked{"t.litmus", head + "Thread0 { int r1 = X.get(); }\n" + other +
                                           "locations [0:r7; y;]\nexists (1:r8=0 /\\ z=0)\n"};
  EXPECT_THROW(parse(asked), InputError);
  const litmus::Test test = parse_as_herd(asked);
  EXPECT_EQ(test.java().locations.size(), 3U);
  EXPECT_EQ(test.java().threads.at(0).registers.size(), 2U);
  EXPECT_EQ(test.java().threads.at(1).registers.size(), 1U);
  EXPECT_THROW(
      parse_as_herd({"t.litmus", head + "Thread0 { X.set(1); }\n" + other + "exists (2:r1=0)\n"}),
      InputError); // herd7 has no such thread either
}

TEST(HerdManner, NumbersAreDecimal) {
  const std::string code = "Thread0 { X.set(010); }\n";
  EXPECT_THROW(parse({"t.litmus", head + code + other}), InputError);
  const litmus::Test ten = parse({"t.litmus", head + "Thread0 { X.set(10); }\n" + other});
  EXPECT_EQ(parse_as_herd({"t.litmus", head + code + other}), ten);
}

TEST(HerdManner, TheErrorSaysSo) {
  try {
    parse({"t.litmus", head + "Thread0 { X.set(r1); }\n" + other});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("herd7 reads `r1` as 0"), std::string::npos)
        << error.what();
  }
}

} // namespace
} // namespace thinair::litmus
