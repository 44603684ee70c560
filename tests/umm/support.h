// What the tests of the umm room share.
#pragma once

#include "litmus/test.h"
#include "oracle/umm/machine.h"

#include <string>
#include <string_view>

namespace thinair::umm {

inline litmus::Test parse(std::string_view text) {
  return litmus::parse({"t.litmus", std::string(text)});
}

/// The final states as one line: "0:r1=1; 1:r2=0 | ...".
inline std::string states(const litmus::Test& test, std::string_view model) {
  const auto result = behaviours(test, find_model(model).value());
  std::string all;
  for (const auto& b : result.behaviours)
    all += (all.empty() ? "" : " | ") + litmus::to_string(result.observables, b);
  return all;
}

} // namespace thinair::umm
