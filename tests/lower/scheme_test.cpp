// Scheme files: the shipped ones, printing, and the exact text of every error.
#include "litmus/text/error.h"
#include "lower/scheme.h"
#include "machine/x86/code/rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::lower {
namespace {

TEST(Scheme, EveryShippedSchemeIsComplete) {
  std::vector<std::string> names;
  for (const auto& shipped : shipped_schemes()) {
    const Scheme scheme = parse_scheme(source_of(shipped));
    EXPECT_EQ(find_scheme(scheme.text().name())->text().title(), scheme.text().title())
        << shipped.file;
    names.push_back(scheme.text().name());
  }
  std::ranges::sort(names);
  const std::vector<std::string> expected{"x86:fenced", "x86:hotspot-c1",    "x86:hotspot-c2",
                                          "x86:jam21",  "x86:leading-fence", "x86:table2"};
  EXPECT_EQ(names, expected);
}

TEST(Scheme, UnknownNamesAreNotFound) {
  EXPECT_FALSE(find_scheme("x86:table3"));
  EXPECT_FALSE(find_scheme("table2"));
}

TEST(Scheme, PrintingAndReadingAgainGivesTheSameRules) {
  for (const auto& shipped : shipped_schemes()) {
    const Scheme scheme = parse_scheme(source_of(shipped));
    const std::string printed = print(scheme.text());
    EXPECT_EQ(print(parse_scheme({"printed", printed}).text()), printed);
  }
}

TEST(Scheme, Table2HasTheRowsOfThePaper) {
  const Scheme scheme = *find_scheme("x86:table2");
  const auto& rules = dynamic_cast<const x86_code::Rules&>(*scheme.rules);
  const auto rule = [&](Operation operation) { return rules.of[index_of(operation)]; };
  const auto set = rule(litmus::Method::setVolatile);
  ASSERT_EQ(set.code.size(), 2u);
  EXPECT_EQ(set.code[0].opcode, x86::Opcode::mov);
  EXPECT_EQ(set.code[1].opcode, x86::Opcode::mfence);
  EXPECT_EQ(scheme.text().code(litmus::Method::setVolatile), "  mov [x], arg\n  mfence\n");
  EXPECT_EQ(rule(litmus::Method::getVolatile).code.size(), 1u);
  EXPECT_EQ(rule(litmus::Fence::acquire).code.at(0).opcode, x86::Opcode::nop);
  const auto cas = rule(litmus::Method::weakCompareAndSetPlain);
  EXPECT_TRUE(cas.code.at(2).lock);
  EXPECT_EQ(cas.machine_registers, std::vector{x86::Register::rax});
  EXPECT_TRUE(rule(litmus::Method::getAndBitwiseXor).uses[static_cast<int>(Role::arg)]);
}

/// A complete scheme with one rule replaced.
std::string with_rule(std::string_view operations, std::string_view body) {
  const Scheme table2 = *find_scheme("x86:table2");
  std::string text = "scheme x86:trial\n";
  text += fmt::format("{} {{\n{}\n}}\n", operations, body);
  for (std::size_t i = 0; i < operation_count; ++i) {
    const auto word = name(operation_at(i));
    if (operations.find(word) != std::string_view::npos) continue;
    text += fmt::format("{} {{\n{}}}\n\n", word, table2.text().code(operation_at(i)));
  }
  return text;
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
  std::string operations, body, expected;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.operations; }

class WrongRules : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongRules, AreErrorsWithLineAndCaret) {
  const auto& [operations, body, expected] = GetParam();
  EXPECT_EQ(error_of(with_rule(operations, body)), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WrongRules,
    ::testing::Values(
        Wrong{"getAndAdd", "  lock xadd [x], arg\n  mov dst, arg",
              "my.scheme:3:3: error: this overwrites arg, which the rule must leave as it is\n"
              "    lock xadd [x], arg\n    ^^^^^^^^^^^^^^^^^^\n  hint: copy it to tmp first"},
        Wrong{"get", "  movq dst, [x]",
              "my.scheme:3:3: error: no x86 instruction is called \"movq\"\n"
              "    movq dst, [x]\n    ^^^^\n  hint: did you mean mov?"},
        Wrong{"get", "  mov dst, [y]",
              "my.scheme:3:13: error: expected x or stack in brackets, found \"y\"\n"
              "    mov dst, [y]\n              ^"},
        Wrong{"get", "  mov dst, src",
              "my.scheme:3:12: error: no operand is called \"src\"\n    mov dst, src\n"
              "             ^^^\n  hint: operands are dst, arg, exp, new, tmp, tmp2 (with .b .w .q "
              "for a width), a register such as eax, a number, [x] and [stack]"},
        Wrong{"set", "  mov [x], [stack]",
              "my.scheme:3:3: error: an instruction has at most one operand in memory\n"
              "    mov [x], [stack]\n    ^^^^^^^^^^^^^^^^\n  hint: move one of them through tmp"},
        Wrong{"set", "  mov [x], arg, 1",
              "my.scheme:3:3: error: expected 2 operands, found 3\n    mov [x], arg, 1\n"
              "    ^^^^^^^^^^^^^^^"},
        Wrong{"set", "  mov 7, arg",
              "my.scheme:3:3: error: operand 1 of this instruction must be a register or [x] or "
              "[stack]\n    mov 7, arg\n    ^^^^^^^^^^"},
        Wrong{"set", "  lock mov [x], arg",
              "my.scheme:3:3: error: lock needs an instruction that updates its first operand, in "
              "memory\n    lock mov [x], arg\n    ^^^^^^^^^^^^^^^^^"},
        Wrong{"set", "  mov [x], exp",
              "my.scheme:3:3: error: set has no exp\n    mov [x], exp\n    ^^^^^^^^^^^^"},
        Wrong{"set", "  mov dst, [x]",
              "my.scheme:3:3: error: set has no dst\n    mov dst, [x]\n    ^^^^^^^^^^^^"},
        Wrong{"get", "  mov tmp, [x]",
              "my.scheme:2:1: error: the rule for get never writes dst\n  get {\n  ^^^"},
        Wrong{"get", "  mov dst, 0",
              "my.scheme:2:1: error: the rule for get never accesses [x]\n  get {\n  ^^^"},
        Wrong{
            "fullFence", "  mov tmp, [x]",
            "my.scheme:3:3: error: fullFence has no location\n    mov tmp, [x]\n    ^^^^^^^^^^^^"},
        Wrong{"getAndSet", "  xchg [x], tmp\n  mov dst, tmp",
              "my.scheme:3:3: error: tmp is read before anything is written to it\n"
              "    xchg [x], tmp\n    ^^^^^^^^^^^^^"},
        Wrong{"compareAndExchange", "  mov tmp, new\n  lock cmpxchg [x], tmp\n  mov dst, tmp",
              "my.scheme:4:3: error: eax is read before anything is written to it\n"
              "    lock cmpxchg [x], tmp\n    ^^^^^^^^^^^^^^^^^^^^^"},
        Wrong{"get", "  jne again\n  mov dst, [x]",
              "my.scheme:3:3: error: no label again in this rule\n    jne again\n    ^^^^^^^^^"},
        Wrong{"get", "a:\na:\n  mov dst, [x]",
              "my.scheme:5:3: error: label a stands twice\n    mov dst, [x]\n    ^^^^^^^^^^^^"},
        Wrong{"get", "  mov dst, [x]\n  mov esp, 1",
              "my.scheme:4:3: error: rsp is not a scheme's to use\n    mov esp, 1\n    ^^^^^^^^^^"},
        Wrong{"get", "  mov dst.b, eax",
              "my.scheme:3:3: error: the operands differ in width\n    mov dst.b, eax\n"
              "    ^^^^^^^^^^^^^^"},
        Wrong{"compareAndSet", "  sete dst",
              "my.scheme:3:3: error: this instruction writes one byte\n    sete dst\n    ^^^^^^^^\n"
              "  hint: write the register as tmp.b, then movzx dst, tmp.b"},
        Wrong{"compareAndSet", "  movzx dst, tmp",
              "my.scheme:3:3: error: movzx widens: its source must be the narrower operand\n"
              "    movzx dst, tmp\n    ^^^^^^^^^^^^^^"},
        Wrong{"set", "  mov [x], 4294967296",
              "my.scheme:3:12: error: expected a 32-bit decimal number, found \"4294967296\"\n"
              "    mov [x], 4294967296\n             ^^^^^^^^^^"},
        Wrong{"set", "  mov [x], arg nop",
              "my.scheme:3:16: error: expected the end of the instruction, found \"nop\"\n"
              "    mov [x], arg nop\n                 ^^^"},
        Wrong{"set", "  jmp",
              "my.scheme:3:6: error: expected a label to jump to, found the end of "
              "the line\n    jmp\n       ^"},
        Wrong{"set, getAcquired", "  mov [x], arg",
              "my.scheme:2:6: error: no operation is called \"getAcquired\"\n"
              "  set, getAcquired {\n       ^^^^^^^^^^^\n  hint: did you mean getAcquire?"}));

TEST(SchemeErrors, MissingAndRepeatedOperations) {
  EXPECT_EQ(error_of("scheme s\nget { mov dst, [x] }\nget { mov dst, [x] }\n"),
            "my.scheme:3:1: error: a second rule for get\n  get { mov dst, [x] }\n  ^^^");
  std::string text = with_rule("set", "  mov [x], arg");
  text = "scheme s\n" + text.substr(text.find("}\n") + 2);
  EXPECT_NE(error_of(text).find(": error: the scheme has no rule for set\n"), std::string::npos)
      << error_of(text);
}

TEST(SchemeErrors, FilesThatAreNoSchemes) {
  EXPECT_EQ(error_of(""), "my.scheme:1:1: error: expected \"scheme NAME\" first, found the end of "
                          "the file\n  \n  ^");
  EXPECT_EQ(error_of("scheme \"x\n"),
            "my.scheme:1:8: error: a quoted text without its end\n  scheme \"x\n         ^");
  EXPECT_EQ(error_of("scheme s\nget [ ]"),
            "my.scheme:2:5: error: expected \"{\" before the instructions of a rule, found \"[\"\n"
            "  get [ ]\n      ^");
  EXPECT_EQ(error_of(std::string("scheme s\n\0", 10)),
            "my.scheme:2:1: error: a character that no scheme file uses\n   \n  ^");
}

} // namespace
} // namespace thinair::lower
