// The table of machines. A machine is a folder beside this file and a line in machines.inc.
//
// A folder defines `row`, its line of the table below: its languages and what its code means. Its
// sub-folder code/ defines `lowering` and `operational` (machine/code/table.h): what rooms that
// compile programs for it and run them ask of it. All stand in the namespace that is called as the
// folder.
#pragma once

#include "litmus/language.h"
#include "machine/common/out_of_order.h"
#include "oracle/graph/front_end.h"

#include <memory>
#include <span>
#include <string_view>

namespace thinair::machine {

struct Machine {
  std::string_view name; // as targets name it: "x86"
  std::span<const litmus::Language* const> languages;
  const graph::FrontEnd* front_end = nullptr;
  std::string_view model;   // that says what its code may do, as `behaviours -m` takes it
  bool herd_has_it = false; // herd7 is asked by that model; else by its own
  /// The abstract machine that performs accesses out of order; null: there is none.
  std::unique_ptr<OutOfOrder> (*out_of_order)(const litmus::Test& test,
                                              const graph::PathLimits& limits) = nullptr;
};

std::span<const Machine* const> machines();

/// Null where there is none.
const Machine* machine_named(std::string_view name);

/// Adds a machine to the tables of machines, languages and front ends, and takes the last one away.
void add(const Machine& machine);
void take_last();

} // namespace thinair::machine

#define MACHINE(folder)                                                                            \
  namespace thinair::folder {                                                                      \
  extern const machine::Machine row;                                                               \
  }
#include "machine/machines.inc"
#undef MACHINE
