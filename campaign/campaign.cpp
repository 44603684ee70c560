// The workers of a campaign: streams, chunks, duplicates, reductions.
#include "campaign/campaign.h"

#include "campaign/coverage.h"
#include "campaign/known.h"
#include "gen/generator.h"
#include "gen/reduce.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <set>
#include <thread>

namespace thinair::campaign {
namespace {

constexpr std::uint64_t chunk_programs = 32;
constexpr std::size_t offers_per_stream = 256;
constexpr auto progress_interval = std::chrono::milliseconds(500);

/// A stream of programs with what it has learnt. One worker at a time holds it.
struct Stream {
  Stream(const Settings& settings, const Store& store, StreamRow found);

  StreamRow row;
  std::uint64_t limit; // programs of its own; the largest number: no limit
  gen::Generator generator;
  std::map<std::string, std::uint64_t> coverage;
  std::size_t offers = 0;

  bool done() const { return row.next_index >= limit; }
};

litmus::Test as_test(const litmus::Program& program, std::string name) {
  litmus::Test test;
  test.name = std::move(name);
  test.program = program;
  return test;
}

Stream::Stream(const Settings& settings, const Store& store, StreamRow found)
    : row(found),
      limit(settings.programs ? share(*settings.programs, found.stream, settings.identity.streams)
                              : std::numeric_limits<std::uint64_t>::max()),
      generator(settings.profile, settings.identity.seed, found.stream),
      coverage(store.coverage(found.stream)) {
  for (const auto& seed : settings.seeds) generator.offer(seed);
  for (const auto& text : store.offered(found.stream)) {
    generator.offer(litmus::parse({"store", text}).java());
    ++offers;
  }
  generator.resume_at(row.next_index * settings.candidates);
}

class Runner {
 public:
  Runner(const Settings& settings, const Judge& judge, const Events& events,
         const std::atomic<bool>& stop)
      : settings_(settings), judge_(judge), events_(events), stop_(stop),
        store_(Store::open(settings.directory, settings.identity)), earlier_s_(store_.elapsed_s()) {
    recall();
  }

  Progress run() {
    std::vector<std::jthread> workers;
    for (std::uint32_t i = 0; i < std::max(1U, settings_.jobs); ++i)
      workers.emplace_back([this] { work(); });
    watch(workers.size());
    workers.clear(); // joins
    if (failure_) std::rethrow_exception(failure_);
    report(true);
    return progress();
  }

 private:
  /// What earlier runs learnt.
  void recall() {
    std::vector<StreamRow> rows = store_.streams();
    for (std::uint32_t s = settings_.shard; s < settings_.identity.streams; s += settings_.shards) {
      const auto found = std::ranges::find(rows, s, &StreamRow::stream);
      streams_.push_back(
          std::make_unique<Stream>(settings_, store_, found == rows.end() ? StreamRow{s} : *found));
      if (!streams_.back()->done()) idle_.push_back(streams_.back().get());
    }
    store_.each_program([this](const ProgramRow& row) { known_.learn(row.hash, row.verdicts); });
    for (const auto& row : store_.mismatches()) {
      if (!row.minimal.empty()) known_.learn_minimal(row);
      count(row);
    }
    for (const auto& counts : store_.verdict_counts()) {
      unsupported_ += counts.at(static_cast<std::size_t>(Verdict::unsupported));
      unknown_ += counts.at(static_cast<std::size_t>(Verdict::unknown));
    }
    programs_ = store_.program_count();
    earlier_programs_ = programs_;
    coverage_ = store_.coverage().size();
  }

