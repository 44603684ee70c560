// What compilers have code for: access methods, fences, and what a Java runtime does besides.
#pragma once

#include "litmus/modes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace thinair::lower {

/// What a Java runtime does for a program beside accesses and fences: VarHandle has no method for
/// it, and a compiler has code.
enum class RuntimeAction : std::uint8_t {
  freeze, // of final fields, at the end of a constructor (JLS 17.5.1)
  lock,   // a monitor is entered (JLS 17.4.2)
  unlock, // and left
  start,  // what a thread does to begin another one (JLS 17.4.4)
  begin,  // what the other one does before anything else
  end,    // what a thread does after everything else
  join,   // what a thread does to wait for that
};

struct RuntimeActionInfo {
  RuntimeAction action;
  std::string_view name;
  bool has_location; // it is done to a word of memory: a monitor's, or a thread's
};

std::span<const RuntimeActionInfo, 7> runtime_actions();
const RuntimeActionInfo& info(RuntimeAction action);

/// A rule of a scheme is for one. Counted in the order of methods(), then fences(), then
/// runtime_actions().
using Operation = std::variant<litmus::Method, litmus::Fence, RuntimeAction>;
inline constexpr std::size_t operation_count = litmus::operation_count + 7;

std::size_t index_of(Operation operation);
inline std::size_t index_of(litmus::Operation operation) { return litmus::index_of(operation); }
inline std::size_t index_of(litmus::Method method) { return index_of(Operation(method)); }
inline std::size_t index_of(litmus::Fence fence) { return index_of(Operation(fence)); }
Operation operation_at(std::size_t index);
std::string_view name(Operation operation);
std::optional<Operation> operation_named(std::string_view name);

/// A scheme that says nothing of such an operation has no code for it.
bool may_be_left_out(Operation operation);
/// Whether the operation's rule is about a location, [x].
bool has_location(Operation operation);

} // namespace thinair::lower
