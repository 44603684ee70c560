// The workers of a campaign: streams, chunks, duplicates, reductions.
#include "campaign/campaign.h"

#include "campaign/coverage.h"
#include "campaign/known.h"
#include "campaign/stream.h"
#include "gen/reduce.h"
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

/// Thrown when a program is to be judged or reduced by a later run.
struct Interrupted {};

class Runner {
 public:
  Runner(const Settings& settings, const Judge& judge, const Events& events,
         const std::atomic<bool>& stop)
      : settings_(settings), judge_(judge), events_(events), stop_(stop),
        store_(Store::open(settings.directory, settings.identity)), earlier_s_(store_.elapsed_s()),
        total_(settings.space ? std::optional(count_of(*settings.space)) : settings.programs) {
    recall();
  }

  Progress run() {
    if (events_.deadline && settings_.seconds)
      events_.deadline(started_ +
                       std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                           std::chrono::duration<double>(*settings_.seconds + settings_.grace_s)));
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
    store_.each_program([this](const ProgramRow& row) { known_.learn(row.hash, row.verdicts); });
    for (const auto& row : store_.mismatches()) {
      remember_find(row);
      if (!row.minimal.empty()) known_.learn_minimal(row);
      count(row);
    }
    for (const auto& counts : store_.verdict_counts()) {
      unsupported_ += counts.at(static_cast<std::size_t>(Verdict::unsupported));
      unknown_ += counts.at(static_cast<std::size_t>(Verdict::unknown));
      vacuous_ += counts.at(static_cast<std::size_t>(Verdict::vacuous));
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
      (*stream)->finds.insert({row.target, row.minimal_hash});
  }

  bool over() const {
    return stop_ || failed_ || (settings_.seconds && run_s() >= *settings_.seconds);
  }

  /// Past the grace, too: what is being judged or reduced is left to a later run.
  bool late() const {
    return stop_ || failed_ ||
           (settings_.seconds && run_s() >= *settings_.seconds + settings_.grace_s);
  }

  /// Of all programs of the space. Throws LimitReached where the time is over before.
  std::uint64_t count_of(const gen::Space& space) const {
    const auto number = gen::count(space, [this] { return over(); });
    if (!number)
      throw LimitReached(Limit::run_time, "time limit, while the programs were counted,");
    return *number;
  }

