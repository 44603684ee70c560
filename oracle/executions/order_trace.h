// Which pairs of the orders decide a node's value: a walk from the node down to the choices.
#pragma once

#include "oracle/executions/bounds.h"

#include <span>
#include <vector>

namespace thinair::executions {

/// Fills `pairs` with those of each order (n rows a choice) that decide the values of shown nodes.
/// With these and everything else but orders decided, so are the nodes.
template <std::size_t W>
void deciding_pairs(const Bounds<W>& bounds, std::span<const std::size_t> shown,
                    std::vector<graph::EventSet<W>>& pairs);

} // namespace thinair::executions
