// x86:NAME, aarch64:NAME, riscv:NAME and scheme files: machine code, by a scheme or a compiler.
#pragma once

#include "campaign/target.h"

namespace thinair::campaign {

extern const TargetKind x86_kind; // code_target.cpp: judged by the machine that is built in
extern const TargetKind aarch64_kind;
extern const TargetKind riscv_kind;

/// Code by a scheme, a compiler or a mix. Throws InputError for a name that is not there.
std::unique_ptr<Target> make_code_target(const std::string& name, const Against& against);

/// The shipped targets of a machine, by name.
std::vector<std::string> code_names(lower::Machine machine);

} // namespace thinair::campaign
