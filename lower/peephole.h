// Rules over neighbours: an instruction that a compiler leaves out where another follows.
#pragma once

#include "litmus/text/source.h"
#include "lower/operation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace thinair::lower {

inline constexpr std::size_t no_operation = operation_count;

/// Instructions are told apart by their text in the scheme.
struct Peephole {
  std::string drop;                           // left out …
  std::vector<std::string> before;            // … where one of these follows and stays, …
  std::array<bool, operation_count> across{}; // … and only code of these operations stands between
  text::Span place;                           // in its file
};
inline constexpr std::size_t most_peepholes = 32;

/// What a scheme's peepholes make of an instruction: a bit for each.
struct Mark {
  std::uint32_t drop = 0, before = 0;
};
Mark mark_of(std::span<const Peephole> peepholes, const std::string& instruction);

/// Throws InputError where a scheme's last `own` peepholes, those of its file, look for what no
/// rule has. `marks`: of the instructions of all its rules.
void require_use(const text::Source& source, std::span<const Peephole> peepholes, std::size_t own,
                 std::span<const Mark> marks);

/// An instruction of a thread as peepholes see it.
struct Neighbour {
  const std::vector<Peephole>* scheme = nullptr; // whose; null: code of no operation
  std::size_t operation = no_operation;
  Mark mark;
  bool ends_search = false; // a label stands here, or it jumps
};

/// Which of a thread's instructions are left out: from the end, so that what follows stays. Only
/// instructions of the same scheme count as neighbours: another compiler's code is a call.
std::vector<bool> left_out(std::span<const Neighbour> code);

} // namespace thinair::lower
