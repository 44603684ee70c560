// C1 looks into an object to see its class where Java has a cast. Code by hand: what such a check
// may look like, and what is none.
#include "litmus/text/error.h"
#include "lower/jit/compiled.h"
#include "lower/jit/lift.h"
#include "lower/jit/walk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::lower::jit {
namespace {

/// Where assembly has the first `movabs`: there stands a note.
std::uint64_t place_of_constant(const std::vector<MachineInstruction>& code) {
  const auto found = std::ranges::find_if(code, [](const MachineInstruction& in) {
    return in.opcode == "MOV64ri" || in.opcode == "CMP32mi"; // a constant of 64 bits, of 32
  });
  return found == code.end() ? 0 : found->address - found->address % 4;
}

/// x86 code: the state is in rsi, with fields at 12 and 16, the result in rdx, with one at 12.
class ClassChecks : public testing::Test {
 protected:
  void SetUp() override {
    if (backend_version().empty()) GTEST_SKIP() << "built without LLVM";
    layout_.refers = true;
  }

  /// How many instructions stay, or why the code is refused.
  std::string walked(const std::string& assembly, const std::string& constant) {
    const auto machine = machine_of("x86");
    auto backend = decoder(machine);
    const auto functions = backend.disassemble(
        backend.assemble(".type f,@function\nf:\n" + assembly + "\n.size f, .-f\n"));
    Method method{"m", "c1", 1, 0, {}, 0, {}, {"rsi:rsi", "rdx:rdx"}};
    const auto& code = functions.at(0).code;
    for (const auto& in : code)
      method.code.insert(method.code.end(), in.bytes.begin(), in.bytes.end());
    method.notes[place_of_constant(code)] = fmt::format("{{metadata('{}')}}", constant);
    try {
      const auto steps = walk(method, machine, layout_, backend);
      return fmt::format("{} stay", std::ranges::count(steps, Step::Stays::yes, &Step::stays));
    } catch (const Unsupported& lacking) {
      return lacking.what();
    }
  }

  Layout layout_{{12, 16}, {12}};
};

constexpr std::string_view loads = "movl 12(%rsi), %ebx\n", asks = "testq %rbx, %rbx\nje 2f\n",
                           again = "testq %rbx, %rbx\nje 1f\n",
                           looks = ".balign 4\nmovabsq $0x123456789, %rcx\nmovl 8(%rbx), %eax\n",
                           checks = "cmpq 56(%rax), %rcx\nje 2f\n1: call f\n",
                           hands_over = "2: movl %ebx, 12(%rdx)\nret\n";

template <class... Parts>
std::string together(Parts... parts) {
  std::string out;
  ((out += parts), ...);
  return out;
}

TEST_F(ClassChecks, GoWhereTheReferenceWasNotNull) {
  const std::string all = together(loads, asks, again, looks, checks, hands_over);
  for (const auto* name : {"Batch_0$A_c", "java/lang/Object"})
    EXPECT_EQ(walked(all, name), "5 stay") << "a load, a comparison, a branch, a store, an end";
  EXPECT_TRUE(walked(all, "Batch_0$State").starts_with("unsupported: a comparison of what is no "))
      << "of the class of what holds locations";
  EXPECT_TRUE(
      walked(all, "java/lang/String").starts_with("unsupported: a comparison of what is no "))
      << "of a class that no reference of the program's has";
  layout_.refers = false;
  EXPECT_TRUE(walked(all, "Batch_0$A_c").starts_with("unsupported: an access "));
}

/// Graal's compiler compares what is in the header, and asks of compressed references.
TEST_F(ClassChecks, GoInTheFormOfGraal) {
  const auto stay = [&](std::string_view question, const std::string& name) {
    return walked(together(loads, question, ".balign 4\nmovabsq $0x123456789, %rcx\n",
                           "movl 8(%rbx), %eax\ncmpq %rax, %rcx\nje 2f\n1: call f\n", hands_over),
                  name);
  };
  EXPECT_EQ(stay("testl %ebx, %ebx\nje 2f\n", "Batch_0$A_c"), "5 stay");
  const std::string at_once = together(loads, asks, ".balign 4\ncmpl $0x12345678, 8(%rbx)\n",
                                       "je 2f\n1: call f\n", hands_over);
  EXPECT_EQ(walked(at_once, "Batch_0$A_c"), "5 stay");
  EXPECT_TRUE(walked(at_once, "Batch_0$State").starts_with("unsupported: "));
  EXPECT_TRUE(stay("testl %ebx, %ebx\nje 2f\n", "Batch_0$State").starts_with("unsupported: "));
  EXPECT_TRUE(stay("testb %bl, %bl\nje 2f\n", "Batch_0$A_c").starts_with("unsupported: "));
  EXPECT_TRUE(stay("", "Batch_0$A_c").starts_with("unsupported: "));
}

/// Without the question before it, the check would be one more dependency on what was read.
TEST_F(ClassChecks, AreRefusedWhereItMayBeNull) {
  const auto refused = [&](const std::string& assembly) {
    const std::string said = walked(assembly, "Batch_0$A_c");
    EXPECT_TRUE(said.starts_with("unsupported: ")) << said << "\n" << assembly;
  };
  const std::string_view whole = "movq 12(%rsi), %rbx\n";
  refused(together(loads, looks, checks, hands_over));
  refused(together(loads, again, "jmp 2f\n", "1:", looks, "jmp 3f\n", "3:", checks, hands_over));
  refused(together(loads, "testb %bl, %bl\nje 2f\n", looks, checks, hands_over));
  refused(together(loads, "testq %rbx, %rax\nje 2f\n", looks, checks, hands_over));
  refused(together(loads, "cmpq $1, %rbx\nje 2f\n", looks, checks, hands_over));
  refused(together(loads, "testq %rbx, %rbx\nja 2f\n", looks, checks, hands_over));
  refused(together(loads, "testq %rbx, %rbx\njne 2f\n", looks, checks, hands_over));
  refused(together(loads, asks, "movl 16(%rsi), %ebx\n", looks, checks, hands_over));
  refused(together(whole, asks, looks, checks, hands_over));
  // Another register has been asked in between.
  refused(together(loads, "movl 16(%rsi), %edi\ntestq %rbx, %rbx\ntestq %rdi, %rdi\nje 2f\n", looks,
                   checks, hands_over));
}

/// What is not null plus something may be: numbers, too, are compared with 0.
TEST_F(ClassChecks, ANumberThatWasNotZeroIsOnlyThatOne) {
  const std::string_view store = "2: movl %ebx, 12(%rdx)\nret\n";
  const auto stay = [&](std::string_view between, std::string_view question) {
    return walked(together(loads, asks, between, question, "je 2f\nmovl $7, 16(%rsi)\n", store),
                  "none");
  };
  EXPECT_EQ(stay("", "testq %rbx, %rbx\n"), "6 stay") << "is decided";
  for (const auto* between : {"addq $1, %rbx\n", "addl $1, %ebx\n", "subq $3, %rbx\n",
                              "movl 16(%rsi), %ebx\n", "andl $1, %ebx\n", "movl %ebx, %ebx\n"})
    EXPECT_EQ(stay(between, "testq %rbx, %rbx\n"), "9 stay") << between;
  EXPECT_EQ(stay("", "testl %ebx, %ebx\n"), "8 stay") << "of half the bits nothing is known";
}

} // namespace
} // namespace thinair::lower::jit
