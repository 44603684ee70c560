// The happens-before model of JLS 17.4.5 enumerated directly: the twin of what the engine does with
// jls04.cat.
#pragma once

#include "oracle/causality/analysis.h"

#include <functional>

namespace thinair::causality {

/// Calls `visit` with each execution of the program that is consistent with happens-before and with
/// the synchronization order, once for each synchronization order, until it returns true.
void each_happens_before_execution(const ProgramPaths& paths,
                                   const std::function<bool(const GraphView&)>& visit);

/// `paths` outlives it.
Producer happens_before_producer(const ProgramPaths& paths);

} // namespace thinair::causality
