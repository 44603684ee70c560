// Large frames of AArch64's code: registers of the caller are put on the stack by an instruction
// that moves the stack pointer, too. Code by hand.
#include "litmus/text/error.h"
#include "lower/jit/compiled.h"
#include "lower/jit/lift.h"
#include "lower/jit/walk.h"
#include "tests/support/needs_llvm.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace thinair::lower::jit {
namespace {

/// The state is in x1, the result in x2, a field of either at 12. Why the code is refused; empty:
/// it is not.
std::string refusal(std::string_view assembly) {
  const auto machine = machine_of("aarch64");
  auto backend = decoder(machine);
  const auto functions = backend.disassemble(
      backend.assemble(".type f,@function\nf:\n" + std::string(assembly) + "\n.size f, .-f\n"));
  Method method{"m", "c1", 1, 0, {}, 0, {}, {"c_rarg1:c_rarg1", "c_rarg2:c_rarg2"}};
  for (const auto& in : functions.at(0).code)
    method.code.insert(method.code.end(), in.bytes.begin(), in.bytes.end());
  try {
    walk(method, machine, {{12}, {12}}, backend);
    return {};
  } catch (const Unsupported& lacking) {
    return lacking.what();
  }
}

class LargeFrames : public test::NeedsLlvm {};

/// What was kept before is found where the stack pointer has gone away from.
TEST_F(LargeFrames, MoveTheStackPointer) {
  constexpr std::string_view before = "ldr w3, [x1, #12]\nsub sp, sp, #32\nstr w3, [sp, #16]\n"
                                      "stp x29, x30, [sp, #-16]!\n",
                             behind = "str w4, [x2, #12]\nldp x29, x30, [sp], #16\n"
                                      "ldr w5, [sp, #16]\nstr w5, [x2, #12]\n"
                                      "add sp, sp, #32\nret\n";
  const auto kept_at = [&](std::string_view place) {
    return refusal(std::string(before) + "ldr w4, [sp, #" + std::string(place) + "]\n" +
                   std::string(behind));
  };
  EXPECT_EQ(kept_at("32"), "");
  EXPECT_TRUE(kept_at("16").starts_with("unsupported: a number that is an address, or not known"))
      << kept_at("16");
}

TEST_F(LargeFrames, AloneDoSo) {
  EXPECT_TRUE(refusal("stp x3, x4, [x1, #-16]!\nret\n").starts_with("unsupported: "));
  EXPECT_TRUE(refusal("ldp w3, w4, [x1], #12\nret\n").starts_with("unsupported: "));
  const std::string of_number = refusal("ldr w3, [x1, #12]\nstp x3, x3, [sp, #-16]!\nret\n");
  EXPECT_TRUE(of_number.starts_with("unsupported: an access that changes its address"))
      << of_number;
}

} // namespace
} // namespace thinair::lower::jit
