// The names that executions give to .cat models: base sets and relations, by architecture.
#pragma once

#include "oracle/graph/front_end.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace thinair::graph {

enum class Type : std::uint8_t { set, relation };

/// When a base set or relation becomes known, in the order in which a search decides things.
enum class Stage : std::uint8_t {
  path,   // with the control paths: po, loc, kinds and modes of events
  rf,     // grows as reads get their writes
  final,  // with the choice of each location's last write: FW
  choice, // with the model's own `with` choices
};

enum class Input : std::uint8_t {
  // sets
  universe,
  reads,
  writes,
  memory,
  initial_writes,
  final_writes,
  fences,
  branches,
  rmw_events, // Java: one event that reads and writes
  failed,     // Java: what an update reads that does not write
  plain_,
  opaque,
  acquire,
  release,
  release_acquire,
  load_load,   // fences among those of `acquire`,
  store_store, // and among those of `release`
  volatile_,   // Java modes; release_acquire: REL or ACQ, not V
  // relations
  id,
  loc,
  internal,
  external,
  po,
  rf,
  rmw,  // of machines: the read and the write of one atomic update; Java: empty
  amo,  // those of one instruction
  lxsx, // those of a load-exclusive and its store-exclusive
  iico, // order within one instruction, locked or not: its reads before its write
  addr,
  data,
  ctrl,
  pick_addr, // of machines: the same through the condition of a conditional select
  pick_data,
  pick_ctrl,
  // what JLS 17.4.2 adds: action kinds
  lock,
  unlock,
  thread_start, // start(T)
  thread_begin, // the first action of a thread that some start names
  thread_end,   // the last action of a thread that some join names
  join_,        // join(T)
  external_action,
  freeze, // JLS 17.5: of an object's final fields, at the end of its constructor
  final_, // accesses to final fields
  // and relations
  frozen,       // from a freeze to accesses to the object's final fields
  dereferences, // to an access to a field, from the read that the thread has the address from
  passes,       // to a write of an address, likewise
  critical,     // from a lock to the unlock that undoes it, in one thread
  lifetime,     // from start(T) to the first action of T, from the last action of T to join(T)
  granted,      // no model names it: pairs that whoever asks picks (executions/enumerate.h)
  first_tag,    // events with a machine's tag; last, as the sets of further tags follow
};

/// The n-th row of a machine's sets, and back.
constexpr Input tag_input(std::size_t row) {
  return static_cast<Input>(static_cast<std::size_t>(Input::first_tag) + row);
}
constexpr bool is_tag(Input input) { return input >= Input::first_tag; }
constexpr std::size_t row_of(Input tag) {
  return static_cast<std::size_t>(tag) - static_cast<std::size_t>(Input::first_tag);
}

struct InputInfo {
  Input input;
  std::string_view name; // in .cat files; further names are aliases in the table
  Type type;
  Stage stage;
  bool java, machines; // whose executions have it
};

/// All names but those of machines' own sets, aliases included (several rows may share an `input`).
std::span<const InputInfo> vocabulary();
/// The names that models of one architecture may use.
std::vector<std::string_view> names(Architecture architecture);
/// "?" where the architecture's executions do not have it.
std::string_view name_of(Input input, Architecture architecture);
Type type_of(Input input);
Stage stage_of(Input input);
std::optional<Input> input_named(std::string_view name, Architecture architecture);

} // namespace thinair::graph
