// The workers of a campaign: they take streams, work through chunks of them and commit these.
#include "campaign/campaign.h"

#include "campaign/coverage.h"
#include "campaign/judging.h"
#include "campaign/run_clock.h"
#include "campaign/stream.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace thinair::campaign {
namespace {

constexpr std::uint64_t model_interval = 32; // programs of a stream
constexpr auto progress_interval = std::chrono::milliseconds(500);

class Runner {
 public:
  Runner(const Settings& settings, const Judge& judge, const Events& events,
         const std::atomic<bool>& stop)
      : settings_(settings), events_(events),
        store_(Store::open(settings.directory, settings.identity)),
        clock_(settings, store_.elapsed_s(), stop), judging_(settings, judge, events, clock_),
        total_(settings.space ? std::optional(count_of(*settings.space)) : settings.programs) {
    recall();
  }

  Progress run() {
    if (const auto end = clock_.end(); events_.deadline && end) events_.deadline(*end);
    std::vector<std::jthread> workers;
    for (std::uint32_t i = 0; i < std::max(1U, settings_.jobs); ++i)
      workers.emplace_back([this] { work(); });
    try {
      watch(workers.size());
    } catch (...) { // the store cannot be written, say
      fail(std::current_exception());
    }
    workers.clear(); // joins
    if (failure_) std::rethrow_exception(failure_);
    programs_ = store_.program_count();
    note_coverage(store_.coverage());
    report(true);
    return progress();
  }

 private:
  /// What earlier runs learnt.
  void recall() {
    std::vector<StreamRow> rows = store_.streams();
    for (std::uint32_t s = settings_.shard; s < settings_.identity.streams; s += settings_.shards) {
      const auto found = std::ranges::find(rows, s, &StreamRow::stream);
      streams_.push_back(std::make_unique<Stream>(settings_, total_, store_,
                                                  found == rows.end() ? StreamRow{s} : *found));
      const Stream& stream = *streams_.back();
      drawn_ += stream.row.next_index;
      if (total_) to_draw_ += std::max(stream.limit(), stream.row.next_index);
      if (!stream.done()) idle_.push_back(streams_.back().get());
    }
    judging_.recall(store_);
    for (const auto& row : store_.mismatches()) {
      remember_find(row);
      count(row);
    }
    programs_ = store_.program_count();
    earlier_programs_ = programs_;
    earlier_drawn_ = drawn_;
    note_coverage(store_.coverage());
  }

  /// Of the campaign at the beginning and the end of a run; between, of the stream that has come
  /// farthest where that is more.
  void note_coverage(const Counts& counts) {
    coverage_ = std::max<std::uint64_t>(coverage_, combinations_covered(counts));
    model_parts_ = std::max<std::uint64_t>(model_parts_, parts_covered(counts));
  }

  void remember_find(const MismatchRow& row) {
    const auto stream = std::ranges::find_if(
        streams_, [&](const auto& s) { return s->row.stream == row.place.stream; });
    if (stream != streams_.end() && !row.minimal.empty())
      (*stream)->recall_find({row.target, row.minimal_hash});
  }

  /// Of all programs of the space. Throws LimitReached where the time is over before.
  std::uint64_t count_of(const gen::Space& space) const {
    const auto number = gen::count(space, [this] { return clock_.over(); });
    if (!number)
      throw LimitReached(Limit::run_time, "time limit, while the programs were counted,");
    return *number;
  }

  /// A worker's life: take a stream, do a chunk of it, put it back.
  void work() {
    try {
      while (Stream* stream = take()) {
        do_chunk(*stream);
        give_back(*stream);
      }
    } catch (...) {
      fail(std::current_exception());
    }
    const std::scoped_lock guard(mutex_);
    ++finished_workers_;
    changed_.notify_all();
  }

  void fail(const std::exception_ptr& error) {
    const std::scoped_lock guard(mutex_);
    if (!failure_) failure_ = error;
    clock_.fail();
    changed_.notify_all();
  }

