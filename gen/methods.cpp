// Look-ups in the table of access methods.
#include "gen/methods.h"

#include "gen/measure.h"
#include "litmus/text/error.h"

#include <algorithm>

namespace thinair::gen {

using litmus::Action;
using litmus::Method;
using litmus::Mode;

std::optional<Method> method_of(Action action, Mode read, Mode write) {
  for (const auto& row : litmus::methods()) {
    const bool same_read = !litmus::reads(action) || row.read == read;
    const bool same_write = !litmus::writes(action) || row.write == write;
    if (row.action == action && same_read && same_write) return row.method;
  }
  return std::nullopt;
}

std::vector<Method> methods_by_strength(Action action) {
  std::vector<Method> found;
  for (const auto& row : litmus::methods())
    if (row.action == action) found.push_back(row.method);
  std::ranges::stable_sort(found, {}, [](Method m) { return strength(info(m)); });
  return found;
}

Method read_half(Method method) {
  const auto found = method_of(Action::get, info(method).read, Mode::plain);
  THINAIR_CHECK(found, "every mode of reading has a get");
  return *found;
}

Method write_half(Method method) {
  const auto found = method_of(Action::set, Mode::plain, info(method).write);
  THINAIR_CHECK(found, "every mode of writing has a set");
  return *found;
}

Method with_action(Method method, Action action) {
  if (action == Action::get) return read_half(method);
  if (action == Action::set) return write_half(method);
  const auto& from = info(method);
  if (const auto exact = method_of(action, from.read, from.write)) return *exact;
  const auto candidates = methods_by_strength(action);
  Method best = candidates.front();
  for (const Method candidate : candidates)
    if (strength(info(candidate)) <= strength(from)) best = candidate;
  return best;
}

std::uint32_t stronger_half(Method method) {
  const auto& row = info(method);
  return std::max(litmus::reads(row.action) ? strength(row.read) : 0,
                  litmus::writes(row.action) ? strength(row.write) : 0);
}

} // namespace thinair::gen
