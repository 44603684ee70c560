// The engines, by machine.
#include "runners/hardware.h"

#include "litmus/text/error.h"
#include "machine/table.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "runners/herd_hardware.h"

#include <fmt/format.h>

namespace thinair::runners {
namespace {

const Operational* operational_of(lower::Machine machine) {
  return runners::operational_of(lower::info(machine).prefix);
}

cat::Plan model_of(lower::Machine machine) {
  const auto* row = machine::machine_named(machine->prefix);
  if (row == nullptr) throw Unsupported(fmt::format("what {} code does", machine->prefix));
  return cat::load_model(row->model, graph::Architecture(*row->front_end));
}

} // namespace

Processor::Processor(lower::Machine machine, std::string_view engine)
    : machine_(machine), engine_(Engine::builtin),
      model_(std::make_unique<const cat::Plan>(model_of(machine))) {
  if (engine == "herd7") {
    engine_ = Engine::herd7;
  } else if (const auto* row = operational_of(machine);
             row != nullptr && (engine.empty() ? row->usual : engine == "operational")) {
    engine_ = Engine::operational;
  } else if (engine == "operational") {
    throw Unsupported(fmt::format("an operational machine for {}", lower::info(machine).prefix),
                      Limit::engine);
  }
}

void Processor::ready(const HerdOptions& options) const {
  if (engine_ == Engine::herd7) require_herd7(options, machine_);
}

oracle::Result Processor::run(const litmus::Test& code, const HardwareLimits& limits) const {
  switch (engine_) {
  case Engine::operational: return operational_of(machine_)->run(code, limits.operational);
  case Engine::herd7: return herd_states(code, limits.herd7);
  case Engine::builtin: break;
  }
  return oracle::Oracle(code, *model_, {.rules = "none", .limits = limits.executions}).behaviours();
}

std::vector<TraceStep> Processor::trace(const litmus::Test& code, const litmus::Proposition& goal,
                                        const MachineOptions& options) const {
  const auto* machine = operational_of(machine_);
  if (machine == nullptr || machine->trace == nullptr) return {};
  return machine->trace(code, goal, options).value_or(std::vector<TraceStep>{});
}

} // namespace thinair::runners
