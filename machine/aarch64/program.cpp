// Names of registers, conditions, shifts and barriers (DDI 0487, C1.2).
#include "machine/aarch64/program.h"

#include "litmus/text/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace thinair::aarch64 {
namespace {

constexpr std::array<std::string_view, 16> conditions{
    "eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"};
constexpr std::array<std::string_view, 12> changes{"lsl",  "lsr",  "asr",  "ror",  "uxtb", "uxth",
                                                   "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"};
constexpr std::array<std::string_view, barrier_count> barriers{
    "sy", "ish", "osh", "ld", "ishld", "oshld", "st", "ishst", "oshst", "nsh", "nshld", "nshst"};

template <class Enum, std::size_t N>
std::optional<Enum> named(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

} // namespace

std::string name(Register reg, Width width) {
  const char letter = width == Width::q ? 'X' : 'W';
  if (reg == Register::zero) return fmt::format("{}ZR", letter);
  return fmt::format("{}{}", letter, index(reg));
}

std::string_view name(Condition condition) {
  return conditions.at(static_cast<std::size_t>(condition));
}
std::string_view name(Change change) { return changes.at(static_cast<std::size_t>(change)); }
std::string_view name(Barrier barrier) { return barriers.at(static_cast<std::size_t>(barrier)); }

std::optional<Condition> condition_named(std::string_view name) {
  if (name == "hs") return Condition::cs;
  if (name == "lo") return Condition::cc;
  return named<Condition>(conditions, name);
}
std::optional<Change> change_named(std::string_view name) { return named<Change>(changes, name); }
std::optional<Barrier> barrier_named(std::string_view name) {
  return named<Barrier>(barriers, name);
}

Condition negation(Condition condition) {
  return static_cast<Condition>(static_cast<std::uint8_t>(condition) ^ 1U);
}

std::optional<RegisterOperand> register_named(std::string_view name) {
  if (name == "lr") return RegisterOperand{Register::x30, Width::q};
  if (name == "fp") return RegisterOperand{static_cast<Register>(29), Width::q};
  if (name.size() < 2 || (name[0] != 'w' && name[0] != 'x')) return std::nullopt;
  const Width width = name[0] == 'x' ? Width::q : Width::l;
  if (name.substr(1) == "zr") return RegisterOperand{Register::zero, width};
  if (name.size() > 3 || (name.size() == 3 && name[1] == '0')) return std::nullopt;
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number >= register_count)
    return std::nullopt;
  return RegisterOperand{static_cast<Register>(number), width};
}

std::optional<Register> Instruction::register_named(std::string_view name) {
  const auto found = aarch64::register_named(text::lower_case(name));
  return found ? std::optional(found->reg) : std::nullopt;
}

std::optional<std::string> beyond_herd(const Program& program) {
  if (litmus::has_struct(program.locations)) return "a struct";
  std::set<std::string> labels;
  const auto again = [&](const std::vector<std::string>& more) {
    return std::ranges::any_of(more,
                               [&](const auto& label) { return !labels.insert(label).second; });
  };
  for (const Thread& thread : program.threads) {
    for (const Instruction& in : thread.code) {
      if (!in.info->for_herd) return in.info->mnemonic;
      if (again(in.labels)) return "labels that two threads have";
    }
    if (again(thread.end_labels)) return "labels that two threads have";
  }
  return std::nullopt;
}

Observable observable(ThreadId thread, Register reg) { return {thread, name(reg, Width::q)}; }

} // namespace thinair::aarch64
