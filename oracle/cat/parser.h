// Reads a .cat text into its syntax tree.
#pragma once

#include "litmus/text/source.h"
#include "oracle/cat/ast.h"

namespace thinair::cat {

/// Deepest tree that is read; more is InputError.
constexpr std::uint32_t max_depth = 200;

/// Throws InputError at the first token that does not fit.
ast::File parse(const text::Source& source);

} // namespace thinair::cat
