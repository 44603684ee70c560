// The table of base sets and relations, aliases included.
#include "oracle/graph/vocabulary.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::graph {
namespace {

constexpr InputInfo set(Input input, std::string_view name, bool java = true, bool machines = true,
                        Stage stage = Stage::path) {
  return {input, name, Type::set, stage, java, machines};
}
constexpr InputInfo relation(Input input, std::string_view name, bool java = true,
                             bool machines = true, Stage stage = Stage::path) {
  return {input, name, Type::relation, stage, java, machines};
}

// Names are herd's (its manual, 13.2, and the libraries it loads): "_" all events, "RA" the access
// modes of that name (not volatile).
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
    relation(Input::id, "id"),
    relation(Input::loc, "loc"),
    relation(Input::internal, "int"),
    relation(Input::external, "ext"),
    relation(Input::po, "po"),
    relation(Input::rf, "rf", true, true, Stage::rf),
    relation(Input::rmw, "rmw"),
    relation(Input::amo, "amo"),
    relation(Input::lxsx, "lxsx"),
    relation(Input::iico, "iico"),
    relation(Input::addr, "addr"),
    relation(Input::data, "data"),
    relation(Input::ctrl, "ctrl"),
    relation(Input::pick_addr, "pick-addr", false),
    relation(Input::pick_data, "pick-data", false),
    relation(Input::pick_ctrl, "pick-ctrl", false),
    set(Input::lock, "LOCK", true, false),
    set(Input::unlock, "UNLOCK", true, false),
    set(Input::thread_start, "START", true, false),
    set(Input::thread_begin, "BEGIN", true, false),
    set(Input::thread_end, "END", true, false),
    set(Input::join_, "JOIN", true, false),
    set(Input::external_action, "EXT", true, false),
    set(Input::freeze, "FREEZE", true, false),
    set(Input::final_, "FINAL", true, false),
    relation(Input::frozen, "frozen", true, false),
    relation(Input::dereferences, "deref", true, false),
    relation(Input::passes, "pass", true, false),
    relation(Input::critical, "crit", true, false),
    relation(Input::lifetime, "life", true, false),
});

bool known(const InputInfo& row, Architecture architecture) {
  return architecture.is_java() ? row.java : row.machines;
}

} // namespace

std::span<const InputInfo> vocabulary() { return table; }

std::optional<Input> input_named(std::string_view name, Architecture architecture) {
  for (const auto& row : table)
    if (row.name == name && known(row, architecture)) return row.input;
  const auto sets = architecture->sets;
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (sets[i].name == name) return tag_input(i);
  return std::nullopt;
}

std::vector<std::string_view> names(Architecture architecture) {
  std::vector<std::string_view> out;
  for (const auto& row : table)
    if (known(row, architecture)) out.push_back(row.name);
  for (const auto& row : architecture->sets) out.push_back(row.name);
  return out;
}

std::string_view name_of(Input input, Architecture architecture) {
  if (is_tag(input)) // of another machine's, where a model is checked for all
    return row_of(input) < architecture->sets.size() ? architecture->sets[row_of(input)].name : "?";
  for (const auto& row : table)
    if (row.input == input && known(row, architecture)) return row.name;
  return "?";
}

Type type_of(Input input) {
  if (input == Input::granted) return Type::relation;
  const auto* row = std::ranges::find(table, input, &InputInfo::input);
  return row == table.end() ? Type::set : row->type; // a tag's
}

Stage stage_of(Input input) {
  const auto* row = std::ranges::find(table, input, &InputInfo::input);
  return row == table.end() ? Stage::path : row->stage;
}

Architecture architecture_of(const litmus::Test& test) {
  for (const FrontEnd* each : front_ends())
    if (each->machine == test.language->machine) return Architecture(*each);
  throw Unsupported(fmt::format("executions of {} tests", test.language->word));
}

} // namespace thinair::graph
