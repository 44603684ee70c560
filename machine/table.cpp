// The machines with their languages and front ends.
#include "machine/table.h"

#include <algorithm>
#include <array>
#include <vector>

namespace thinair {
namespace machine {
namespace {

struct Tables {
  std::vector<const Machine*> machines;
  std::vector<const litmus::Language*> languages{&litmus::java_language};
  std::vector<const graph::FrontEnd*> front_ends{&graph::java_front_end};

  Tables() {
#define MACHINE(folder) add(folder::row);
#include "machine/machines.inc"
#undef MACHINE
  }

  void add(const Machine& machine) {
    machines.push_back(&machine);
    languages.insert(languages.end(), machine.languages.begin(), machine.languages.end());
    front_ends.push_back(machine.front_end);
  }
};

Tables& tables() {
  static Tables all;
  return all;
}

} // namespace

std::span<const Machine* const> machines() { return tables().machines; }

const Machine* machine_named(std::string_view name) {
  const auto all = machines();
  const auto found = std::ranges::find(all, name, &Machine::name);
  return found == all.end() ? nullptr : *found;
}

void add(const Machine& machine) { tables().add(machine); }

void take_last() {
  auto& all = tables();
  all.languages.resize(all.languages.size() - all.machines.back()->languages.size());
  all.machines.pop_back();
  all.front_ends.pop_back();
}

} // namespace machine

std::span<const litmus::Language* const> litmus::languages() { return machine::tables().languages; }
std::span<const graph::FrontEnd* const> graph::front_ends() { return machine::tables().front_ends; }

} // namespace thinair
