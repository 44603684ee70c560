// Questions to a machine's program that need not know the machine.
#include "litmus/machine/code.h"

#include <numeric>

namespace thinair::litmus {

std::size_t Code::instructions() const {
  const auto all = sizes();
  return std::accumulate(all.begin(), all.end(), std::size_t{0});
}

std::size_t Code::place_of(std::size_t thread, const std::string& label) const {
  const std::size_t size = sizes().at(thread);
  for (std::size_t i = 0; i <= size; ++i)
    if (std::ranges::find(labels(thread, i), label) != labels(thread, i).end()) return i;
  bug(__FILE__, __LINE__, "a jump to no label");
}

std::optional<std::uint32_t> Code::register_of(const Observable& observable) const {
  if (!observable.thread || observable.thread->value >= threads()) return std::nullopt;
  return held_->register_named(observable.name);
}

Type Code::type_of(const Observable& observable) const {
  if (!observable.thread) {
    const auto all = cells();
    const auto found = std::ranges::find(all, observable.name, &Cell::name);
    return found == all.end() ? Type{} : found->type;
  }
  const auto reg = register_of(observable);
  if (!reg) return {};
  return held_->initial_type(observable.thread->value, *reg).value_or(Type{});
}

} // namespace thinair::litmus
