// One pass over a thread in the order of its program: what is still open before each access.
#include "machine/aarch64/out_of_order.h"

#include "litmus/text/error.h"
#include "machine/aarch64/front_end.h"
#include "machine/aarch64/meaning.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace thinair::aarch64 {
namespace {

using machine::Step;
using machine::Window;

constexpr std::array<WaitInfo, 31> rows{{
    {Wait::branches, "branches", "dep-ctrl"},
    {Wait::addresses, "addresses", "dep-addr-po"},
    {Wait::same_location, "same_location", "overwrites"},
    {Wait::chosen_branches, "chosen_branches", "picked-ctrl"},
    {Wait::chosen_addresses, "chosen_addresses", "picked-addr-po"},
    {Wait::chosen_address, "chosen_address", "picked-addr"},
    {Wait::chosen_value, "chosen_value", "picked-data"},
    {Wait::inherited, "inherited", "picked-read"},
    {Wait::update_read, "update_read", "atomic-rmw"},
    {Wait::update_acquired, "update_acquired", "atomic-read"},
    {Wait::dmb_all, "dmb_all", "barrier-all"},
    {Wait::dmb_loads, "dmb_loads", "barrier-loads"},
    {Wait::dmb_stores, "dmb_stores", "barrier-stores"},
    {Wait::dsb_all, "dsb_all", "dsb-all"},
    {Wait::dsb_loads, "dsb_loads", "dsb-loads"},
    {Wait::dsb_stores, "dsb_stores", "dsb-stores"},
    {Wait::isb_branches, "isb_branches", "context-ctrl"},
    {Wait::isb_addresses, "isb_addresses", "context-addr"},
    {Wait::isb_chosen_branches, "isb_chosen_branches", "context-pick-ctrl"},
    {Wait::isb_chosen_addresses, "isb_chosen_addresses", "context-pick-addr"},
    {Wait::isb_inherited_branches, "isb_inherited_branches", "context-carried-ctrl"},
    {Wait::isb_inherited_addresses, "isb_inherited_addresses", "context-carried-addr"},
    {Wait::acquire, "acquire", "barrier-acquire"},
    {Wait::acquire_pc, "acquire_pc", "barrier-acquire-pc"},
    {Wait::release, "release", "barrier-release"},
    {Wait::release_acquire, "release_acquire", "barrier-volatile"},
    {Wait::both, "both", "barrier-update"},
    {Wait::read_order, "read_order", "internal"},
    {Wait::own_writes, "own_writes", "internal"},
    {Wait::late_addresses, "late_addresses", "dep-addr-read"},
    {Wait::monitor, "monitor", "atomicity"},
}};

constexpr graph::Tags any_of(graph::Tags first, Barrier a, Barrier b, Barrier c) {
  return first << static_cast<unsigned>(a) | first << static_cast<unsigned>(b) |
         first << static_cast<unsigned>(c);
}

/// The six kinds of barriers. All observers are in one domain.
constexpr graph::Tags dmb_all = any_of(t_dmb, Barrier::sy, Barrier::ish, Barrier::osh);
constexpr graph::Tags dmb_loads = any_of(t_dmb, Barrier::ld, Barrier::ishld, Barrier::oshld);
constexpr graph::Tags dmb_stores = any_of(t_dmb, Barrier::st, Barrier::ishst, Barrier::oshst);
constexpr graph::Tags dsb_all = any_of(t_dsb, Barrier::sy, Barrier::ish, Barrier::osh);
constexpr graph::Tags dsb_loads = any_of(t_dsb, Barrier::ld, Barrier::ishld, Barrier::oshld);
constexpr graph::Tags dsb_stores = any_of(t_dsb, Barrier::st, Barrier::ishst, Barrier::oshst);

class Order {
 public:
  explicit Order(machine::LeftOut left_out) : left_out_(left_out) {}

  void ready(const Window& window, std::vector<std::uint32_t>& steps) const;

  machine::OutOfOrder::Memory memory() const {
    return {on(Wait::read_order), on(Wait::own_writes), on(Wait::late_addresses),
            on(Wait::monitor)};
  }

