// Walks, lifts, and checks each thread alone against its source.
#include "lower/jit/lift.h"

#include "litmus/text/error.h"
#include "lower/jit/compiled.h"
#include "lower/prepare.h"
#include "lower/sequential.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower::jit {
namespace {

void add_locations(const litmus::Program& source, Lowered& out) {
  const auto cells = out.program.cells();
  for (std::size_t i = 0; i < source.locations.size(); ++i)
    out.restoration.rows.push_back({{std::nullopt, source.locations[i].name},
                                    litmus::Observable{std::nullopt, cells[i].name}});
  std::ranges::sort(out.restoration.rows, {}, &Restoration::Row::source);
}

/// Loops run alone as often as they like in the code, and up to a bound in the source: what runs
/// into it is not compared.
void check(const Compilation& compilation, const Lowered& lowered) {
  constexpr std::uint32_t rounds_of_loops = 40;
  const auto source = prepared(compilation.source, rounds_of_loops);
  try {
    const auto difference = sequential_difference(source, lowered, 1);
    if (difference)
      throw Bug(
          fmt::format("compiled code does not compute what its source does: {}", *difference));
  } catch (const LimitReached&) { // a loop that a thread alone does not leave
  }
}

} // namespace

Backend decoder(Machine machine) {
  return Backend(Level::O0, machine, compiled_code(machine).features);
}

void no_result(const litmus::Thread& thread, std::size_t reg) {
  throw Unsupported(
      fmt::format("compiled code that does not leave a value of {}", thread.registers[reg].name));
}

Lowered lift(const Compilation& compilation, Backend& backend) {
  Walked threads;
  for (const Method& method : compilation.threads)
    threads.push_back(walk(method, compilation.machine, compilation.layout, backend));
  return lift_walked(compilation, std::move(threads));
}

Lowered lift_walked(const Compilation& compilation, Walked threads) {
  const auto lifted = compiled_code(compilation.machine).lifted;
  Lowered out = lifted != nullptr ? lifted(compilation, std::move(threads))
                                  : text_lifted(compilation, threads);
  add_locations(compilation.source, out);
  check(compilation, out);
  return out;
}

} // namespace thinair::lower::jit
