// Finds out which locations are in halves.
#include "machine/x86/code/halves.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace thinair::lower::x86_code {
namespace {

using litmus::LocationId;

constexpr unsigned half_bits = 32;

/// As a cell of 32 bits has them.
litmus::Value half(litmus::Value value) {
  return litmus::as_declared(value, {litmus::Width::l, true});
}

} // namespace

const Rule& rule_of(std::span<const SchemeRules* const> mix, const litmus::Program& program,
                    const litmus::Thread& thread, const litmus::Access& access) {
  const auto& rules = static_cast<const Rules&>(*mix[mix.size() == 1 ? 0 : access.by]);
  const auto type = litmus::type_of(program, thread, access.location, access.field);
  return rules.of.at({access.method, type.kind});
}

Halves::Halves(std::span<const SchemeRules* const> mix, const litmus::Program& program,
               std::size_t cells)
    : high_(program.locations.size()) {
  std::vector<bool> whole(high_.size(), false);
  auto next = static_cast<std::uint32_t>(cells);
  for (const auto& thread : program.threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      const auto* access = std::get_if<litmus::Access>(&statement.node);
      if (access == nullptr) return;
      const Rule& rule = rule_of(mix, program, thread, *access);
      if (rule.is_unsupported) return; // said where the code would be made
      if (access->field) {
        if (rule.takes_halves) throw Unsupported("a field in halves, in lowered code");
        return;
      }
      const auto location = access->location.value;
      if (!rule.takes_halves)
        whole[location] = true;
      else if (!high_[location])
        high_[location] = LocationId(next++);
    });
  for (std::size_t i = 0; i < high_.size(); ++i)
    if (high_[i] && whole[i])
      throw Unsupported(fmt::format("accesses that overlap: one takes {} in halves and another "
                                    "takes it whole, in lowered code",
                                    program.locations[i].name));
}

void Halves::split(std::vector<litmus::Cell>& cells, Legal legal) const {
  std::vector<std::pair<LocationId, std::size_t>> in_order; // by where the upper half goes
  for (std::size_t i = 0; i < high_.size(); ++i)
    if (high_[i]) in_order.emplace_back(*high_[i], i);
  std::ranges::sort(in_order);
  for (const auto& [high, low] : in_order) {
    const litmus::Value initial = cells[low].initial;
    const auto made = add_cell(cells, cells[low].name + "_high", half(initial >> half_bits), legal,
                               {litmus::Width::l, true});
    THINAIR_CHECK(made == high, "the upper half of a location is not where it was meant to be");
    cells[low].type = {litmus::Width::l, true};
    cells[low].initial = half(initial);
  }
}

void Halves::tell(Lowered& lowered, std::span<const litmus::Cell> cells) const {
  for (std::size_t i = 0; i < high_.size(); ++i) {
    if (!high_[i]) continue;
    const litmus::Observable location{std::nullopt, lowered.source.locations[i].name};
    const auto row =
        std::ranges::find(lowered.restoration.rows, location, &Restoration::Row::source);
    row->high = litmus::Observable{std::nullopt, cells[high_[i]->value].name};
  }
}

} // namespace thinair::lower::x86_code
