// The table of machines. A machine is a folder beside this file and a line in table.cpp.
#pragma once

#include "litmus/language.h"
#include "oracle/graph/front_end.h"

#include <span>
#include <string_view>

namespace thinair::machine {

struct Machine {
  std::string_view name; // as targets name it: "x86"
  std::span<const litmus::Language* const> languages;
  const graph::FrontEnd* front_end = nullptr;
  std::string_view model; // that is shipped for it, as `behaviours -m` takes it
};

std::span<const Machine> machines();

} // namespace thinair::machine
