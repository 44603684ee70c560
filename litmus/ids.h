// Strong types for the things a program is made of: never an int where a thread is meant.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace thinair::litmus {

/// An index into one table of a program; `Tag` says which.
template <class Tag>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;
  explicit constexpr Id(std::uint32_t v) : value(v) {}
  friend constexpr auto operator<=>(Id, Id) = default;
};

using ThreadId = Id<struct ThreadTag>;     // Program::threads
using LocationId = Id<struct LocationTag>; // Program::locations
using RegisterId = Id<struct RegisterTag>; // Thread::registers, of its own thread
using MonitorId = Id<struct MonitorTag>;   // Program::monitors
using ClassId = Id<struct ClassTag>;       // Program::classes
using ObjectId = Id<struct ObjectTag>;     // Program::objects

/// The value of a register or location. Java values are kept as litmus/type.h says; those of
/// machines at their declared width.
using Value = std::int64_t;

} // namespace thinair::litmus

template <class Tag>
struct std::hash<thinair::litmus::Id<Tag>> {
  std::size_t operator()(thinair::litmus::Id<Tag> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.value);
  }
};