  bool over() const {
    return stop_ || failed_ || (settings_.seconds && run_s() >= *settings_.seconds);
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
      const std::scoped_lock guard(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
    const std::scoped_lock guard(mutex_);
    ++finished_workers_;
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
    const std::uint64_t end = std::min(stream.limit, stream.row.next_index + chunk_programs);
    while (stream.row.next_index < end && !over()) do_program(stream, chunk);
    chunk.after = stream.row;
    chunk.elapsed_s = elapsed_s();
    store_.commit(chunk);
    for (const auto& row : chunk.mismatches) announce(row);
    coverage_ = std::max<std::uint64_t>(coverage_, stream.coverage.size());
  }

  /// The most novel of a few candidates: rare coverage keys count for more.
  gen::Generated draw(Stream& stream, std::vector<std::string>& keys) {
    std::optional<gen::Generated> best;
    double best_score = -1;
    for (std::uint32_t i = 0; i < settings_.candidates; ++i) {
      auto made = stream.generator.next();
      auto made_keys = coverage_keys(made.program);
      double score = settings_.promise ? settings_.promise(made.program) : 0;
      for (const auto& key : made_keys) {
        const auto found = stream.coverage.find(key);
        score +=
            1.0 / static_cast<double>(1 + (found == stream.coverage.end() ? 0 : found->second));
      }
      if (score <= best_score) continue;
      best_score = score;
      best = std::move(made);
      keys = std::move(made_keys);
    }
    return *std::move(best);
  }

  void do_program(Stream& stream, Chunk& chunk) {
    std::vector<std::string> keys;
    const auto made = draw(stream, keys);
    const Place place{stream.row.stream, stream.row.next_index++};
    for (const auto& key : keys) {
      ++stream.coverage[key];
      ++chunk.coverage[key];
    }
    const auto canonical = litmus::canonical(made.program);
    const auto hash = litmus::content_hash(canonical);
    const auto verdicts = judged(canonical, hash);
    chunk.programs.push_back({hash, place, static_cast<std::uint8_t>(made.strategy), verdicts});
    bool wrong = false;
    for (std::uint32_t t = 0; t < verdicts.size(); ++t) {
      if (verdicts[t] != Verdict::unsound) continue;
      wrong = true;
      chunk.mismatches.push_back(mismatch(stream, canonical, hash, place, t));
    }
    if (!wrong) return;
    if (stream.offers >= offers_per_stream) return;
    ++stream.offers;
    stream.generator.offer(canonical);
    chunk.offered.push_back(litmus::print(as_test(canonical, "offered")));
  }

  /// The verdict on each target, from memory where another stream had the same program.
  std::vector<Verdict> judged(const litmus::Program& program, const litmus::ContentHash& hash) {
    if (auto verdicts = known_.verdicts(hash)) {
      ++skipped_;
      return *std::move(verdicts);
    }
    std::vector<Verdict> verdicts;
    for (std::size_t t = 0; t < settings_.identity.targets.size(); ++t) {
      const auto judgement = judge_(program, t);
      verdicts.push_back(judgement.verdict);
      unknown_ += judgement.verdict == Verdict::unknown ? 1 : 0;
      unsupported_ += judgement.verdict == Verdict::unsupported ? 1 : 0;
    }
    if (known_.learn(hash, verdicts)) ++programs_;
    return verdicts;
  }

  /// A stream reduces its first mismatches and then so many that reducing does not eat the
  /// campaign; counted whether or not another stream has done the work already, so that the result
  /// does not depend on timing.
  bool may_reduce(Stream& stream) const {
    ++stream.row.mismatches;
    if (!settings_.reduce || stream.row.reductions >= 4 + stream.row.next_index / 16) return false;
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
    reduce_into(row, program);
    known_.learn_minimal(row);
    return row;
  }

  static Finding first_finding(const Judgement& judgement) {
    THINAIR_CHECK(!judgement.findings.empty(), "an unsound program with nothing found");
    return judgement.findings.front();
  }

  void reduce_into(MismatchRow& row, const litmus::Program& program) {
    const auto interesting = [&](const litmus::Program& p) {
      switch (judge_(p, row.target).verdict) {
      case Verdict::unsound: return gen::Interest::yes;
      case Verdict::sound: return gen::Interest::no;
      case Verdict::unsupported:
      case Verdict::unknown: return gen::Interest::unknown;
      }
      return gen::Interest::unknown;
    };
    const auto reduction = gen::reduce(program, interesting, {settings_.max_tries});
    const auto minimal = litmus::canonical(reduction.program);
    row.minimal_hash = litmus::content_hash(minimal);
    row.minimal = litmus::print(
        as_test(minimal, "minimal-" + litmus::to_string(row.minimal_hash).substr(0, 8)));
    row.minimal_finding = first_finding(judge_(minimal, row.target));
    if (events_.reason) row.minimal_finding.reason = events_.reason(minimal, row.target);
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
    out.coverage = coverage_;
    out.programs_per_s =
        static_cast<double>(programs_ - earlier_programs_) / std::max(run_s(), 1e-3);
    return out;
  }

  const Settings& settings_;
  const Judge& judge_;
  const Events& events_;
  const std::atomic<bool>& stop_;
  Store store_;
  const double earlier_s_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  Known known_;
  std::vector<std::unique_ptr<Stream>> streams_;

  std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  std::deque<Stream*> idle_;
  std::size_t busy_ = 0, finished_workers_ = 0;
  std::exception_ptr failure_;
  std::set<std::pair<std::uint32_t, litmus::ContentHash>> mismatched_, minimal_;

  std::atomic<bool> failed_ = false;
  std::atomic<std::uint64_t> programs_ = 0, skipped_ = 0, unknown_ = 0, unsupported_ = 0,
                             coverage_ = 0;
  std::uint64_t earlier_programs_ = 0;
  double sampled_s_ = -1;
};

} // namespace

std::uint64_t share(std::uint64_t programs, std::uint32_t stream, std::uint32_t streams) {
  return programs / streams + (stream < programs % streams ? 1 : 0);
}

Progress run(const Settings& settings, const Judge& judge, const Events& events,
             const std::atomic<bool>& stop) {
  if (settings.shards == 0 || settings.shard >= settings.shards)
    throw InputError("error: --shard i/n needs 0 <= i < n");
  return Runner(settings, judge, events, stop).run();
}

} // namespace thinair::campaign
