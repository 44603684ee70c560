// herd's RISCV format as a language.
#pragma once

#include "litmus/language.h"

namespace thinair::riscv {

extern const litmus::Language language;

/// The test with herd7's words (herd_export.cpp). Throws Unsupported for what it lacks.
litmus::HerdExport herd_export(const litmus::Test& test, bool all_registers);

} // namespace thinair::riscv
