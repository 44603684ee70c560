// The machines and their languages: a line each.
#include "machine/table.h"

#include "litmus/language.h"
#include "machine/aarch64/format.h"
#include "machine/aarch64/front_end.h"
#include "machine/aarch64/out_of_order.h"
#include "machine/riscv/format.h"
#include "machine/riscv/front_end.h"
#include "machine/x86/format.h"
#include "machine/x86/front_end.h"

#include <array>
#include <vector>

namespace thinair {
namespace machine {
namespace {

constexpr std::array<const litmus::Language*, 2> x86_languages{&x86::att, &x86::intel};

constexpr std::array<const litmus::Language*, 1> aarch64_languages{&aarch64::language};
constexpr std::array<const litmus::Language*, 1> riscv_languages{&riscv::language};

constexpr std::array<Machine, 3> table{{
    {"x86", x86_languages, &x86::front_end, "x86-tso"},
    {"aarch64", aarch64_languages, &aarch64::front_end, "armv8", aarch64::out_of_order},
    {"riscv", riscv_languages, &riscv::front_end, "riscv"},
}};

} // namespace

std::span<const Machine> machines() { return table; }

} // namespace machine

std::span<const litmus::Language* const> litmus::languages() {
  static const std::vector<const Language*> all = [] {
    std::vector<const Language*> out{&java_language};
    for (const auto& row : machine::machines())
      out.insert(out.end(), row.languages.begin(), row.languages.end());
    return out;
  }();
  return all;
}

std::span<const graph::FrontEnd* const> graph::front_ends() {
  static const std::vector<const FrontEnd*> all = [] {
    std::vector<const FrontEnd*> out{&java_front_end};
    for (const auto& row : machine::machines()) out.push_back(row.front_end);
    return out;
  }();
  return all;
}

} // namespace thinair
