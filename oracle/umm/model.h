// Transition-table models (Yang, Gopalakrishnan and Lindstrom, UMM, 2004): what may be issued
// before what, and which completed write a read may see, read from a small text.
#pragma once

#include "litmus/text/source.h"
#include "oracle/graph/meaning.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace thinair::umm {

/// What a table has rows and columns for (UMM Tables 2 and 4).
enum class Operation : std::uint8_t {
  read,
  write, // any access, where a model makes no difference between them
  read_normal,
  write_normal,
  read_volatile,
  write_volatile,
  read_final,
  write_final,
  lock,
  unlock,
  freeze, // of a final field, at the end of its constructor
  membar, // what nothing passes (UMM Figure 9)
};
inline constexpr std::size_t operation_count = 12;

struct OperationInfo {
  Operation operation;
  std::string_view name;
  bool reads, writes;
  bool remembered; // joins the global buffer (UMM Tables 1 and 3: writes, synchronization, freezes)
  bool acquires, releases;
};
std::span<const OperationInfo, operation_count> operations();
const OperationInfo& info(Operation operation);

/// Whether an instruction may be issued before an earlier one of its thread (UMM 4.4, 5.5).
enum class Bypass : std::uint8_t {
  no,
  yes,
  different_variable,
  different_target, // of a sub-write; a read belongs to its own thread
  redundant,        // if the earlier one synchronizes with nothing
};

/// Which write a read may see among those that completed (UMM 4.5, 5.6 to 5.8).
enum class Visibility : std::uint8_t {
  latest,  // legalWrite, legalVolatileWrite: no later one
  ordered, // legalNormalWrite: none between the two in LCOrder
  frozen,  // legalFinalWrite: the default only before the freeze and before an own write
};

struct Visible {
  Operation write = Operation::write;
  Visibility rule = Visibility::latest;
};

struct Model {
  std::string title;
  bool to_each_thread = false; // writes are issued to each thread by itself
  std::array<bool, operation_count> has{};
  std::array<std::array<Bypass, operation_count>, operation_count> bypass{}; // [earlier][later]
  std::array<std::optional<Visible>, operation_count> visible;               // by read
  graph::Meaning meaning; // by its operations, and by a line `meaning MODE…`

  bool knows(Operation operation) const { return has[static_cast<std::size_t>(operation)]; }
  Bypass may_bypass(Operation earlier, Operation later) const {
    return bypass[static_cast<std::size_t>(earlier)][static_cast<std::size_t>(later)];
  }
};

/// Reads a table. Throws InputError with the place.
Model parse_model(const text::Source& source);

struct ShippedModel {
  std::string_view file; // "jmm-mp.umm"
  std::string_view text;
};
std::span<const ShippedModel> shipped_models();

/// A shipped model by its short name ("jmm-mp"), absent where there is none.
std::optional<Model> find_model(std::string_view name);

} // namespace thinair::umm
