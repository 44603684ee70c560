// What an exhaustive campaign proves, as a sentence.
#pragma once

#include "campaign/campaign.h"

#include <string>

namespace thinair::campaign {

/// "all 1,234 programs with at most 4 accesses in ..: no mismatch between x86:table2 and jam21", or
/// "3 minimal mismatches ..", with what could not be decided; of a shard, "all 308 programs of part
/// 1/4 .."; of a campaign that is not at its end, "12 of 1,234 programs ..: .. so far".
std::string statement(const Settings& settings, const Progress& progress);

} // namespace thinair::campaign
