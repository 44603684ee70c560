// Small changes of a program that may make a model allow what it forbids: a value that does not
// depend on what was read, a branch that is always taken, a weaker access, a fence less.
#pragma once

#include "litmus/test.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace thinair::explain {

/// Statements by their place in the text, counted from 1 over all threads.
using StatementNumber = std::uint32_t;

/// The test with each statement's number as its place, which events of its executions have then.
litmus::Test numbered(litmus::Test test);

struct Change {
  std::string words; // "`Y.set(r1)` wrote 1 whatever it has read"
  litmus::Test test; // after it
};

/// All single changes, the statements of `first` before the others. `written` is what plain stores
/// write in the outcome that is asked about.
std::vector<Change> single_changes(const litmus::Test& numbered,
                                   const std::map<StatementNumber, litmus::Value>& written,
                                   const std::vector<StatementNumber>& first);

} // namespace thinair::explain
