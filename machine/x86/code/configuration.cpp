// Steps and packs states of the x86-TSO machine.
#include "machine/x86/code/configuration.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::runners {
namespace {

using namespace x86;
using litmus::LocationId;

/// Instructions that one thread runs in a row before others get a turn, so that an endless loop
/// without accesses becomes states like any other.
constexpr int longest_run = 1000;

/// Memory as a thread sees it through its store buffer; under `lock`, memory itself.
class Port : public MemoryPort {
 public:
  Port(const Program& program, Configuration& c, MachineThread& thread, bool atomic)
      : program_(program), c_(c), thread_(thread), atomic_(atomic) {}

  const Program* program() const override { return &program_; }

  std::uint64_t load(LocationId location, Width width) override {
    check(location, width);
    if (!atomic_)
      for (auto it = thread_.buffer.rbegin(); it != thread_.buffer.rend(); ++it)
        if (it->location == location) return it->value;
    return c_.memory[location.value];
  }

  void store(LocationId location, Width width, std::uint64_t value) override {
    check(location, width);
    if (atomic_) {
      c_.memory[location.value] = value;
    } else {
      thread_.buffer.push_back({location, value});
    }
  }

 private:
  void check(LocationId location, Width width) const {
    if (location.value >= program_.locations.size())
      throw Unsupported("an access through a register that holds no location's address");
    const Location& cell = program_.locations[location.value];
    if (cell.type.width != width)
      throw Unsupported(fmt::format("mixed-size accesses ({} bytes of {}, which has {})",
                                    static_cast<int>(width), cell.name,
                                    static_cast<int>(cell.type.width)));
  }

