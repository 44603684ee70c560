// Follows control flow from the verified entry until nothing new is learnt, then decides about each
// instruction once.
#include "lower/jit/walk.h"

#include "litmus/text/error.h"
#include "lower/jit/compiled.h"
#include "lower/jit/unused.h"
#include "lower/jit/walker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace thinair::lower::jit {

void Walker::refuse(std::string_view what) const {
  throw Unsupported(fmt::format("{} in compiled code: {} [{}]", what, text_of(*current_),
                                hexadecimal(current_->bytes)));
}

/// Of a method of Java's the listing has the name behind the call, where it returns to.
void Walker::leave(const MachineInstruction& in) const {
  constexpr std::string_view opening = ";*invoke";
  const std::string note = notes(in);
  std::string frames = code_.frames_at(in.address, in.address + in.bytes.size());
  if (const auto at = frames.find(opening); at != std::string::npos) {
    frames = frames.substr(frames.find(' ', at) + 1);
    throw Unsupported(
        fmt::format("a call in compiled code: {}", frames.substr(0, frames.find(' '))));
  }
  throw Unsupported(fmt::format("a call in compiled code: {}", note.empty() ? text_of(in) : note));
}

bool Walker::is_trap(const MachineInstruction& in) const {
  const std::string note = notes(in);
  return std::ranges::any_of(
      traps, [&](std::string_view name) { return note.find(name) != std::string::npos; });
}

/// Whether the instruction at hand is on a way that ends in a trap and nowhere else.
bool Walker::is_departing() {
  return code_.leads_to_trap(current_->address + current_->bytes.size());
}

State Walker::at_entry() const {
  State state;
  state.registers[std::string(fixed_.stack)] = {Kind::stack, 0};
  state.registers[std::string(fixed_.thread)] = {Kind::thread, 0};
  if (!fixed_.zero.empty()) state.registers[std::string(fixed_.zero)] = {Kind::constant, 0};
  constexpr std::array kinds{Kind::state, Kind::result};
  for (std::size_t i = 0; i < std::min(kinds.size(), method_.parameters.size()); ++i) {
    const std::string reg = listed_register(machine_, method_.parameters[i]);
    if (reg.empty())
      throw Unsupported(
          fmt::format("a listing in which \"{}\" is a register", method_.parameters[i]));
    state.registers[reg] = {kinds[i], 0};
  }
  return state;
}

void Walker::reach(std::uint64_t address, const State& state) {
  code_.at(address);
  const auto [before, is_new] = before_.try_emplace(address, state);
  if (is_new || before->second.join(state)) waiting_.insert(address);
}

/// Whether a trap is taken because a reference of the program's is null, or an index is out of
/// bounds: then the interpreter, which executes the bytecode again, throws. A request is a negative
/// number; its bits, all of them turned over, are what is to be done (3) and the reason (5): 1 is
/// `null_check`, 3 `range_check` (HotSpot's deoptimization.hpp, the same in 17, 21, 25 and 28).
bool Walker::throws(const Place& at) const {
  if (layout_.objects.empty() || method_.parameters.empty()) return false;
  const Known request = at.before.reg(listed_register(machine_, method_.parameters[0]));
  if (request.kind != Kind::constant) return false;
  constexpr std::int32_t actions = 3, reasons = 31, null_check = 1, range_check = 3;
  const auto bits = ~static_cast<std::int32_t>(request.value);
  const auto reason = (bits >> actions) & reasons;
  return bits >= 0 && (reason == null_check || reason == range_check) && bits >> (actions + 5) == 0;
}

/// Registers of the caller are put on the stack so, where the frame is large.
void Walker::move_base(const Place& at, Outcome& out) const {
  const std::string& base = at.shape.place->base;
  if (base != fixed_.stack || out.step.stays != Step::Stays::no)
    refuse("an access that changes its address");
  out.after.registers[base] = plus(at.before.reg(base), at.shape.moves_base);
}

