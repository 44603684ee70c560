// herd's AArch64 format as a language.
#pragma once

#include "litmus/language.h"
#include "litmus/lexer.h"

namespace thinair::aarch64 {

extern const litmus::Language language; // "AArch64"

/// The test with herd7's words (herd_export.cpp). Throws Unsupported for what it lacks.
litmus::HerdExport herd_export(const litmus::Test& test, bool all_registers);

} // namespace thinair::aarch64
