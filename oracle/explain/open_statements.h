// Statements whose doing is left open: the programs in which they are done one way or the other.
#pragma once

#include "litmus/test.h"
#include "oracle/explain/changes.h"

#include <functional>
#include <vector>

namespace thinair::explain {

/// Statements that can be left open (see program_core.h), in the order of the text.
std::vector<StatementNumber> statements_to_leave_open(const litmus::Program& numbered);

/// Calls `visit` with each program in which the statements that are not `kept` are done in one of
/// their ways, until it returns true. False: there are more ways than `most`, and it was not called
/// with all. A register that the proposition asks to have one value gets no other where it is
/// assigned once; to a location that no statement reads but those left open, and that is not asked
/// about, nothing is stored: a write that no read sees only adds order.
bool for_each_way(const litmus::Test& numbered, const litmus::Proposition& proposition,
                  const std::vector<StatementNumber>& kept, std::size_t most,
                  const std::function<bool(const litmus::Test&)>& visit);

} // namespace thinair::explain
