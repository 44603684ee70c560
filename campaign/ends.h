// Final states in the terms of the program that ends so: references by the names of their objects.
#pragma once

#include "campaign/store.h"

#include <string>

namespace thinair::campaign {

/// How a minimal program ends on its target, as questions are written: "0:r0=Box.1; 0:r1=0".
std::string end_of(const MismatchRow& row);
/// The same for those who have read no litmus test: "Thread0 ends with r0 = Box.1, r1 = 0; memory
/// ends with x = 1".
std::string end_in_words(const MismatchRow& row);

} // namespace thinair::campaign
