// Compares what a program uses with what a model knows.
#include "oracle/graph/meaning.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

namespace thinair::graph {
namespace {

using litmus::ConstructKind;
using litmus::Constructs;

constexpr Kinds modes = k_plain | k_opaque | k_acquire | k_release | k_volatile | k_atomic;

/// How a user gets an answer all the same; empty where nobody does.
std::string_view way_out(Constructs lacking) {
  const bool fences = !(lacking & Constructs::of(ConstructKind::fence)).empty();
  const bool accesses = !(lacking - Constructs::of(ConstructKind::fence)).empty();
  if (!(lacking & Constructs::of(ConstructKind::action)).empty()) return "";
  if (fences && accesses)
    return " (--as-plain takes accesses for plain ones, and leaves fences out)";
  return fences ? " (--as-plain leaves them out)" : " (--as-plain takes them for plain ones)";
}

void take_for_plain(Path& path, Constructs taken, Architecture architecture) {
  for (auto& event : path.events) {
    if ((event.kinds & (k_read | k_write)) == 0 || !taken.has(event.construct)) continue;
    event.kinds = (event.kinds & ~modes) | (architecture == Architecture::java ? k_plain : 0U);
  }
}

} // namespace

Constructs taken_for_plain(Constructs uses, const Meaning& meaning) {
  Constructs lacking = uses - meaning.known, taken;
  if (meaning.as_plain) taken = lacking - Constructs::of(ConstructKind::action);
  lacking = lacking - taken;
  if (!lacking.empty())
    throw Unsupported(
        fmt::format("{} under {}{}", to_string(lacking), meaning.model, way_out(lacking)));
  return taken;
}

void demand(ProgramPaths& program, const Meaning& meaning) {
  const Constructs taken = taken_for_plain(program.uses, meaning);
  if (taken.empty()) return;
  for (auto& thread : program.threads) {
    for (auto& path : thread.paths) take_for_plain(path, taken, program.architecture);
    for (auto& path : thread.cut_off) take_for_plain(path, taken, program.architecture);
  }
  // none of which is certain any more
  if (taken.has(litmus::Construct::volatile_) || taken.has(litmus::Construct::volatile_update))
    program.volatile_writes.assign(program.volatile_writes.size(), 0);
  program.uses = program.uses - taken;
}

} // namespace thinair::graph
