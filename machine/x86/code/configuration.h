// One state of the x86-TSO machine: how threads step, how stores reach memory, how it is packed.
#pragma once

#include "litmus/test.h"
#include "machine/x86/code/reach.h"
#include "machine/x86/step.h"

#include <cstdint>
#include <span>
#include <vector>

namespace thinair::runners {

struct BufferedStore {
  litmus::LocationId location;
  std::uint64_t value = 0;
};

struct MachineThread {
  x86::State cpu;
  std::uint32_t next = 0; // index of the next instruction
  std::vector<BufferedStore> buffer;
};

struct Configuration {
  std::vector<MachineThread> threads;
  std::vector<std::uint64_t> memory; // by location
};

/// What a thread's processor does next when it moves.
struct NextStep {
  /// `fault`: the thread gets no further, and there is no final state from here.
  enum class Kind : std::uint8_t { ended, local, load, locked, fence, fault } kind = Kind::ended;
  LocationMask location = 0; // of load and locked
};

/// One thing that the machine did, for people: an instruction, or a store that reached memory.
struct MachineEvent {
  std::size_t thread = 0;
  std::optional<std::uint32_t> instruction; // absent: the oldest buffered store reached memory
  Configuration after;
};
using MachineLog = std::vector<MachineEvent>;

/// A program with what does not change while it runs.
class Machine {
 public:
  Machine(const x86::Program& program, const std::vector<litmus::Observable>& asked);

  Configuration before_anything() const;
  Configuration start(MachineLog* log = nullptr) const; // all that concerns nobody else is done
  std::size_t threads() const { return program_.threads.size(); }

  NextStep next_step(const Configuration& c, std::size_t thread) const;
  const Ahead& ahead(const Configuration& c, std::size_t thread) const {
    return ahead_[thread][c.threads[thread].next];
  }

  /// The processor runs its next instruction (enabled), then all that concerns nobody else.
  void step(Configuration& c, std::size_t thread, MachineLog* log = nullptr) const;
  /// The oldest buffered store reaches memory.
  void flush(Configuration& c, std::size_t thread, MachineLog* log = nullptr) const;

  /// Equal bytes mean that no difference between two configurations will ever be seen.
  void pack(const Configuration& c, std::vector<std::uint8_t>& into) const;
  void unpack(std::span<const std::uint8_t> bytes, Configuration& into) const;

  litmus::Behaviour observe(const Configuration& c) const;

 private:
  void run_instruction(Configuration& c, std::size_t thread, MachineLog* log) const;
  void run_ahead(Configuration& c, std::size_t thread, MachineLog* log) const;
  bool concerns_nobody_else(const Configuration& c, std::size_t thread) const;
  LocationMask live_cells(const Configuration& c) const;

  /// Where a final value is found, and how it is declared.
  struct Place {
    std::size_t thread = 0;
    std::optional<x86::Register> reg; // absent: the cell
    std::size_t cell = 0;
    x86::Type type;
  };
  Place place_of(const litmus::Observable& observable) const;

  const x86::Program& program_;
  std::vector<Place> places_; // of what is asked for
  std::vector<std::vector<Ahead>> ahead_;
  std::vector<std::vector<std::optional<Use>>> uses_;
  LocationMask asked_cells_ = 0;
};

} // namespace thinair::runners
