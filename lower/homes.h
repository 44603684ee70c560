// Where the source's registers live in a thread's code, and how they are found again.
#pragma once

#include "lower/lowered.h"
#include "lower/naming.h"
#include "lower/survey.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace thinair::lower {

/// A register of the machine, or a private location of the thread.
template <class Register>
using HomeIn = std::variant<Register, litmus::LocationId>;

template <class Register>
struct Homes {
  std::vector<HomeIn<Register>> homes; // of each source register
  std::vector<Register> scratch;       // what is left of the machine's
  std::size_t in_registers = 0;
};

/// The most used registers live in the first of `pool`, as many as `limit`; `spill` makes a private
/// location for each of the others: spill(register of the source).
template <class Register, class Spill>
Homes<Register> give_homes(const Survey& survey, std::span<const Register> pool, std::size_t limit,
                           Spill&& spill) {
  Homes<Register> result;
  result.homes.resize(survey.uses.size());
  std::vector<std::uint32_t> order = survey.by_uses();
  result.in_registers = std::min({limit, order.size(), pool.size()});
  const auto kept = static_cast<std::ptrdiff_t>(result.in_registers);
  std::sort(order.begin(), order.begin() + kept);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i < result.in_registers)
      result.homes[order[i]] = pool[i];
    else
      result.homes[order[i]] = spill(order[i]);
  }
  result.scratch.assign(pool.begin() + kept, pool.end());
  return result;
}

/// What the initial state says of registers that do not start as 0.
template <class Register>
std::vector<litmus::InitialOf<Register>> initial_registers(const litmus::Thread& thread,
                                                           const Survey& survey,
                                                           const Homes<Register>& homes) {
  std::vector<litmus::InitialOf<Register>> result;
  for (std::size_t i = 0; i < thread.registers.size(); ++i) {
    const auto* reg = std::get_if<Register>(&homes.homes[i]);
    const litmus::Type type = register_type(thread.registers[i].type);
    const bool said = thread.registers[i].initial != 0 || type != litmus::Type{};
    if (survey.uses[i] == 0 || !reg || !said) continue;
    litmus::InitialOf<Register> initial;
    initial.type = type;
    initial.reg = *reg;
    initial.value = litmus::Value{thread.registers[i].initial};
    result.push_back(initial);
  }
  return result;
}

/// `observable` is how the machine's tests name a register: observable(thread, register).
template <class Register, class Observable>
void restore_registers(const litmus::Thread& thread, litmus::ThreadId id, const Survey& survey,
                       const Homes<Register>& homes, const std::vector<litmus::Cell>& cells,
                       Observable&& observable, Restoration& restoration) {
  for (std::size_t i = 0; i < thread.registers.size(); ++i) {
    Restoration::Row row{
        {id, thread.registers[i].name}, thread.registers[i].initial, thread.registers[i].type.kind};
    if (survey.assigned[i]) {
      if (const auto* reg = std::get_if<Register>(&homes.homes[i]))
        row.found = observable(id, *reg);
      else
        row.found = litmus::Observable{
            std::nullopt, cells[std::get<litmus::LocationId>(homes.homes[i]).value].name};
    }
    restoration.rows.push_back(std::move(row));
  }
}

} // namespace thinair::lower
