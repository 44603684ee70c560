// The table of base sets and relations, aliases included.
#include "oracle/graph/vocabulary.h"

#include <array>

namespace thinair::graph {
namespace {

constexpr InputInfo set(Input input, std::string_view name, bool java = true, bool x86 = true,
                        Stage stage = Stage::path) {
  return {input, name, Type::set, stage, java, x86};
}
constexpr InputInfo relation(Input input, std::string_view name, bool java = true, bool x86 = true,
                             Stage stage = Stage::path) {
  return {input, name, Type::relation, stage, java, x86};
}

// Names are herd's (its manual, 13.2, and the libraries it loads): "_" all events, "X" and "A" what
// a locked instruction does, "RA" the access modes of that name (not volatile).
constexpr auto table = std::to_array<InputInfo>({
    set(Input::universe, "_"),
    set(Input::reads, "R"),
    set(Input::writes, "W"),
    set(Input::memory, "M"),
    set(Input::initial_writes, "IW"),
    set(Input::initial_writes, "I"),
    set(Input::final_writes, "FW", true, true, Stage::final),
    set(Input::fences, "F"),
    set(Input::branches, "B"),
    set(Input::rmw_events, "RMW", true, false),
    set(Input::failed, "FAILED", true, false),
    set(Input::plain_, "PLAIN", true, false),
    set(Input::opaque, "O", true, false),
    set(Input::acquire, "ACQ", true, false),
    set(Input::release, "REL", true, false),
    set(Input::release_acquire, "RA", true, false),
    set(Input::load_load, "LOADLOAD", true, false),
    set(Input::store_store, "STORESTORE", true, false),
    set(Input::volatile_, "V", true, false),
    set(Input::atomic, "X", false, true),
    set(Input::atomic, "A", false, true),
    set(Input::mfence, "MFENCE", false, true),
    set(Input::lfence, "LFENCE", false, true),
    set(Input::sfence, "SFENCE", false, true),
    relation(Input::id, "id"),
    relation(Input::loc, "loc"),
    relation(Input::internal, "int"),
    relation(Input::external, "ext"),
    relation(Input::po, "po"),
    relation(Input::rf, "rf", true, true, Stage::rf),
    relation(Input::rmw, "rmw"),
    relation(Input::amo, "amo"),
    relation(Input::iico, "iico"),
    relation(Input::addr, "addr"),
    relation(Input::data, "data"),
    relation(Input::ctrl, "ctrl"),
    set(Input::lock, "LOCK", true, false),
    set(Input::unlock, "UNLOCK", true, false),
    set(Input::thread_start, "START", true, false),
    set(Input::thread_begin, "BEGIN", true, false),
    set(Input::thread_end, "END", true, false),
    set(Input::join_, "JOIN", true, false),
    set(Input::external_action, "EXT", true, false),
    relation(Input::critical, "crit", true, false),
    relation(Input::lifetime, "life", true, false),
});

} // namespace

std::span<const InputInfo> vocabulary() { return table; }

std::optional<Input> input_named(std::string_view name, Architecture architecture) {
  for (const auto& row : table)
    if (row.name == name && (architecture == Architecture::java ? row.java : row.x86))
      return row.input;
  return std::nullopt;
}

} // namespace thinair::graph
