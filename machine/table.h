// The table of machines. A machine is a folder beside this file and a line in table.cpp.
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
  std::string_view model; // that is shipped for it, as `behaviours -m` takes it
  /// The abstract machine that performs accesses out of order; null: there is none.
  std::unique_ptr<OutOfOrder> (*out_of_order)(const litmus::Test& test,
                                              const graph::PathLimits& limits) = nullptr;
};

std::span<const Machine> machines();

} // namespace thinair::machine
