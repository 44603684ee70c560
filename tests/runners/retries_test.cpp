// Which loops of code only try again.
#include "litmus/test.h"
#include "lower/lowered_test.h"
#include "lower/target.h"
#include "runners/retries.h"

#include <gtest/gtest.h>

#include <string>

namespace thinair::runners {
namespace {

bool retries(const std::string& code) {
  return only_retries(
      litmus::parse({"t", "X86_64 t\n{ x=0; y=0; }\n P0 ;\n" + code + "exists (x=0)\n"}));
}

TEST(Retries, OfX86AreAFailedCmpxchgAndAJumpBack) {
  EXPECT_TRUE(retries(
      " movl (x),%eax ;\n L0: ;\n movl %eax,%edx ;\n lock cmpxchgl (x),%edx ;\n jne L0 ;\n"));
  EXPECT_TRUE(retries(" cmpl $1,%eax ;\n jne L0 ;\n movl $1,(x) ;\n L0: ;\n")); // forwards
  EXPECT_FALSE(retries(" L0: ;\n lock cmpxchgl (x),%edx ;\n je L0 ;\n"));
  EXPECT_FALSE(retries(" L0: ;\n cmpxchgl (x),%edx ;\n jne L0 ;\n"));
  EXPECT_TRUE(retries(" L0: ;\n lock cmpxchgl (x),%edx ;\n sete %dl ;\n movzbl %dl,%edx ;\n testl "
                      "%edx,%edx ;\n je L0 ;\n"));
  EXPECT_FALSE(retries(" L0: ;\n lock cmpxchgl (x),%edx ;\n sete %dl ;\n movzbl %dl,%edx ;\n testl "
                       "%edx,%edx ;\n jne L0 ;\n"));
  EXPECT_FALSE(retries(" L0: ;\n movl $1,(y) ;\n lock cmpxchgl (x),%edx ;\n jne L0 ;\n"));
  EXPECT_FALSE(retries(" L0: ;\n movl (x),%eax ;\n cmpl $0,%eax ;\n jne L0 ;\n"));
  EXPECT_FALSE(retries(" L0: ;\n jmp L0 ;\n"));
}

TEST(Retries, AreAllTheLoopsThatTargetsMake) {
  const auto test = litmus::parse(
      {"t",
       "Java t\n{ X=x; }\nThread0 { int a = X.getAndBitwiseOr(2); int b = X.compareAndSet(1, 2); "
       "int c = X.compareAndExchangeAcquire(1, a); }\nexists (true)\n"});
  for (const char* name : {"x86:table2", "x86:hotspot-c2", "x86:llvm-O2", "aarch64:cxx",
                           "riscv:cxx", "aarch64:llvm-O2", "riscv:llvm-O2"}) {
    const auto lowered = lower::Target::named(name).lower(test.java());
    EXPECT_TRUE(only_retries(lower::lowered_test(test, lowered, name))) << name;
  }
}

TEST(Retries, OfOtherMachinesFollowAStoreConditional) {
  const auto thread = [](const std::string& rows) {
    return only_retries(litmus::parse(
        {"t", "RISCV t\n{ x=0; y=0; 0:x10=x; 0:x14=y; }\n P0 ;\n" + rows + "exists (x=0)\n"}));
  };
  const std::string load = " L0: lr.w x11, (x10) ;\n", tried = " sc.w x13, x12, (x10) ;\n",
                    back = " bne x13, x0, L0 ;\n", store = " sw x12, 0(x14) ;\n";
  EXPECT_TRUE(thread(load + tried + back));
  EXPECT_FALSE(thread(load + store + tried + back));
  EXPECT_FALSE(thread(load + tried + store + back));
  EXPECT_FALSE(thread(load + back));
}

} // namespace
} // namespace thinair::runners