Outcome Walker::outcome(std::uint64_t address) {
  const auto& decoded = code_.at(address);
  const Place at{decoded.instruction, decoded.shape, before_.at(address)};
  current_ = &at.instruction;
  Outcome out{at.before, {at.instruction.address + at.instruction.bytes.size()}, {}};
  out.after.asked.clear();
  out.step.instruction = at.instruction;
  out.step.shape = at.shape;
  switch (at.shape.does) {
  case Does::other: other(at, out); break;
  case Does::move: move(at, out); break;
  case Does::sum: sum(at, out); break;
  case Does::bits: bits(at, out); break;
  case Does::shift: shift(at, out); break;
  case Does::load: load(at, out); break;
  case Does::store: store(at, out); break;
  case Does::compare:
  case Does::test: compare(at, out); break;
  case Does::branch: branch(at, out); break;
  case Does::jump: out.next = {at.shape.target}; break;
  case Does::leave:
    if (!is_trap(at.instruction)) leave(at.instruction);
    out.step.stays = throws(at) ? Step::Stays::as_throw : Step::Stays::as_trap;
    out.next.clear();
    break;
  case Does::end: out.next.clear(); break;
  case Does::nothing:
    out.step.stays = Step::Stays::no;
    out.step.rule = Rule::padding;
    break;
  }
  if (at.shape.moves_base != 0) move_base(at, out);
  if (at.shape.does == Does::move && at.shape.sets_flags) out.after.flags = Flags::data;
  return out;
}

std::vector<Step> Walker::run() {
  reach(method_.entry, at_entry());
  while (!waiting_.empty()) {
    const std::uint64_t address = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    const Outcome out = outcome(address);
    for (const std::uint64_t next : out.next) {
      State after = out.after;
      if (next == out.not_null_at) after.registers[out.not_null] = {Kind::reference, 0};
      reach(next, after);
    }
  }
  std::vector<Followed> code;
  for (const auto& [address, before] : before_) {
    Outcome out = outcome(address);
    code.push_back({std::move(out.step), std::move(out.next)});
  }
  return without_unused(std::move(code));
}

Cell trap_cell(const Layout& layout) {
  return {Cell::Kind::result, static_cast<std::int64_t>(layout.result.size())};
}

namespace {

/// What stands for the end of a way: some instructions, of which the first has its place.
std::vector<Step> end_at(const Step& end, Machine machine, const Layout& layout, Backend& backend) {
  const bool trap = end.stays == Step::Stays::as_trap;
  const auto code = trap ? compiled_code(machine).trap : compiled_code(machine).fault;
  const std::vector<std::uint8_t> bytes(code.begin(), code.end());
  std::vector<Step> out;
  for (std::uint64_t at = 0; at < bytes.size();) {
    Step step;
    step.instruction = backend.decode(bytes, at);
    at += step.instruction.bytes.size();
    step.instruction.address = end.instruction.address + (out.empty() ? 0 : 1);
    step.shape = shape_of(step.instruction, machine);
    if (step.shape.does == Does::store) step.cell = trap_cell(layout);
    out.push_back(std::move(step));
  }
  return out;
}

} // namespace

namespace {

Method plain(const Method& method, Machine machine, Backend& backend) {
  const auto without_vectors = compiled_code(machine).without_vectors;
  return without_vectors == nullptr ? method : without_vectors(method, backend);
}

} // namespace

std::vector<Step> walk(const Method& method, Machine machine, const Layout& layout,
                       Backend& backend) {
  const Method code = plain(method, machine, backend);
  std::vector<Step> out;
  for (Step& step : Walker(code, machine, layout, backend).run()) {
    if (step.stays == Step::Stays::as_trap || step.stays == Step::Stays::as_throw)
      std::ranges::move(end_at(step, machine, layout, backend), std::back_inserter(out));
    else
      out.push_back(std::move(step));
  }
  return out;
}

std::int64_t offset_read(const Method& getter, Machine machine, Backend& backend) {
  const Layout nothing;
  const Method code = plain(getter, machine, backend);
  Walker walker(code, machine, nothing, backend);
  walker.run();
  std::erase_if(walker.loads, [](std::int64_t offset) { return offset < class_offset; });
  if (walker.loads.size() != 1)
    throw Unsupported(fmt::format("a getter that reads {} fields", walker.loads.size()));
  return *walker.loads.begin();
}

} // namespace thinair::lower::jit
