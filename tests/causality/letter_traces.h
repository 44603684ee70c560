// What a thread may do by itself, whatever its reads return.
#pragma once

#include "litmus/modes.h"
#include "litmus/program.h"
#include "tests/causality/letter.h"

#include <cstdint>
#include <set>
#include <vector>

namespace thinair::causality::letter {

enum class Deed : std::uint8_t { read, write, lock, unlock, start, begin, end, join, print, fence };

struct Action {
  std::size_t thread = 0;
  Deed deed = Deed::read;
  std::uint32_t object = 0; // location, monitor or thread
  std::int32_t value = 0;   // read or written
  bool is_volatile = false;
  bool updates = false;   // a write, right after the read before it
  bool of_update = false; // a read: of an update, whether it writes or not
  litmus::Mode mode = litmus::Mode::plain;
  litmus::Fence fence = litmus::Fence::full;
  friend auto operator<=>(const Action&, const Action&) = default;
};

/// The beginning of a run of a thread, or the whole of it.
struct Trace {
  std::vector<Action> actions;
  bool whole = false;
  std::vector<std::int32_t> registers; // of a whole one
  friend auto operator<=>(const Trace&, const Trace&) = default;
};

/// By location: values that a read may return.
using Domain = std::vector<std::set<std::int32_t>>;

/// All traces of a thread, all of their beginnings among them: a thread may wait for ever, or end
/// in an exception, and a set of actions that a run begins with is what an execution in which it
/// takes its time looks like.
std::set<Trace> traces(const litmus::Program& program, std::size_t thread, const Domain& domain,
                       const Limits& limits);

/// What the program writes, and what it writes having read that, and so on. Absent: too much.
std::optional<Domain> domain_of(const litmus::Program& program, const Limits& limits);

} // namespace thinair::causality::letter
