// Steps and decisions of a thread whose accesses are performed in any order.
#include "machine/common/window.h"

#include <algorithm>

namespace thinair::machine {

Value part_of(Value cell, Width width) {
  return litmus::sign_extended(static_cast<std::uint64_t>(cell), width);
}

Value replaced(Value cell, Width cell_width, Value part, Width width) {
  const auto low = litmus::truncated(~std::uint64_t{0}, width);
  const auto whole =
      (static_cast<std::uint64_t>(cell) & ~low) | (static_cast<std::uint64_t>(part) & low);
  return litmus::sign_extended(whole, cell_width);
}

std::optional<std::uint32_t> youngest_write(const Window& window, std::uint32_t read) {
  const auto& location = window.steps[read].location;
  for (std::uint32_t i = read; i-- > 0;) {
    const Step& step = window.steps[i];
    if (step.kind == Step::Kind::write && step.location && step.location == location) return i;
  }
  return std::nullopt;
}

WindowCore::WindowCore(std::span<const Cell> cells, AccessWidths& widths,
                       graph::PathBuilder& builder, Way& listed, Window& out)
    : cells_(cells), widths_(widths), builder_(&builder), listed_(&listed), out_(out) {}

WindowCore::WindowCore(std::span<const Cell> cells, AccessWidths& widths, const Way& way,
                       std::span<const Done> done, Window& out)
    : cells_(cells), widths_(widths), way_(&way), done_(done), out_(out) {}

// Values

Partial WindowCore::number(Value value) {
  Partial out{value};
  if (builder_ != nullptr) out.term = builder_->terms().constant(value);
  return out;
}

/// `eor w1,w0,w0` is not known before w0 is, although it is always 0.
Partial WindowCore::make(TermOp op, std::uint8_t bits, Word a, Word b) {
  const bool both = graph::arity(op) != 1;
  Partial out;
  out.known = a.known && (!both || b.known);
  out.chosen = a.chosen || (both && b.chosen);
  out.inherited = a.inherited || (both && b.inherited);
  if (out.known) out.value = graph::apply(op, bits, a.value, b.value).value_or(0);
  if (builder_ != nullptr)
    out.term = both ? builder_->terms().make(op, bits, a.term, b.term)
                    : builder_->terms().make(op, bits, a.term);
  return out;
}

/// Which of the two it is is predicted, so that the value is there before the condition is.
Partial WindowCore::pick(Word condition, Word a, Word b) {
  return picked_by(condition, settle(condition) ? a : b);
}

Partial WindowCore::choose(Word condition, Word a, Word b) {
  Partial out = condition.value != 0 ? a : b;
  out.known = condition.known && a.known && b.known;
  out.chosen = condition.chosen || a.chosen || b.chosen;
  out.inherited = condition.inherited || a.inherited || b.inherited;
  if (builder_ != nullptr)
    out.term = builder_->terms().make(TermOp::select, 64, condition.term, a.term, b.term);
  return out;
}

Partial WindowCore::picked_by(Word condition, Word value) {
  value.chosen = value.chosen || condition.chosen || !condition.known;
  value.inherited = value.inherited || condition.inherited;
  return value;
}

// Decisions

/// The next decision of the way, and whether it is found to come out so.
bool WindowCore::outcome(bool known, bool actual) {
  const bool taken = way_->outcomes[next_++] != 0;
  out_.refuted = out_.refuted || (known && taken != actual);
  return taken;
}

bool WindowCore::settle(Word condition) {
  if (builder_ == nullptr) return outcome(condition.known, condition.value != 0);
  const bool taken = builder_->decide(condition.term, false);
  listed_->outcomes.push_back(taken ? 1 : 0);
  return taken;
}

bool WindowCore::branch(Word condition) {
  const bool taken = target_is_next_ || settle(condition);
  Step& step = out_.steps.emplace_back();
  step.kind = Step::Kind::branch;
  step.instruction = instruction_;
  step.value = condition;
  return taken;
}

void WindowCore::begin_instruction(std::size_t at, bool target_is_next) {
  instruction_ = static_cast<std::uint32_t>(at);
  target_is_next_ = target_is_next;
  if (listed_ != nullptr) ++listed_->instructions;
}

// Steps

Step& WindowCore::add(Step::Kind kind, const Access& access, Word address) {
  Step& step = out_.steps.emplace_back();
  step.kind = kind;
  step.width = access.width;
  step.tags = access.tags;
  step.instruction = instruction_;
  step.address = address;
  step.access = static_cast<std::uint32_t>(out_.accesses.size());
  out_.accesses.push_back(static_cast<std::uint32_t>(out_.steps.size() - 1));
  if (address.known)
    step.location = litmus::location_at(static_cast<std::uint64_t>(address.value), cells_);
  if (step.location) widths_.note(*step.location, access.width);
  if (builder_ == nullptr) step.performed = done_[step.access].performed;
  return step;
}

/// Whether the performed read took its value from a write of its thread that nobody else sees yet,
/// because it rests on a prediction.
bool WindowCore::inherits(std::uint32_t read) const {
  const auto write = youngest_write(out_, read);
  if (!write) return false;
  const Step& from = out_.steps[*write];
  return !from.performed && (from.value.chosen || from.value.inherited);
}

Partial WindowCore::load(Word address, const Access& access) {
  Step& step = add(Step::Kind::read, access, address);
  last_read_ = static_cast<std::uint32_t>(out_.steps.size() - 1);
  if (builder_ != nullptr) {
    graph::PathEvent event;
    event.kinds = graph::k_read;
    event.read = builder_->next_read();
    builder_->add(event);
    step.value = {.known = false, .term = builder_->terms().variable(event.read)};
  } else if (step.performed) {
    step.value = {.value = part_of(done_[step.access].value, access.width),
                  .inherited = inherits(last_read_)};
  } else {
    step.value = {.known = false};
  }
  return step.value;
}

void WindowCore::store(Word address, Word value, const Access& access) {
  add(Step::Kind::write, access, address).value = value;
  if (builder_ == nullptr) return;
  graph::PathEvent event;
  event.kinds = graph::k_write;
  builder_->add(event);
}

Step& WindowCore::store_behind(std::uint32_t read, Word address, Word value, const Access& access) {
  store(address, value, access);
  out_.steps.back().partner = read;
  return out_.steps.back();
}

/// Whether it stores is predicted, too.
Partial WindowCore::compare_and_swap(Word address, Word expected, Word wanted, const Access& read,
                                     const Access& write) {
  const Word old = load(address, read);
  const Word equal = make(TermOp::equal, litmus::bits_of(read.width), old, expected);
  if (settle(equal))
    store_behind(last_read_, address, picked_by(equal, wanted), write).update = true;
  return old;
}

Partial WindowCore::load_exclusive(Word address, const Access& access) {
  const Word loaded = load(address, access);
  monitor_ = {true, {}, last_read_};
  return loaded;
}

/// It may always fail. That it does not is a promise: the status is there at once, and the way is
/// given up where the store cannot be done.
Partial WindowCore::store_exclusive(Word address, Word value, const Access& access) {
  const Monitor monitor = std::exchange(monitor_, {});
  if (!monitor.open) return number(1);
  bool fails = false;
  if (builder_ != nullptr) {
    fails = builder_->decisions().choose(2) == 1;
    listed_->outcomes.push_back(fails ? 1 : 0);
  } else {
    fails = outcome(false, false);
  }
  if (fails) return number(1);
  const Step& stored = store_behind(monitor.read, address, value, access);
  const auto& loaded = out_.steps[monitor.read].location;
  if (stored.location && loaded && *stored.location != *loaded) out_.refuted = true;
  return number(0);
}

void WindowCore::fence(graph::Tags tags, litmus::Construct) {
  Step& step = out_.steps.emplace_back();
  step.tags = tags;
  step.instruction = instruction_;
}

} // namespace thinair::machine