  bool on(Wait wait) const { return (left_out_ & without(wait)) == 0; }

 private:
  machine::LeftOut left_out_;
};

/// The pass.
class Pass {
 public:
  Pass(const Order& order, const Window& window) : order_(order), window_(window) {}

  void run(std::vector<std::uint32_t>& steps) {
    for (at_ = 0; at_ < window_.steps.size(); ++at_) {
      const Step& step = window_.steps[at_];
      if (step.kind != Step::Kind::write || !step.update) hold(std::exchange(acquired_, {}));
      switch (step.kind) {
      case Step::Kind::fence: fence(step.tags); break;
      case Step::Kind::branch: branch(step); break;
      case Step::Kind::read:
        if (!step.performed && read_ready(step)) steps.push_back(at_);
        pass_read(step);
        break;
      case Step::Kind::write:
        if (!step.performed && write_ready(step)) steps.push_back(at_);
        pass_write(step);
        break;
      }
    }
  }

 private:
  bool on(Wait wait) const { return order_.on(wait); }

  /// Something before is not performed, or not yet what it will be for sure.
  struct Open {
    bool performed = false; // not
    bool certain = false;   // not: it rests on a prediction
    void add(bool is_performed, bool is_certain) {
      performed = performed || !is_performed;
      certain = certain || !is_certain;
    }
  };
  /// What is behind waits.
  void hold(const Open& open, bool only_writes = false) {
    if (open.performed) (only_writes ? held_writes_ : held_) = true;
    if (open.certain && on(Wait::inherited)) held_writes_ = true;
  }

  void fence(graph::Tags tags) {
    const auto is = [&](graph::Tags kind, Wait wait) { return (tags & kind) != 0 && on(wait); };
    if (is(dmb_all, Wait::dmb_all) || is(dsb_all, Wait::dsb_all)) {
      hold(reads_);
      hold(writes_);
    }
    if (is(dmb_loads, Wait::dmb_loads) || is(dsb_loads, Wait::dsb_loads)) hold(returning_);
    if (is(dmb_stores, Wait::dmb_stores)) hold(writes_, true);
    if (is(dsb_stores, Wait::dsb_stores)) hold(writes_);
    if ((tags & t_isb) != 0) held_ = held_ || isb_waits();
  }

  bool isb_waits() const {
    return (branch_ && on(Wait::isb_branches)) ||
           (chosen_branch_ && on(Wait::isb_chosen_branches)) ||
           (inherited_branch_ && on(Wait::isb_inherited_branches)) ||
           (address_ && on(Wait::isb_addresses)) ||
           (chosen_address_ && on(Wait::isb_chosen_addresses)) ||
           (inherited_address_ && on(Wait::isb_inherited_addresses));
  }

  void branch(const Step& step) {
    branch_ = branch_ || !step.value.known;
    chosen_branch_ = chosen_branch_ || step.value.chosen;
    inherited_branch_ = inherited_branch_ || step.value.inherited;
  }

  void pass_address(const Step& step) {
    address_ = address_ || !step.address.known;
    chosen_address_ = chosen_address_ || step.address.chosen;
    inherited_address_ = inherited_address_ || step.address.inherited;
  }

  void pass_read(const Step& step) {
    const bool certain = !step.value.inherited;
    pass_address(step);
    reads_.add(step.performed, certain);
    if ((step.tags & t_no_return) == 0) returning_.add(step.performed, certain);
    Open mine;
    mine.add(step.performed, certain);
    const bool acquires = ((step.tags & t_acquire) != 0 && on(Wait::acquire)) ||
                          ((step.tags & t_acquire_pc) != 0 && on(Wait::acquire_pc));
    if (acquires) acquired_ = mine;
  }

  void pass_write(const Step& step) {
    pass_address(step);
    hold(std::exchange(acquired_, {}));
    writes_.add(step.performed, true);
    if ((step.tags & t_release) == 0) return;
    release_ = release_ || !step.performed;
    const bool acquires = step.update && (window_.steps[step.partner].tags & t_acquire) != 0;
    if (acquires && !step.performed && on(Wait::both)) held_ = true;
  }

