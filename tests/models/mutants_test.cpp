// Every axiom of every shipped model matters: without it, a test of its own shows a final state
// more.
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "machine/x86/front_end.h"
#include "models/library.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace thinair::cat {
namespace {

// Java programs, in the order of the axioms that they are for.

constexpr const char* read_after_write = R"(Java ReadAfterWrite
{ x = 0; 0:X=x; }
Thread0 {
  X.setOpaque(1);
  int r = X.getOpaque();
}
exists (0:r=0)
)";

constexpr const char* increments_under_a_lock = R"(Java Increments
{ x = 0; X=x; monitor m; }
Thread0 {
  lock(m);
  int a = X.get();
  X.set(1);
  unlock(m);
}
Thread1 {
  lock(m);
  int b = X.get();
  X.set(1);
  unlock(m);
}
exists (0:a=0 /\ 1:b=0)
)";

constexpr const char* two_winners = R"(Java TwoWinners
{ x = 0; X=x; }
Thread0 {
  int a = X.weakCompareAndSetPlain(0, 1);
}
Thread1 {
  int b = X.weakCompareAndSetPlain(0, 2);
}
exists (0:a=1 /\ 1:b=1)
)";

constexpr const char* kept_lock = R"(Java KeptLock
{ x = 0; X=x; monitor m; }
Thread0 {
  lock(m);
  X.set(1);
}
Thread1 {
  int r = 1;
  lock(m);
  X.set(2);
}
exists (1:r=1)
)";

constexpr const char* read_before_write = R"(Java ReadBeforeWrite
{ x = 0; 0:X=x; }
Thread0 {
  int r = X.get();
  X.set(1);
}
exists (0:r=1)
)";

constexpr const char* message_passing = R"(Java MessagePassing
{ x = 0; y = 0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 {
  X.setOpaque(1);
  Y.setOpaque(1);
}
Thread1 {
  int r = Y.getOpaque();
  int s = X.getOpaque();
}
exists (1:r=1 /\ 1:s=0)
)";

constexpr const char* load_buffering_opaque = R"(Java LoadBuffering
{ x = 0; y = 0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 {
  int r = X.getOpaque();
  Y.setOpaque(1);
}
Thread1 {
  int r = Y.getOpaque();
  X.setOpaque(1);
}
exists (0:r=1 /\ 1:r=1)
)";

constexpr const char* load_buffering_volatile = R"(Java LoadBufferingVolatile
{ x = 0; y = 0; 0:X=x; 0:Y=y; 1:X=x; 1:Y=y; }
Thread0 {
  int r = X.getVolatile();
  Y.setVolatile(1);
}
Thread1 {
  int r = Y.getVolatile();
  X.setVolatile(1);
}
exists (0:r=1 /\ 1:r=1)
)";

constexpr const char* two_readers_volatile = R"(Java TwoReadersVolatile
{ x = 0; 0:X=x; 1:X=x; 2:X=x; 3:X=x; }
Thread0 {
  X.setVolatile(1);
}
Thread1 {
  X.setVolatile(2);
}
Thread2 {
  int r = X.getVolatile();
  int s = X.getVolatile();
}
Thread3 {
  int r = X.getVolatile();
  int s = X.getVolatile();
}
exists (2:r=1 /\ 2:s=2 /\ 3:r=2 /\ 3:s=1)
)";

constexpr const char* two_reads_opaque = R"(Java TwoReadsOpaque
{ x = 0; X=x; }
Thread0 {
  X.setOpaque(1);
}
Thread1 {
  int r = X.getOpaque();
  int s = X.getOpaque();
}
exists (1:r=1 /\ 1:s=0)
)";

constexpr const char* plain_read_after_write = R"(Java PlainReadAfterWrite
{ x = 0; X=x; }
Thread0 {
  X.set(1);
  int r = X.get();
}
exists (0:r=0)
)";

constexpr const char* update_then_acquire = R"(Java UpdateThenAcquire
{ x = 0; y = 0; X=x; Y=y; }
Thread0 {
  int a = X.getAndSet(1);
  int r = Y.getAcquire();
}
Thread1 {
  int a = Y.getAndSet(1);
  int r = X.getAcquire();
}
exists (0:r=0 /\ 1:r=0)
)";

