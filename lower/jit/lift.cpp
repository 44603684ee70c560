// Walks, lifts, and checks each thread alone against its source.
#include "lower/jit/lift.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "lower/jit/compiled.h"
#include "lower/jit/inside.h"
#include "lower/jit/references.h"
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

/// Whether it has a compareAndExchange of a byte or a short, or gets one by adding or setting.
bool exchanges_narrow(const litmus::Program& program) {
  bool found = false;
  for (const auto& thread : program.threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      const auto* access = std::get_if<litmus::Access>(&statement.node);
      if (access == nullptr) return;
      const auto kind = litmus::type_of(program, thread, access->location, access->field).kind;
      const bool is_narrow = kind == litmus::TypeKind::byte || kind == litmus::TypeKind::short_;
      const auto action = litmus::info(access->method).action;
      found = found || (is_narrow && (action == litmus::Action::compare_and_exchange ||
                                      action == litmus::Action::get_and_add ||
                                      action == litmus::Action::get_and_set));
    });
  return found;
}

/// Loops run alone as often as they like in the code, and up to a bound in the source: what runs
/// into it is not compared.
void check(const Compilation& compilation, const Lowered& lowered) {
  constexpr std::uint32_t rounds_of_loops = 40;
  constexpr unsigned rounds = 8;
  const auto source = prepared(compilation.source, rounds_of_loops);
  // What HotSpot is known to get wrong is the code's fault, of which the model is asked, and none
  // of lifting. What becomes of it in a program is followed as far as a run of the source can be.
  const bool cuts = compiled_code(compilation.machine).cuts_witnesses && exchanges_narrow(source);
  try {
    const auto difference =
        sequential_difference(source, lowered, 1, rounds, fields_of(compilation),
                              cuts ? NarrowWitness::cut : NarrowWitness::extended);
    if (difference && cuts)
      throw Unsupported(fmt::format("an update of a byte or short, whose sign C2's code "
                                    "for {} loses, and what the code makes of that: {}",
                                    compilation.machine->title, *difference));
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
  return lift_walked(compilation, walked(compilation, backend));
}

Walked walked(const Compilation& compilation, Backend& backend) {
  Walked threads;
  for (std::size_t t = 0; t < compilation.threads.size(); ++t)
    threads.push_back(
        walk(compilation.threads[t], compilation.machine, layout_of(compilation, t), backend));
  return threads;
}

namespace {

/// What values of the source's types are found as.
void give_types(const litmus::Program& source, std::vector<litmus::Value> objects,
                Restoration& restoration) {
  for (auto& row : restoration.rows) row.type = type_of(source, row.source).kind;
  restoration.objects = std::move(objects);
}

Lowered values_lifted(const Compilation& compilation, Walked threads) {
  const auto lifted = compiled_code(compilation.machine).lifted;
  Lowered out = lifted != nullptr ? lifted(compilation, std::move(threads))
                                  : text_lifted(compilation, threads);
  add_locations(compilation.source, out);
  std::vector<litmus::Value> objects;
  for (const ObjectPlace& place : places_of(compilation)) objects.push_back(place.address);
  give_types(compilation.source, std::move(objects), out.restoration);
  check(compilation, out);
  return out;
}

} // namespace

/// Objects that have no inside are made before the threads start: a reference is a number for which
/// one it is, and code that looks inside of an object has been refused. What is found in the end is
/// a reference again.
Lowered lift_walked(const Compilation& compilation, Walked threads) {
  if (compilation.source.classes.empty() || !compilation.fields.empty())
    return values_lifted(compilation, std::move(threads));
  Compilation numbers = compilation;
  numbers.source = with_numbers(compilation.source, compilation.objects);
  Lowered out = values_lifted(numbers, std::move(threads));
  give_types(compilation.source, compilation.objects, out.restoration);
  return out;
}

} // namespace thinair::lower::jit
