// One thread at a time: what the source computes and what its machine code computes must agree.
#pragma once

#include "lower/lowered.h"
#include "lower/machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::lower {

/// What a thread leaves behind when it runs alone.
struct SourceOutcome {
  std::vector<litmus::TypedValue> registers; // of the thread, by RegisterId
  std::vector<litmus::Value> memory;         // by LocationId, fields behind (FieldLocations)
};

/// What a compareAndExchange of a byte or short gives that does not find what it expects, and a
/// getAndAdd or getAndSet of one.
enum class NarrowWitness : std::uint8_t {
  extended, // what it found, with its sign
  cut, // the low bits of that, and the others of what was expected or given: faults of HotSpot's on
       // x86 (docs/hotspot-faults.md)
};

/// Runs one thread alone from `memory`; a weak compare-and-set fails only where a strong one does.
/// No monitor keeps it waiting, and whoever it waits for has ended. No value: it divides by zero,
/// accesses something by null or an element that there is not, or runs into the bound of a loop.
/// Throws Unsupported for loops.
std::optional<SourceOutcome> run_source(const litmus::Program& program, litmus::ThreadId thread,
                                        std::vector<litmus::Value> memory,
                                        NarrowWitness witness = NarrowWitness::extended);

/// Whether no thread runs into the bound of a loop: each runs alone from a memory that is 0, and
/// all of them `times` over, one after the other, on one that stays. An exception is an end, too.
/// Throws Unsupported for loops: they are unrolled (prepare.h).
bool ends_alone(const litmus::Program& program, unsigned times);

/// Runs one thread of machine code alone, as run_source(); the first cells of memory are given, the
/// rest have their initial values. Throws LimitReached for a thread that does not end.
TargetOutcome run_target(const Lowered& lowered, litmus::ThreadId thread,
                         const std::vector<litmus::Value>& memory);

/// Runs every thread of both programs from `rounds` random memories. The answer is the first
/// difference, in words; none where they agree. A thread that ends in an uncommon trap is not
/// compared.
/// `fields` are the cells of objects' fields, by ObjectId, for code that has objects. `or_with`: a
/// thread may as well do what the source does with such witnesses.
std::optional<std::string>
sequential_difference(const litmus::Program& source, const Lowered& lowered, std::uint64_t seed,
                      unsigned rounds = 8,
                      const std::vector<std::vector<litmus::LocationId>>& fields = {},
                      NarrowWitness or_with = NarrowWitness::extended);

} // namespace thinair::lower
