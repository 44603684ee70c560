// The table of constructs, and how sets of them are read and said.
#include "litmus/constructs.h"

#include "litmus/walk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace thinair::litmus {
namespace {

using F = Construct;
using K = ConstructKind;

constexpr std::array<ConstructInfo, construct_count> construct_table{{
    {F::plain, "plain", "plain", K::access},
    {F::opaque, "opaque", "opaque", K::access},
    {F::acquire, "acquire", "acquire", K::access},
    {F::release, "release", "release", K::access},
    {F::volatile_, "volatile", "volatile", K::access},
    {F::plain_update, "plain updates", "plain", K::update},
    {F::acquire_update, "acquire updates", "acquire", K::update},
    {F::release_update, "release updates", "release", K::update},
    {F::volatile_update, "volatile updates", "volatile", K::update},
    {F::full_fence, "fullFence", "", K::fence},
    {F::acquire_fence, "acquireFence", "", K::fence},
    {F::release_fence, "releaseFence", "", K::fence},
    {F::load_load_fence, "loadLoadFence", "", K::fence},
    {F::store_store_fence, "storeStoreFence", "", K::fence},
    {F::fence_instruction, "fence instructions", "", K::fence},
    {F::ordered_instruction, "acquire and release instructions", "", K::access},
    {F::atomic_instruction, "atomic instructions", "", K::update},
    {F::monitors, "monitors", "", K::action},
    {F::threads, "threads", "", K::action},
    {F::final_fields, "final fields", "", K::fence}, // as plain: the freeze is nothing
}};

consteval bool constructs_in_order() {
  for (std::size_t i = 0; i < construct_table.size(); ++i)
    if (construct_table[i].construct != static_cast<Construct>(i)) return false;
  return true;
}
static_assert(constructs_in_order(), "a row's place in the table is its enumerator");

/// Words for several constructs at once.
struct Group {
  std::string_view name;
  Constructs constructs;
};

constexpr Constructs fences_of_java = Constructs(F::full_fence) | F::acquire_fence |
                                      F::release_fence | F::load_load_fence | F::store_store_fence;
constexpr Constructs updates_of_java =
    Constructs(F::plain_update) | F::acquire_update | F::release_update | F::volatile_update;

constexpr Constructs instructions =
    Constructs(F::fence_instruction) | F::ordered_instruction | F::atomic_instruction;

constexpr std::array<Group, 4> groups{{
    {"everything", Constructs::all()},
    {"updates", updates_of_java},
    {"fences", fences_of_java},
    {"instructions", instructions},
}};

/// "opaque/acquire accesses"; empty where there are none of the kind.
std::string modes(Constructs constructs, ConstructKind kind, std::string_view what) {
  std::vector<std::string_view> names;
  for (const auto& row : construct_table)
    if (row.kind == kind && !row.mode.empty() && constructs.has(row.construct))
      names.push_back(row.mode);
  return names.empty() ? "" : fmt::format("{} {}", fmt::join(names, "/"), what);
}

} // namespace

std::span<const ConstructInfo, construct_count> constructs() { return construct_table; }
const ConstructInfo& info(Construct construct) {
  return construct_table[static_cast<std::size_t>(construct)];
}

Construct construct_of(Method method) {
  const auto& row = info(method);
  const Mode mode = !reads(row.action)    ? row.write
                    : !writes(row.action) ? row.read
                                          : std::max(row.read, row.write);
  const bool update = is_rmw(row.action);
  switch (mode) {
  case Mode::plain: return update ? Construct::plain_update : Construct::plain;
  case Mode::opaque: return Construct::opaque; // VarHandle has no opaque update
  case Mode::acquire: return update ? Construct::acquire_update : Construct::acquire;
  case Mode::release: return update ? Construct::release_update : Construct::release;
  case Mode::volatile_: return update ? Construct::volatile_update : Construct::volatile_;
  }
  return Construct::plain;
}

Construct construct_of(Fence fence) {
  switch (fence) {
  case Fence::full: return Construct::full_fence;
  case Fence::acquire: return Construct::acquire_fence;
  case Fence::release: return Construct::release_fence;
  case Fence::load_load: return Construct::load_load_fence;
  case Fence::store_store: return Construct::store_store_fence;
  }
  return Construct::full_fence;
}

namespace {

void collect(const Expression& e, Constructs& found) {
  if (e.op == Operator::access) found |= construct_of(e.method);
  for (const auto& argument : e.arguments) collect(argument, found);
}

void collect(const Statement& statement, Constructs& found) {
  for_each_expression(statement, [&](const Expression& e) { collect(e, found); });
  if (const auto* access = std::get_if<Access>(&statement.node))
    found |= construct_of(access->method);
  if (const auto* fence = std::get_if<FenceStatement>(&statement.node))
    found |= construct_of(fence->fence);
  if (std::holds_alternative<MonitorStatement>(statement.node)) found |= Construct::monitors;
  if (std::holds_alternative<ThreadStatement>(statement.node)) found |= Construct::threads;
}

} // namespace

Constructs constructs_of(const Program& program) {
  Constructs found;
  for (const auto& thread : program.threads)
    for_each_statement(thread.body, [&](const Statement& s) { collect(s, found); });
  for (const auto& each : program.classes)
    if (std::ranges::any_of(each.fields, &Field::is_final)) found |= Construct::final_fields;
  return found;
}

Constructs Constructs::of(ConstructKind kind) {
  Constructs out;
  for (const auto& row : construct_table)
    if (row.kind == kind) out |= row.construct;
  return out;
}

std::optional<Constructs> constructs_named(std::string_view word) {
  for (const auto& row : construct_table)
    if (row.name == word) return row.construct;
  for (const auto& group : groups)
    if (group.name == word) return group.constructs;
  return std::nullopt;
}

std::vector<std::string_view> construct_words() {
  std::vector<std::string_view> words;
  for (const auto& group : groups) words.push_back(group.name);
  for (const auto& row : construct_table) words.push_back(row.name);
  return words;
}

std::string to_string(Constructs constructs) {
  std::vector<std::string> parts;
  for (auto part : {modes(constructs, ConstructKind::access, "accesses"),
                    modes(constructs, ConstructKind::update, "updates")})
    if (!part.empty()) parts.push_back(std::move(part));
  for (const auto& row : construct_table) {
    if (!row.mode.empty() || !constructs.has(row.construct)) continue;
    parts.emplace_back(row.construct == Construct::threads ? "start and join of threads"
                                                           : row.name);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string declaration_of(Constructs constructs) {
  if (constructs == Constructs::all()) return "everything";
  std::vector<std::string_view> words;
  for (const auto& row : construct_table) {
    const auto group = std::ranges::find_if(groups, [&](const Group& g) {
      return g.constructs.has(row.construct) && (g.constructs - constructs).empty();
    });
    const auto word = group == groups.end() ? row.name : group->name;
    if (constructs.has(row.construct) && std::ranges::find(words, word) == words.end())
      words.push_back(word);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

} // namespace thinair::litmus