  const Program& program_;
  Configuration& c_;
  MachineThread& thread_;
  bool atomic_;
};

void put(std::vector<std::uint8_t>& into, std::uint64_t value) {
  while (value >= 0x80) {
    into.push_back(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  into.push_back(static_cast<std::uint8_t>(value));
}

class Unpacker {
 public:
  explicit Unpacker(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  std::uint64_t take() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = rest_.front();
      rest_ = rest_.subspan(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
  }

 private:
  std::span<const std::uint8_t> rest_;
};

std::uint64_t packed(const Flags& f) {
  return (f.carry ? 1U : 0U) | (f.parity ? 2U : 0U) | (f.zero ? 4U : 0U) | (f.sign ? 8U : 0U) |
         (f.overflow ? 16U : 0U);
}

Flags unpacked(std::uint64_t bits) {
  return {.carry = (bits & 1) != 0,
          .parity = (bits & 2) != 0,
          .zero = (bits & 4) != 0,
          .sign = (bits & 8) != 0,
          .overflow = (bits & 16) != 0};
}

} // namespace

Machine::Machine(const Program& program, const std::vector<litmus::Observable>& asked)
    : program_(program), ahead_(look_ahead(program, asked)) {
  for (const Thread& thread : program.threads) {
    auto& uses = uses_.emplace_back();
    for (const Instruction& in : thread.code) uses.push_back(memory_use(in));
  }
  for (const litmus::Observable& observable : asked) places_.push_back(place_of(observable));
  for (std::uint32_t i = 0; i < program.locations.size(); ++i)
    if (std::ranges::find(asked, litmus::Observable{std::nullopt, program.locations[i].name}) !=
        asked.end())
      asked_cells_ |= bit(LocationId(i));
}

Configuration Machine::before_anything() const {
  Configuration c;
  for (const Location& location : program_.locations)
    c.memory.push_back(
        truncated(static_cast<std::uint64_t>(location.initial), location.type.width));
  for (const Thread& thread : program_.threads) {
    MachineThread& added = c.threads.emplace_back();
    for (const InitialRegister& initial : thread.initial) {
      const auto* address = std::get_if<LocationId>(&initial.value);
      added.cpu.registers.at(static_cast<std::size_t>(initial.reg)) =
          address ? address_of(*address)
                  : static_cast<std::uint64_t>(std::get<litmus::Value>(initial.value));
    }
  }
  return c;
}

Configuration Machine::start(MachineLog* log) const {
  Configuration c = before_anything();
  for (std::size_t t = 0; t < threads(); ++t) run_ahead(c, t, log);
  return c;
}

NextStep Machine::next_step(const Configuration& c, std::size_t thread) const {
  using Kind = NextStep::Kind;
  const MachineThread& mine = c.threads[thread];
  const auto& code = program_.threads[thread].code;
  if (mine.next == code.size()) return {};
  const Instruction& in = code[mine.next];
  if (in.opcode == Opcode::mfence && !mine.buffer.empty()) return {Kind::fence, 0};
  const auto& use = uses_[thread][mine.next];
  if (use && faults(in, mine.cpu)) return {Kind::fault, 0};
  if (!use || !(use->reads || use->atomic)) return {Kind::local, 0};
  return {use->atomic ? Kind::locked : Kind::load, bit(*accessed(in, mine.cpu, &program_))};
}

void Machine::run_instruction(Configuration& c, std::size_t thread, MachineLog* log) const {
  MachineThread& mine = c.threads[thread];
  const std::uint32_t at = mine.next;
  const Instruction& in = program_.threads[thread].code[at];
  Port port(program_, c, mine, is_atomic(in));
  const bool jumps = x86::step(in, mine.cpu, port);
  mine.next = jumps ? ahead_[thread][at].jump_target : at + 1;
  if (log) log->push_back({thread, at, c});
}

/// A step that no other thread can tell from the one before it: registers and flags, and a store
/// that only enters the buffer.
bool Machine::concerns_nobody_else(const Configuration& c, std::size_t thread) const {
  return next_step(c, thread).kind == NextStep::Kind::local;
}

void Machine::run_ahead(Configuration& c, std::size_t thread, MachineLog* log) const {
  for (int i = 0; i < longest_run && concerns_nobody_else(c, thread); ++i)
    run_instruction(c, thread, log);
}

void Machine::step(Configuration& c, std::size_t thread, MachineLog* log) const {
  run_instruction(c, thread, log);
  run_ahead(c, thread, log);
}

void Machine::flush(Configuration& c, std::size_t thread, MachineLog* log) const {
  auto& buffer = c.threads[thread].buffer;
  c.memory[buffer.front().location.value] = buffer.front().value;
  buffer.erase(buffer.begin());
  if (log) log->push_back({thread, std::nullopt, c});
  run_ahead(c, thread, log); // a fence may have waited
}

/// Cells that may still be read, or that are asked for.
LocationMask Machine::live_cells(const Configuration& c) const {
  LocationMask live = asked_cells_;
  for (std::size_t t = 0; t < threads(); ++t) live |= ahead(c, t).reads | ahead(c, t).locked;
  return live;
}

void Machine::pack(const Configuration& c, std::vector<std::uint8_t>& into) const {
  into.clear();
  const LocationMask live = live_cells(c);
  for (std::size_t t = 0; t < threads(); ++t) {
    const MachineThread& thread = c.threads[t];
    const Ahead& here = ahead(c, t);
    put(into, thread.next);
    put(into, thread.buffer.size());
    for (const BufferedStore& store : thread.buffer) {
      put(into, store.location.value);
      put(into, (live & bit(store.location)) != 0 ? store.value : 0);
    }
    for (std::size_t r = 0; r < every_register; ++r)
      if ((here.live >> r & 1) != 0) put(into, thread.cpu.registers[r]);
    if (here.flags_live) put(into, packed(thread.cpu.flags));
  }
  for (std::uint32_t i = 0; i < c.memory.size(); ++i)
    put(into, (live & bit(LocationId(i))) != 0 ? c.memory[i] : 0);
}

void Machine::unpack(std::span<const std::uint8_t> bytes, Configuration& into) const {
  Unpacker in(bytes);
  into.threads.resize(threads());
  for (std::size_t t = 0; t < threads(); ++t) {
    MachineThread& thread = into.threads[t];
    thread.next = static_cast<std::uint32_t>(in.take());
    thread.buffer.resize(in.take());
    for (BufferedStore& store : thread.buffer) {
      store.location = LocationId(static_cast<std::uint32_t>(in.take()));
      store.value = in.take();
    }
    const Ahead& here = ahead_[t][thread.next];
    for (std::size_t r = 0; r < every_register; ++r)
      thread.cpu.registers[r] = (here.live >> r & 1) != 0 ? in.take() : 0;
    thread.cpu.flags = here.flags_live ? unpacked(in.take()) : Flags{};
  }
  into.memory.resize(program_.locations.size());
  for (std::uint64_t& cell : into.memory) cell = in.take();
}

Machine::Place Machine::place_of(const litmus::Observable& observable) const {
  Place place{0, register_of(observable), 0, litmus::Code(program_).type_of(observable)};
  if (place.reg) {
    place.thread = observable.thread->value;
    THINAIR_CHECK(place.thread < program_.threads.size(), "a thread that the program lacks");
    return place;
  }
  const auto found = std::ranges::find(program_.locations, observable.name, &Location::name);
  THINAIR_CHECK(found != program_.locations.end(), "a location that the program lacks");
  place.cell = static_cast<std::size_t>(found - program_.locations.begin());
  return place;
}

litmus::Behaviour Machine::observe(const Configuration& c) const {
  litmus::Behaviour behaviour;
  for (const Place& place : places_) {
    const std::uint64_t value =
        place.reg ? c.threads[place.thread].cpu.registers.at(static_cast<std::size_t>(*place.reg))
                  : c.memory[place.cell];
    behaviour.push_back(as_declared(static_cast<litmus::Value>(value), place.type));
  }
  return behaviour;
}

} // namespace thinair::runners
