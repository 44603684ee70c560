// Scheme files of AArch64 and RISC-V: what is wrong with one is said with its place.
#include "litmus/text/error.h"
#include "lower/scheme.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thinair::lower {
namespace {

std::string with_rule(std::string_view rule) {
  std::string text(shipped_file("aarch64:cxx")->text);
  const std::string old = "getAcquire, getVolatile { ldar dst, [x] }\n";
  text.replace(text.find(old), old.size(), rule);
  return text.substr(text.find("scheme "));
}

std::string error_of(const std::string& text) {
  try {
    parse_scheme({"my.scheme", text});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

struct Wrong {
  std::string rule, expected;
};

class WrongTextRules : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongTextRules, AreErrorsWithLineAndCaret) {
  EXPECT_EQ(error_of(with_rule(GetParam().rule)), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WrongTextRules,
    ::testing::Values(
        Wrong{"getAcquire, getVolatile { ldra dst, [x] }\n",
              "my.scheme:4:27: error: expected an instruction, found `ldra`\n"
              "  getAcquire, getVolatile { ldra dst, [x] }\n                            "
              "^^^^\n  hint: did you mean `ldr`?"},
        Wrong{"getAcquire, getVolatile { ldar dst, [y] }\n",
              "my.scheme:4:38: error: expected x in brackets, found \"y\"\n"
              "  getAcquire, getVolatile { ldar dst, [y] }\n                                       "
              "^"},
        Wrong{"getAcquire { ldar dst, [x] }\n",
              "my.scheme:100:1: error: the scheme has no rule for getVolatile\n  \n  ^"},
        Wrong{"getAcquire, getVolatile { ldar tmp, [x] }\n",
              "my.scheme:4:1: error: the rule for getAcquire never writes dst\n"
              "  getAcquire, getVolatile { ldar tmp, [x] }\n  ^^^^^^^^^^"},
        Wrong{"getAcquire, getVolatile { mov dst, 0 }\n",
              "my.scheme:4:1: error: the rule for getAcquire never accesses [x]\n"
              "  getAcquire, getVolatile { mov dst, 0 }\n  ^^^^^^^^^^"},
        Wrong{"getAcquire, getVolatile { ldr dst, [x]; add dst, dst, tmp }\n",
              "my.scheme:4:55: error: tmp is read before anything is written to it\n"
              "  getAcquire, getVolatile { ldr dst, [x]; add dst, dst, tmp }\n"
              "                                                        ^^^"},
        Wrong{"getAcquire, getVolatile { ldr dst, [x]; add dst, dst, arg }\n",
              "my.scheme:4:55: error: getAcquire has no arg\n"
              "  getAcquire, getVolatile { ldr dst, [x]; add dst, dst, arg }\n"
              "                                                        ^^^"},
        Wrong{"getAcquire, getVolatile { ldar dst [x] }\n",
              "my.scheme:4:36: error: expected \",\" between operands, found \"[\"\n"
              "  getAcquire, getVolatile { ldar dst [x] }\n                                     ^"},
        Wrong{"getAcquire, getVolatile { a: a: ldar dst, [x] }\n",
              "my.scheme:4:33: error: label a stands twice\n"
              "  getAcquire, getVolatile { a: a: ldar dst, [x] }\n"
              "                                  ^^^^^^^^^^^^^"},
        Wrong{"getAcquire, getVolatile { ldr dst, [x]; dmb }\n",
              "my.scheme:4:41: error: expected what the barrier is for, as `ish` or `sy`, found "
              "the end of the instruction\n"
              "  getAcquire, getVolatile { ldr dst, [x]; dmb }\n"
              "                                          ^^^"},
        Wrong{"getAcquire, getVolatile { ldr dst, [x]; add dst, dst, w3 }\n",
              "my.scheme:4:55: error: expected no register by its name, found \"w3\"\n"
              "  getAcquire, getVolatile { ldr dst, [x]; add dst, dst, w3 }\n"
              "                                                        ^^\n"
              "  hint: dst, arg, exp, new, tmp and tmp2 stand for registers"},
        Wrong{"getAcquire, getVolatile { ldar dst, dst }\n",
              "my.scheme:4:37: error: expected `[`, found `dst`\n"
              "  getAcquire, getVolatile { ldar dst, dst }\n"
              "                                      ^^^"},
        Wrong{"getAcquire, getVolatile { again: ldr dst, [x]; cbz dst, agian }\n",
              "my.scheme:4:57: error: expected a label of this rule, found \"agian\"\n"
              "  getAcquire, getVolatile { again: ldr dst, [x]; cbz dst, agian }\n"
              "                                                          ^^^^^\n"
              "  hint: did you mean again?"},
        Wrong{"getAcquire, getVolatile { ldr dst, [x]; add dst, dst, 5000 }\n",
              "my.scheme:4:55: error: expected a number from 0 to 4095 here, or one of these times "
              "4096\n"
              "  getAcquire, getVolatile { ldr dst, [x]; add dst, dst, 5000 }\n"
              "                                                        ^^^^"}));

/// What the machine has and thinair does not know is not the user's error.
TEST(TextScheme, AnInstructionThatIsNotDoneIsUnsupportedWithItsPlace) {
  try {
    parse_scheme({"my.scheme", with_rule("getAcquire, getVolatile { ldxp dst, tmp, [x] }\n")});
    ADD_FAILURE();
  } catch (const Unsupported& unsupported) {
    EXPECT_STREQ(unsupported.what(), "unsupported: my.scheme:4:27: pairs (ldxp)");
  }
}

TEST(TextScheme, TheLayoutOfAFileIsNotItsContent) {
  for (const char* name : {"aarch64:cxx", "riscv:cxx"}) {
    const std::string text(shipped_file(name)->text);
    const auto shipped = parse_scheme({"a", text});
    EXPECT_EQ(shipped.text().name(), name);
    EXPECT_EQ(parse_scheme({"b", "# a comment\n" + text}).content(), shipped.content());
    std::string other = text;
    const std::string acquire = name[0] == 'a' ? "{ ldar dst" : "fence r, rw";
    other.replace(other.find(acquire), acquire.size(), name[0] == 'a' ? "{ ldr dst" : "fence r, w");
    EXPECT_NE(parse_scheme({"c", other}).content(), shipped.content());
  }
}

TEST(TextScheme, WhatARuleMayNotWriteIsChecked) {
  std::string text(shipped_file("aarch64:cxx")->text);
  const std::string old = "getAndAdd { ldaddal arg, dst, [x] }";
  text.replace(text.find(old), old.size(), "getAndAdd { ldaddal dst, arg, [x] }");
  EXPECT_NE(error_of(text).find("dst is read before anything is written to it"), std::string::npos)
      << error_of(text);
  text.replace(text.find("ldaddal dst, arg"), 16, "ldaddal arg, arg");
  EXPECT_NE(error_of(text).find("this overwrites arg, which the rule must leave as it is"),
            std::string::npos)
      << error_of(text);
  const std::string fence = "storeStoreFence { dmb ishst }";
  std::string fenced(shipped_file("aarch64:cxx")->text);
  fenced.replace(fenced.find(fence), fence.size(), "storeStoreFence { ldr tmp, [x] }");
  EXPECT_NE(error_of(fenced).find("storeStoreFence has no location"), std::string::npos);
}

} // namespace
} // namespace thinair::lower
