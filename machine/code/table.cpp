// The machines as rooms above their languages see them.
#include "machine/code/table.h"

#include <vector>

namespace thinair {
namespace machine {
namespace {

struct Tables {
  std::vector<lower::Machine> lowering;
  std::vector<const runners::Operational*> operational;

  Tables() {
#define MACHINE(folder) add(folder::lowering, folder::operational);
#include "machine/machines.inc"
#undef MACHINE
  }

  void add(const lower::MachineInfo& info, const runners::Operational* abstract) {
    lowering.emplace_back(info);
    if (abstract != nullptr) operational.push_back(abstract);
  }

  void take_last() {
    if (!operational.empty() && operational.back()->machine == lowering.back()->prefix)
      operational.pop_back();
    lowering.pop_back();
  }
};

Tables& tables() {
  static Tables all;
  return all;
}

} // namespace

MoreMachines::MoreMachines(const Machine& row, const lower::MachineInfo& lowering,
                           const runners::Operational* operational) {
  add(row);
  tables().add(lowering, operational);
}

MoreMachines::~MoreMachines() {
  take_last();
  tables().take_last();
}

} // namespace machine

std::span<const lower::Machine> lower::machines() { return machine::tables().lowering; }

std::span<const runners::Operational* const> runners::operational_machines() {
  return machine::tables().operational;
}

} // namespace thinair
