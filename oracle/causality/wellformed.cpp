// Checks of hb, so and sw on one execution.
#include "oracle/causality/wellformed.h"

#include <fmt/format.h>

namespace thinair::causality {
namespace {

bool transitive(const RowsView& r, std::size_t n) {
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      if (a == b || !r.has(a, b)) continue;
      for (std::size_t word = 0; word < r.stride; ++word)
        if ((r.words[b * r.stride + word] & ~r.words[a * r.stride + word]) != 0) {
          // what b reaches and a does not: only b itself, by reflexivity, may be missing
          for (std::size_t c = 0; c < n; ++c)
            if (r.has(b, c) && !r.has(a, c) && c != a && c != b) return false;
        }
    }
  return true;
}

bool antisymmetric(const RowsView& r, std::size_t n) {
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b)
      if (r.has(a, b) && r.has(b, a)) return false;
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
  for (std::size_t a = 0; a < events.size(); ++a)
    for (std::size_t b = 0; b < events.size(); ++b)
      if (events[a].thread == initial_thread && events[b].thread != initial_thread && !hb.has(a, b))
        return false;
  return true;
}

bool within(const RowsView& inner, const RowsView& outer, std::size_t n) {
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      if (inner.has(a, b) && !outer.has(a, b)) return false;
  return true;
}

bool total_on_volatiles(const RowsView& so, const std::vector<Event>& events) {
  const auto counts = [&events](std::size_t e) {
    const auto kinds = events[e].kinds;
    return (kinds & graph::k_volatile) != 0 && (kinds & (graph::k_read | graph::k_write)) != 0;
  };
  for (std::size_t a = 0; a < events.size(); ++a)
    for (std::size_t b = a + 1; b < events.size(); ++b)
      if (counts(a) && counts(b) && !so.has(a, b) && !so.has(b, a)) return false;
  return true;
}

} // namespace

std::optional<std::string> ill_formed(const GraphView& view, const std::vector<Event>& events) {
  const auto n = events.size();
  if (!antisymmetric(view.hb, n)) return "hb is not antisymmetric";
  if (!transitive(view.hb, n)) return "hb is not transitive";
  if (!contains_program_order(view.hb, events)) return "hb does not contain program order";
  if (!initial_writes_first(view.hb, events)) return "hb does not begin with the initial writes";
  if (!within(view.sw, view.hb, n)) return "sw is not contained in hb";
  if (!antisymmetric(view.so, n)) return "so is not antisymmetric";
  if (!transitive(view.so, n)) return "so is not transitive";
  if (!total_on_volatiles(view.so, events)) return "so does not order all volatile accesses";
  return std::nullopt;
}

} // namespace thinair::causality
