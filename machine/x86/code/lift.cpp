// Lifts a function: its jumps and labels, its frame, and what each instruction means.
#include "machine/x86/code/lift.h"

#include "litmus/text/error.h"
#include "lower/naming.h"
#include "machine/x86/code/decode.h"
#include "machine/x86/code/names.h"
#include "machine/x86/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

namespace thinair::lower::x86_code {
namespace {

using x86::Opcode;
using x86::Width;

/// A slot of the stack, by its distance from %rsp at the function's entry.
struct Slot {
  litmus::LocationId cell; // `first_slot` and up, until the program gets a cell for it
  std::set<Width> widths;
  bool locked = false;
};

constexpr std::uint32_t first_slot = 0x8000'0000;

class Lifter {
 public:
  Lifter(const MachineFunction& function, const LiftOptions& options,
         const std::map<std::string, litmus::LocationId>& symbols, std::size_t number,
         x86::Program& program)
      : function_(function), options_(options), symbols_(symbols), number_(number),
        program_(program) {}

  x86::Thread run();
  const SlotHomes& homes() const { return homes_; }

 private:
  std::optional<std::uint64_t> jump_target(const MachineInstruction& in) const;
  void find_labels();
  std::string label(std::uint64_t address) const { return labels_.at(address); }
  bool frame(const MachineInstruction& in);
  void lift(const MachineInstruction& in);
  void emit(x86::Instruction instruction);
  void jump(const MachineInstruction& in, std::uint64_t target);
  void finish();
  x86::Operand cell(const std::string& symbol) const;
  x86::Operand stack_slot(std::int64_t displacement);
  void check_slots() const;
  bool flags_dead_after(std::size_t at) const;
  std::vector<x86::Register> spare_registers() const;
  void replace(litmus::LocationId slot, const std::function<x86::Operand(Width)>& by);
  void settle_slots();

