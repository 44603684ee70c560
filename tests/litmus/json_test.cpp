// JSON writing: escapes, malformed UTF-8, order of fields.
#include "litmus/text/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace thinair::json {
namespace {

TEST(Json, QuotesAndEscapes) {
  EXPECT_EQ(quote("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(quote("line\nnext\ttab\r"), R"("line\nnext\ttab\r")");
  EXPECT_EQ(quote(std::string_view("\0\x1b\x7f", 3)), R"("\u0000\u001b\u007f")");
  EXPECT_EQ(quote(""), R"("")");
}

TEST(Json, EscapesWhatIsNotPrintable) {
  EXPECT_EQ(quote("\u009b\u202e\ufeff"), R"("\u009b\u202e\ufeff")");
  EXPECT_EQ(quote("\U000E0041"), R"("\udb40\udc41")") << "a pair of surrogates";
}

TEST(Json, KeepsWellFormedUtf8) { EXPECT_EQ(quote("é ∧ 𝄞"), "\"é ∧ 𝄞\""); }

TEST(Json, ReplacesMalformedUtf8) {
  EXPECT_EQ(quote("\xC0\xAF"), R"("\ufffd\ufffd")") << "overlong";
  EXPECT_EQ(quote("\xED\xA0\x80"), R"("\ufffd\ufffd\ufffd")") << "surrogate";
  EXPECT_EQ(quote("\xE2\x88"), R"("\ufffd\ufffd")") << "truncated";
  EXPECT_EQ(quote("\xF4\x90\x80\x80"), R"("\ufffd\ufffd\ufffd\ufffd")") << "beyond U+10FFFF";
  EXPECT_EQ(quote("a\x80z"), R"("a\ufffdz")") << "a stray tail";
}

TEST(Json, ObjectsKeepTheirOrder) {
  const std::string text = Object()
                               .string("z", "1")
                               .integer("a", -2)
                               .boolean("b", true)
                               .null("n")
                               .real("s", 0.25)
                               .raw("l", array(std::vector<std::string>{"1", "\"x\""}))
                               .text();
  EXPECT_EQ(text, R"({"z":"1","a":-2,"b":true,"n":null,"s":0.25,"l":[1,"x"]})");
  EXPECT_EQ(Object().text(), "{}");
  EXPECT_EQ(array({}), "[]");
}

TEST(Json, WhatIsNoNumberIsNull) {
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(number(0.1), "0.1");
}

} // namespace
} // namespace thinair::json
