// The error of a model that rules of causality cannot be used with, for who asks the oracle and
// goes on with other models or programs.
#pragma once

#include "oracle/causality/wellformed.h"

namespace thinair::oracle {

using causality::UnfitModel;

} // namespace thinair::oracle
