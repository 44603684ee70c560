// What a model says of a part of an execution, read off its nodes: what holds of every execution,
// of every program.
#pragma once

#include "oracle/cat/plan.h"
#include "oracle/graph/path.h"

namespace thinair::executions {

/// Whether each part of a consistent execution is consistent: events that contain, with each event,
/// those before it in its thread, and the initial writes that these meet; the model's orders are
/// those of the whole, as far as they are between such events; some reads may have lost the writes
/// that they see. `kinds` are those of all events of the parts in question. False: it is not known.
bool holds_of_parts(const cat::Plan& plan, graph::Kinds kinds);

/// Whether one of the model's total orders contains program order between volatile accesses, and no
/// volatile read sees a volatile write that comes later there. False: it is not known.
bool orders_volatile(const cat::Plan& plan);

} // namespace thinair::executions
