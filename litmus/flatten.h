// A thread as a flat sequence of tokens, registers already numbered; what canonical forms compare.
#pragma once

#include "litmus/program.h"

#include <cstdint>
#include <vector>

namespace thinair::litmus {

/// `shape` tokens are literal; the others name things of the whole program by its ids, for whoever
/// compares threads to replace by names of his own.
struct FlatToken {
  enum class Kind : std::uint8_t { shape, location, value, monitor, thread } kind = Kind::shape;
  std::uint32_t payload = 0; // of a value, its bits

  friend bool operator==(FlatToken, FlatToken) = default;
};

struct FlatThread {
  std::vector<FlatToken> tokens;
  /// Registers that the thread mentions, in the order of their first mention: the number of a
  /// register in `tokens` is its place here.
  std::vector<RegisterId> registers;
};

/// Two threads of one program have the same tokens exactly if they differ in the names, order and
/// number of unused registers, in declarations (`int`) and in spans only.
FlatThread flatten(const Program& program, const Thread& thread);

/// What the values of a program can be told apart by.
enum class ValueUse : std::uint8_t {
  compared, // copied, stored, compared for equality: any renaming of non-zero values goes unseen
  pins_one, // the same, but truth values get mixed with data: renamings that keep 1 as well
  computed, // arithmetic, order, output: none
};
ValueUse value_use(const Program& program);

} // namespace thinair::litmus
