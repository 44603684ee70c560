// Registers and words of AArch64 code that HotSpot compiles.
#include "machine/aarch64/code/jit.h"

#include "machine/aarch64/code/jit_vectors.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace thinair::lower::jit::aarch64_code {

/// "W8", "X8" and "x8" are X8; the frame pointer and the link register have numbers, too.
std::string whole_register(std::string_view name) {
  if (name == "FP") return "X29";
  if (name == "LR") return "X30";
  if (name == "SP" || name == "WSP") return "SP";
  if (name.size() < 2 || (name[0] != 'W' && name[0] != 'X') || name == "WZR" || name == "XZR")
    return "";
  return fmt::format("X{}", name.substr(1));
}

constexpr CodeWords words{
    .nop = "\tnop",
    .registers = 31,
    .first = 0,
    .name =
        [](int reg, unsigned bytes, bool as_in_tests) {
          return fmt::format("{}{}", as_in_tests ? 'X' : bytes == 8 ? 'x' : 'w', reg);
        },
    .zero = [](unsigned bytes) { return std::string_view(bytes == 8 ? "xzr" : "wzr"); },
    .move = [](const std::string& to, const std::string& from,
               unsigned) { return fmt::format("\tmov\t{}, {}", to, from); },
    .load = "ldr",
    .store = "str",
    .store_of =
        [](unsigned bytes) {
          return std::string_view(bytes == 1 ? "strb" : bytes == 2 ? "strh" : "str");
        },
    .constant = [](const std::string& to,
                   std::int32_t number) { return fmt::format("\tmov\t{}, #{}", to, number); },
    .sum =
        [](const std::string& to, const std::string& from, std::int64_t number) {
          return fmt::format("\t{}\t{}, {}, #{}", number < 0 ? "sub" : "add", to, from,
                             std::abs(number));
        },
    .place =
        [](const std::string& base, std::int64_t displacement) {
          return displacement == 0 ? fmt::format("[{}]", base)
                                   : fmt::format("[{}, #{}]", base, displacement);
        },
    .open = '[',
    .close = ']',
    .number = "",
};

constexpr auto full_fence = std::to_array<std::uint8_t>({0xBF, 0x3B, 0x03, 0xD5}); // dmb ish

constexpr auto trap = std::to_array<std::uint8_t>({0x20, 0x00, 0x80, 0x52,   // mov w0, #1
                                                   0x40, 0x00, 0x00, 0xB9,   // str w0, [x2]
                                                   0xC0, 0x03, 0x5F, 0xD6}); // ret

constexpr auto fault = std::to_array<std::uint8_t>({0x00, 0x00, 0x80, 0x52,   // mov w0, #0
                                                    0x00, 0x00, 0x40, 0xB9,   // ldr w0, [x0]
                                                    0xC0, 0x03, 0x5F, 0xD6}); // ret

constexpr CompiledCode compiled{
    .system = "aarch64",
    .atomics = "UseLSE",
    .features = "+v8.3a",
    .fixed = {"SP", "X28", ""}, // rthread
    .trap = trap,
    .fault = fault,
    .full_fence = full_fence,
    .whole_register = whole_register,
    .listed_register = [](std::string_view name) { return listed_argument(name, 0); },
    .shape = shape_of,
    .without_vectors = without_vectors,
    .fold = fold,
    .words = &words,
};

} // namespace thinair::lower::jit::aarch64_code
