// Registers and words of RISC-V code that HotSpot compiles.
#include "machine/riscv/code/jit.h"

#include <fmt/format.h>

#include <array>

namespace thinair::lower::jit::riscv_code {
std::string whole_register(std::string_view name) {
  return name.size() < 2 || name[0] != 'X' || name == "X0" ? "" : std::string(name);
}

namespace {

/// Loads and stores are of 32 bits: registers hold numbers sign-extended.
constexpr CodeWords words{
    .nop = "\taddi\tzero, zero, 0",
    .registers = 32,
    .first = 5,
    .name = [](int reg, unsigned, bool) { return fmt::format("x{}", reg); },
    .zero = [](unsigned) { return std::string_view("zero"); },
    .move =
        [](const std::string& to, const std::string& from, unsigned bytes) {
          return fmt::format("\t{}\t{}, {}, 0", bytes == 8 ? "addi" : "addiw", to, from);
        },
    .load = "lw",
    .store = "sw",
    .constant = [](const std::string& to,
                   std::int32_t number) { return fmt::format("\taddi\t{}, zero, {}", to, number); },
    .sum = [](const std::string& to, const std::string& from,
              std::int64_t number) { return fmt::format("\taddi\t{}, {}, {}", to, from, number); },
    .place = [](const std::string& base,
                std::int64_t displacement) { return fmt::format("{}({})", displacement, base); },
    .open = '(',
    .close = ')',
    .number = "0",
};

constexpr auto full_fence = std::to_array<std::uint8_t>({0x0F, 0x00, 0x30, 0x03}); // fence rw, rw

constexpr auto trap = std::to_array<std::uint8_t>({0x13, 0x05, 0x10, 0x00, // li a0, 1
                                                   0x23, 0x20, 0xA6, 0x00, // sw a0, 0(a2)
                                                   0x82, 0x80});           // ret

constexpr auto fault = std::to_array<std::uint8_t>({0x01, 0x45,   // li a0, 0
                                                    0x08, 0x41,   // lw a0, 0(a0)
                                                    0x82, 0x80}); // ret

} // namespace

constexpr CompiledCode compiled{
    .system = "riscv64",
    .features = "+c,+f,+d,+zba,+zbb,+zbs,+zicond",
    .fixed = {"X2", "X23", ""}, // rthread
    .trap = trap,
    .fault = fault,
    .full_fence = full_fence,
    .whole_register = whole_register,
    .listed_register = [](std::string_view name) { return listed_argument(name, 10); },
    .shape = shape_of,
    .words = &words,
};

} // namespace thinair::lower::jit::riscv_code
