// Names that herd gives to models of architectures whose programs we do not run: known, so that
// their models can be checked.
#pragma once

#include "oracle/graph/vocabulary.h"

#include <optional>
#include <string_view>

namespace thinair::cat {

/// Of a set or relation.
std::optional<graph::Type> foreign_type(std::string_view name);
/// Results of foreign functions pass for anything.
bool is_foreign_function(std::string_view name);

} // namespace thinair::cat
