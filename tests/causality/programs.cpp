// Builds tests from thread bodies.
#include "tests/causality/programs.h"

#include "oracle/causality/check.h"
#include "tests/causality/happens_before.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::causality {

litmus::Test java(const std::vector<std::string>& threads) {
  std::string text = "Java T\n{ x=0; y=0; z=0; X=x; Y=y; Z=z; }\n";
  for (std::size_t t = 0; t < threads.size(); ++t)
    text += fmt::format("Thread{} {{ {} }}\n", t, threads[t]);
  text += "exists (true)\n";
  return litmus::parse({"test", text});
}

Subject::Subject(litmus::Test test, const graph::PathLimits& limits)
    : test_(std::move(test)), paths_(graph::paths_of(test_, limits)) {
  const auto& threads = test_.java().threads;
  std::vector<std::pair<litmus::Observable, RegisterPlace>> all;
  for (std::uint32_t t = 0; t < threads.size(); ++t)
    for (std::uint32_t r = 0; r < threads[t].registers.size(); ++r)
      all.push_back({{litmus::ThreadId{t}, threads[t].registers[r].name}, {t, r}});
  std::ranges::sort(all, {}, [](const auto& p) { return p.first; });
  for (auto& [observable, place] : all) {
    observables_.push_back(std::move(observable));
    places_.push_back(place);
  }
}

std::unique_ptr<Analysis> Subject::analysis(const AnalysisOptions& o) const {
  return std::make_unique<Analysis>(paths_, places_, happens_before_producer(paths_), o);
}

Answer Subject::allows(const std::string& outcome, const AnalysisOptions& o) const {
  const auto asked = litmus::parse(
      {"outcome",
       fmt::format("{}exists ({})\n",
                   litmus::print(test_).substr(0, litmus::print(test_).rfind("exists")), outcome)});
  const auto& proposition = asked.clauses.front().proposition;
  const auto a = analysis(o);
  const auto answer =
      a->allows([&](const Behaviour& b) { return litmus::holds(proposition, observables_, b); });
  if (answer == Answer::allowed) {
    const auto problem = violation(a->graphs(), a->evidence(), o.rules.rules, o.switches);
    EXPECT_FALSE(problem.has_value()) << *problem;
  }
  return answer;
}

std::vector<Behaviour> Subject::behaviours(const AnalysisOptions& o) const {
  return analysis(o)->behaviours([](const Behaviour&) { return true; });
}

std::string Subject::text(const Behaviour& behaviour) const {
  return litmus::to_string(observables_, behaviour);
}

AnalysisOptions options(const std::string& rule_set, const Switches& switches) {
  AnalysisOptions o;
  o.rules = *find_rule_set(rule_set);
  o.switches = switches;
  return o;
}

} // namespace thinair::causality
