// Lifted code in pieces, and with fences added to it: what a compiler has left out is found by
// putting it back.
#pragma once

#include "lower/jit/lift.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::lower::jit {

/// An instruction that stays.
struct Piece {
  std::optional<std::uint32_t> field; // that it accesses, by the order of declarations
  bool reads = false, writes = false; // the field; where that cannot be told, both
  bool is_fence = false;
  std::string text; // "dmb ish"
};

/// By thread, in the order of addresses. Throws as lift() does.
std::vector<std::vector<Piece>> pieces(const Compilation& compilation, Backend& backend);

/// A full fence behind that piece.
struct AddedFence {
  std::uint32_t thread = 0;
  std::size_t piece = 0;
  friend auto operator<=>(const AddedFence&, const AddedFence&) = default;
};

/// The code lifted as lift() does, with fences.
Lowered lift_with(const Compilation& compilation, Backend& backend,
                  const std::vector<AddedFence>& fences);

/// "mfence".
std::string full_fence(Machine machine, Backend& backend);

} // namespace thinair::lower::jit
