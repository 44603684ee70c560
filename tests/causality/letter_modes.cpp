// An update is one event here, and a read and a write outside.
#include "tests/causality/letter_modes.h"

#include <algorithm>
#include <functional>
#include <map>

namespace thinair::causality::letter {
namespace {

using Mask = std::uint32_t;
using litmus::Fence;
using litmus::Mode;

Mask bit(std::size_t i) { return Mask{1} << i; }

/// A relation over at most 32 events.
struct Pairs {
  std::vector<Mask> rows;

  bool has(std::size_t a, std::size_t b) const { return (rows[a] & bit(b)) != 0; }
  void add(std::size_t a, std::size_t b) { rows[a] |= bit(b); }

  Pairs operator|(const Pairs& other) const {
    Pairs out = *this;
    for (std::size_t a = 0; a < rows.size(); ++a) out.rows[a] |= other.rows[a];
    return out;
  }
  Pairs operator&(const Pairs& other) const {
    Pairs out = *this;
    for (std::size_t a = 0; a < rows.size(); ++a) out.rows[a] &= other.rows[a];
    return out;
  }
  /// One after the other.
  Pairs then(const Pairs& other) const {
    Pairs out{std::vector<Mask>(rows.size(), 0)};
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = 0; b < rows.size(); ++b)
        if (has(a, b)) out.rows[a] |= other.rows[b];
    return out;
  }
  Pairs from(Mask set) const {
    Pairs out = *this;
    for (std::size_t a = 0; a < rows.size(); ++a)
      if ((set & bit(a)) == 0) out.rows[a] = 0;
    return out;
  }
  Pairs to(Mask set) const {
    Pairs out = *this;
    for (auto& row : out.rows) row &= set;
    return out;
  }
  Pairs inverse() const {
    Pairs out{std::vector<Mask>(rows.size(), 0)};
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = 0; b < rows.size(); ++b)
        if (has(a, b)) out.add(b, a);
    return out;
  }
  Pairs closed() const {
    Pairs out = *this;
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t a = 0; a < rows.size(); ++a)
        if (out.has(a, k)) out.rows[a] |= out.rows[k];
    return out;
  }
  bool loops() const { // some event is before itself
    for (std::size_t a = 0; a < rows.size(); ++a)
      if (has(a, a)) return true;
    return false;
  }
  bool cycles() const { return closed().loops(); }
};

class Judge {
 public:
  explicit Judge(const Candidate& c) : c_(c) {
    for (std::size_t a = 0; a < c.actions.size(); ++a) {
      const bool second_half = c.actions[a].updates;
      if (!second_half) first_.push_back(a);
      event_.push_back(first_.size() - 1);
    }
    n_ = first_.size();
    classify();
    relate();
    synchronize();
  }

  Opinion run() {
    Opinion out;
    out.stage = consistent();
    if (!out.stage) return out;
    out.shows = !visibility_fails() && !kept_order_fails() && some_coherence_holds();
    lift(out);
    return out;
  }

 private:
  Pairs none() const { return {std::vector<Mask>(n_, 0)}; }
  Pairs same_event(Mask set) const {
    auto out = none();
    for (std::size_t e = 0; e < n_; ++e)
      if ((set & bit(e)) != 0) out.add(e, e);
    return out;
  }

  void classify() {
    for (std::size_t a = 0; a < c_.actions.size(); ++a) {
      const auto& action = c_.actions[a];
      const Mask e = bit(event_[a]);
      const bool strong = action.mode == Mode::volatile_;
      if (action.deed == Deed::read) {
        reads_ |= e;
        if (strong || action.mode == Mode::acquire) acquire_reads_ |= e;
        if (action.mode != Mode::plain || action.of_update) careful_ |= e;
      } else if (action.deed == Deed::write) {
        writes_ |= e;
        if (strong || action.mode == Mode::release) release_writes_ |= e;
        if (action.updates) updates_ |= e;
      } else if (action.deed == Deed::fence) {
        classify_fence(action.fence, e);
      }
      if (strong && (action.deed == Deed::read || action.deed == Deed::write)) volatile_ |= e;
    }
  }

  void classify_fence(Fence fence, Mask e) {
    if (fence == Fence::full) full_ |= e;
    if (fence == Fence::full || fence == Fence::acquire) acquire_fences_ |= e;
    if (fence == Fence::full || fence == Fence::release) release_fences_ |= e;
    if (fence == Fence::load_load) load_fences_ |= e;
    if (fence == Fence::store_store) store_fences_ |= e;
  }

