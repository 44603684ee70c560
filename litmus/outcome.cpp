// Reads an outcome as the question of a test; finds something to show.
#include "litmus/outcome.h"

namespace thinair::litmus {

Proposition outcome_of(const Test& test, std::string outcome, std::string_view origin) {
  while (!outcome.empty() && (outcome.back() == ' ' || outcome.back() == ';')) outcome.pop_back();
  for (auto at = outcome.find(';'); at != std::string::npos; at = outcome.find(';', at + 2))
    outcome.replace(at, 1, "/\\");
  Test asking = test;
  asking.clauses.clear();
  const std::string text = print(asking) + "exists (" + outcome + ")\n";
  return parse({std::string(origin), text}).clauses.at(0).proposition;
}

Test showing_something(Test test) {
  if (!observables(test).empty()) return test;
  test.locations = observables(test, true);
  if (!test.locations.empty()) return test;
  const auto add = [&](const auto& all) {
    for (const auto& each : all) test.locations.push_back({{}, each.name});
  };
  if (test.is_java())
    add(test.java().locations);
  else
    add(test.code().cells());
  return test;
}

} // namespace thinair::litmus
