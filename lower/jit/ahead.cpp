// Follows code for a few instructions, as far as there is one way only.
#include "lower/jit/ahead.h"

#include "litmus/text/error.h"
#include "lower/jit/compiled.h"
#include "lower/jit/inside.h"

#include <algorithm>
#include <array>
#include <utility>

namespace thinair::lower::jit {
namespace {

/// What C2 calls where there is no room: `_new_instance_Java` in 17, `C2 Runtime new_instance` in
/// 25; of arrays likewise.
constexpr std::array<std::string_view, 2> makers{"new_instance", "new_array"};
/// RISC-V's listings have no name for it, but say for which bytecode the call is.
constexpr std::string_view made_by_call = "*new {reexecute=0";

/// The last class that notes name: "{metadata('Batch_0$A_c')}".
std::string class_in(std::string_view said) {
  constexpr std::string_view opening = "metadata('";
  const auto at = said.rfind(opening);
  if (at == std::string_view::npos) return {};
  said.remove_prefix(at + opening.size());
  return std::string(said.substr(0, said.find('\'')));
}

} // namespace

const CodeAhead::Decoded& CodeAhead::at(std::uint64_t address) {
  const auto found = decoded_.find(address);
  if (found != decoded_.end()) return found->second;
  if (address >= method_.code.size()) throw Unsupported("a jump out of the compiled code");
  auto in = backend_.decode(method_.code, address);
  if (compiled_code(machine_).fold != nullptr) compiled_code(machine_).fold(in, method_);
  Shape shape = shape_of(in, machine_);
  return decoded_.emplace(address, Decoded{std::move(in), std::move(shape)}).first->second;
}

bool CodeAhead::decodes(std::uint64_t address) {
  try {
    at(address);
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

std::string CodeAhead::notes(const MachineInstruction& in) const {
  const std::uint64_t at = in.address - in.address % compiled_code(machine_).places_of_notes;
  const auto found = method_.notes.find(at);
  return found == method_.notes.end() ? "" : found->second;
}

bool CodeAhead::leads_to(std::uint64_t address, std::string_view note) {
  constexpr int longest = 10;
  for (int n = 0; n < longest; ++n) {
    const Decoded& here = at(address);
    if (notes(here.instruction).find(note) != std::string::npos) return true;
    if (here.shape.does == Does::branch || here.shape.does == Does::end) return false;
    if (here.shape.does == Does::leave) return false;
    address =
        here.shape.does == Does::jump ? here.shape.target : address + here.instruction.bytes.size();
    if (address >= size()) return false;
  }
  return false;
}

bool CodeAhead::leads_to_trap(std::uint64_t address) {
  return std::ranges::any_of(traps, [&](std::string_view name) { return leads_to(address, name); });
}

bool CodeAhead::calls_and_returns(std::uint64_t address, std::uint64_t back) {
  constexpr int longest = 12;
  for (int n = 0; n < longest && address < size(); ++n) {
    const Decoded& here = at(address);
    const Does does = here.shape.does;
    const std::uint64_t behind = address + here.instruction.bytes.size();
    if (does == Does::leave) {
      if (!here.instruction.falls_through || behind >= size()) return false;
      if (behind == back) return true;
      const Decoded& next = at(behind);
      return next.shape.does == Does::jump && next.shape.target == back;
    }
    if (does != Does::move && does != Does::sum && does != Does::bits && does != Does::jump)
      return false;
    address = does == Does::jump ? here.shape.target : behind;
  }
  return false;
}

/// A listing has the frames of a call somewhere between where it stands and where it returns to.
std::string CodeAhead::frames_at(std::uint64_t call, std::uint64_t behind) const {
  std::string out;
  const auto from = call - call % compiled_code(machine_).places_of_notes;
  for (auto note = method_.notes.lower_bound(from);
       note != method_.notes.end() && note->first <= behind; ++note)
    out += note->second;
  return out;
}

/// The call, if there is no branch before it, and what the listing says of it and of the way there:
/// the class stands before the call, the frames behind it.
std::optional<Allocation> CodeAhead::slow_way(std::uint64_t address) {
  constexpr int longest = 16;
  std::string said;
  for (int n = 0; n < longest && address < size(); ++n) {
    if (!decodes(address)) return std::nullopt; // instructions that fill an exception, say
    const Decoded& here = at(address);
    const Does does = here.shape.does;
    if (does == Does::branch || does == Does::end) return std::nullopt;
    const std::uint64_t behind = address + here.instruction.bytes.size();
    said += frames_at(address, behind - 1); // the note of a constant may stand within
    if (does == Does::leave) {
      if (!here.instruction.falls_through || behind >= size()) return std::nullopt;
      const std::string frames = frames_at(address, behind);
      const std::string all = said + frames;
      const bool makes = frames.find(made_by_call) != std::string::npos ||
                         std::ranges::any_of(makers, [&](std::string_view name) {
                           return all.find(name) != std::string::npos;
                         });
      if (!makes) return std::nullopt;
      const auto line = line_of_new(frames);
      return Allocation{line == 0 && said.find(null_pointer) != std::string::npos, line,
                        class_in(said)};
    }
    address = does == Does::jump ? here.shape.target : behind;
  }
  return std::nullopt;
}

std::optional<bool> CodeAhead::first_is_slow(std::uint64_t first, std::uint64_t second) {
  const bool one = slow_way(first).has_value(), other = slow_way(second).has_value();
  return one == other ? std::nullopt : std::optional(one);
}

bool CodeAhead::is_word(const Shape& shape, std::int64_t top) const {
  return shape.place && shape.place->base == fixed_registers(machine_).thread &&
         shape.place->index.empty() && shape.place->displacement == top;
}

std::optional<Allocation> CodeAhead::allocation(std::uint64_t address, std::int64_t top) {
  constexpr int longest = 64;
  std::optional<Allocation> out;
  address += at(address).instruction.bytes.size();
  for (int n = 0; n < longest && address < size(); ++n) {
    const Decoded& here = at(address);
    std::uint64_t next = address + here.instruction.bytes.size();
    switch (here.shape.does) {
    case Does::jump: next = here.shape.target; break;
    case Does::end:
    case Does::leave: return std::nullopt;
    case Does::branch: {
      if (out) return std::nullopt;
      const auto slow = first_is_slow(here.shape.target, next);
      if (!slow) return std::nullopt;
      out = slow_way(*slow ? here.shape.target : next);
      if (!*slow) next = here.shape.target;
      break;
    }
    case Does::store:
      if (is_word(here.shape, top)) return out;
      break;
    case Does::load:
      if (is_word(here.shape, top)) return std::nullopt;
      break;
    case Does::other:
    case Does::move:
    case Does::sum:
    case Does::bits:
    case Does::shift:
    case Does::compare:
    case Does::test:
    case Does::nothing: break;
    }
    address = next;
  }
  return std::nullopt;
}

} // namespace thinair::lower::jit
