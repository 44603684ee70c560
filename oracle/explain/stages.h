// A justification as drawings, an execution each (jMT Fig. 3): what is committed is marked.
#pragma once

#include "oracle/explain/drawing.h"
#include "oracle/explain/evidence.h"

#include <string>
#include <vector>

namespace thinair::explain {

/// The titles say what each commits. Program order, reads-from and synchronizes-with are drawn, but
/// for what initial writes synchronize with, which is every thread (JLS 17.4.4); the reads that see
/// a write which does not happen before them have it in their edge: "rf, racy".
std::vector<Drawing> draw(const Evidence& evidence);
/// One of them, or of a beginning.
Drawing draw(const EvidenceStage& stage, std::string title);

} // namespace thinair::explain
