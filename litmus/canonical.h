// Programs up to names: a canonical form and a stable content hash.
#pragma once

#include "litmus/program.h"

#include <array>
#include <cstdint>
#include <string>

namespace thinair::litmus {

/// The least program (by its serialisation) among all that differ from `program` only in
/// - the order of threads, the names and order of locations, monitors and registers;
/// - locations, monitors, registers and VarHandles that no statement mentions (there are none
/// left),
///   and which assignment declares a register;
/// - the choice of constants from 1 to 127, where the program does nothing with values but copy,
///   store and compare them for equality (1 stays 1 where truth values are stored or compared as
///   well). Others stay: an implementation may lose the upper bits of 256.
/// Idempotent, and equal for two programs exactly if they differ in these only.
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
