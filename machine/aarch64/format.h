// herd's AArch64 format as a language.
#pragma once

#include "litmus/language.h"
#include "litmus/lexer.h"

namespace thinair::aarch64 {

extern const litmus::Language language; // "AArch64"

} // namespace thinair::aarch64
