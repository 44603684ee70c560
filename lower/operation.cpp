// The table of what a runtime does, behind those of access methods and fences.
#include "lower/operation.h"

#include <algorithm>
#include <array>

namespace thinair::lower {
namespace {

constexpr std::array<RuntimeActionInfo, 7> table{{
    {RuntimeAction::freeze, "freeze", false},
    {RuntimeAction::lock, "lock", true},
    {RuntimeAction::unlock, "unlock", true},
    {RuntimeAction::start, "start", true},
    {RuntimeAction::begin, "begin", true},
    {RuntimeAction::end, "end", true},
    {RuntimeAction::join, "join", true},
}};

consteval bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].action != static_cast<RuntimeAction>(i)) return false;
  return true;
}
static_assert(in_order(), "a row's place in the table is its enumerator");

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

} // namespace

std::span<const RuntimeActionInfo, 7> runtime_actions() { return table; }
const RuntimeActionInfo& info(RuntimeAction action) {
  return table[static_cast<std::size_t>(action)];
}

std::size_t index_of(Operation operation) {
  return std::visit(Overloaded{[](RuntimeAction action) {
                                 return litmus::operation_count + static_cast<std::size_t>(action);
                               },
                               [](auto each) { return litmus::index_of(each); }},
                    operation);
}

Operation operation_at(std::size_t index) {
  if (index >= litmus::operation_count) return table[index - litmus::operation_count].action;
  return std::visit([](auto each) -> Operation { return each; }, litmus::operation_at(index));
}

std::string_view name(Operation operation) {
  return std::visit([](auto each) { return info(each).name; }, operation);
}

std::optional<Operation> operation_named(std::string_view name) {
  if (const auto method = litmus::method_named(name)) return *method;
  if (const auto fence = litmus::fence_named(name)) return *fence;
  const auto found = std::ranges::find(table, name, &RuntimeActionInfo::name);
  return found == table.end() ? std::nullopt : std::optional<Operation>(found->action);
}

bool may_be_left_out(Operation operation) {
  return std::holds_alternative<RuntimeAction>(operation);
}

bool has_location(Operation operation) {
  return std::visit(Overloaded{[](RuntimeAction action) { return info(action).has_location; },
                               [](litmus::Method) { return true; },
                               [](litmus::Fence) { return false; }},
                    operation);
}

} // namespace thinair::lower
