// Reading and printing x86 tests: what herd7 reads, what our dialect adds, and back again.
#include "litmus/json.h"
#include "litmus/test.h"
#include "machine/x86/format.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>

namespace thinair::x86 {

using namespace litmus;
namespace {

litmus::Test parse_x86(const std::string& text) { return parse({"t.litmus", text}); }

/// Code of one thread under a header and an empty initial state.
std::string att(const std::string& code, const std::string& initial = "") {
  return "X86_64 t\n{" + initial + "}\n P0 ;\n " + code + " ;\nexists (x=0)\n";
}
std::string intel(const std::string& code, const std::string& initial = "") {
  return "X86 t\n{" + initial + "}\n P0 ;\n " + code + " ;\nexists (x=0)\n";
}

/// How the only instruction of a text is printed again.
std::string reprinted(const std::string& text) {
  const litmus::Test test = parse_x86(text);
  const std::string printed = print(test);
  EXPECT_EQ(parse_x86(printed), test) << printed;
  EXPECT_EQ(print(parse_x86(printed)), printed);
  const std::size_t begin = printed.find("P0");
  const std::size_t row = printed.find('\n', begin) + 2;
  const std::string rest = printed.substr(row, printed.find(" ;", row) - row);
  return rest.substr(0, rest.find_last_not_of(' ') + 1);
}

const Instruction& first(const Test& test) { return program_of(test).threads.at(0).code.at(0); }

TEST(X86Format, OperandsAreStoredDestinationFirst) {
  const litmus::Test a = parse_x86(att("movl $3,(x)")), i = parse_x86(intel("mov [x],3"));
  EXPECT_EQ(first(a), first(i));
  EXPECT_TRUE(std::holds_alternative<Memory>(first(a).operands.at(0)));
}

TEST(X86Format, BothOrdersOfCompareExchange) {
  EXPECT_EQ(first(parse_x86(att("lock cmpxchgl (x),%ebx"))),
            first(parse_x86(att("lock cmpxchgl %ebx,(x)"))));
  EXPECT_EQ(reprinted(att("lock ; cmpxchgl %ebx,(x)")), "lock cmpxchgl (x),%ebx");
}

TEST(X86Format, WhatHerdReadsIsPrintedSoThatHerdReadsIt) {
  EXPECT_EQ(reprinted(att("MOVL $1,%EAX")), "movl $1,%eax");
  EXPECT_EQ(reprinted(att("movl 5,[x]")), "movl $5,(x)");
  EXPECT_EQ(reprinted(att("mov $1,(x)", "uint64_t x;")), "movq $1,(x)");
  EXPECT_EQ(reprinted(att("movl $1,%rax")), "movl $1,%eax");
  EXPECT_EQ(reprinted(att("mov eax,ecx")), "movl %eax,%ecx");
  EXPECT_EQ(reprinted(att("movq 0(%rdi),%rax", "0:rdi=x;")), "movq (%rdi),%rax");
  EXPECT_EQ(reprinted(att("xchgl (x),%eax")), "xchgl %eax,(x)");
  EXPECT_EQ(reprinted(att("and $1,%eax")), "and $1,%eax");
  EXPECT_EQ(reprinted(att("andl $1,%eax")), "and $1,%eax");
  EXPECT_EQ(reprinted(att("L: jgt L")), "L: jgt L");
  EXPECT_EQ(reprinted(att("L: jg L")), "L: jgt L");
  EXPECT_EQ(reprinted(att("endbr64")), "nop");
  EXPECT_EQ(reprinted(att("nopl 4(%rax)")), "nop");
  EXPECT_EQ(reprinted(intel("mov EAX,[x]")), "mov EAX,[x]");
  EXPECT_EQ(reprinted(intel("xchg EAX,[x]")), "xchg [x],EAX");
  EXPECT_EQ(reprinted(intel("lock ; add [EBX],1", "0:EBX=x;")), "lock add [EBX],1");
}

TEST(X86Format, OurDialect) {
  EXPECT_EQ(reprinted(att("lock xaddl %edx,(x)")), "lock xaddl %edx,(x)");
  EXPECT_EQ(reprinted(att("sete %sil")), "sete %sil");
  EXPECT_EQ(reprinted(att("cmovnel %ebx,%eax")), "cmovne %ebx,%eax");
  EXPECT_EQ(reprinted(att("cmovl %ebx,%eax")), "cmovl %ebx,%eax");
  EXPECT_EQ(reprinted(att("cmovc %rax,(x)")), "cmovb (x),%rax"); // herd's order
  EXPECT_EQ(reprinted(att("movzbl %al,%ecx")), "movzbl %al,%ecx");
  EXPECT_EQ(reprinted(att("testl %eax,%eax")), "testl %eax,%eax");
  EXPECT_EQ(reprinted(att("subl $4294967295,%eax")), "subl $-1,%eax");
  EXPECT_EQ(reprinted(att("leaq (x),%rdi")), "leaq (x),%rdi");
  EXPECT_EQ(reprinted(att("shll %eax")), "shl $1,%eax");
  EXPECT_EQ(reprinted(att("shrl %cl,%eax")), "shrl %cl,%eax");
  EXPECT_EQ(reprinted(att("lock orl $1,x(%rip)")), "lock orl $1,(x)");
  EXPECT_EQ(reprinted(att("imull %ebx,%eax")), "imull %ebx,%eax");
  EXPECT_EQ(reprinted(intel("movzx eax, byte ptr [x]")), "movzx EAX,byte ptr [x]");
  EXPECT_EQ(reprinted(intel("lock xadd [x],edx")), "lock xadd [x],EDX");
  EXPECT_EQ(reprinted(intel("setl al")), "setl AL");
  EXPECT_EQ(reprinted(intel("inc dword ptr [x]", "int64_t x;")), "inc dword ptr [x]");
}

TEST(X86Format, LabelsStandBeforeTheNextInstructionOrAtTheEnd) {
  const litmus::Test test = parse_x86("X86_64 t\n{}\n P0 | P1 ;\n | nop ;\n"
                                      " L0: L1: |;\n movl $1,(x) | jmp E ; | E: ;\nexists (x=1)\n");
  const auto& threads = program_of(test).threads;
  ASSERT_EQ(threads.at(0).code.size(), 1U);
  EXPECT_EQ(threads.at(0).code[0].labels, (std::vector<std::string>{"L0", "L1"}));
  ASSERT_EQ(threads.at(1).code.size(), 2U);
  EXPECT_EQ(threads.at(1).end_labels, std::vector<std::string>{"E"});
  EXPECT_EQ(parse_x86(print(test)), test);
}

TEST(X86Format, InitialStatesAndTypes) {
  const litmus::Test test =
      parse_x86("X86_64 t\n{ int x=5; uint64_t y; [z]=-1; uint8_t b=511; 0:rdi=x; "
                "P1:rax=7; uint64_t 1:rbx; }\n P0 | P1 ;\n nop | nop ;\n"
                "locations [y; 1:rbx;]\nexists (b=-1 /\\ 1:rbx=-1)\n");
  const auto& program = program_of(test);
  EXPECT_EQ(program.locations.at(3).initial, 255);
  EXPECT_EQ(std::get<LocationId>(program.threads.at(0).initial.at(0).value), LocationId(0));
  EXPECT_EQ(test.clauses.at(0).proposition.parts.at(0).constant, 255);
}

TEST(X86Format, TheCanonicalLayout) {
  const litmus::Test test =
      parse_x86("X86_64 t\n\"a title\"\nCom=Rf\n{0:rdi=x;int x=5;uint64_t y;}\n"
                "P0|P1|P2;movl $1,(%rdi)|L:movq (y),%r10|;||mfence;\n"
                "locations [y]~exists(0:rax=1)");
  EXPECT_EQ(print(test), R"(X86_64 t
"a title"
Com=Rf
{
 x=5; uint64_t y=0;
 0:rdi=x;
}
 P0             | P1               | P2     ;
 movl $1,(%rdi) | L: movq (y),%r10 | mfence ;
locations [y;]
~exists (0:rax=1)
)");
  EXPECT_EQ(parse_x86(print(test)), test);
}

TEST(X86Format, RegistersOfATest) {
  const litmus::Test test = parse_x86(att("lock cmpxchgl %ebx,(%rdi)", "0:rdi=x; 0:rcx=1;"));
  std::string names;
  for (const Observable& reg : test.language->registers(test)) names += to_string(reg) + " ";
  EXPECT_EQ(names, "0:rax 0:rbx 0:rcx 0:rdi ");
}

TEST(X86Format, AsJson) {
  const std::string code = "L: lock xaddl %edx,(x) ;\n jne L ;\n movq (%rdi),%rax";
  const std::string json = to_json(parse_x86(att(code, "0:rdi=x;")));
  for (const std::string part :
       {R"j("locations":[{"name":"x","type":"int","initial":0}])j",
        R"j("initial":[{"register":"rdi","type":"int","address_of":"x"}])j",
        R"j({"text":"lock xaddl %edx,(x)","opcode":"xadd","lock":true,"bytes":4,)j",
        R"j("operands":[{"memory":"x"},{"register":"edx"}],"labels":["L"]})j",
        R"j("opcode":"j","lock":false,"bytes":4,"condition":"ne","target":"L")j",
        R"j("operands":[{"register":"rax"},{"memory_at":"rdi"}])j",
        R"j("beyond_herd":"lock xadd")j"})
    EXPECT_NE(json.find(part), std::string::npos) << part << "\n" << json;
}

TEST(X86Format, GoldenTestsReadAndPrintBack) {
  std::size_t count = 0;
  for (const char* folder : {"x86/tests", "scale/tests"}) {
    for (const auto& file : golden::files(folder)) {
      const std::string text = golden::read(file);
      if (!text.starts_with("X86_64")) continue;
      ++count;
      const litmus::Test test = parse_x86(text);
      const std::string printed = print(test);
      ASSERT_EQ(parse_x86(printed), test) << file;
      ASSERT_EQ(print(parse_x86(printed)), printed) << file;
      EXPECT_EQ(beyond_herd(program_of(test), Syntax::att), std::nullopt) << file;
    }
  }
  if (count == 0) GTEST_SKIP() << "no golden data here";
  EXPECT_GE(count, 589U);
}

} // namespace
} // namespace thinair::x86
