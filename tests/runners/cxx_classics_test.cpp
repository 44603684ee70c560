// Code of `aarch64:cxx` and `riscv:cxx` under the machines' models: what the classic programs may
// do, written by hand from the Arm manual (DDI 0487, B2.3) and from the RISC-V specification
// (Volume I, chapter "RVWMO").
#include "lower/lowered_test.h"
#include "lower/target.h"
#include "runners/hardware.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace thinair::runners {
namespace {

struct Classic {
  const char* name;
  const char* threads;
  const char* outcome;
  bool on_aarch64, on_riscv; // whether it is allowed
};

// clang-format off
constexpr Classic classics[] = {
    {"SB, opaque",
     "Thread0 { X.setOpaque(1); int a = Y.getOpaque(); } Thread1 { Y.setOpaque(1); int a = X.getOpaque(); }",
     "0:a=0 /\\ 1:a=0", true, true},
    // STLR before LDAR; `fence rw,w` before the store and `fence r,rw` behind the load order neither with the other
    {"SB, release and acquire",
     "Thread0 { X.setRelease(1); int a = Y.getAcquire(); } Thread1 { Y.setRelease(1); int a = X.getAcquire(); }",
     "0:a=0 /\\ 1:a=0", false, true},
    {"SB, volatile",
     "Thread0 { X.setVolatile(1); int a = Y.getVolatile(); } Thread1 { Y.setVolatile(1); int a = X.getVolatile(); }",
     "0:a=0 /\\ 1:a=0", false, false},
    {"SB, full fences",
     "Thread0 { X.set(1); VarHandle.fullFence(); int a = Y.get(); } Thread1 { Y.set(1); VarHandle.fullFence(); int a = X.get(); }",
     "0:a=0 /\\ 1:a=0", false, false},
    // an update that acquires and releases orders what is before it with what is behind it
    {"SB, updates",
     "Thread0 { X.getAndAdd(1); int a = Y.getOpaque(); } Thread1 { Y.getAndAdd(1); int a = X.getOpaque(); }",
     "0:a=0 /\\ 1:a=0", false, false},
    {"MP, plain",
     "Thread0 { X.set(1); Y.set(1); } Thread1 { int a = Y.get(); int b = X.get(); }",
     "1:a=1 /\\ 1:b=0", true, true},
    {"MP, release and acquire",
     "Thread0 { X.set(1); Y.setRelease(1); } Thread1 { int a = Y.getAcquire(); int b = X.get(); }",
     "1:a=1 /\\ 1:b=0", false, false},
    {"MP, release alone",
     "Thread0 { X.set(1); Y.setRelease(1); } Thread1 { int a = Y.getOpaque(); int b = X.getOpaque(); }",
     "1:a=1 /\\ 1:b=0", true, true},
    {"MP, fences",
     "Thread0 { X.set(1); VarHandle.storeStoreFence(); Y.set(1); } Thread1 { int a = Y.get(); VarHandle.loadLoadFence(); int b = X.get(); }",
     "1:a=1 /\\ 1:b=0", false, false},
    // a branch does not order loads
    {"MP, a branch",
     "Thread0 { X.set(1); Y.setRelease(1); } Thread1 { int a = Y.getOpaque(); int b = 0; if (a == 1) { b = X.getOpaque(); } else { b = 2; } }",
     "1:a=1 /\\ 1:b=0", true, true},
    {"LB, opaque",
     "Thread0 { int a = X.getOpaque(); Y.setOpaque(1); } Thread1 { int a = Y.getOpaque(); X.setOpaque(1); }",
     "0:a=1 /\\ 1:a=1", true, true},
    // nothing is optimized: a value that does not depend on `a` is computed from it
    {"LB, dependencies that compute nothing",
     "Thread0 { int a = X.getOpaque(); Y.setOpaque((a ^ a) + 1); } Thread1 { int a = Y.getOpaque(); X.setOpaque((a ^ a) + 1); }",
     "0:a=1 /\\ 1:a=1", false, false},
    {"LB, a dependency on one side",
     "Thread0 { int a = X.getOpaque(); Y.setOpaque((a ^ a) + 1); } Thread1 { int a = Y.getOpaque(); X.setOpaque(1); }",
     "0:a=1 /\\ 1:a=1", true, true},
    {"LB, equal arms of branches",
     "Thread0 { int a = X.getOpaque(); if (a == 1) { Y.setOpaque(1); } else { Y.setOpaque(1); } } "
     "Thread1 { int a = Y.getOpaque(); if (a < 1) { X.setOpaque(1); } else { X.setOpaque(1); } }",
     "0:a=1 /\\ 1:a=1", false, false},
    {"LB, comparisons as values",
     "Thread0 { int a = X.getOpaque(); Y.setOpaque(a == 1); } Thread1 { int a = Y.getOpaque(); X.setOpaque(a <= 1); }",
     "0:a=1 /\\ 1:a=1", false, false},
    {"2+2W, opaque",
     "Thread0 { X.setOpaque(1); Y.setOpaque(2); } Thread1 { Y.setOpaque(1); X.setOpaque(2); }",
     "x=1 /\\ y=1", true, true},
    {"2+2W, release",
     "Thread0 { X.setRelease(1); Y.setRelease(2); } Thread1 { Y.setRelease(1); X.setRelease(2); }",
     "x=1 /\\ y=1", false, false},
    {"CoRR", "Thread0 { X.set(1); } Thread1 { int a = X.get(); int b = X.get(); }",
     "1:a=1 /\\ 1:b=0", false, false},
    {"IRIW, opaque",
     "Thread0 { X.set(1); } Thread1 { Y.set(1); } Thread2 { int a = X.getOpaque(); int b = Y.getOpaque(); } "
     "Thread3 { int a = Y.getOpaque(); int b = X.getOpaque(); }",
     "2:a=1 /\\ 2:b=0 /\\ 3:a=1 /\\ 3:b=0", true, true},
    // one memory for all
    {"IRIW, acquire",
     "Thread0 { X.set(1); } Thread1 { Y.set(1); } Thread2 { int a = X.getAcquire(); int b = Y.getOpaque(); } "
     "Thread3 { int a = Y.getAcquire(); int b = X.getOpaque(); }",
     "2:a=1 /\\ 2:b=0 /\\ 3:a=1 /\\ 3:b=0", false, false},
    {"two compare-and-sets", "Thread0 { int a = X.compareAndSet(0, 1); } Thread1 { int a = X.compareAndSet(0, 2); }",
     "0:a=1 /\\ 1:a=1", false, false},
    {"the first of two compare-and-sets", "Thread0 { int a = X.compareAndSet(0, 1); } Thread1 { int a = X.compareAndSet(0, 2); }",
     "0:a=1 /\\ 1:a=0 /\\ x=1", true, true},
    {"two updates", "Thread0 { int a = X.weakCompareAndSetPlain(0, 5); int b = X.getAndBitwiseAndRelease(6); } Thread1 { int a = X.getAndAdd(1); }",
     "0:b=5 /\\ 1:a=0", false, false},
};
// clang-format on

bool allows(const char* target_name, const Classic& classic) {
  const litmus::Test source =
      litmus::parse({"t", std::string("Java t\n{ X=x; Y=y; }\n") + classic.threads + "\nexists (" +
                              classic.outcome + ")\n"});
  lower::Target target = lower::Target::named(target_name);
  const auto lowered = target.lower(source.java());
  const auto code = lower::lowered_test(source, lowered, target_name);
  const auto result = Processor(target.machine(), "builtin").run(code, {});
  EXPECT_EQ(result.status, oracle::Result::Status::ok) << result.reason.text;
  return std::ranges::any_of(result.behaviours, [&](const litmus::Behaviour& behaviour) {
    return holds(code.clauses.at(0).proposition, result.observables, behaviour);
  });
}

TEST(CxxClassics, AreAsTheManualsHaveThem) {
  for (const Classic& classic : classics) {
    EXPECT_EQ(allows("aarch64:cxx", classic), classic.on_aarch64) << "aarch64: " << classic.name;
    EXPECT_EQ(allows("riscv:cxx", classic), classic.on_riscv) << "riscv: " << classic.name;
  }
}

} // namespace
} // namespace thinair::runners
