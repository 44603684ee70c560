// What was found out of a program for one target, and serves the next: targets often make the same
// code of it, and nearly always show the same behaviours.
#pragma once

#include "litmus/test.h"
#include "oracle/answer.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace thinair::runners {

/// Of one program, judged by one model and machines' engines with the same options. Only what is
/// certain is kept: where a question alone would have met a limit, there may be an answer, and
/// never another one. For one thread at a time.
class SameProgram {
 public:
  /// What a machine shows of the code: `run` is asked where nobody has made it before.
  template <class Run>
  oracle::Result shown(const litmus::Test& code, Run&& run) {
    for (const auto& [known, result] : runs_)
      if (known.program == code.program && known.locations == code.locations &&
          known.filter == code.filter)
        return result;
    oracle::Result result = std::forward<Run>(run)(code);
    if (result.status == oracle::Result::Status::ok) runs_.emplace_back(code, result);
    return result;
  }

  using Answers = std::map<litmus::Behaviour, oracle::Answer>;
  /// What the oracle said of values of these observables.
  Answers& answers(const std::vector<litmus::Observable>& observables) {
    for (auto& [known, answers] : answers_)
      if (known == observables) return answers;
    return answers_.emplace_back(observables, Answers()).second;
  }

 private:
  std::vector<std::pair<litmus::Test, oracle::Result>> runs_;
  std::vector<std::pair<std::vector<litmus::Observable>, Answers>> answers_;
};

} // namespace thinair::runners