  double run_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }
  double elapsed_s() const { return earlier_s_ + run_s(); }

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
    failed_ = true;
    changed_.notify_all();
  }

  /// The stream that waited longest; null when all are done or the run is over.
  Stream* take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return over() || !idle_.empty() || busy_ == 0; });
    if (over() || idle_.empty()) return nullptr;
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
    while (stream.row.next_index < end && !over() && do_program(stream, chunk)) {
      chunk.after = stream.row;
      stream.pending.clear();
      ++drawn_;
    }
    for (const auto& [target, reduction] : stream.pending) chunk.pending.push_back(reduction);
    chunk.elapsed_s = elapsed_s();
    store_.commit(chunk);
    for (const auto& row : chunk.mismatches) announce(row);
    note_coverage(stream.steering.counts());
  }

  /// One program whole, added to the chunk; false, and nothing added, when the run was over before
  /// it was reduced. Then the stream is spent, but for `pending`.
  bool do_program(Stream& stream, Chunk& chunk) {
    const auto made = stream.draw();
    const Place place{stream.row.stream, stream.row.next_index++};
    const auto canonical = litmus::canonical(made.program);
    const auto hash = litmus::content_hash(canonical);
    std::vector<Verdict> verdicts;
    std::vector<MismatchRow> wrong;
    std::vector<UndecidedRow> undecided;
    bool fresh = false;
    try {
      verdicts = judged(canonical, hash, fresh);
      for (std::uint32_t t = 0; t < verdicts.size(); ++t)
        if (verdicts[t] == Verdict::unsound)
          wrong.push_back(mismatch(stream, canonical, hash, place, t));
        else if (auto row = known_.undecided(t, hash)) {
          row->program = litmus::print(as_test(canonical, "undecided"));
          undecided.push_back(*std::move(row));
        }
    } catch (const Interrupted&) {
      return false;
    }
    if (fresh) ++programs_; // not before: one that is interrupted is not counted
    chunk.programs.push_back({hash, place, static_cast<std::uint8_t>(made.strategy), verdicts});
    learn(stream, made, canonical, place, wrong, chunk.coverage);
    if (settings_.learn_from_finds && !wrong.empty() && stream.offer(canonical))
      chunk.offered.push_back(litmus::print(as_test(canonical, "offered")));
    std::ranges::move(wrong, std::back_inserter(chunk.mismatches));
    std::ranges::move(undecided, std::back_inserter(chunk.undecided));
    return true;
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
      if (!row.minimal.empty() && stream.finds.insert({row.target, row.minimal_hash}).second)
        stream.steering.learn_find(made.strategy, stored);
  }

  /// The verdict on each target, from memory where another stream had the same program; else it
  /// is `fresh`.
  std::vector<Verdict> judged(const litmus::Program& program, const litmus::ContentHash& hash,
                              bool& fresh) {
    if (auto verdicts = known_.verdicts(hash)) {
      ++skipped_;
      return *std::move(verdicts);
    }
    std::vector<Verdict> verdicts;
    for (std::size_t t = 0; t < settings_.identity.targets.size(); ++t) {
      const auto judgement = judge_(program, t);
      if (judgement.verdict == Verdict::unknown && late()) throw Interrupted(); // a want of time
      verdicts.push_back(judgement.verdict);
      unknown_ += judgement.verdict == Verdict::unknown ? 1 : 0;
      unsupported_ += judgement.verdict == Verdict::unsupported ? 1 : 0;
      vacuous_ += judgement.verdict == Verdict::vacuous ? 1 : 0;
      if (is_undecided(judgement.verdict))
        known_.learn_undecided(
            {static_cast<std::uint32_t>(t), hash, judgement.verdict, judgement.reason, {}});
    }
    fresh = known_.learn(hash, verdicts);
    return verdicts;
  }

  /// A stream reduces its first mismatches and then so many that reducing does not eat the
  /// campaign (an exhaustive one reduces them all); counted whether or not another stream has done
  /// the work already, so that the result does not depend on timing.
  bool may_reduce(Stream& stream) const {
    ++stream.row.mismatches;
    const bool enough = !settings_.space && stream.row.reductions >= 4 + stream.row.next_index / 16;
    if (!settings_.reduce || enough) return false;
    ++stream.row.reductions;
    return true;
  }

  MismatchRow mismatch(Stream& stream, const litmus::Program& program,
                       const litmus::ContentHash& hash, Place place, std::uint32_t target) {
    MismatchRow row;
    row.hash = hash;
    row.place = place;
    row.target = target;
    row.original =
        litmus::print(as_test(program, "original-" + litmus::to_string(hash).substr(0, 8)));
    row.found_after_s = elapsed_s();
    const bool reduce = may_reduce(stream);
    if (const auto done = known_.minimal(target, hash)) {
      row.finding = done->finding;
      if (reduce) known_.copy_minimal(*done, row);
      return row;
    }
    row.finding = first_finding(judge_(program, target));
    if (!reduce) return row;
    reduce_into(row, program, stream);
    known_.learn_minimal(row);
    return row;
  }

  Finding first_finding(const Judgement& judgement) const {
    if (judgement.findings.empty() && late()) throw Interrupted();
    THINAIR_CHECK(!judgement.findings.empty(), "an unsound program with nothing found");
    return judgement.findings.front();
  }

  /// What is shown stays within the modes that were asked for.
  bool is_spoken_of(const litmus::Program& program) const {
    if (settings_.space) return gen::within_modes(*settings_.space, program);
    return settings_.profile.mixed_modes > 0 || !gen::mixes_modes(program);
  }

  /// Of the canonical form, as of every program of a campaign: what is remembered is of that, and
  /// an implementation may tell other constants apart.
  gen::Interest interest(const litmus::Program& program, std::uint32_t target) {
    if (!is_spoken_of(program)) return gen::Interest::no;
    const auto canonical = litmus::canonical(program);
    const auto known = known_.verdicts(litmus::content_hash(canonical));
    return interest_of(known ? known->at(target) : judge_(canonical, target).verdict);
  }

  /// Where a reduction begins.
  struct Beginning {
    litmus::Program program;
    std::uint64_t steps = 0, tried = 0; // that led there
  };

  /// Whether a smaller program shows it too: a JVM may not, even where it did before.
  bool still_shows(const litmus::Program& smaller, std::uint32_t target) {
    const auto shows = interest(smaller, target);
    if (shows != gen::Interest::yes && late()) throw Interrupted();
    return shows == gen::Interest::yes;
  }

  /// Where an earlier run was interrupted, or at a shortcut.
  Beginning beginning(const MismatchRow& row, const litmus::Program& program,
                      const PendingReduction& pending) {
    if (pending.hash == row.hash) {
      auto smaller = litmus::parse({"store", pending.program}).java();
      if (still_shows(smaller, row.target))
        return {std::move(smaller), pending.steps, pending.tried};
    } else if (events_.shortcut) {
      auto smaller = events_.shortcut(program, row.target);
      if (smaller && still_shows(*smaller, row.target)) return {*std::move(smaller), 1, 1};
    }
    return {program};
  }

  /// What is reduced in this run stays in `stream.pending` until the program is stored.
  gen::Reduction reduce(const MismatchRow& row, const litmus::Program& program, Stream& stream) {
    auto& pending = stream.pending[row.target];
    const auto begin = beginning(row, program, pending);
    bool is_begin = true; // known to show it
    const auto keeps = [&](const litmus::Program& p) {
      const auto shows =
          std::exchange(is_begin, false) ? gen::Interest::yes : interest(p, row.target);
      if (shows == gen::Interest::yes && events_.reducing) events_.reducing(p, row.target);
      return shows;
    };
    auto reduction =
        gen::reduce(begin.program, keeps, {settings_.max_tries, [this] { return late(); }});
    reduction.steps += begin.steps;
    reduction.tried += begin.tried;
    pending = {row.place.stream, row.target,
               row.hash,         litmus::print(as_test(reduction.program, "pending")),
               reduction.steps,  reduction.tried};
    if (reduction.interrupted || late()) throw Interrupted(); // or its last answers came late
    return reduction;
  }

  void reduce_into(MismatchRow& row, const litmus::Program& program, Stream& stream) {
    const auto reduction = reduce(row, program, stream);
    const auto minimal = litmus::canonical(reduction.program);
    row.minimal_hash = litmus::content_hash(minimal);
    row.minimal = litmus::print(
        as_test(minimal, "minimal-" + litmus::to_string(row.minimal_hash).substr(0, 8)));
    row.minimal_finding = first_finding(judge_(minimal, row.target));
    if (events_.reason) {
      auto why = events_.reason(minimal, row.target);
      row.minimal_finding.reason = std::move(why.reason);
      row.minimal_finding.seen = std::move(why.seen);
    }
    if (late()) throw Interrupted(); // what is said of it was asked too late, too
    row.minimal_accesses = static_cast<std::uint32_t>(litmus::count_accesses(minimal));
    row.steps = reduction.steps;
    row.tried = reduction.tried;
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
    out.elapsed_s = elapsed_s();
    out.programs = programs_;
    out.skipped = skipped_;
    out.mismatches = mismatched_.size();
    out.distinct = minimal_.size();
    out.unknown = unknown_;
    out.unsupported = unsupported_;
    out.vacuous = vacuous_;
    out.coverage = coverage_;
    out.model_parts = model_parts_;
    out.programs_per_s =
        static_cast<double>(programs_ - earlier_programs_) / std::max(run_s(), 1e-3);
    out.drawn = drawn_;
    out.drawn_per_s = static_cast<double>(drawn_ - earlier_drawn_) / std::max(run_s(), 1e-3);
    if (total_) out.total = to_draw_;
    return out;
  }

  const Settings& settings_;
  const Judge& judge_;
  const Events& events_;
  const std::atomic<bool>& stop_;
  std::atomic<bool> failed_ = false;
  Store store_;
  const double earlier_s_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const std::optional<std::uint64_t> total_; // of all shards
  std::uint64_t to_draw_ = 0;                // of this one
  Known known_;
  std::vector<std::unique_ptr<Stream>> streams_;

  std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  std::deque<Stream*> idle_;
  std::size_t busy_ = 0, finished_workers_ = 0;
  std::exception_ptr failure_;
  std::set<std::pair<std::uint32_t, litmus::ContentHash>> mismatched_, minimal_;

  std::atomic<std::uint64_t> programs_ = 0, skipped_ = 0, unknown_ = 0, unsupported_ = 0,
                             vacuous_ = 0, coverage_ = 0, model_parts_ = 0, drawn_ = 0;
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
