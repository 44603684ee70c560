// Registers of x86 code that HotSpot compiles.
#include "machine/x86/code/jit.h"

#include "litmus/text/ascii.h"
#include "machine/x86/code/decode.h"
#include "machine/x86/code/jit_vectors.h"

#include <array>

namespace thinair::lower::jit::x86_code {

std::string whole_register(std::string_view name) {
  const auto found = lower::x86_code::machine_register(name);
  return found ? text::upper_case(x86::name(found->reg, x86::Width::q)) : "";
}

constexpr auto full_fence = std::to_array<std::uint8_t>({0x0F, 0xAE, 0xF0}); // mfence

constexpr auto trap = std::to_array<std::uint8_t>({0xB8, 1, 0, 0, 0, // mov $1, %eax
                                                   0x89, 0x02,       // mov %eax, (%rdx)
                                                   0xC3});           // ret

constexpr auto fault = std::to_array<std::uint8_t>({0xB8, 0, 0, 0, 0, // mov $0, %eax
                                                    0x8B, 0x00,       // mov (%rax), %eax
                                                    0xC3});           // ret

constexpr CompiledCode compiled{
    .system = "x86_64",
    .features = "",
    .fixed = {"RSP", "R15", "R12"}, // r15_thread; r12_heapbase, 0 where code takes it for a zero
    .trap = trap,
    .fault = fault,
    .full_fence = full_fence,
    .cuts_witnesses = true,
    .places_of_notes = 4,
    .whole_register = whole_register,
    .listed_register = [](std::string_view name) { return whole_register(text::upper_case(name)); },
    .shape = shape_of,
    .lifted = lifted,
    .fold = fold,
};

} // namespace thinair::lower::jit::x86_code
