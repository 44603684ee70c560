// A machine's program as an abstract machine runs it that performs the accesses of a thread out of
// order: the ways through each thread, what is known of a thread when some of its accesses have
// been performed, and which of the others may be performed next. runners/out_of_order.h explores
// it; a machine gives a Meaning over WindowCore (walk.h) and says what waits for what.
#pragma once

#include "litmus/test.h"
#include "machine/common/walk.h"
#include "machine/common/window.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace thinair::machine {

/// Conditions of one machine that are left out, a bit each by their number: only tests leave any
/// out, to see that each is needed.
using LeftOut = std::uint64_t;

class OutOfOrder {
 public:
  virtual ~OutOfOrder() = default;

  virtual std::span<const Cell> cells() const = 0;
  virtual std::size_t threads() const = 0;
  virtual const std::vector<Way>& ways(std::size_t thread) const = 0;

  /// What the thread knows: `done` is by access. `with_registers`: also how they are at the end.
  virtual void look(std::size_t thread, const Way& way, std::span<const Done> done, Window& out,
                    bool with_registers) = 0;
  /// The accesses (their steps) that may be performed now, as far as this thread decides that.
  virtual void ready(const Window& window, std::vector<std::uint32_t>& steps) const = 0;

  /// Conditions of memory itself that are left out.
  struct Memory {
    bool read_order = true;     // reads of one location see writes in the order of memory
    bool own_writes = true;     // a read sees the youngest write of its thread
    bool late_addresses = true; // a read is given up that missed one whose address was not known
    bool monitor = true;        // nobody else writes between the two of an update
  };
  virtual Memory memory() const = 0;
};

/// Every way through a thread. Throws LimitReached for too many.
template <class Meaning>
std::vector<Way> all_ways(const typename Walk<Meaning>::Thread& thread, const Flow<Meaning>& flow,
                          std::span<const Cell> cells, AccessWidths& widths,
                          const graph::PathLimits& limits) {
  std::vector<Way> out;
  graph::TermPool terms(limits.watch);
  graph::all_paths(terms, limits, [&](graph::PathBuilder& builder) {
    Way way;
    Window listed;
    WindowCore core(cells, widths, builder, way, listed);
    Walk<Meaning>(thread, flow, core).run();
    way.cut = builder.is_cut();
    way.accesses = listed.accesses.size();
    if (builder.is_over() && !way.cut) return;
    if (out.size() >= limits.paths_per_thread) graph::too_many_paths();
    out.push_back(std::move(way));
  });
  return out;
}

/// One Meaning's program. `Order` says what may be performed: `void ready(const Window&,
/// std::vector<std::uint32_t>&) const` and `OutOfOrder::Memory memory() const`.
template <class Meaning, class Order>
class OutOfOrderOf final : public OutOfOrder {
 public:
  using Program = litmus::ProgramOf<typename Meaning::Instruction>;

  OutOfOrderOf(const Program& program, const graph::PathLimits& limits, Order order)
      : program_(program), widths_(program.locations), order_(order) {
    for (const auto& thread : program.threads) {
      flows_.emplace_back(thread);
      ways_.push_back(all_ways<Meaning>(thread, flows_.back(), program.locations, widths_, limits));
    }
  }

  std::span<const Cell> cells() const override { return program_.locations; }
  std::size_t threads() const override { return program_.threads.size(); }
  const std::vector<Way>& ways(std::size_t thread) const override { return ways_[thread]; }

  void look(std::size_t thread, const Way& way, std::span<const Done> done, Window& out,
            bool with_registers) override {
    out.clear();
    const auto& code = program_.threads[thread].code;
    WindowCore core(program_.locations, widths_, way, done, out);
    auto state = Meaning::initial(program_.threads[thread], core);
    std::size_t at = 0;
    for (std::size_t count = 0; count < way.instructions; ++count) {
      const bool jumps = !code[at].target.empty();
      const std::size_t target = flows_[thread].target(at);
      core.begin_instruction(at, jumps && target == at + 1);
      const bool taken = Meaning::execute(code[at], state, core);
      at = taken && jumps ? target : at + 1;
    }
    if (!with_registers) return;
    for (const auto& value : Meaning::registers(state, core)) out.registers.push_back(value.value);
  }

  void ready(const Window& window, std::vector<std::uint32_t>& steps) const override {
    order_.ready(window, steps);
  }
  Memory memory() const override { return order_.memory(); }

 private:
  const Program& program_;
  AccessWidths widths_;
  Order order_;
  std::vector<Flow<Meaning>> flows_;
  std::vector<std::vector<Way>> ways_;
};

} // namespace thinair::machine
