// Random programs of plain and volatile accesses.
#pragma once

#include "litmus/random.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace thinair::causality {

/// Bodies of threads: reads, writes of constants and registers, conditional writes.
class Author {
 public:
  explicit Author(std::uint64_t seed) : random_(seed) {}

  std::vector<std::string> threads() {
    const auto count = random_.between(2, 3);
    std::vector<std::string> bodies;
    for (std::int64_t t = 0; t < count; ++t) bodies.push_back(body(t));
    return bodies;
  }

 private:
  std::string handle() { return std::string(1, "XY"[random_.below(2)]); }
  std::string set() { return random_.chance(1, 4) ? "setVolatile" : "set"; }

  std::string body(std::int64_t t) {
    std::string text;
    std::vector<std::string> registers;
    const auto accesses = random_.between(1, 3);
    for (std::int64_t a = 0; a < accesses; ++a) {
      if (registers.empty() ? random_.chance(3, 5) : random_.chance(2, 5)) {
        registers.push_back(fmt::format("r{}{}", t, a));
        const auto mode =
            random_.chance(1, 4) ? "Volatile" : ""; // drawn in this order, whatever the compiler
        const auto from = handle();
        text += fmt::format("int {} = {}.get{}(); ", registers.back(), from, mode);
        continue;
      }
      const auto stored = value(registers);
      const auto method = set();
      const auto to = handle();
      const auto write = fmt::format("{}.{}({});", to, method, stored);
      if (registers.empty() || random_.chance(1, 2)) {
        text += write + " ";
      } else {
        text += fmt::format("if ({} == {}) {{ {} }} ", registers.back(), random_.below(2), write);
      }
    }
    return text;
  }

  std::string value(const std::vector<std::string>& registers) {
    if (registers.empty() || random_.chance(1, 2)) return std::to_string(random_.between(1, 2));
    const auto& reg = registers[random_.below(registers.size())];
    return random_.chance(1, 4) ? reg + " | 1" : reg;
  }

  litmus::Random random_;
};

} // namespace thinair::causality
