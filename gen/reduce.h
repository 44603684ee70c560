// The reducer: the smallest program, under all passes, that still shows what it is asked to keep.
#pragma once

#include "litmus/program.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace thinair::gen {

/// Whether a program still shows what is being reduced. `unknown` (a limit, a feature that an
/// engine lacks) keeps nothing: a reduction only walks over programs that are known to show it.
enum class Interest : std::uint8_t { yes, no, unknown };
using Interesting = std::function<Interest(const litmus::Program&)>;

/// A pass proposes edits and knows nothing of what is kept. Each proposal is tidy and smaller
/// (measure.h).
struct Pass {
  std::string_view name;
  std::string_view help;
  std::vector<litmus::Program> (*propose)(const litmus::Program&);
};

/// Hierarchical order: threads, statements, branches, then what is inside them. A new pass is one
/// line there.
std::span<const Pass> passes();

struct Reduction {
  litmus::Program program;
  std::uint64_t steps = 0;   // edits taken
  std::uint64_t tried = 0;   // programs asked about, each once
  std::uint64_t unknown = 0; // answers that were `unknown`
  bool complete = true;      // false: `max_tries` or `stop` ended it before it was 1-minimal
  bool interrupted = false;  // by `stop`
};

struct ReduceOptions {
  /// Proposals asked about at any one size; counted anew after every edit, so that a reduction that
  /// starts where another one was stopped ends like it.
  std::uint64_t max_tries = 100'000;
  /// Asked before every try; true ends the reduction with the smallest program so far.
  std::function<bool()> stop = {};
};

/// Takes the first interesting proposal of the first pass that has one, until none has:
/// deterministic, idempotent, and 1-minimal under all passes. `program` itself must be interesting.
/// Every program on the way reduces to the same end.
Reduction reduce(const litmus::Program& program, const Interesting& interesting,
                 const ReduceOptions& options = {});

/// All proposals of all passes for a program, in the order in which `reduce` tries them.
std::vector<litmus::Program> proposals(const litmus::Program& program);

} // namespace thinair::gen