  const Action& action(std::size_t e) const { return c_.actions[first_[e]]; }
  bool initial(std::size_t e) const { return action(e).thread == c_.nobody; }
  bool accesses(std::size_t e) const { return ((reads_ | writes_) & bit(e)) != 0; }
  bool deeds(std::size_t a, std::size_t b, Deed first, Deed second) const {
    return action(a).deed == first && action(b).deed == second &&
           action(a).object == action(b).object;
  }

  void relate() {
    po_ = loc_ = rf_ = so_ = life_ = begins_ = none();
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = 0; b < n_; ++b) {
        const bool in_thread = !initial(a) && action(a).thread == action(b).thread;
        if (in_thread && a < b) po_.add(a, b);
        if (accesses(a) && accesses(b) && action(a).object == action(b).object) loc_.add(a, b);
        if (initial(a) && !initial(b)) begins_.add(a, b);
        if (deeds(a, b, Deed::start, Deed::begin) || deeds(a, b, Deed::end, Deed::join))
          life_.add(a, b);
      }
    for (std::size_t i = 0; i < c_.so.size(); ++i)
      for (std::size_t j = i + 1; j < c_.so.size(); ++j)
        if (event_[c_.so[i]] != event_[c_.so[j]]) so_.add(event_[c_.so[i]], event_[c_.so[j]]);
    for (std::size_t a = 0; a < c_.actions.size(); ++a)
      if (c_.actions[a].deed == Deed::read) rf_.add(event_[c_.reads_from[a]], event_[a]);
  }

  void synchronize() {
    const auto so_loc = so_ & loc_;
    auto monitors = none();
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = 0; b < n_; ++b)
        if (so_.has(a, b) && deeds(a, b, Deed::unlock, Deed::lock)) monitors.add(a, b);
    const Mask hearing = reads_ & volatile_ & ~answered_by_own_weaker_write();
    const auto jls = monitors | so_loc.from(writes_ & volatile_).to(hearing) | life_;
    // from what releases, along updates, to what acquires
    const auto all = static_cast<Mask>((std::uint64_t{1} << n_) - 1);
    const auto released = same_event(release_writes_) | po_.from(release_fences_).to(writes_);
    const auto acquired = same_event(acquire_reads_) | po_.from(reads_).to(acquire_fences_);
    const auto sequence = rf_.to(updates_).closed() | same_event(all);
    sw_ = jls | released.then(sequence).then(rf_).then(acquired) | so_.from(full_).to(full_);
    hb_ = (po_ | sw_ | begins_).closed();
    const auto noticed = rf_.then(po_.from(reads_).to(acquire_fences_ | release_fences_));
    const auto fenced = po_.from(release_fences_).to(writes_);
    auto behind_fences = none();
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = 0; b < n_; ++b)
        if (fenced.has(a, b)) behind_fences.add(b, b);
    const auto heard = behind_fences.then(sequence).then(rf_).then(acquired);
    committed_ = (hb_ | noticed | heard).closed();
  }

  Mask answered_by_own_weaker_write() const {
    Mask out = 0;
    for (std::size_t w = 0; w < n_; ++w)
      for (std::size_t r = w + 1; r < n_; ++r)
        if (rf_.has(w, r) && !initial(w) && action(w).thread == action(r).thread &&
            (volatile_ & bit(w)) == 0)
          out |= bit(r);
    return out;
  }

  /// JLS 17.4.5 and 17.4.7.
  bool consistent() const {
    if ((so_ | hb_).cycles() || rf_.then(hb_).loops()) return false;
    const auto hb_loc = hb_ & loc_, so_loc = so_ & loc_;
    if (rf_.then(so_loc).loops() || committed_.loops()) return false;
    for (std::size_t r = 0; r < n_; ++r)
      for (std::size_t w = 0; w < n_; ++w) {
        if (!rf_.has(w, r)) continue;
        for (std::size_t between = 0; between < n_; ++between) {
          if ((writes_ & bit(between)) == 0 || between == w) continue;
          if (hb_loc.has(w, between) && hb_loc.has(between, r)) return false;
          if (so_loc.has(w, between) && so_loc.has(between, r)) return false;
        }
      }
    return true;
  }

  /// From a write before a fence of stores, or before a release, to a read behind a fence of loads
  /// or an acquire, where the one is seen from the other.
  Pairs fenced() const {
    const auto out = po_.from(writes_).to(release_fences_ | store_fences_).then(po_).to(writes_) |
                     po_.from(writes_).to(release_writes_);
    return (out.then(rf_).then(looked())) & loc_;
  }
  Pairs looked() const {
    return po_.from(reads_).to(acquire_fences_ | load_fences_).then(po_).to(reads_) |
           po_.from(acquire_reads_).to(reads_);
  }

  bool visibility_fails() const {
    return (hb_ & loc_).from(writes_).then(fenced()).then(rf_.inverse()).loops();
  }

  bool kept_order_fails() const {
    auto elsewhere = none(); // seen by another thread
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = 0; b < n_; ++b)
        if (rf_.has(a, b) && action(a).thread != action(b).thread) elsewhere.add(a, b);
    const auto fences = release_fences_ | acquire_fences_;
    const auto keeps = po_.from(careful_).to(release_writes_) |
                       po_.from(acquire_reads_).to(writes_) |
                       po_.from(reads_).to(fences).then(po_).to(writes_) |
                       (po_ & loc_).from(careful_).to(writes_) | same_event(updates_);
    return elsewhere.then(keeps).cycles();
  }

  /// Some total order of the writes to each location, the initial one first, makes it coherent and
  /// agrees with volatile accesses and full fences.
  bool some_coherence_holds() const {
    std::map<std::uint32_t, std::vector<std::size_t>> written;
    for (std::size_t e = 0; e < n_; ++e)
      if ((writes_ & bit(e)) != 0) written[action(e).object].push_back(e);
    const std::function<bool(std::map<std::uint32_t, std::vector<std::size_t>>::iterator, Pairs)>
        order = [&](auto at, const Pairs& co) {
          if (at == written.end()) return coherent(co) && volatile_in_order(co);
          auto some = at->second; // initial writes come first, and have the least numbers
          do {
            auto more = co;
            for (std::size_t i = 0; i < some.size(); ++i)
              for (std::size_t j = i + 1; j < some.size(); ++j) more.add(some[i], some[j]);
            if (order(std::next(at), more)) return true;
          } while (std::next_permutation(some.begin() + 1, some.end()));
          return false;
        };
    return order(written.begin(), none());
  }

  Pairs later_than_read(const Pairs& co) const {
    auto fr = rf_.inverse().then(co);
    for (std::size_t e = 0; e < n_; ++e) fr.rows[e] &= ~bit(e);
    return fr;
  }

  bool coherent(const Pairs& co) const {
    const Mask keen = writes_ | careful_;
    const auto ordered = ((hb_ & loc_) | fenced()).from(keen).to(keen) | (looked() & loc_);
    return !(ordered | rf_ | co | later_than_read(co)).cycles();
  }

  bool volatile_in_order(const Pairs& co) const {
    const auto fr = later_than_read(co);
    const auto eco = rf_ | co | co.then(rf_) | fr | fr.then(rf_);
    auto elsewhere = po_;
    for (std::size_t a = 0; a < n_; ++a) elsewhere.rows[a] &= ~loc_.rows[a];
    const auto steps = po_ | elsewhere.then(hb_).then(elsewhere) | (hb_ & loc_) | co | fr;
    const auto start = same_event(volatile_ | full_) | hb_.from(full_);
    const auto end = same_event(volatile_ | full_) | hb_.to(full_);
    const auto fences = (hb_ | hb_.then(eco).then(hb_)).from(full_).to(full_);
    const auto updates = po_.from(volatile_ & updates_).to(acquire_reads_).then(fr).to(volatile_);
    return !(so_ | start.then(steps).then(end) | fences | updates).cycles();
  }

  /// Both halves of an update are ordered alike, its read before its write; what synchronizes with
  /// it does so with its read, and its write with others.
  void lift(Opinion& out) const {
    const auto count = c_.actions.size();
    out.so.assign(count, 0);
    out.sw = out.hb = out.so;
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b) {
        if (a == b) continue;
        const auto x = event_[a], y = event_[b];
        const bool halves = x == y && a < b;
        const bool last = a + 1 == count || event_[a + 1] != x;
        if (so_.has(x, y) || (halves && (volatile_ & bit(x)) != 0)) out.so[a] |= bit(b);
        if (committed_.has(x, y) || halves) out.hb[a] |= bit(b);
        if (sw_.has(x, y) && x != y && last && first_[y] == b) out.sw[a] |= bit(b);
      }
  }

  const Candidate& c_;
  std::vector<std::size_t> event_; // by action
  std::vector<std::size_t> first_; // by event: its action, or its read
  std::size_t n_ = 0;
  Mask reads_ = 0, writes_ = 0, updates_ = 0, careful_ = 0, volatile_ = 0;
  Mask acquire_reads_ = 0, release_writes_ = 0;
  Mask full_ = 0, acquire_fences_ = 0, release_fences_ = 0, load_fences_ = 0, store_fences_ = 0;
  Pairs po_, loc_, rf_, so_, life_, begins_, sw_, hb_, committed_;
};

} // namespace

Opinion opinion_on(const Candidate& candidate) { return Judge(candidate).run(); }

} // namespace thinair::causality::letter
