// Joins of what is known on several ways.
#include "lower/jit/known.h"

namespace thinair::lower::jit {
namespace {

constexpr Known of_caller{Known::Kind::caller, 0};

Known joined(const Known& a, const Known& b) {
  if (a == b) return a;
  if (a.is_number() && b.is_number()) return {Known::Kind::data, 0};
  return {Known::Kind::unclear, 0};
}

template <class Map>
void join_maps(Map& into, const Map& other) {
  for (const auto& [key, value] : other) into.try_emplace(key, of_caller);
  for (auto& [key, value] : into) {
    const auto found = other.find(key);
    value = joined(value, found == other.end() ? of_caller : found->second);
  }
}

template <class Map, class Key>
Known known_in(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? of_caller : found->second;
}

} // namespace

Known State::reg(const std::string& name) const { return known_in(registers, name); }

Known State::slot(std::int64_t at) const { return known_in(slots, at); }

bool State::join(const State& other) {
  const State before = *this;
  join_maps(registers, other.registers);
  join_maps(slots, other.slots);
  if (flags != other.flags) flags = Flags::unclear;
  if (asked != other.asked) asked.clear();
  return !(*this == before);
}

} // namespace thinair::lower::jit
