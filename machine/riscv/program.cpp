// Names of registers and of sets of accesses; what herd7 lacks.
#include "machine/riscv/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace thinair::riscv {
namespace {

/// The calling convention's names (RISC-V ELF psABI, "Register Convention").
constexpr std::array<std::string_view, register_count> convention{
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

constexpr std::array<std::string_view, register_count> numbers{
    "x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
    "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
    "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "x31"};

constexpr std::string_view frame_pointer = "fp"; // another name of s0

struct Letter {
  char letter;
  bool Accesses::* member;
};
/// In the order in which assemblers want them.
constexpr std::array<Letter, 4> letters{{{'i', &Accesses::input},
                                         {'o', &Accesses::output},
                                         {'r', &Accesses::reads},
                                         {'w', &Accesses::writes}}};

} // namespace

std::string_view name(Register reg) { return numbers.at(index(reg)); }

std::optional<Register> register_named(std::string_view name) {
  const auto in = [&](const auto& table) -> std::optional<Register> {
    const auto found = std::ranges::find(table, name);
    if (found == table.end()) return std::nullopt;
    return static_cast<Register>(found - table.begin());
  };
  if (name == frame_pointer) name = "s0";
  const auto found = in(numbers);
  return found ? found : in(convention);
}

const std::vector<std::string>& register_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out(numbers.begin(), numbers.end());
    out.insert(out.end(), convention.begin(), convention.end());
    out.emplace_back(frame_pointer);
    return out;
  }();
  return all;
}

std::string to_string(Accesses accesses) {
  std::string out;
  for (const auto& [letter, member] : letters)
    if (accesses.*member) out += letter;
  return out.empty() ? "0" : out;
}

std::optional<Accesses> accesses_named(std::string_view written) {
  Accesses out{false, false, false, false};
  for (const auto& [letter, member] : letters) {
    if (!written.starts_with(letter)) continue;
    out.*member = true;
    written.remove_prefix(1);
  }
  if (!written.empty()) return std::nullopt;
  return out;
}

Observable observable(ThreadId thread, Register reg) { return {thread, std::string(name(reg))}; }

/// Registers that a shape does not have are x0.
Slots reads(const Instruction& in) {
  const InstructionInfo& row = info(in.opcode);
  Slots out = row.shape == Shape::condition ? reservation_slot : 0;
  out |= slot(in.rs1) | slot(in.rs2);
  if (row.operation == Operation::compare_and_swap) out |= slot(in.rd);
  return out;
}

Slots writes(const Instruction& in) {
  return slot(in.rd) | (info(in.opcode).shape == Shape::reserve ? reservation_slot : 0);
}

void each_register(const Instruction& instruction, const std::function<void(Register)>& visit) {
  const auto shape = info(instruction.opcode).shape;
  const bool first = shape != Shape::upper && shape != Shape::constant && shape != Shape::jump &&
                     shape != Shape::fence && shape != Shape::plain;
  const bool second = shape == Shape::registers || shape == Shape::branch || writes_memory(shape);
  if (has_result(shape)) visit(instruction.rd);
  if (first) visit(instruction.rs1);
  if (second) visit(instruction.rs2);
}

namespace {

/// By experiment with herd7 7.58.
std::optional<std::string> complaint(const Instruction& in) {
  const auto& row = info(in.opcode);
  if (!row.herd) return std::string(row.mnemonic);
  return std::nullopt;
}

bool herd_reads_location(std::string_view name) {
  return std::isalpha(static_cast<unsigned char>(name.front())) && !register_named(name) &&
         !opcode_named(name);
}

} // namespace

std::optional<std::string> beyond_herd(const Program& program) {
  if (litmus::has_struct(program.locations)) return "a struct";
  for (const auto& location : program.locations)
    if (!herd_reads_location(name_in_code(location)))
      return fmt::format("a location named {}", name_in_code(location));
  for (const auto& thread : program.threads)
    for (const auto& instruction : thread.code)
      if (auto found = complaint(instruction)) return found;
  return std::nullopt;
}

} // namespace thinair::riscv
