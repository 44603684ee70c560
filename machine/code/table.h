// What machines have for those who compile programs for them and run them.
#pragma once

#include "lower/machine.h"
#include "machine/table.h"
#include "runners/operational.h"

#define MACHINE(folder)                                                                            \
  namespace thinair::folder {                                                                      \
  extern const lower::MachineInfo lowering;                                                        \
  extern const runners::Operational* const operational; /* null: there is none */                  \
  }
#include "machine/machines.inc"
#undef MACHINE

namespace thinair::machine {

/// Adds a machine while it exists: for tests, and for programs that use the library. What is added
/// last goes first.
class MoreMachines {
 public:
  MoreMachines(const Machine& row, const lower::MachineInfo& lowering,
               const runners::Operational* operational = nullptr);
  MoreMachines(const MoreMachines&) = delete;
  MoreMachines& operator=(const MoreMachines&) = delete;
  ~MoreMachines();
};

} // namespace thinair::machine
