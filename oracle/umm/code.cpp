// From control paths to instruction buffers. Monitors travel through the paths as writes to
// locations of their own.
#include "oracle/umm/code.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace thinair::umm {
namespace {

using graph::PathEvent;
using litmus::Access;
using litmus::LocationId;

void replace_monitors(litmus::Block& block, std::uint32_t first) {
  for (auto& statement : block) {
    if (const auto* monitor = std::get_if<litmus::MonitorStatement>(&statement.node)) {
      Access access;
      access.method = litmus::Method::set;
      access.location = LocationId{first + monitor->monitor.value};
      access.arguments = {litmus::Expression::number(monitor->enter ? 1 : 0)};
      statement.node = std::move(access);
    } else if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
      replace_monitors(branch->then_block, first);
      replace_monitors(branch->else_block, first);
    } else if (auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
      replace_monitors(loop->body, first);
    }
  }
}

/// The program with nothing in it that control paths do not know: a monitor is a location behind
/// the others, 1 to enter and 0 to leave.
litmus::Program without_monitors(litmus::Program program) {
  const auto first = static_cast<std::uint32_t>(program.locations.size());
  for (const auto& monitor : program.monitors) program.locations.push_back({monitor, 0, false});
  for (auto& location : program.locations) location.is_final = false;
  for (auto& thread : program.threads) replace_monitors(thread.body, first);
  return program;
}

class Translation {
 public:
  Translation(const litmus::Program& program, const Model& model)
      : program_(program), model_(model), paths_(nullptr) {}

  Code run(const graph::PathLimits& limits) {
    litmus::refuse_objects(program_, "in UMM's models");
    litmus::refuse_types(program_, "in UMM's models");
    auto paths = graph::paths_of(without_monitors(program_), limits);
    paths.uses = litmus::constructs_of(program_); // with the monitors
    if (!(paths.uses & litmus::Constructs::of(litmus::ConstructKind::update)).empty())
      throw Unsupported("read-modify-writes in UMM's models");
    graph::demand(paths, model_.meaning);
    paths_ = &paths;
    Code out;
    note_users();
    for (std::uint32_t t = 0; t < paths.threads.size(); ++t) {
      out.threads.emplace_back();
      for (const auto& path : paths.threads[t].paths) out.threads[t].push_back(line(t, path));
    }
    out.cut = paths.cut;
    for (std::uint32_t l = 0; l < program_.locations.size(); ++l) {
      out.initial.push_back(program_.locations[l].initial);
    }
    out.terms = std::move(paths.terms);
    return out;
  }

 private:
  std::uint32_t locations() const { return static_cast<std::uint32_t>(program_.locations.size()); }
  bool is_monitor(const PathEvent& e) const { return e.location.value >= locations(); }

  /// Who enters each monitor, and who writes each location: by index among both.
  void note_users() {
    users_.resize(locations() + program_.monitors.size());
    for (std::uint32_t t = 0; t < paths_->threads.size(); ++t)
      for (const auto& path : paths_->threads[t].paths)
        for (const auto& e : path.events)
          if ((e.kinds & graph::k_write) != 0) users_[e.location.value].insert(t);
  }

  bool used_by_others(std::uint32_t thread, LocationId what) const {
    return std::ranges::any_of(users_[what.value],
                               [&](std::uint32_t user) { return user != thread; });
  }

  Operation known(Operation operation, std::string_view what) const {
    if (!model_.knows(operation)) throw Unsupported(fmt::format("{} in {}", what, model_.title));
    return operation;
  }

  Operation access(const PathEvent& e) const {
    const bool reads = (e.kinds & graph::k_read) != 0;
    const auto plain = reads ? Operation::read : Operation::write;
    if (model_.knows(plain)) return plain;
    if (program_.locations[e.location.value].is_final)
      return known(reads ? Operation::read_final : Operation::write_final, "final fields");
    if ((e.kinds & graph::k_volatile) != 0)
      return known(reads ? Operation::read_volatile : Operation::write_volatile,
                   "volatile accesses");
    THINAIR_CHECK((e.kinds & graph::k_plain) != 0, "an access in a mode without a meaning");
    return known(reads ? Operation::read_normal : Operation::write_normal, "plain accesses");
  }

  void add(Line& line, std::uint32_t thread, const PathEvent& e) {
    Instruction out;
    out.thread = thread;
    out.position = position_++;
    out.variable = e.location.value;
    out.read = e.read;
    out.written = e.written;
    if ((e.kinds & graph::k_external) != 0) throw Unsupported("external actions in UMM's models");
    if ((e.kinds & graph::k_fence) != 0) {
      if (!model_.meaning.known.has(e.construct)) return; // left out, as asked for
      out.operation = known(Operation::membar, "fences");
    } else if (is_monitor(e)) {
      add_monitor(out, e);
    } else {
      out.operation = access(e);
      out.redundant = info(out.operation).acquires && !used_by_others(thread, e.location);
      if (info(out.operation).writes) freeze_before(line, out);
    }
    push(line, out);
  }

  void add_monitor(Instruction& out, const PathEvent& e) {
    const bool enter = paths_->terms.constant_value(e.written) == 1;
    out.operation = known(enter ? Operation::lock : Operation::unlock, "monitors");
    out.variable -= locations();
    auto& held = held_[out.variable];
    out.redundant = enter && (held > 0 || !used_by_others(out.thread, e.location));
    held += enter ? 1 : -1;
  }

  /// The constructor of a final field ends before the next write to something else.
  void freeze_before(Line& line, const Instruction& next) {
    if (open_final_ && next.variable != open_final_->variable) freeze(line);
    if (next.operation == Operation::write_final) open_final_ = next;
  }
  void freeze(Line& line) {
    if (!open_final_) return;
    auto out = *std::exchange(open_final_, std::nullopt);
    out.operation = known(Operation::freeze, "final fields");
    out.position = position_++;
    push(line, out);
  }

  void push(Line& line, Instruction instruction) {
    const bool split = model_.to_each_thread && info(instruction.operation).writes;
    const auto copies = split ? static_cast<std::uint32_t>(paths_->threads.size()) : 1U;
    for (std::uint32_t target = 0; target < copies; ++target) {
      instruction.target = split ? target : instruction.thread;
      line.instructions.push_back(instruction);
    }
    if (line.instructions.size() > 64)
      throw LimitReached(Limit::none, "64 instructions of a thread in an operational model");
  }

  Line line(std::uint32_t thread, const graph::Path& path) {
    Line out;
    position_ = 0;
    held_.assign(program_.monitors.size(), 0);
    open_final_.reset();
    std::size_t branch = 0;
    for (std::uint32_t i = 0; i <= path.events.size(); ++i) {
      for (; branch < path.branches.size() && path.branches[branch].position == i; ++branch)
        out.branches.push_back({path.branches[branch].condition, position_});
      if (i < path.events.size()) add(out, thread, path.events[i]);
    }
    freeze(out);
    out.must_divide = path.must_divide;
    out.final_registers = path.final_registers;
    return out;
  }

  const litmus::Program& program_;
  const Model& model_;
  const graph::ProgramPaths* paths_;
  std::vector<std::set<std::uint32_t>> users_;
  // of the line being made
  std::uint32_t position_ = 0;
  std::vector<int> held_;
  std::optional<Instruction> open_final_;
};

} // namespace

Code code_of(const litmus::Program& program, const Model& model, const graph::PathLimits& limits) {
  return Translation(program, model).run(limits);
}

} // namespace thinair::umm
