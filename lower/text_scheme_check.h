// What schemes of assembly text must satisfy before anything is lowered with them.
#pragma once

#include "lower/text_scheme.h"

namespace thinair::lower {

/// Every rule, as code of the operation that stands at its place in the file.
void check(const text::Source& source, const TextScheme& scheme,
           const std::array<text::Span, operation_count>& places);

} // namespace thinair::lower
