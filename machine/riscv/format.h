// herd's RISCV format as a language.
#pragma once

#include "litmus/language.h"

namespace thinair::riscv {

extern const litmus::Language language;

} // namespace thinair::riscv
