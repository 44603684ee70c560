// Replays a path of the machine and says what each step does.
#include "machine/x86/code/trace.h"

#include "machine/x86/att.h"
#include "machine/x86/code/configuration.h"
#include "machine/x86/code/store_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::runners {
namespace {

using namespace x86;
using litmus::LocationId;

class Narrator {
 public:
  explicit Narrator(const Program& program) : program_(program) {}

  std::vector<TraceStep> tell(const Configuration& start, const MachineLog& log) {
    std::vector<TraceStep> steps;
    const Configuration* before = &start;
    for (const MachineEvent& event : log) {
      steps.push_back(step(*before, event));
      before = &event.after;
    }
    return steps;
  }

 private:
  TraceStep step(const Configuration& before, const MachineEvent& event) const {
    TraceStep out;
    out.thread = event.thread;
    out.instruction = event.instruction;
    if (event.instruction) {
      const Instruction& in = program_.threads[event.thread].code[*event.instruction];
      out.code = x86::att_text(program_, in);
      out.effect = effect(in, before, event);
    } else {
      out.effect = shown(before.threads[event.thread].buffer.front()) + " reaches memory";
    }
    for (std::size_t i = 0; i < event.after.memory.size(); ++i)
      out.memory.push_back(declared(i, event.after.memory[i]));
    for (const MachineThread& thread : event.after.threads) {
      auto& buffer = out.buffers.emplace_back();
      for (const BufferedStore& store : thread.buffer) buffer.push_back(shown(store));
    }
    return out;
  }

  litmus::Value declared(std::size_t cell, std::uint64_t value) const {
    return as_declared(static_cast<litmus::Value>(value), program_.locations[cell].type);
  }
  std::string shown(LocationId cell, std::uint64_t value) const {
    return fmt::format("{}={}", program_.locations[cell.value].name, declared(cell.value, value));
  }
  std::string shown(const BufferedStore& store) const { return shown(store.location, store.value); }

  std::string effect(const Instruction& in, const Configuration& before,
                     const MachineEvent& event) const;
  std::string access(const Instruction& in, const Use& use, const Configuration& before,
                     const MachineEvent& event) const;
  std::string registers(const MachineThread& before, const MachineThread& after) const;

  const Program& program_;
};

std::string Narrator::effect(const Instruction& in, const Configuration& before,
                             const MachineEvent& event) const {
  const MachineThread& was = before.threads[event.thread];
  const MachineThread& is = event.after.threads[event.thread];
  std::string text;
  if (const auto use = memory_use(in))
    text = access(in, *use, before, event);
  else if (in.opcode == Opcode::mfence)
    text = "the store buffer is empty";
  else if (in.opcode == Opcode::jcc)
    text = is.next == was.next + 1 ? "not taken" : "taken";
  const std::string changed = registers(was, is);
  if (changed.empty()) return text;
  return text.empty() ? changed : text + ", " + changed;
}

std::string Narrator::access(const Instruction& in, const Use& use, const Configuration& before,
                             const MachineEvent& event) const {
  const MachineThread& was = before.threads[event.thread];
  const auto& is = event.after.threads[event.thread];
  const LocationId cell = *accessed(in, was.cpu, &program_);
  if (use.atomic) {
    const auto old = declared(cell.value, before.memory[cell.value]);
    const auto now = declared(cell.value, event.after.memory[cell.value]);
    const std::string name = program_.locations[cell.value].name;
    return old == now ? fmt::format("{}={} in memory, locked", name, old)
                      : fmt::format("{}={} in memory becomes {}, locked", name, old, now);
  }
  std::string text;
  if (use.reads) {
    const auto own = std::find_if(was.buffer.rbegin(), was.buffer.rend(),
                                  [&](const auto& store) { return store.location == cell; });
    text = own == was.buffer.rend()
               ? fmt::format("reads {} from memory", shown(cell, before.memory[cell.value]))
               : fmt::format("reads {} from its store buffer", shown(*own));
  }
  if (use.writes && is.buffer.size() > was.buffer.size())
    text += fmt::format("{}{} enters the store buffer", text.empty() ? "" : ", ",
                        shown(is.buffer.back()));
  return text;
}

/// What changed: "%eax=1".
std::string Narrator::registers(const MachineThread& before, const MachineThread& after) const {
  std::string text;
  for (std::size_t r = 0; r < register_count; ++r) {
    if (before.cpu.registers[r] == after.cpu.registers[r]) continue;
    const auto value = static_cast<std::int32_t>(after.cpu.registers[r]);
    text += fmt::format("{}%{}={}", text.empty() ? "" : ", ",
                        name(static_cast<Register>(r), Width::l), value);
  }
  return text;
}

} // namespace

std::optional<std::vector<TraceStep>> x86_trace(const litmus::Test& test,
                                                const litmus::Proposition& goal,
                                                const MachineOptions& options) {
  const auto path = x86_path(test, goal, options);
  if (!path) return std::nullopt;
  const Machine machine(x86::program_of(test), litmus::observables(test, options.all_registers));
  MachineLog log;
  const Configuration start = machine.before_anything();
  Configuration c = machine.start(&log);
  for (const MachineMove& move : *path) {
    if (move.flush)
      machine.flush(c, move.thread, &log);
    else
      machine.step(c, move.thread, &log);
  }
  return Narrator(x86::program_of(test)).tell(start, log);
}

} // namespace thinair::runners
