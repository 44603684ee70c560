// Rows of a store as values: bound to statements column by column, and read back with a check of
// every value, so that a store without checksums cannot put nonsense into a campaign either.
#pragma once

#include "campaign/sqlite.h"
#include "campaign/store.h"

#include <string>

namespace thinair::campaign {

std::string bytes_of(const litmus::ContentHash& hash);

// All columns of the row's table, in order.
void bind(Query& query, const ProgramRow& row);
void bind(Query& query, const MismatchRow& row);
void bind(Query& query, const UndecidedRow& row);
void bind(Query& query, const PendingReduction& row);
void bind(Query& query, const BaselineRow& row);
void bind(Query& query, const StreamRow& row);
void bind(Query& query, const Sample& sample);

/// Reads all columns of a row's table, in order; a value that no campaign of this identity writes
/// is an InputError.
class RowReader {
 public:
  RowReader(Query& query, const Database& database, const Identity& identity)
      : query_(query), database_(database), identity_(identity) {}

  ProgramRow program();
  MismatchRow mismatch();
  UndecidedRow undecided();
  PendingReduction pending();
  BaselineRow baseline();
  StreamRow stream();
  Sample sample();
  std::pair<CoverageKey, std::uint64_t> coverage();
  std::pair<CoverageKey, std::uint64_t> counted(); // the last two columns of the same
  std::string offer();                             // the program

  std::vector<Verdict> verdicts();

 private:
  litmus::ContentHash hash();
  litmus::State state();
  std::uint32_t target();
  std::uint32_t stream_number();
  Place place();
  Verdict verdict(std::uint64_t value) const;

  Query& query_;
  const Database& database_;
  const Identity& identity_;
};

} // namespace thinair::campaign
