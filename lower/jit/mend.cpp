// Adds steps to what walk() finds.
#include "lower/jit/mend.h"

#include "litmus/text/error.h"
#include "lower/jit/compiled.h"
#include "lower/jit/machine_lift.h"
#include "lower/jit/walk.h"

#include <algorithm>
#include <array>
#include <functional>

namespace thinair::lower::jit {
namespace {

bool stays(const Step& step) { return step.stays == Step::Stays::yes; }

std::string opcode_of(const Step& step) { return step.instruction.opcode; }

/// `lock addl $0, -64(%rsp)` of x86, and what machines call fences. A lock is an instruction of its
/// own before the one that it locks.
bool is_fence(const Step& step) {
  constexpr std::array<std::string_view, 4> names{"DMB", "DSB", "FENCE", "MFENCE"};
  const bool named = std::ranges::any_of(
      names, [&](std::string_view name) { return opcode_of(step).starts_with(name); });
  return named || (step.shape.adds_nothing && step.cell && step.cell->kind == Cell::Kind::slot);
}

/// Loads and stores of whatever order; updates do both.
void tell_direction(const Step& step, Piece& out) {
  const Does does = step.shape.does;
  const bool stores = does == Does::store || opcode_of(step).starts_with("STL");
  const bool loads = does == Does::load || does == Does::compare || does == Does::test ||
                     does == Does::move || does == Does::sum ||
                     opcode_of(step).starts_with("LDA") || opcode_of(step).starts_with("LDX");
  const bool adds = opcode_of(step).starts_with("LDADD");
  out.reads = !stores || adds;
  out.writes = !loads || adds;
}

Piece piece_of(const Step& step) {
  Piece out;
  out.text = text_of(step.instruction);
  out.is_fence = is_fence(step);
  if (step.cell && step.cell->kind == Cell::Kind::field) {
    out.field = static_cast<std::uint32_t>(step.cell->number);
    tell_direction(step, out);
  }
  return out;
}

Step fence_step(Machine machine, Backend& backend) {
  const auto bytes = compiled_code(machine).full_fence;
  Step out;
  out.instruction = backend.decode({bytes.begin(), bytes.end()}, 0);
  out.shape = shape_of(out.instruction, machine);
  return out;
}

/// Nothing jumps to the middle of an instruction, which is the fence's place.
void add_fence(std::vector<Step>& steps, std::size_t piece, Step fence) {
  std::size_t number = 0;
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    if (!stays(*step) || number++ != piece) continue;
    THINAIR_CHECK(step->instruction.bytes.size() > 1, "no place for a fence");
    fence.instruction.address = step->instruction.address + 1;
    steps.insert(step + 1, std::move(fence));
    return;
  }
  THINAIR_CHECK(false, "a fence behind code that is not there");
}

} // namespace

std::vector<std::vector<Piece>> pieces(const Compilation& compilation, Backend& backend) {
  std::vector<std::vector<Piece>> out;
  for (const auto& steps : walked(compilation, backend)) {
    auto& thread = out.emplace_back();
    for (const Step& step : steps)
      if (stays(step)) thread.push_back(piece_of(step));
  }
  return out;
}

Lowered lift_with(const Compilation& compilation, Backend& backend,
                  const std::vector<AddedFence>& fences) {
  Walked threads = walked(compilation, backend);
  auto from_the_last = fences;
  std::ranges::sort(from_the_last, std::greater<>());
  for (const auto& fence : from_the_last)
    add_fence(threads.at(fence.thread), fence.piece, fence_step(compilation.machine, backend));
  return lift_walked(compilation, std::move(threads));
}

std::string full_fence(Machine machine, Backend& backend) {
  return text_of(fence_step(machine, backend).instruction);
}

} // namespace thinair::lower::jit
