// Tables: what the shipped ones say, and the exact text of every error.
#include "litmus/text/error.h"
#include "oracle/umm/model.h"

#include <gtest/gtest.h>

namespace thinair::umm {
namespace {

constexpr std::string_view good = "\"T\" # a title\n"
                                  "operations read write\n"
                                  "bypass\n"
                                  " read no diff-var\n"
                                  " write yes no\n"
                                  "visible read write latest\n";

std::string error(std::string_view text) {
  try {
    parse_model({"m.umm", std::string(text)});
    return {};
  } catch (const InputError& e) {
    return e.what();
  }
}

std::string with(std::string_view old, std::string_view fresh) {
  std::string text(good);
  text.replace(text.find(old), old.size(), fresh);
  return error(text);
}

TEST(Table, IsRead) {
  const auto model = parse_model({"m.umm", std::string(good)});
  EXPECT_EQ(model.title, "T");
  EXPECT_FALSE(model.to_each_thread);
  EXPECT_TRUE(model.knows(Operation::read));
  EXPECT_FALSE(model.knows(Operation::lock));
  EXPECT_EQ(model.may_bypass(Operation::read, Operation::write), Bypass::different_variable);
  EXPECT_EQ(model.may_bypass(Operation::write, Operation::read), Bypass::yes);
}

TEST(Table, ShippedOnesLoad) {
  EXPECT_EQ(shipped_models().size(), 4U);
  for (const auto* name : {"sc", "coherence", "pram", "jmm-mp"})
    EXPECT_TRUE(find_model(name).has_value()) << name;
  EXPECT_FALSE(find_model("tso").has_value());
}

TEST(Table, SaysWhatIsWrong) {
  EXPECT_EQ(error(""), "m.umm:1:1: error: expected a title in quotes on the first line\n  \n  ^");
  EXPECT_EQ(with("\"T\" # a", "T # a"),
            "m.umm:1:1: error: expected a title in quotes on the first line\n  T # a title\n  ^");
  EXPECT_EQ(with("\"T\"", "\"T"),
            "m.umm:1:1: error: a title without its end\n  \"T # a title\n  ^^^^^^^^^^^^");
  EXPECT_EQ(with("operations read", "operations raed"),
            "m.umm:2:12: error: expected an operation, found `raed`\n  operations raed write\n     "
            "        ^^^^\n  hint: did you mean `read`?");
  EXPECT_EQ(with("operations read write", "operations read read"),
            "m.umm:2:17: error: `read` stands here twice\n  operations read read\n                 "
            " ^^^^");
  EXPECT_EQ(with("operations", "ops"),
            "m.umm:2:1: error: expected `operations`, found `ops`\n  ops read write\n  ^^^");
  EXPECT_EQ(with("diff-var", "dif-var"),
            "m.umm:4:10: error: expected an entry, found `dif-var`\n   read no dif-var\n           "
            "^^^^^^^\n  hint: did you mean `diff-var`?");
  EXPECT_EQ(with("no diff-var", "no"), "m.umm:4:2: error: expected an operation and 2 entries, "
                                       "found 2 words\n   read no\n   ^^^^^^^");
  EXPECT_EQ(
      with("visible read write latest\n", ""),
      "m.umm:5:2: error: no `visible` line says what `read` may see\n   write yes no\n   ^^^^^");
  EXPECT_EQ(with("latest", "last"),
            "m.umm:6:20: error: expected a visibility rule, found `last`\n  visible read write "
            "last\n                     ^^^^\n  hint: did you mean `latest`?");
  EXPECT_EQ(with("visible read", "visible write"),
            "m.umm:6:9: error: expected an operation of this model that reads, found `write`\n  "
            "visible write write latest\n          ^^^^^");
  EXPECT_EQ(with("visible read write", "visible read read"),
            "m.umm:6:14: error: expected an operation of this model that writes, found `read`\n  "
            "visible read read latest\n               ^^^^");
  EXPECT_EQ(with("visible", "bypass\nvisible"),
            "m.umm:6:1: error: expected `visible`, found `bypass`\n  bypass\n  ^^^^^^");
  EXPECT_EQ(
      with("bypass", "writes twice\nbypass"),
      "m.umm:3:8: error: expected `to-each-thread`, found `twice`\n  writes twice\n         ^^^^^");
  EXPECT_EQ(
      with("latest\n", "latest\nvisible read write latest\n"),
      "m.umm:7:9: error: a second rule for `read`\n  visible read write latest\n          ^^^^");
}

} // namespace
} // namespace thinair::umm