constexpr const char* load_buffering_release = R"(Java LoadBufferingRelease
{ x = 0; y = 0; X=x; Y=y; }
Thread0 {
  int r = X.getOpaque();
  Y.setRelease(1);
}
Thread1 {
  int r = Y.getOpaque();
  X.setRelease(1);
}
exists (0:r=1 /\ 1:r=1)
)";

constexpr const char* message_passing_half_fences = R"(Java MessagePassingHalfFences
{ x = 0; y = 0; X=x; Y=y; }
Thread0 {
  X.set(1);
  storeStoreFence();
  Y.setOpaque(1);
}
Thread1 {
  int r = Y.getOpaque();
  loadLoadFence();
  int s = X.get();
}
exists (1:r=1 /\ 1:s=0)
)";

constexpr const char* exchange = R"(X86_64 Exchange
{ 1:rax=2; }
 P0          | P1              ;
 movl $1,(x) | xchgl (x),%eax  ;
exists (1:rax=0 /\ [x]=2)
)";

constexpr const char* x86_message_passing = R"(X86_64 MessagePassing
{ }
 P0          | P1            ;
 movl $1,(x) | movl (y),%eax ;
 movl $1,(y) | movl (x),%ebx ;
exists (1:rax=1 /\ 1:rbx=0)
)";

constexpr const char* x86_read_after_write = R"(X86_64 ReadAfterWrite
{ }
 P0            ;
 movl $1,(x)   ;
 movl (x),%eax ;
exists (0:rax=0)
)";

constexpr const char* final_publication =
    "Java t\n{ class A { final int x; } A p; P=p; }\n"
    "Thread0 { A a = new A { a.x = 1; }; P.set(a); }\n"
    "Thread1 { A a = P.get(); int r = 1; if (a != null) { r = a.x; } }\n"
    "exists (1:r=0)\n";

struct Mutant {
  const char* model;
  const char* axiom;
  const char* test;
};

constexpr const char* armv8_read_after_write =
    "AArch64 t\n{ 0:X0=x; }\n P0 ;\n MOV W1,#1 ;\n STR W1,[X0] ;\n LDR W2,[X0] ;\n"
    "exists (0:X2=0)\n";
constexpr const char* armv8_message_passing =
    "AArch64 t\n{ 0:X0=x; 0:X1=y; 1:X0=x; 1:X1=y; }\n P0 | P1 ;\n MOV W2,#1 | LDAR W3,[X1] ;\n"
    " STR W2,[X0] | LDR W4,[X0] ;\n STLR W2,[X1] | ;\nexists (1:X3=1 /\\ 1:X4=0)\n";
constexpr const char* armv8_exchange =
    "AArch64 t\n{ 0:X0=x; 1:X0=x; }\n P0 | P1 ;\n MOV W1,#1 | MOV W1,#2 ;\n"
    " SWP W1,W2,[X0] | SWP W1,W2,[X0] ;\nexists (0:X2=0 /\\ 1:X2=0)\n";
constexpr const char* riscv_read_after_write =
    "RISCV t\n{ 0:x6=x; }\n P0 ;\n li x5,1 ;\n sw x5,0(x6) ;\n lw x7,0(x6) ;\n"
    "exists (0:x7=0)\n";
constexpr const char* riscv_message_passing =
    "RISCV t\n{ 0:x6=x; 0:x7=y; 1:x6=x; 1:x7=y; }\n P0 | P1 ;\n li x5,1 | lw x8,0(x7) ;\n"
    " sw x5,0(x6) | fence r,r ;\n fence w,w | lw x9,0(x6) ;\n sw x5,0(x7) | ;\n"
    "exists (1:x8=1 /\\ 1:x9=0)\n";
constexpr const char* riscv_exchange =
    "RISCV t\n{ 0:x6=x; 1:x6=x; }\n P0 | P1 ;\n lr.w x7,(x6) | li x5,2 ;\n"
    " li x5,1 | sw x5,0(x6) ;\n sc.w x8,x5,(x6) | ;\n"
    "exists (0:x7=0 /\\ 0:x8=0 /\\ x=1)\n";

