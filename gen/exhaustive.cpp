// Orderly enumeration: a program is visited when it is the least among its renamings.
#include "gen/exhaustive.h"

#include "gen/builder.h"
#include "litmus/text/error.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace thinair::gen {
namespace {

/// One step of a thread: a method on a location, or a fence (then `location` is 0). `what` counts
/// methods, then fences.
struct Step {
  std::uint32_t what = 0;
  std::uint32_t location = 0;
  friend auto operator<=>(const Step&, const Step&) = default;
};

using Threads = std::vector<std::vector<Step>>;

class Enumeration {
 public:
  Enumeration(const Space& space,
              const std::function<bool(std::uint64_t, const MakeProgram&)>& visit)
      : space_(space), visit_(visit) {}

  std::uint64_t run() {
    for (std::uint32_t size = 1; size <= space_.max_size && !stopped_; ++size)
      split(size, size, space_.max_threads);
    return visited_;
  }

 private:
  std::uint32_t symbols() const {
    return static_cast<std::uint32_t>(space_.methods.size() + space_.fences.size());
  }

  /// All ways to give `left` steps to at most `threads` more threads, none longer than the one
  /// before it.
  void split(std::uint32_t left, std::uint32_t longest, std::uint32_t threads) {
    if (left == 0) {
      std::size_t slots = 0;
      for (const auto& thread : threads_) slots += thread.size();
      fill(0, 0, slots, 0);
      return;
    }
    if (threads == 0) return;
    for (std::uint32_t length = std::min(left, longest); length > 0 && !stopped_; --length) {
      threads_.emplace_back(length);
      split(left - length, length, threads - 1);
      threads_.pop_back();
    }
  }

  /// Fills the slots from (thread, at) on; locations appear in the order 0, 1, ..
  void fill(std::size_t thread, std::size_t at, std::size_t slots, std::uint32_t known_locations) {
    if (stopped_) return;
    if (slots == 0) {
      if (least()) emit();
      return;
    }
    if (at == threads_[thread].size()) {
      fill(thread + 1, 0, slots, known_locations);
      return;
    }
    const auto methods = static_cast<std::uint32_t>(space_.methods.size());
    for (std::uint32_t what = 0; what < symbols(); ++what) {
      const std::uint32_t locations =
          what < methods ? std::min(known_locations + 1, space_.max_locations) : 1;
      for (std::uint32_t location = 0; location < locations; ++location) {
        threads_[thread][at] = {what, location};
        const bool first_use = what < methods && location == known_locations;
        fill(thread, at + 1, slots - 1, known_locations + (first_use ? 1 : 0));
      }
    }
  }

  /// The threads in the given order, with locations renamed in the order of their first use.
  Threads reordered(const std::vector<std::size_t>& order) const {
    Threads out;
    std::vector<std::optional<std::uint32_t>> names(space_.max_locations);
    std::uint32_t next = 0;
    for (const auto t : order) {
      out.push_back(threads_[t]);
      for (auto& step : out.back()) {
        if (step.what >= space_.methods.size()) continue;
        auto& name = names[step.location];
        if (!name) name = next++;
        step.location = *name;
      }
    }
    return out;
  }

  /// No order of threads of the same lengths gives a smaller text.
  bool least() const {
    std::vector<std::size_t> order(threads_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto same_lengths = [&] {
      for (std::size_t i = 0; i < order.size(); ++i)
        if (threads_[order[i]].size() != threads_[i].size()) return false;
      return true;
    };
    while (std::ranges::next_permutation(order).found)
      if (same_lengths() && reordered(order) < threads_) return false;
    return true;
  }

  void emit() {
    const Threads copy = threads_;
    const MakeProgram make = [this, &copy] { return build(copy); };
    if (!visit_(visited_++, make)) stopped_ = true;
  }

  litmus::Program build(const Threads& threads) const {
    Builder builder;
    std::vector<std::int32_t> stored(space_.max_locations, 0);
    for (const auto& steps : threads) {
      const auto thread = builder.add_thread();
      for (const auto& step : steps) {
        if (step.what >= space_.methods.size())
          builder.append(thread, fence(space_.fences[step.what - space_.methods.size()]));
        else
          builder.append(thread, access_of(builder, thread, step, stored));
      }
    }
    return builder.finish();
  }

  litmus::Statement access_of(Builder& builder, litmus::ThreadId thread, const Step& step,
                              std::vector<std::int32_t>& stored) const {
    const litmus::Method method = space_.methods[step.what];
    const auto action = info(method).action;
    std::vector<litmus::Expression> arguments;
    if (info(method).arguments == 2) arguments.push_back(litmus::Expression::number(0));
    if (litmus::writes(action))
      arguments.push_back(litmus::Expression::number(++stored[step.location]));
    std::optional<litmus::RegisterId> target;
    if (litmus::reads(action)) target = builder.fresh_register(thread);
    return access(target, method, builder.location(step.location), std::move(arguments));
  }

  const Space& space_;
  const std::function<bool(std::uint64_t, const MakeProgram&)>& visit_;
  Threads threads_;
  std::uint64_t visited_ = 0;
  bool stopped_ = false;
};

} // namespace

std::uint64_t enumerate(const Space& space,
                        const std::function<bool(std::uint64_t, const MakeProgram&)>& visit) {
  if (space.methods.empty()) throw InputError("error: an exhaustive run needs at least one method");
  return Enumeration(space, visit).run();
}

std::uint64_t count(const Space& space) {
  return enumerate(space, [](std::uint64_t, const MakeProgram&) { return true; });
}

} // namespace thinair::gen
