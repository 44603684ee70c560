// Reads the program again, which knows the types.
#include "campaign/ends.h"

#include "litmus/objects.h"

#include <fmt/format.h>

#include <limits>
#include <map>

namespace thinair::campaign {

std::string end_of(const MismatchRow& row) {
  const auto test = litmus::parse({"minimal", row.minimal});
  std::vector<litmus::Observable> observables;
  litmus::Behaviour behaviour;
  for (const auto& [observable, value] : row.minimal_finding.behaviour.values) {
    observables.push_back(observable);
    behaviour.push_back(value);
  }
  return litmus::to_string(test, observables, behaviour);
}

std::string end_in_words(const MismatchRow& row) {
  const auto test = litmus::parse({"minimal", row.minimal});
  std::map<std::uint64_t, std::string> ends; // by thread; memory last
  for (const auto& [observable, value] : row.minimal_finding.behaviour.values) {
    const auto where = observable.thread ? std::uint64_t{observable.thread->value}
                                         : std::numeric_limits<std::uint64_t>::max();
    auto& end = ends[where];
    end += end.empty() ? (observable.thread ? fmt::format("Thread{} ends with ", where)
                                            : std::string("memory ends with "))
                       : std::string(", ");
    const auto type = litmus::type_of(test.java(), observable);
    end += fmt::format("{} = {}", observable.name, litmus::shown(test.java(), type, value));
  }
  std::string out;
  for (const auto& [where, end] : ends) out += (out.empty() ? "" : "; ") + end;
  return out;
}

} // namespace thinair::campaign