constexpr auto mutants = std::to_array<Mutant>({
    {"sc", "sc", message_passing},
    {"sc", "atomicity", exchange},
    {"sc", "mutual-exclusion", increments_under_a_lock},
    {"sc", "never-left", kept_lock},
    {"coherence", "coherence", read_after_write},
    {"coherence", "atomicity", exchange},
    {"tso", "coherence", read_after_write},
    {"tso", "atomicity", exchange},
    {"tso", "tso", message_passing},
    {"x86-tso", "coherence", x86_read_after_write},
    {"x86-tso", "atomicity", exchange},
    {"x86-tso", "tso", x86_message_passing},
    {"armv8", "internal", armv8_read_after_write},
    {"armv8", "external", armv8_message_passing},
    {"armv8", "atomicity", armv8_exchange},
    {"riscv", "coherence", riscv_read_after_write},
    {"riscv", "global-order", riscv_message_passing},
    {"riscv", "atomicity", riscv_exchange},
    {"riscv-tso", "coherence", riscv_read_after_write},
    {"riscv-tso", "global-order", riscv_message_passing},
    {"riscv-tso", "atomicity", riscv_exchange},
    {"java", "read-before-write", read_before_write},
    {"java", "overwritten", plain_read_after_write},
    {"java", "frozen-value", final_publication},
    {"java", "mutual-exclusion", increments_under_a_lock},
    {"java", "never-left", kept_lock},
    {"java", "fenced-visibility", message_passing_half_fences},
    {"java", "coherence", two_reads_opaque},
    {"java", "volatile-order", update_then_acquire},
    {"java", "kept-order", load_buffering_release},
    {"jls04", "read-before-write", read_before_write},
    {"jls04", "overwritten", read_after_write},
    {"jls04", "frozen-value", final_publication},
    {"jls04", "sync-read-before-write", load_buffering_volatile},
    {"jls04", "sync-overwritten", two_readers_volatile},
    {"jls04", "atomicity", two_winners},
    {"jls04", "mutual-exclusion", increments_under_a_lock},
    {"jls04", "never-left", kept_lock},
    {"jam19", "no-thin-air", load_buffering_opaque},
    {"jam19", "coherence", read_after_write},
    {"jam21", "no-thin-air", load_buffering_opaque},
    {"jam21", "coherence", read_after_write},
    {"pram", "views", message_passing},
    {"causal", "views", message_passing},
    {"pc", "views", message_passing},
});

class Mutants : public testing::TestWithParam<Mutant> {};

void PrintTo(const Mutant& mutant, std::ostream* out) {
  *out << mutant.model << " without " << mutant.axiom;
}

TEST_P(Mutants, AllowMore) {
  const auto test = litmus::parse({"mutant", GetParam().test});
  const auto architecture = graph::architecture_of(test);
  LoadOptions options;
  options.as_plain = true;
  const auto whole =
      executions::behaviours(test, load_model(GetParam().model, architecture, options));
  options.dropped_axioms = {GetParam().axiom};
  const auto less =
      executions::behaviours(test, load_model(GetParam().model, architecture, options));
  EXPECT_EQ(whole.positive, 0U) << "what the test asks for is forbidden";
  EXPECT_GT(less.positive, 0U) << "and allowed without the axiom";
  const std::set<litmus::Behaviour> all(less.behaviours.begin(), less.behaviours.end());
  for (const auto& behaviour : whole.behaviours) EXPECT_TRUE(all.contains(behaviour));
}

INSTANTIATE_TEST_SUITE_P(All, Mutants, testing::ValuesIn(mutants));

/// The axioms are those that the embedded files have, for whatever programs they load; each must be
/// killed by a row above, and each row must be of one of them.
TEST(Models, EveryAxiomHasAMutant) {
  std::set<std::pair<std::string, std::string>> axioms, killed;
  for (const auto& file : models::files()) {
    if (file.name.starts_with("library/")) continue;
    const std::string name{file.name.substr(0, file.name.size() - 4)};
    const auto before = axioms.size();
    for (const auto* each : graph::front_ends()) {
      const Architecture architecture(*each);
      try {
        for (const auto& axiom : load_model(name, architecture).axioms)
          axioms.emplace(name, axiom.name);
      } catch (const InputError&) {
        continue; // the model is not for this architecture: tests/models/models_test.cpp
      }
    }
    EXPECT_GT(axioms.size(), before) << name << " has no axiom";
  }
  for (const auto& mutant : mutants) killed.emplace(mutant.model, mutant.axiom);
  // Of justifications, not of single executions: tests/causality/modes_test.cpp.
  killed.emplace("java", "causality");
  killed.emplace("java", "sync-overwritten");
  EXPECT_EQ(axioms, killed);
}

} // namespace
} // namespace thinair::cat
