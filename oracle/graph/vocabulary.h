// The names that executions give to .cat models: base sets and relations, by architecture.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace thinair::graph {

enum class Architecture : std::uint8_t { java, x86 };

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
  atomic,      // x86: accesses of locked instructions and of xchg ("X", "A")
  mfence,
  lfence,
  sfence,
  // relations
  id,
  loc,
  internal,
  external,
  po,
  rf,
  rmw,  // x86: the read and the write of one locked instruction, as in herd; Java: empty
  amo,  // the same as rmw: x86 has no load-linked / store-conditional
  iico, // order within one instruction, locked or not: its reads before its write
  addr,
  data,
  ctrl,
  // what JLS 17.4.2 adds: action kinds
  lock,
  unlock,
  thread_start, // start(T)
  thread_begin, // the first action of a thread that some start names
  thread_end,   // the last action of a thread that some join names
  join_,        // join(T)
  external_action,
  // and two relations
  critical, // from a lock to the unlock that undoes it, in one thread
  lifetime, // from start(T) to the first action of T, from the last action of T to join(T)
  granted,  // no model names it: pairs that whoever asks picks (executions/enumerate.h)
};

struct InputInfo {
  Input input;
  std::string_view name; // in .cat files; further names are aliases in the table
  Type type;
  Stage stage;
  bool java, x86;
};

/// All names, aliases included (several rows may share an `input`).
std::span<const InputInfo> vocabulary();
std::optional<Input> input_named(std::string_view name, Architecture architecture);

} // namespace thinair::graph
