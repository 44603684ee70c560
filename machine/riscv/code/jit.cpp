// Registers and words of RISC-V code that HotSpot compiles.
#include "machine/riscv/code/jit.h"

#include <fmt/format.h>

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
    .open = '(',
    .close = ')',
    .number = "0",
};

} // namespace

constexpr CompiledCode compiled{
    .system = "riscv64",
    .features = "+c,+f,+d,+zba,+zbb,+zbs,+zicond",
    .fixed = {"X2", "X23", ""}, // rthread
    .whole_register = whole_register,
    .listed_register = [](std::string_view name) { return listed_argument(name, 10); },
    .shape = shape_of,
    .words = &words,
};

} // namespace thinair::lower::jit::riscv_code
