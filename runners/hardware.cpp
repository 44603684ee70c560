// The engines, by machine.
#include "runners/hardware.h"

#include "litmus/text/error.h"
#include "machine/table.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "runners/herd_hardware.h"
#include "runners/out_of_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::runners {
namespace {

constexpr std::array<Operational, 2> abstract_machines{{
    {"x86", "x86-tso", true, x86_machine, x86_trace},
    {"aarch64", "armv8", false, out_of_order_states, nullptr},
}};

const Operational* operational_of(lower::Machine machine) {
  return runners::operational_of(lower::info(machine).prefix);
}

const machine::Machine& row_of(lower::Machine machine) {
  const auto rows = machine::machines();
  const auto found = std::ranges::find(rows, lower::info(machine).prefix, &machine::Machine::name);
  if (found == rows.end())
    throw Unsupported(fmt::format("what {} code does", lower::info(machine).prefix));
  return *found;
}

cat::Plan model_of(lower::Machine machine) {
  const auto& row = row_of(machine);
  return cat::load_model(row.model, graph::Architecture(*row.front_end));
}

} // namespace

std::span<const Operational> operational_machines() { return abstract_machines; }

const Operational* operational_of(std::string_view machine) {
  const auto* found = std::ranges::find(abstract_machines, machine, &Operational::machine);
  return found == abstract_machines.end() ? nullptr : found;
}

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
