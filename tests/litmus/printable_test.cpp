// What of an input may be shown: exact escapes, and the property that all that is left is
// printable.
#include "litmus/random.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "litmus/text/utf8.h"

#include <gtest/gtest.h>

namespace thinair::text {
namespace {

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("a\x1b[2J\x7f\r"), R"(a\x1b[2J\x7f\x0d)");
  EXPECT_EQ(printable("\x9b"), R"(\x9b)") << "not UTF-8";
  EXPECT_EQ(printable("\u009b2J"), R"(\u{9b}2J)") << "the same control as UTF-8";
  EXPECT_EQ(printable("\u202eevil\u2028"), R"(\u{202e}evil\u{2028})");
  EXPECT_EQ(printable("\U000E0041\uFFFF"), R"(\u{e0041}\u{ffff})");
  EXPECT_EQ(printable(std::string_view("\0", 1)), R"(\x00)");
}

TEST(Printable, LeavesTextAsItIs) {
  for (const char* text : {"", "plain\n\ttext", "é ∧ 𝄞 日本", "\\x9b"}) {
    EXPECT_EQ(printable(text), text);
  }
  EXPECT_EQ(printable_word("a\nb\tc"), R"(a\x0ab\x09c)");
}

TEST(Printable, WhatIsLeftIsPrintable) {
  litmus::Random random(15);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes;
    for (auto n = random.below(12); n > 0; --n)
      bytes += static_cast<char>(random.chance(1, 2) ? random.below(256) : 0x80 + random.below(64));
    const std::string shown = printable_word(bytes);
    for (std::size_t at = 0; at < shown.size();) {
      const auto point = decode_utf8(shown, at);
      ASSERT_TRUE(point && is_printable(point->value)) << shown;
      at += point->length;
    }
    EXPECT_EQ(printable_word(shown), shown) << "done twice";
  }
}

TEST(Printable, ATailMayGoOn) {
  EXPECT_EQ(unfinished_tail("é"), 0U);
  EXPECT_EQ(unfinished_tail("a\xC3"), 1U);
  EXPECT_EQ(unfinished_tail("\xF0\x9D\x84"), 3U);
  EXPECT_EQ(unfinished_tail("\x80\x80\x80\x80"), 0U) << "never a character";
  EXPECT_EQ(unfinished_tail(""), 0U);
}

TEST(Printable, ErrorsNameFilesWithoutTheirControls) {
  const Source source{"a\x9b\n.litmus", "x"};
  EXPECT_STREQ(InputError::at(source, {0, 1}, "no").what(),
               "a\\x9b\\x0a.litmus:1:1: error: no\n  x\n  ^");
  EXPECT_STREQ(InputError::in(source.name, "no", "yes").what(),
               "a\\x9b\\x0a.litmus: error: no\n  hint: yes");
  EXPECT_STREQ(InputError::in("", "no").what(), "'': error: no");
}

} // namespace
} // namespace thinair::text