  bool read_ready(const Step& step) const {
    if (held_ || !step.location) return false;
    const bool acquire = (step.tags & t_acquire) != 0;
    if (acquire && release_ && on(Wait::release_acquire)) return false;
    const auto from = machine::youngest_write(window_, at_);
    if (!from || window_.steps[*from].performed || !on(Wait::own_writes)) return true;
    const Step& write = window_.steps[*from];
    if (!write.value.known) return false;
    const bool ordered = acquire || (step.tags & t_acquire_pc) != 0;
    return !(ordered && write.partner != Step::none && !window_.steps[write.partner].performed &&
             on(Wait::update_acquired));
  }

  bool write_ready(const Step& step) const {
    if (held_ || held_writes_ || !step.location || !step.value.known) return false;
    if (branch_ && on(Wait::branches)) return false;
    if (chosen_branch_ && on(Wait::chosen_branches)) return false;
    if (address_ && on(Wait::addresses)) return false;
    if (chosen_address_ && on(Wait::chosen_addresses)) return false;
    if (step.address.chosen && on(Wait::chosen_address)) return false;
    if (step.value.chosen && on(Wait::chosen_value)) return false;
    const bool inherited =
        inherited_branch_ || inherited_address_ || step.address.inherited || step.value.inherited;
    if (inherited && on(Wait::inherited)) return false;
    if (step.partner != Step::none && on(Wait::update_read) && !settled(step.partner)) return false;
    if ((step.tags & t_release) != 0 && on(Wait::release) && (open(reads_) || open(writes_)))
      return false;
    return !on(Wait::same_location) || first_of_location(step);
  }

  bool open(const Open& what) const {
    return what.performed || (what.certain && on(Wait::inherited));
  }

  bool settled(std::uint32_t read) const {
    const Step& step = window_.steps[read];
    return step.performed && !(step.value.inherited && on(Wait::inherited));
  }

  bool first_of_location(const Step& write) const {
    for (std::uint32_t i = 0; i < at_; ++i) {
      const Step& step = window_.steps[i];
      if (write.update && i == write.partner) continue; // update_read
      if (step.is_access() && step.location == write.location && !step.performed) return false;
    }
    return true;
  }

  const Order& order_;
  const Window& window_;
  std::uint32_t at_ = 0;
  Open reads_, returning_, writes_; // before this place
  Open acquired_; // the acquire of this instruction, which what is behind the instruction waits for
  bool branch_ = false, chosen_branch_ = false, address_ = false, chosen_address_ = false;
  bool inherited_branch_ = false, inherited_address_ = false;
  bool release_ = false; // a release is not performed
  bool held_ = false, held_writes_ = false;
};

void Order::ready(const Window& window, std::vector<std::uint32_t>& steps) const {
  Pass(*this, window).run(steps);
}

void demand_known(const Program& program) {
  for (const auto& thread : program.threads)
    for (const auto& in : thread.code)
      for (const auto& operand : in.operands)
        if (const auto* barrier = std::get_if<Barrier>(&operand);
            barrier && *barrier >= Barrier::nsh)
          throw Unsupported(
              fmt::format("{} {} on the operational machine", in.info->mnemonic, name(*barrier)));
}

} // namespace

std::span<const WaitInfo> waits() { return rows; }

std::unique_ptr<machine::OutOfOrder> out_of_order(const litmus::Test& test,
                                                  const graph::PathLimits& limits) {
  return out_of_order_without(0, test, limits);
}

std::unique_ptr<machine::OutOfOrder> out_of_order_without(machine::LeftOut left_out,
                                                          const litmus::Test& test,
                                                          const graph::PathLimits& limits) {
  const Program& program = program_of(test);
  demand_known(program);
  using Machine = machine::OutOfOrderOf<Meaning<machine::WindowCore>, Order>;
  return std::make_unique<Machine>(program, limits, Order(left_out));
}

} // namespace thinair::aarch64
