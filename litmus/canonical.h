// Programs up to names: a canonical form and a stable content hash.
#pragma once

#include "litmus/program.h"

#include <array>
#include <cstdint>
#include <string>

namespace thinair::litmus {

/// The least program (by its serialisation) among all that differ from `program` only in the order
/// of threads, the names and order of locations and registers, and, where no operator but copying,
/// storing and comparing for equality can tell, in the choice of non-zero constants. Idempotent;
/// equal for programs that are equal up to such renaming.
Program canonical(const Program& program);

/// 128 bits of the canonical form, the same on every machine and compiler; as 32 hexadecimal digits
/// in text.
struct ContentHash {
  std::array<std::uint64_t, 2> words{};
  friend auto operator<=>(const ContentHash&, const ContentHash&) = default;
};
ContentHash content_hash(const Program& program);
std::string to_string(const ContentHash& hash);

} // namespace thinair::litmus
