// Checks of hb, so and sw on one execution.
#include "oracle/causality/wellformed.h"

#include <fmt/format.h>

#include <bit>

namespace thinair::causality {
namespace {

/// Calls f(b) for each member of a row, until it returns false; whether it never did.
template <class F>
bool every(std::uint64_t word, std::size_t base, F&& f) {
  for (; word != 0; word &= word - 1)
    if (!f(base + static_cast<std::size_t>(std::countr_zero(word)))) return false;
  return true;
}

template <class F>
bool every_in_row(const RowsView& r, std::size_t a, F&& f) {
  for (std::size_t word = 0; word < r.stride; ++word)
    if (!every(r.words[a * r.stride + word], 64 * word, f)) return false;
  return true;
}

/// Reflexive pairs are passed over.
bool transitive(const RowsView& r, std::size_t n) {
  const auto reaches_no_more = [&](std::size_t a, std::size_t b) {
    for (std::size_t word = 0; word < r.stride; ++word) {
      const auto more = r.words[b * r.stride + word] & ~r.words[a * r.stride + word];
      if (!every(more, 64 * word, [&](std::size_t c) { return c == a || c == b; })) return false;
    }
    return true;
  };
  for (std::size_t a = 0; a < n; ++a)
    if (!every_in_row(r, a, [&](std::size_t b) { return a == b || reaches_no_more(a, b); }))
      return false;
  return true;
}

bool antisymmetric(const RowsView& r, std::size_t n) {
  for (std::size_t a = 0; a < n; ++a)
    if (!every_in_row(r, a, [&](std::size_t b) { return b <= a || !r.has(b, a); })) return false;
  return true;
}

bool contains_program_order(const RowsView& hb, const std::vector<Event>& events) {
  for (std::size_t a = 0; a + 1 < events.size(); ++a)
    if (events[a].thread != initial_thread && events[a].thread == events[a + 1].thread &&
        !hb.has(a, a + 1))
      return false;
  return true;
}

bool initial_writes_first(const RowsView& hb, const std::vector<Event>& events) {
  for (std::size_t a = 0; a < events.size() && events[a].thread == initial_thread; ++a)
    for (std::size_t b = a + 1; b < events.size(); ++b)
      if (events[b].thread != initial_thread && !hb.has(a, b)) return false;
  return true;
}

bool within(const RowsView& inner, const RowsView& outer, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t word = 0; word < inner.stride; ++word)
      if ((inner.words[i * inner.stride + word] & ~outer.words[i * outer.stride + word]) != 0)
        return false;
  return true;
}

bool total_on_synchronization(const RowsView& so, const std::vector<Event>& events) {
  const auto counts = [&events](std::size_t e) {
    const auto kinds = events[e].kinds;
    constexpr auto others = graph::k_lock | graph::k_unlock | graph::k_start | graph::k_begin |
                            graph::k_end | graph::k_join;
    return (kinds & others) != 0 ||
           ((kinds & graph::k_volatile) != 0 && (kinds & (graph::k_read | graph::k_write)) != 0);
  };
  for (std::size_t a = 0; a < events.size(); ++a) {
    if (!counts(a)) continue;
    for (std::size_t b = a + 1; b < events.size(); ++b)
      if (counts(b) && !so.has(a, b) && !so.has(b, a)) return false;
  }
  return true;
}

} // namespace

UnfitModel::UnfitModel(std::string_view model, std::string_view problem)
    : InputError(fmt::format("the model \"{}\" cannot be used for causality: {}", model, problem)) {
}

std::optional<std::string> ill_formed(const GraphView& view, const std::vector<Event>& events) {
  const auto n = events.size();
  if (!antisymmetric(view.hb, n)) return "hb is not antisymmetric";
  if (!transitive(view.hb, n)) return "hb is not transitive";
  if (!contains_program_order(view.hb, events)) return "hb does not contain program order";
  if (!initial_writes_first(view.hb, events)) return "hb does not begin with the initial writes";
  if (!within(view.sw, view.hb, n)) return "sw is not contained in hb";
  if (!antisymmetric(view.so, n)) return "so is not antisymmetric";
  if (!transitive(view.so, n)) return "so is not transitive";
  if (!total_on_synchronization(view.so, events))
    return "so does not order all synchronization actions";
  return std::nullopt;
}

} // namespace thinair::causality
