// Compares what a program uses with what a model knows.
#include "oracle/graph/meaning.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <optional>

namespace thinair::graph {
namespace {

using litmus::ConstructKind;
using litmus::Constructs;

constexpr Kinds modes = k_plain | k_opaque | k_acquire | k_release | k_volatile;

/// How a user gets an answer all the same; none where nobody does.
Limit way_out(Constructs lacking) {
  return (lacking & Constructs::of(ConstructKind::action)).empty() ? Limit::as_plain : Limit::none;
}

void take_for_plain(Path& path, Constructs taken, Architecture architecture) {
  for (auto& event : path.events) {
    if ((event.kinds & (k_read | k_write)) == 0) continue;
    for (const auto& row : architecture->sets) // of a machine's event each tag is looked at
      if (taken.has(row.construct)) event.tags &= ~row.tags;
    if (!taken.has(event.construct)) continue;
    event.kinds = (event.kinds & ~modes) | (architecture.is_java() ? k_plain : 0U);
    if (event.construct == litmus::Construct::atomic_instruction)
      event.partner = PathEvent::no_partner;
  }
}

void collect_tags(ProgramPaths& program) {
  for (const auto& thread : program.threads)
    for (const auto* paths : {&thread.paths, &thread.cut_off, &thread.strayed})
      for (const auto& path : *paths)
        for (const auto& event : path.events) program.tags |= event.tags;
}

/// What a machine's program uses, by its events' tags.
Constructs used_by(const ProgramPaths& program) {
  Constructs found;
  for (const auto& row : program.architecture->sets)
    if ((program.tags & row.tags) != 0 && row.construct != litmus::Construct::plain)
      found |= row.construct;
  return found;
}

/// A model that speaks of some fences and not of others would be silent about a program that has
/// these.
void demand_names(const ProgramPaths& program, const Meaning& meaning) {
  for (const auto& row : program.architecture->sets)
    if ((program.tags & row.tags & meaning.unnamed) != 0 && !meaning.as_plain)
      throw Unsupported(
          fmt::format("{} events under {}, which does not name them", row.name, meaning.model));
}

} // namespace

Constructs taken_for_plain(Constructs uses, const Meaning& meaning) {
  Constructs lacking = uses - meaning.known, taken;
  if (meaning.as_plain) taken = lacking - Constructs::of(ConstructKind::action);
  lacking = lacking - taken;
  if (!lacking.empty())
    throw Unsupported(fmt::format("{} under {}", to_string(lacking), meaning.model),
                      way_out(lacking));
  return taken;
}

void demand_meaning(const litmus::Test& test, const Meaning& meaning) {
  if (test.is_java()) {
    taken_for_plain(litmus::constructs_of(test.java()), meaning);
  } else {
    std::optional<ProgramPaths> paths;
    try {
      paths = paths_of(test);
    } catch (const Unsupported&) { // by this engine: another may know it
    } catch (const LimitReached&) {
    }
    if (paths) demand(*paths, meaning);
  }
}

void demand(ProgramPaths& program, const Meaning& meaning) {
  if (!program.architecture.is_java()) {
    collect_tags(program);
    program.uses = used_by(program);
  }
  const Constructs taken = taken_for_plain(program.uses, meaning);
  demand_names(program, meaning);
  if (taken.empty()) return;
  for (auto& thread : program.threads) {
    for (auto& path : thread.paths) take_for_plain(path, taken, program.architecture);
    for (auto& path : thread.strayed) take_for_plain(path, taken, program.architecture);
    for (auto& path : thread.cut_off) take_for_plain(path, taken, program.architecture);
  }
  // none of which is certain any more
  if (taken.has(litmus::Construct::volatile_) || taken.has(litmus::Construct::volatile_update))
    program.volatile_writes.assign(program.volatile_writes.size(), 0);
  program.uses = program.uses - taken;
}

} // namespace thinair::graph
