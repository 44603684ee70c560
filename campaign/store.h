// The memory of a campaign: one SQLite file that survives being killed at any moment.
#pragma once

#include "campaign/coverage_key.h"
#include "campaign/identity.h"
#include "campaign/judge.h"
#include "litmus/canonical.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thinair::campaign {

/// Where in a campaign a program came up.
struct Place {
  std::uint32_t stream = 0;
  std::uint64_t index = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// A program tried, with its verdict on every target.
struct ProgramRow {
  litmus::ContentHash hash;
  Place place;
  std::uint8_t strategy = 0;
  std::vector<Verdict> verdicts; // by target
  friend bool operator==(const ProgramRow&, const ProgramRow&) = default;
};

/// A program that a target gets wrong. `minimal` is empty until it has been reduced.
struct MismatchRow {
  litmus::ContentHash hash; // of the original
  Place place;
  std::uint32_t target = 0;
  std::string original; // as a litmus test
  Finding finding;      // the first one of the original
  std::string minimal;  // as a litmus test
  litmus::ContentHash minimal_hash;
  Finding minimal_finding;
  std::uint32_t minimal_accesses = 0;
  std::uint64_t steps = 0, tried = 0; // of the reduction
  double found_after_s = 0; // wall time of the campaign when it was found; not part of equality
};

/// Why a target has no verdict on a program.
struct UndecidedRow {
  std::uint32_t target = 0;
  litmus::ContentHash hash;
  Verdict verdict = Verdict::unknown; // or unsupported, vacuous
  Reason reason;
  std::string program; // as a litmus test
};

/// A reduction that a run had no time to end, of the next program of a stream: the smallest program
/// so far. Not part of equality.
struct PendingReduction {
  std::uint32_t stream = 0;
  std::uint32_t target = 0;
  litmus::ContentHash hash;           // of the original
  std::string program;                // as a litmus test
  std::uint64_t steps = 0, tried = 0; // so far
};

/// A baseline's own fault, as a target's judge met it. Not part of equality: what is met depends on
/// where reductions were interrupted.
struct BaselineRow {
  std::uint32_t target = 0;
  BaselineFault fault;
};

/// How far a stream has come.
struct StreamRow {
  std::uint32_t stream = 0;
  std::uint64_t next_index = 0;
  std::uint64_t mismatches = 0, reductions = 0;
  friend bool operator==(const StreamRow&, const StreamRow&) = default;
};

/// One step of progress, stored whole or not at all.
struct Chunk {
  StreamRow after;
  std::vector<ProgramRow> programs;
  std::vector<MismatchRow> mismatches;
  std::vector<UndecidedRow> undecided;
  std::vector<std::string> offered; // programs for the stream's pool of mutants, as litmus tests
  Counts coverage;                  // of the programs of this chunk
  std::vector<PendingReduction> pending; // replaces those of the stream
  std::vector<BaselineRow> baselines;    // the smallest of each target stays
  double elapsed_s = 0;
};

/// A point of the throughput plot.
struct Sample {
  double elapsed_s = 0;
  std::uint64_t programs = 0, mismatches = 0, distinct = 0;
};

/// All members throw InputError with a clear message when the file cannot be written (full disk,
/// read-only directory), is corrupted, was written by a newer version, or is in use by another
/// campaign; what was stored before stays untouched.
class Store {
 public:
  /// Opens DIR/campaign.db, creating directory and file, and takes the campaign's lock. An older
  /// store is brought up to date.
  static Store open(const std::string& directory, const Identity& identity);

  /// Opens an existing one to read it, as it is at this moment: for reports and merges. Takes no
  /// lock.
  static Store open_existing(const std::string& directory);
  static Store open_file(const std::string& path);

  /// Makes DIR/campaign.db the union of these stores of the same identity, and of what it was: of
  /// programs, mismatches, coverage and streams. It is made beside and takes its place when it is
  /// whole.
  static void unite(const std::string& directory, const std::vector<std::string>& parts);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const Identity& identity() const;

  void commit(const Chunk& chunk);
  void add_sample(const Sample& sample);

  std::vector<StreamRow> streams() const;
  void each_program(const std::function<void(const ProgramRow&)>& f) const; // by hash
  std::vector<MismatchRow> mismatches() const;                              // by target, place
  std::vector<UndecidedRow> undecided() const;      // by target, hash; of programs since version 3
  std::vector<BaselineRow> baseline_faults() const; // by target; since version 5
  Counts coverage() const;                          // over all streams
  Counts coverage(std::uint32_t stream) const;
  std::vector<std::string>
  offered(std::uint32_t stream) const; // in the order in which they were offered
  std::vector<PendingReduction> pending(std::uint32_t stream) const; // by target
  std::vector<Sample> samples() const;
  double elapsed_s() const;

  std::uint64_t program_count() const;
  std::vector<std::vector<std::uint64_t>> verdict_counts() const; // [target][verdict]

  int version() const;        // of the file
  bool has_checksums() const; // since version 4

  /// Reads everything, programs as programs. Throws InputError where something cannot be.
  void examine() const;

  /// Everything but times, as text: two stores with equal digests know the same.
  std::string digest() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  /// `directory` is how messages call it.
  static Store open_to_write(const std::string& path, const std::string& directory,
                             const Identity& identity, const std::string& journal);
  void verify();
  void merge(const Store& other);

  std::unique_ptr<Impl> impl_;
};

} // namespace thinair::campaign
