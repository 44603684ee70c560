// An abstract machine for Armv8 that performs accesses out of order: what waits for what within a
// thread. The words are those of processors, not of axioms: what an access needs before it may be
// performed. docs/models-machines.md has the table, with the terms of the manual (DDI 0487, B2.3).
#pragma once

#include "machine/aarch64/program.h"
#include "machine/common/out_of_order.h"

#include <memory>
#include <span>
#include <string_view>

namespace thinair::aarch64 {

/// Each reason why an access waits, or is given up.
enum class Wait : std::uint8_t {
  branches,        // a store, for the branches before it: stores are not speculated
  addresses,       // a store, for the addresses of what is before it, which might fault
  same_location,   // a store, for what is before it at its location
  chosen_branches, // a store, for choices that branches before it rest on
  chosen_addresses,
  chosen_address, // a store, for choices that its address rests on
  chosen_value,
  inherited,       // a store, for choices that came to it through a store and a load
  update_read,     // the store of an update or a pair of exclusives, for the load
  update_acquired, // an acquire that takes its value from such a store, for the load before that
  dmb_all,
  dmb_loads,
  dmb_stores,
  dsb_all,
  dsb_loads,
  dsb_stores,
  isb_branches,
  isb_addresses,
  isb_chosen_branches,
  isb_chosen_addresses,
  isb_inherited_branches,
  isb_inherited_addresses,
  acquire,         // what is behind an acquire, for it
  acquire_pc,      // the same of ldapr
  release,         // a release, for what is before it
  release_acquire, // an acquire, for the releases before it
  both,            // what is behind an update with acquire and release, for its store
  read_order,      // loads of a location may not see older values than loads before them
  own_writes,      // a load sees what its thread stored last
  late_addresses,  // a load is done again if a store before it turns out to be at its location
  monitor,         // nobody else stores between the load and the store of an update
};

struct WaitInfo {
  Wait wait;
  std::string_view name;   // "branches"
  std::string_view clause; // the clause of armv8.cat that asks for the same
};
std::span<const WaitInfo> waits();
constexpr machine::LeftOut without(Wait wait) {
  return machine::LeftOut{1} << static_cast<unsigned>(wait);
}

/// The program on this machine. `test` outlives it. Throws Unsupported for what is beyond it.
std::unique_ptr<machine::OutOfOrder> out_of_order(const litmus::Test& test,
                                                  const graph::PathLimits& limits);
/// The same without some conditions.
std::unique_ptr<machine::OutOfOrder> out_of_order_without(machine::LeftOut left_out,
                                                          const litmus::Test& test,
                                                          const graph::PathLimits& limits);

} // namespace thinair::aarch64
