// The visibility rules of UMM 4.5, 5.6, 5.7 and 5.8.
#include "oracle/umm/buffer.h"

#include <algorithm>

namespace thinair::umm {
namespace {

/// LCOrder (UMM 5.6) over the buffer and, at its end, a read that is being issued.
class LocationConsistency {
 public:
  LocationConsistency(const std::vector<Completed>& entries, const Completed& read)
      : all_(entries), n_(entries.size() + 1), order_(n_ * n_, 0) {
    all_.push_back(read);
    find_synchronization();
    for (std::size_t later = 0; later < n_; ++later)
      for (std::size_t earlier = 0; earlier < n_; ++earlier)
        at(later, earlier) = base(later, earlier);
    for (std::size_t gap = 2; gap < n_; ++gap)
      for (std::size_t earlier = 0; earlier + gap < n_; ++earlier) close(earlier + gap, earlier);
  }

  bool ordered(std::size_t later, std::size_t earlier) const {
    return order_[later * n_ + earlier] != 0;
  }
  std::size_t read() const { return n_ - 1; }

 private:
  char& at(std::size_t later, std::size_t earlier) { return order_[later * n_ + earlier]; }
  bool is_initial(std::size_t i) const { return all_[i].thread == initial_thread; }

  /// Pairs of a release and an acquire of the same lock or volatile variable behind it.
  void find_synchronization() {
    for (std::size_t l = 0; l < n_; ++l)
      for (std::size_t u = 0; u < l; ++u)
        if (!is_initial(u) && all_[l].variable == all_[u].variable &&
            ((all_[l].operation == Operation::lock && all_[u].operation == Operation::unlock) ||
             (all_[l].operation == Operation::read_volatile &&
              all_[u].operation == Operation::write_volatile)))
          pairs_.push_back({u, l});
  }

  char base(std::size_t later, std::size_t earlier) const {
    const auto &a = all_[later], &b = all_[earlier];
    if (is_initial(earlier)) return is_initial(later) ? 0 : 1;
    if (is_initial(later)) return 0;
    if (a.thread == b.thread && a.position > b.position) return 1;
    return std::ranges::any_of(pairs_, [&](const Pair& p) {
      return all_[p.acquire].thread == a.thread && all_[p.release].thread == b.thread &&
             earlier <= p.release && p.acquire <= later;
    });
  }

  void close(std::size_t later, std::size_t earlier) {
    for (std::size_t i = earlier + 1; i < later && at(later, earlier) == 0; ++i)
      if (ordered(later, i) && ordered(i, earlier)) at(later, earlier) = 1;
  }

  struct Pair {
    std::size_t release, acquire;
  };
  std::vector<Completed> all_;
  std::size_t n_;
  std::vector<char> order_; // [later][earlier]
  std::vector<Pair> pairs_;
};

} // namespace

Buffer::Buffer(const Code& code, const Model& model) : model_(model) {
  for (const auto& rule : model.visible)
    forgetful_ = forgetful_ && (!rule || rule->rule == Visibility::latest);
  const auto threads = static_cast<std::uint32_t>(code.threads.size());
  for (std::uint32_t v = 0; v < code.initial.size(); ++v)
    for (std::uint32_t target = 0; target < (model.to_each_thread ? threads : 1U); ++target)
      entries_.push_back({.variable = v, .target = target, .value = code.initial[v]});
}

void Buffer::append(const Completed& entry) {
  if (!forgetful_) return entries_.push_back(entry);
  const auto cell = std::ranges::find_if(entries_, [&](const Completed& e) {
    return e.variable == entry.variable && (!model_.to_each_thread || e.target == entry.target);
  });
  *cell = entry;
}

/// A default write stands for a write of every kind (UMM 4.2, 5.3).
bool Buffer::may_see(const Completed& read, const Completed& write, Operation kind) const {
  return write.variable == read.variable &&
         (write.thread == initial_thread ? true : write.operation == kind) &&
         info(write.operation).writes && (!model_.to_each_thread || write.target == read.thread);
}

bool Buffer::legal_latest(const Completed& read, std::size_t write, Operation kind) const {
  for (auto later = write + 1; later < entries_.size(); ++later)
    if (may_see(read, entries_[later], kind)) return false;
  return true;
}

bool Buffer::legal_frozen(const Completed& read, const Completed& write) const {
  if (write.thread != initial_thread) return true;
  return std::ranges::none_of(entries_, [&](const Completed& e) {
    if (e.variable != read.variable || e.thread == initial_thread) return false;
    return e.operation == Operation::freeze ||
           (e.operation == Operation::write_final && e.thread == read.thread);
  });
}

std::vector<graph::Value> Buffer::legal_ordered(const Completed& read, Operation kind) const {
  const LocationConsistency lc(entries_, read);
  std::vector<std::size_t> writes;
  for (std::size_t w = 0; w < entries_.size(); ++w)
    if (may_see(read, entries_[w], kind)) writes.push_back(w);
  std::vector<graph::Value> values;
  for (const auto w : writes) {
    const auto& write = entries_[w];
    if (write.thread == read.thread && write.position >= read.position) continue;
    const bool hidden = std::ranges::any_of(writes, [&](std::size_t between) {
      return lc.ordered(lc.read(), between) && lc.ordered(between, w);
    });
    if (!hidden) values.push_back(write.value);
  }
  return values;
}

std::vector<graph::Value> Buffer::legal(const Completed& read) const {
  const auto visible = *model_.visible[static_cast<std::size_t>(read.operation)];
  std::vector<graph::Value> values;
  if (visible.rule == Visibility::ordered) {
    values = legal_ordered(read, visible.write);
  } else {
    for (std::size_t w = 0; w < entries_.size(); ++w) {
      if (!may_see(read, entries_[w], visible.write)) continue;
      const bool legal = visible.rule == Visibility::latest ? legal_latest(read, w, visible.write)
                                                            : legal_frozen(read, entries_[w]);
      if (legal) values.push_back(entries_[w].value);
    }
  }
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

} // namespace thinair::umm