  /// The stream that waited longest; null when all are done or the run is over.
  Stream* take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return clock_.over() || !idle_.empty() || busy_ == 0; });
    if (clock_.over() || idle_.empty()) return nullptr;
    Stream* stream = idle_.front();
    idle_.pop_front();
    ++busy_;
    return stream;
  }

  void give_back(Stream& stream) {
    const std::scoped_lock guard(mutex_);
    --busy_;
    if (!stream.done()) idle_.push_back(&stream);
    changed_.notify_all();
  }

  void do_chunk(Stream& stream) {
    Chunk chunk;
    const std::uint64_t end = std::min(stream.limit(), stream.row.next_index + settings_.chunk);
    chunk.after = stream.row;
    while (stream.row.next_index < end && !clock_.over() && do_program(stream, chunk)) {
      chunk.after = stream.row;
      stream.pending.clear();
      ++drawn_;
    }
    for (const auto& [target, reduction] : stream.pending) chunk.pending.push_back(reduction);
    for (std::uint32_t t = 0; events_.baseline_fault && t < settings_.identity.targets.size(); ++t)
      if (auto fault = events_.baseline_fault(t)) chunk.baselines.push_back({t, std::move(*fault)});
    chunk.elapsed_s = clock_.elapsed_s();
    store_.commit(chunk);
    for (const auto& row : chunk.mismatches) announce(row);
    note_coverage(stream.steering.counts());
  }

  /// One program whole, added to the chunk; false, and nothing added, when the run was over before
  /// it was reduced. Then the stream is spent, but for `pending`.
  bool do_program(Stream& stream, Chunk& chunk) {
    if (settings_.ahead && events_.coming) tell_what_comes(stream);
    const auto made = stream.draw();
    const Place place{stream.row.stream, stream.row.next_index++};
    const auto canonical = litmus::canonical(made.program);
    const auto hash = litmus::content_hash(canonical);
    auto found = judging_.found(stream, canonical, hash, place);
    if (!found) return false;
    if (found->fresh) ++programs_; // not before: one that is interrupted is not counted
    chunk.programs.push_back(
        {hash, place, static_cast<std::uint8_t>(made.strategy), std::move(found->verdicts)});
    const auto& wrong = found->wrong;
    learn(stream, made, canonical, place, wrong, chunk.coverage);
    if (settings_.learn_from_finds && !wrong.empty() && stream.offer(canonical))
      chunk.offered.push_back(litmus::print(as_test(canonical, "offered")));
    std::ranges::move(found->wrong, std::back_inserter(chunk.mismatches));
    std::ranges::move(found->undecided, std::back_inserter(chunk.undecided));
    return true;
  }

  /// As far as the next program after which parts of the model are learnt.
  void tell_what_comes(Stream& stream) const {
    const std::uint64_t at = stream.row.next_index;
    auto programs = stream.look_ahead((model_interval - at % model_interval) % model_interval + 1);
    for (auto& program : programs) program = litmus::canonical(program);
    if (!programs.empty()) events_.coming(programs);
  }

  /// What a stream's next programs depend on.
  void learn(Stream& stream, const gen::Generated& made, const litmus::Program& canonical,
             Place place, const std::vector<MismatchRow>& wrong, Counts& stored) const {
    auto keys = coverage_keys(made.program);
    if (settings_.model_parts && place.index % model_interval == 0)
      std::ranges::move(settings_.model_parts(canonical), std::back_inserter(keys));
    stream.steering.learn(made.strategy, keys, stored);
    if (!settings_.learn_from_finds) return;
    for (const auto& row : wrong)
      if (!row.minimal.empty())
        stream.learn_find(made.strategy, {row.target, row.minimal_hash}, stored);
  }

  void count(const MismatchRow& row) {
    mismatched_.insert({row.target, row.hash});
    if (!row.minimal.empty()) minimal_.insert({row.target, row.minimal_hash});
  }

  void announce(const MismatchRow& row) {
    const std::scoped_lock guard(mutex_);
    const bool is_new = !row.minimal.empty() && !minimal_.contains({row.target, row.minimal_hash});
    count(row);
    if (is_new && events_.new_minimal) events_.new_minimal(row);
  }

  /// The main thread: reports until the workers are done.
  void watch(std::size_t workers) {
    std::unique_lock lock(mutex_);
    while (
        !changed_.wait_for(lock, progress_interval, [&] { return finished_workers_ == workers; })) {
      lock.unlock();
      changed_.notify_all(); // a worker that waits looks at the clock
      report(false);
      lock.lock();
    }
  }

  void report(bool last) {
    const auto now = progress();
    if (events_.progress) events_.progress(now);
    if (last || now.elapsed_s - sampled_s_ >= 1) {
      sampled_s_ = now.elapsed_s;
      store_.add_sample({now.elapsed_s, now.programs, now.mismatches, now.distinct});
    }
  }

  Progress progress() {
    const std::scoped_lock guard(mutex_);
    Progress out;
    out.elapsed_s = clock_.elapsed_s();
    out.programs = programs_;
    const auto counts = judging_.counts();
    out.skipped = counts.skipped;
    out.mismatches = mismatched_.size();
    out.distinct = minimal_.size();
    out.unknown = counts.unknown;
    out.unsupported = counts.unsupported;
    out.vacuous = counts.vacuous;
    out.coverage = coverage_;
    out.model_parts = model_parts_;
    out.programs_per_s =
        static_cast<double>(programs_ - earlier_programs_) / std::max(clock_.run_s(), 1e-3);
    out.drawn = drawn_;
    out.drawn_per_s = static_cast<double>(drawn_ - earlier_drawn_) / std::max(clock_.run_s(), 1e-3);
    if (total_) out.total = to_draw_;
    return out;
  }

  const Settings& settings_;
  const Events& events_;
  Store store_;
  RunClock clock_;
  Judging judging_;
  const std::optional<std::uint64_t> total_; // of all shards
  std::uint64_t to_draw_ = 0;                // of this one
  std::vector<std::unique_ptr<Stream>> streams_;

  std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  std::deque<Stream*> idle_;
  std::size_t busy_ = 0, finished_workers_ = 0;
  std::exception_ptr failure_;
  std::set<std::pair<std::uint32_t, litmus::ContentHash>> mismatched_, minimal_;

  std::atomic<std::uint64_t> programs_ = 0, coverage_ = 0, model_parts_ = 0, drawn_ = 0;
  std::uint64_t earlier_programs_ = 0, earlier_drawn_ = 0;
  double sampled_s_ = -1;
};

} // namespace

