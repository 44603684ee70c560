// Scheme files of AArch64 and RISC-V: what is wrong with one is said with its place.
#include "litmus/text/error.h"
#include "lower/scheme.h"
#include "lower/text_scheme.h"

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
    parse_text_scheme({"my.scheme", text}, Machine::aarch64);
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
              "my.scheme:4:27: error: LLVM's assembler for aarch64: unrecognized instruction "
              "mnemonic\n"
              "  getAcquire, getVolatile { ldra dst, [x] }\n                            "
              "^^^^^^^^^^^^^"},
        Wrong{"getAcquire, getVolatile { ldar dst, [y] }\n",
              "my.scheme:4:38: error: expected x in brackets, found \"y\"\n"
              "  getAcquire, getVolatile { ldar dst, [y] }\n                                       "
              "^"},
        Wrong{"getAcquire { ldar dst, [x] }\n",
              "my.scheme:76:1: error: the scheme has no rule for getVolatile\n  \n  ^"},
        Wrong{"getAcquire, getVolatile { ldar tmp, [x] }\n",
              "my.scheme:4:1: error: the rule for getAcquire never writes dst\n"
              "  getAcquire, getVolatile { ldar tmp, [x] }\n  ^^^^^^^^^^"},
        Wrong{"getAcquire, getVolatile { mov dst, 0 }\n",
              "my.scheme:4:1: error: the rule for getAcquire never accesses [x]\n"
              "  getAcquire, getVolatile { mov dst, 0 }\n  ^^^^^^^^^^"},
        Wrong{"getAcquire, getVolatile { ldr dst, [x]; add dst, dst, tmp }\n",
              "my.scheme:4:41: error: tmp is read before anything is written to it\n"
              "  getAcquire, getVolatile { ldr dst, [x]; add dst, dst, tmp }\n"
              "                                          ^^^^^^^^^^^^^^^^^"},
        Wrong{"getAcquire, getVolatile { ldr dst, [x]; add dst, dst, arg }\n",
              "my.scheme:4:41: error: getAcquire has no arg\n"
              "  getAcquire, getVolatile { ldr dst, [x]; add dst, dst, arg }\n"
              "                                          ^^^^^^^^^^^^^^^^^"},
        Wrong{"getAcquire, getVolatile { ldar dst [x] }\n",
              "my.scheme:4:36: error: expected \",\" between operands, found \"[\"\n"
              "  getAcquire, getVolatile { ldar dst [x] }\n                                     ^"},
        Wrong{"getAcquire, getVolatile { a: a: ldar dst, [x] }\n",
              "my.scheme:4:33: error: label a stands twice\n"
              "  getAcquire, getVolatile { a: a: ldar dst, [x] }\n"
              "                                  ^^^^^^^^^^^^^"},
        Wrong{"getAcquire, getVolatile { ldr dst, [x]; dmb }\n",
              "my.scheme:4:41: error: LLVM's assembler for aarch64: too few operands for "
              "instruction\n  getAcquire, getVolatile { ldr dst, [x]; dmb }\n"
              "                                          ^^^"}));

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