  const MachineFunction& function_;
  const LiftOptions& options_;
  const std::map<std::string, litmus::LocationId>& symbols_;
  std::size_t number_;
  x86::Program& program_;
  x86::Thread thread_;
  std::map<std::uint64_t, std::string> labels_;
  std::vector<std::string> pending_;
  std::map<std::int64_t, Slot> slots_;
  SlotHomes homes_;
  std::vector<std::pair<std::size_t, const MachineInstruction*>> needs_dead_flags_;
  std::int64_t depth_ = 0; // of %rsp below its value at entry
  bool lock_ = false, skipping_ = false;
};

const std::string end_label = "END";

bool is_jump(const MachineInstruction& in) {
  return in.opcode.starts_with("JMP_") || in.opcode.starts_with("JCC_");
}

/// LLVM decodes `lock` as an instruction of its own, or, behind another prefix, as part of the
/// next.
bool has_lock_prefix(const MachineInstruction& in) {
  for (const std::uint8_t byte : in.bytes) {
    if (byte == 0xF0) return true;
    if (byte != 0x66 && byte != 0x67 && byte != 0xF2 && byte != 0xF3) return false;
  }
  return false;
}

std::optional<std::uint64_t> Lifter::jump_target(const MachineInstruction& in) const {
  if (!is_jump(in)) return std::nullopt;
  return in.address + in.bytes.size() + static_cast<std::uint64_t>(in.operands.at(0).number);
}

void Lifter::find_labels() {
  std::set<std::uint64_t> targets;
  for (const auto& in : function_.code)
    if (const auto target = jump_target(in)) targets.insert(*target);
  for (const std::uint64_t target : targets) labels_[target] = fmt::format("L{}", labels_.size());
}

x86::Operand Lifter::cell(const std::string& symbol) const {
  const auto found = symbols_.find(symbol);
  if (found == symbols_.end()) throw Unsupported(fmt::format("a reference to {}", symbol));
  return x86::Memory{found->second};
}

x86::Operand Lifter::stack_slot(std::int64_t displacement) {
  const std::int64_t place = displacement - depth_;
  const auto found = slots_.find(place);
  if (found != slots_.end()) return x86::Memory{found->second.cell};
  const litmus::LocationId made(first_slot + static_cast<std::uint32_t>(slots_.size()));
  slots_[place].cell = made;
  return x86::Memory{made};
}

/// Prologue and epilogue: pushes of registers that the caller wants back, and %rsp itself.
bool Lifter::frame(const MachineInstruction& in) {
  if (in.opcode.starts_with("PUSH64r")) {
    depth_ += 8;
    return true;
  }
  const bool moves = in.opcode.starts_with("SUB64ri") && in.operands.at(0).reg == "RSP";
  if (moves) depth_ += in.operands.back().number;
  return moves;
}

void Lifter::emit(x86::Instruction instruction) {
  instruction.lock = std::exchange(lock_, false);
  instruction.labels.insert(instruction.labels.begin(), pending_.begin(), pending_.end());
  pending_.clear();
  for (const auto& operand : instruction.operands) {
    const auto* memory = std::get_if<x86::Memory>(&operand);
    const auto* id = memory ? std::get_if<litmus::LocationId>(&memory->base) : nullptr;
    for (auto& [place, slot] : slots_)
      if (id && slot.cell == *id) {
        slot.widths.insert(instruction.width);
        slot.locked |= instruction.lock;
        if (instruction.opcode == Opcode::lea) throw Unsupported("the address of a stack slot");
      }
  }
  thread_.code.push_back(std::move(instruction));
}

void Lifter::jump(const MachineInstruction& in, std::uint64_t target) {
  x86::Instruction jump;
  jump.opcode = in.opcode.starts_with("JCC_") ? Opcode::jcc : Opcode::jmp;
  if (jump.opcode == Opcode::jcc)
    jump.condition = static_cast<x86::ConditionCode>(in.operands.back().number);
  jump.target = label(target);
  skipping_ = jump.opcode == Opcode::jmp;
  emit(std::move(jump));
}

void Lifter::lift(const MachineInstruction& in) {
  lock_ |= has_lock_prefix(in);
  if (in.opcode == options_.end) {
    x86::Instruction jump;
    jump.opcode = Opcode::jmp;
    jump.target = end_label;
    emit(std::move(jump));
    skipping_ = true;
  } else if (const auto target = jump_target(in)) {
    jump(in, *target);
  } else if (in.opcode != "LOCK_PREFIX" && !frame(in)) {
    const AddressBook addresses{[this](const std::string& symbol) { return cell(symbol); },
                                [this](std::int64_t at) { return stack_slot(at); }};
    Meaning meaning = meaning_of(in, addresses);
    for (auto& instruction : meaning.code)
      if (instruction.opcode != Opcode::nop || options_.keep_nops) emit(std::move(instruction));
    if (meaning.spoils_flags) needs_dead_flags_.push_back({thread_.code.size(), &in});
  }
}

/// Jumps to what follows them go, so that straight code ends without one.
void Lifter::finish() {
  thread_.end_labels = std::move(pending_);
  bool used = false;
  while (!thread_.code.empty() && thread_.code.back().opcode == Opcode::jmp &&
         thread_.code.back().target == end_label) {
    auto& labels = thread_.code.back().labels;
    thread_.end_labels.insert(thread_.end_labels.begin(), labels.begin(), labels.end());
    thread_.code.pop_back();
  }
  for (const auto& in : thread_.code) used |= in.target == end_label;
  if (used) thread_.end_labels.push_back(end_label);
}

/// Slots must not overlap: a cell has one place.
void Lifter::check_slots() const {
  std::int64_t free_from = INT64_MIN;
  for (const auto& [place, slot] : slots_) {
    if (place < free_from) throw Unsupported("stack slots that overlap");
    if (!slot.widths.empty()) free_from = place + static_cast<int>(*slot.widths.rbegin());
  }
}

/// Whether what runs from `at` on writes all flags before it reads one.
bool Lifter::flags_dead_after(std::size_t at) const {
  std::set<std::size_t> seen;
  for (; at < thread_.code.size() && seen.insert(at).second; ++at) {
    const x86::Instruction& in = thread_.code[at];
    if (x86::info(in.opcode).reads_flags) return false;
    if (in.opcode == Opcode::jmp) {
      const auto places = [&](const x86::Instruction& other) {
        return std::ranges::find(other.labels, in.target) != other.labels.end();
      };
      const auto target = std::ranges::find_if(thread_.code, places);
      at = static_cast<std::size_t>(target - thread_.code.begin()) - 1;
      continue;
    }
    const bool partial = in.opcode == Opcode::inc || in.opcode == Opcode::dec ||
                         in.opcode == Opcode::shl || in.opcode == Opcode::shr ||
                         in.opcode == Opcode::sar;
    if (x86::info(in.opcode).writes_flags && !partial) return true;
  }
  return true;
}

std::vector<x86::Register> Lifter::spare_registers() const {
  std::array<bool, x86::register_count> used{};
  used[static_cast<std::size_t>(x86::Register::rsp)] = true;
  used[static_cast<std::size_t>(x86::Register::rax)] = true; // cmpxchg names it without saying so
  for (const auto& in : thread_.code)
    x86::each_register(in,
                       [&](x86::Register reg) { used.at(static_cast<std::size_t>(reg)) = true; });
  std::vector<x86::Register> spare;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) spare.push_back(static_cast<x86::Register>(i));
  return spare;
}

void Lifter::replace(litmus::LocationId slot, const std::function<x86::Operand(Width)>& by) {
  const x86::Operand old = x86::Memory{slot};
  for (auto& in : thread_.code)
    for (auto& operand : in.operands)
      if (operand == old) operand = by(in.width);
}

/// Slots of one width live in registers that the thread does not use, the others in new cells.
void Lifter::settle_slots() {
  const auto spare = spare_registers();
  std::size_t taken = 0;
  for (const auto& [place, slot] : slots_) {
    if (taken < spare.size() && slot.widths.size() == 1 && !slot.locked) {
      const x86::Register reg = spare[taken++];
      homes_[place] = x86::RegisterOperand{reg, *slot.widths.begin()};
      replace(slot.cell, [&](Width width) { return x86::RegisterOperand{reg, width}; });
    } else {
      const auto name = fmt::format("P{}_slot{}", number_, slot.cell.value - first_slot);
      const auto made = add_cell(program_.locations, name, 0, is_cell_name);
      if (!slot.widths.empty()) program_.locations.back().type.width = *slot.widths.rbegin();
      homes_[place] = x86::Memory{made};
      replace(slot.cell, [&](Width) { return x86::Memory{made}; });
    }
  }
}

x86::Thread Lifter::run() {
  thread_.name = fmt::format("P{}", number_);
  find_labels();
  for (const MachineInstruction& in : function_.code) {
    if (const auto found = labels_.find(in.address); found != labels_.end()) {
      pending_.push_back(found->second);
      skipping_ = false;
    }
    if (!skipping_) lift(in);
  }
  finish();
  check_slots();
  for (const auto& [at, in] : needs_dead_flags_)
    if (!flags_dead_after(at)) unsupported(*in);
  settle_slots();
  return std::move(thread_);
}

} // namespace

x86::Thread lift(const MachineFunction& function, const LiftOptions& options,
                 const std::map<std::string, litmus::LocationId>& symbols, std::size_t number,
                 x86::Program& program, SlotHomes* homes) {
  Lifter lifter(function, options, symbols, number, program);
  x86::Thread thread = lifter.run();
  if (homes != nullptr) *homes = lifter.homes();
  return thread;
}

} // namespace thinair::lower::x86_code
