// What is asked and shown beside what a test says itself.
#pragma once

#include "litmus/test.h"

#include <string>
#include <string_view>

namespace thinair::litmus {

/// "0:r1=0; [x]=1", or a proposition as in tests, read by the test's own reader. `origin` names the
/// text in errors.
Proposition outcome_of(const Test& test, std::string outcome, std::string_view origin);

/// The test; where nothing in it says what is to be shown, all its registers are, and where there
/// are none the locations.
Test showing_something(Test test);

} // namespace thinair::litmus