std::optional<double> eta_s(const Progress& progress) {
  if (!progress.total || progress.drawn_per_s <= 0) return std::nullopt;
  return static_cast<double>(*progress.total - std::min(*progress.total, progress.drawn)) /
         progress.drawn_per_s;
}

Progress run(const Settings& settings, const Judge& judge, const Events& events,
             const std::atomic<bool>& stop) {
  if (settings.shards == 0 || settings.shard >= settings.shards)
    throw InputError("error: part i of n needs 0 <= i < n");
  const auto streams = settings.identity.streams;
  if (streams == 0 || streams > Identity::most_streams)
    throw InputError(fmt::format("error: a campaign has 1 to {} streams, not {}",
                                 Identity::most_streams, streams));
  if (settings.shards > streams)
    throw InputError(fmt::format("error: {0} parts of a campaign with {1} streams: some would be "
                                 "empty\n  hint: at most {1} parts, or {0} streams in every part",
                                 settings.shards, streams));
  if (settings.identity.targets.size() > Identity::most_targets)
    throw InputError(fmt::format("error: a campaign has at most {} targets, not {}\n  hint: make "
                                 "two campaigns of them",
                                 Identity::most_targets, settings.identity.targets.size()));
  return Runner(settings, judge, events, stop).run();
}

} // namespace thinair::campaign
