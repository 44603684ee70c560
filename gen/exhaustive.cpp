// Orderly enumeration: a program is visited when it is the least among its renamings.
#include "gen/exhaustive.h"

#include "gen/builder.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

namespace thinair::gen {
namespace {

constexpr std::uint32_t unnamed = std::numeric_limits<std::uint32_t>::max();

/// The next partition of the same number in descending order: (4), (3 1), (2 2), (2 1 1), ..
bool next_partition(std::vector<std::uint32_t>& parts) {
  std::uint32_t ones = 0;
  while (!parts.empty() && parts.back() == 1) {
    parts.pop_back();
    ++ones;
  }
  if (parts.empty()) return false;
  const std::uint32_t largest = --parts.back();
  for (std::uint32_t left = ones + 1; left > 0; left -= parts.back())
    parts.push_back(std::min(left, largest));
  return true;
}

} // namespace

Enumerator::Enumerator(Space space, std::function<bool()> enough)
    : space_(std::move(space)), enough_(std::move(enough)) {
  if (space_.methods.empty())
    throw InputError("error: an exhaustive run needs at least one method");
  if (space_.max_threads == 0 || space_.max_locations == 0)
    throw InputError("error: an exhaustive run needs at least one thread and one location");
  for (std::size_t fence = 0; fence <= space_.fences.size(); ++fence)
    for (const auto method : space_.methods) {
      const auto own = space_.choices.of(method);
      auto& row = choices_.emplace_back(own.begin(), own.end());
      if (fence == 0) continue;
      const auto more = space_.choices.of(space_.fences[fence - 1]);
      row.insert(row.end(), more.begin(), more.end());
      std::ranges::sort(row);
      row.erase(std::ranges::unique(row).begin(), row.end());
    }
}

const std::vector<litmus::Choice>& Enumerator::choices_of(const Step& step) const {
  return choices_[step.fence * space_.methods.size() + step.method];
}

bool Enumerator::go_on() {
  constexpr std::uint64_t steps_a_look = 1024;
  if (++steps_ % steps_a_look == 0 && enough_ && enough_()) stopped_ = true;
  return !stopped_;
}

bool Enumerator::next() {
  do {
    if (!go_on()) return false;
    while (!next_filling())
      if (!go_on() || !next_shape()) return false;
  } while ((!space_.mixed && mixes_modes(program())) || !least());
  if (stopped_) return false; // before all orders were looked at
  ++visited_;
  return true;
}

/// The next way to cut `size_` steps into threads, then the next size.
bool Enumerator::next_shape() {
  bool more = size_ > 0 && next_partition(shape_);
  while (more && shape_.size() > space_.max_threads) more = next_partition(shape_);
  if (!more) {
    if (size_ == space_.max_accesses) return false;
    shape_.assign(1, ++size_);
  }
  begins_.resize(shape_.size());
  std::exclusive_scan(shape_.begin(), shape_.end(), begins_.begin(), std::size_t{0});
  slots_.assign(size_, Step{});
  is_first_.assign(size_, false);
  for (const auto begin : begins_) is_first_[begin] = true;
  fresh_shape_ = true;
  return true;
}

/// How many locations the slots before this one use: they appear in the order 0, 1, ..
std::uint32_t Enumerator::known_before(std::size_t slot) const {
  std::uint32_t known = 0;
  for (std::size_t i = 0; i < slot; ++i) known = std::max(known, slots_[i].location + 1);
  return known;
}

/// Counts `slots_` up like a number, the last slot first.
bool Enumerator::next_filling() {
  if (fresh_shape_) { // all slots are 0
    fresh_shape_ = false;
    return true;
  }
  for (std::size_t slot = slots_.size(); slot-- > 0;) {
    Step& step = slots_[slot];
    if (step.location + 1 < std::min(known_before(slot) + 1, space_.max_locations)) {
      ++step.location;
      return true;
    }
    step.location = 0;
    if (++step.choice < choices_of(step).size()) return true;
    step.choice = 0;
    if (++step.method < space_.methods.size()) return true;
    step.method = 0;
    if (!is_first_[slot] && step.fence < space_.fences.size()) {
      ++step.fence;
      return true;
    }
    step.fence = 0;
  }
  return false;
}

/// Whether the threads in this order, with locations renamed by first use, come before `slots_`.
bool Enumerator::smaller_when_reordered(const std::vector<std::size_t>& order) {
  names_.assign(space_.max_locations, unnamed);
  std::uint32_t named = 0;
  std::size_t at = 0;
  for (const auto thread : order) {
    for (std::size_t i = 0; i < length_of(thread); ++i, ++at) {
      Step step = slots_[begin_of(thread) + i];
      auto& name = names_[step.location];
      if (name == unnamed) name = named++;
      step.location = name;
      if (step != slots_[at]) return step < slots_[at];
    }
  }
  return false;
}

/// No order of threads of the same lengths gives a smaller text.
bool Enumerator::least() {
  std::vector<std::size_t> order(shape_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  while (go_on() && std::ranges::next_permutation(order).found) {
    const bool same_lengths =
        std::ranges::equal(order, shape_, {}, [&](std::size_t thread) { return shape_[thread]; });
    if (same_lengths && smaller_when_reordered(order)) return false;
  }
  return true;
}

std::vector<bool> Enumerator::operations() const {
  std::vector<bool> out(litmus::operation_count, false);
  for (const Step& step : slots_) {
    const auto note = [&](litmus::Operation operation) { out[litmus::index_of(operation)] = true; };
    note(space_.methods[step.method]);
    if (step.fence > 0) note(space_.fences[step.fence - 1]);
  }
  return out;
}

litmus::Program Enumerator::program() const {
  Builder builder;
  std::vector<litmus::Value> stored(space_.max_locations, 0);
  for (std::size_t t = 0; t < shape_.size(); ++t) {
    const auto thread = builder.add_thread();
    for (const Step& step : std::span(slots_).subspan(begin_of(t), length_of(t))) {
      const litmus::Choice by = choices_of(step)[step.choice];
      if (step.fence > 0)
        builder.append(thread, {litmus::FenceStatement{space_.fences[step.fence - 1], by}, {}});
      const litmus::Method method = space_.methods[step.method];
      const auto action = info(method).action;
      std::vector<litmus::Expression> arguments;
      if (info(method).arguments == 2) arguments.push_back(litmus::Expression::number(0));
      if (litmus::writes(action))
        arguments.push_back(litmus::Expression::number(++stored[step.location]));
      std::optional<litmus::RegisterId> target;
      if (litmus::reads(action)) target = builder.fresh_register(thread);
      auto made = access(target, method, builder.location(step.location), std::move(arguments));
      std::get<litmus::Access>(made.node).by = by;
      builder.append(thread, std::move(made));
    }
  }
  return builder.finish();
}

std::uint64_t enumerate(const Space& space,
                        const std::function<bool(std::uint64_t, const MakeProgram&)>& visit) {
  Enumerator at(space);
  std::uint64_t visited = 0;
  const MakeProgram make = [&] { return at.program(); };
  while (at.next()) {
    ++visited;
    if (!visit(at.index(), make)) break;
  }
  return visited;
}

std::optional<std::uint64_t> count(const Space& space, const std::function<bool()>& enough) {
  std::uint64_t number = 0;
  Enumerator at(space, enough);
  while (at.next()) ++number;
  if (at.stopped()) return std::nullopt;
  return number;
}

std::uint64_t count(const Space& space) { return *count(space, {}); }

} // namespace thinair::gen
