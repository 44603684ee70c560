// What programs beyond herd7 become. (That their states stay the same: tests/runners/herd7_test.)
#include "litmus/text/error.h"
#include "machine/x86/format.h"
#include "machine/x86/herd_export.h"

#include <gtest/gtest.h>

namespace thinair::x86 {

using namespace litmus;
namespace {

litmus::Test one(const std::string& code, const std::string& asked = "x=0") {
  return parse({"t", "X86_64 t\n{}\n P0 ;\n " + code + " ;\nexists (" + asked + ")\n"});
}

/// The code of the exported thread, a line an instruction.
std::string exported(const std::string& code) {
  const std::string text = print(herd_export(one(code)).test);
  const std::size_t begin = text.find(" ;\n", text.find("P0")) + 3;
  std::string rest = text.substr(begin, text.find("locations") - begin), out;
  for (std::size_t at = 0; at < rest.size(); at = rest.find('\n', at) + 1) {
    const std::string line = rest.substr(at + 1, rest.find(" ;", at) - at - 1);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "; ";
  }
  return out;
}

std::string refused(const std::string& code) {
  try {
    herd_export(one(code));
  } catch (const Unsupported& error) {
    return error.what();
  }
  return "exported";
}

TEST(HerdExport, WhatHerdReadsStays) {
  const litmus::Test test = one("lock cmpxchgl (x),%ebx");
  EXPECT_EQ(herd_export(test).test.program, test.program);
}

TEST(HerdExport, ExchangeAddGuesses) {
  EXPECT_EQ(exported("lock xaddl %edx,(x)"),
            "movl (x),%r15d; movl %r15d,%r14d; addl %edx,%r14d; xchgl %r14d,(x); "
            "xorl %r14d,%r15d; orl %r15d,%r13d; movl %r14d,%edx; ");
  const HerdExport out = herd_export(one("lock xaddl %edx,(x)"));
  ASSERT_TRUE(out.test.filter);
  EXPECT_EQ(to_string(*out.test.filter), "0:r13=0");
}

TEST(HerdExport, ConditionsBecomeJumps) {
  EXPECT_EQ(exported("sete %al"), "movb $1,%al; je H0; movb $0,%al; H0:; ");
  EXPECT_EQ(exported("L: jl L"), "L: jge H0; jmp L; H0:; ");
  EXPECT_EQ(exported("cmovgl (x),%eax"),
            "movl (x),%r15d; movl %eax,%eax; jle H0; movl %r15d,%eax; H0:; ");
  EXPECT_EQ(exported("testl %eax,%eax"), "cmpl $0,%eax; ");
}

TEST(HerdExport, LocksThatHerdRefuses) {
  EXPECT_EQ(exported("lock orl $4,(x)"),
            "movl (x),%r15d; movl %r15d,%r14d; orl $4,%r14d; xchgl %r14d,(x); "
            "xorl %r14d,%r15d; orl %r15d,%r13d; ");
  EXPECT_EQ(exported("lock subl $1,(x)"), "lock decl (x); ");
}

TEST(HerdExport, IntelBecomesAttWhereNeeded) {
  const auto kept = parse({"t", "X86 t\n{}\n P0 ;\n xchg [x],EAX ;\nexists (0:EAX=0)"});
  EXPECT_EQ(herd_export(kept).test.language, &intel);
  const auto test = parse({"t", "X86 t\n{}\n P0 ;\n lock cmpxchg [x],EBX ;\nexists (0:EAX=0)"});
  const HerdExport out = herd_export(test);
  EXPECT_EQ(out.test.language, &att);
  ASSERT_EQ(out.names.size(), 1U);
  EXPECT_EQ(to_string(out.names[0].first), "0:rax");
  EXPECT_EQ(to_string(out.names[0].second), "0:EAX");
}

TEST(HerdExport, LabelsDifferOverAllThreads) {
  const auto test = parse({"t", "X86_64 t\n{}\n P0 | P1 | P2 ;\n L: nop | L: nop | L_1: nop ;\n"
                                " jmp L | jmp L | jmp L_1 ;\nexists (x=1)"});
  const HerdExport out = herd_export(test);
  const auto& threads = program_of(out.test).threads;
  EXPECT_EQ(threads.at(0).code.at(1).target, "L");
  EXPECT_EQ(threads.at(1).code.at(0).labels.at(0), "L_1");
  EXPECT_EQ(threads.at(1).code.at(1).target, "L_1");
  EXPECT_EQ(threads.at(2).code.at(1).target, "L_1_1");
}

TEST(HerdExport, LocationsAreRenamed) {
  const auto test = parse({"t", "X86_64 t\n{inc=1;}\n P0 ;\n movl $1,(inc) ;\nexists (inc=1)"});
  const HerdExport out = herd_export(test);
  EXPECT_EQ(to_string(out.names.at(0).first), "[cell_inc]");
  EXPECT_EQ(to_string(out.names.at(0).second), "[inc]");
}

TEST(HerdExport, WhatHasNoWritingIsRefused) {
  EXPECT_EQ(refused("shrl $1,%eax"), "unsupported: shr for herd7");
  EXPECT_EQ(refused("L: ja L"), "unsupported: the condition a for herd7");
  EXPECT_EQ(refused("lock xaddl %eax,(x) ; sete %al"),
            "unsupported: the flags of lock xadd for herd7");
  EXPECT_EQ(refused("subl %ebx,%eax"), "unsupported: sub of other than 0 to 16 for herd7");
}

} // namespace
} // namespace thinair::x86
