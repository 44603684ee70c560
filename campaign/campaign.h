// A campaign: a seeded, resumable stream of programs, judged on every target, its mismatches
// reduced and remembered.
//
// The programs come from a fixed number of streams, each a function of the seed and of what it
// found itself. A worker takes a stream, works through one chunk of it and commits that whole. So
// the set of finds depends on the seed and the number of programs only: not on jobs, not on being
// killed and resumed, and shards (streams i mod n) unite to the whole. An exhaustive campaign deals
// the programs of a space out to the streams, one each in turn.
#pragma once

#include "campaign/judge.h"
#include "campaign/store.h"
#include "gen/exhaustive.h"
#include "gen/profile.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace thinair::campaign {

struct Settings {
  std::string directory;
  Identity identity;
  gen::Profile profile;
  std::vector<litmus::Program> seeds;    // corpus tests to mutate
  std::optional<gen::Space> space;       // all of it instead of random programs
  std::optional<std::uint64_t> programs; // in total over all streams
  std::optional<double> seconds;
  double grace_s = 0; // after that, for what is being judged or reduced
  std::uint32_t jobs = 1;
  std::uint32_t shard = 0, shards = 1; // this one of so many
  litmus::Choices choices;             // by which accesses are compiled, where targets are mixes
  std::uint64_t max_tries = 20'000;    // a reduction's
  std::uint32_t candidates =
      2; // drawn for each program tested: the one with the rarest coverage is taken
  std::uint32_t chunk = 32; // programs of a stream between two commits: what a kill may lose
  bool reduce = true;
  /// How likely a candidate is to show something, where testing is so dear that asking pays: added
  /// to its score (rare coverage gives a few points). The same for the same program; called by
  /// several threads.
  std::function<double(const litmus::Program&)> promise;
  bool steer = true; // by coverage (campaign/coverage.h); off: to compare
  /// Finds are mutated, and move the weights of strategies. Off where what is found is chance: then
  /// what is drawn depends on the seed alone.
  bool learn_from_finds = true;
  /// Programs are drawn ahead of judging, and `coming` hears of them. What is drawn is the same:
  /// those that a find changes are drawn again.
  bool ahead = false;
  /// Parts of the model that a program exercises, asked of every 32nd program of a stream; the
  /// same for the same program, and called by several threads. May be absent.
  std::function<std::vector<CoverageKey>(const litmus::Program&)> model_parts;
};

/// A look at a running campaign, for the status line.
struct Progress {
  double elapsed_s = 0; // of this and earlier runs
  std::uint64_t programs = 0, skipped = 0, mismatches = 0, distinct = 0, unknown = 0,
                unsupported = 0, vacuous = 0, coverage = 0, model_parts = 0;
  double programs_per_s = 0;          // of this run
  std::uint64_t drawn = 0;            // by all runs: programs and their repetitions
  double drawn_per_s = 0;             // of this run
  std::optional<std::uint64_t> total; // to be drawn, where the campaign has an end; of this shard
};

/// Seconds until the end at the present rate; absent where there is no end, or no rate yet.
std::optional<double> eta_s(const Progress& progress);

/// What goes on: each reduced mismatch whose minimal program is new to the campaign, as soon as it
/// is stored.
struct Events {
  /// When the run will be over: what a judge cannot decide until then is done again by the next
  /// one.
  std::function<void(std::chrono::steady_clock::time_point)> deadline;
  std::function<void(const Progress&)> progress; // about twice a second
  std::function<void(const MismatchRow&)> new_minimal;
  /// Why the model forbids what a minimal program shows, and how often that was seen, where the
  /// judge leaves these open; the same for the same program, and called by several threads.
  std::function<Why(const litmus::Program&, std::uint32_t target)> reason;
  /// A smaller program that probably shows the same, to begin a reduction with; it is judged like
  /// any other before it is believed. Absent where there is none.
  std::function<std::optional<litmus::Program>(const litmus::Program&, std::uint32_t target)>
      shortcut;
  /// What a target's judge has met of its baseline's own faults by now; called by several threads.
  std::function<std::optional<BaselineFault>(std::uint32_t target)> baseline_fault;
  /// These, in their canonical form, will probably be judged next. Called by several threads.
  std::function<void(std::span<const litmus::Program>)> coming;
  /// A reduction has come to this program: its edits are what will be asked about next.
  std::function<void(const litmus::Program&, std::uint32_t target)> reducing;
};

/// Runs until the programs or the time are used up, or `stop` is set. Results are in the store.
Progress run(const Settings& settings, const Judge& judge, const Events& events,
             const std::atomic<bool>& stop);

/// How many of a stream's programs are its own in a run of `programs`.
std::uint64_t share(std::uint64_t programs, std::uint32_t stream, std::uint32_t streams);

} // namespace thinair::campaign
