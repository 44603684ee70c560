// Published tables and the explanations of where ours differ from them, read from small texts
// (corpus/tables; the format is described in docs/corpus.md).
#pragma once

#include "litmus/text/source.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::cli::published {

/// What a source says of an outcome under a model.
enum class Mark : std::uint8_t {
  allowed,
  forbidden,
  always,    // herd's words: every execution shows it,
  sometimes, // some do,
  never,     // none does
  unsupported,
  unknown,
  vacuous, // nothing is allowed at all
  timeout,
  lost, // printed, but not in the texts that we have
  none, // not asked
};
std::string_view word(Mark mark); // as our tables show it

/// Whether it says what a model allows.
bool is_verdict(Mark mark);

/// One mark, and before it what its source had expected, where the source says so.
struct Cell {
  std::optional<Mark> expected;
  Mark found = Mark::none;
};

struct Column {
  std::string name;                 // "jam21"
  std::string heading;              // "herd-JAM21"
  std::vector<std::string> engines; // our engines that answer the same question
  text::Span span;                  // of what names them
};

struct Row {
  std::string name;        // as the source calls it
  std::string group;       // of a tally; may be empty
  std::string test, label; // of the corpus; both empty: a program that nobody could be shown
  std::vector<Cell> cells; // by column
  text::Span span;         // of the name
};

/// Pass, fail, unsupported of a group of rows, by column, as printed; "-" where not asked.
struct Tally {
  std::string group;
  std::vector<std::string> counts;
};

struct Table {
  text::Source source;
  std::string publication; // whose table it is
  std::string about;       // what to know of all tables of the publication
  std::string name, title;
  std::vector<std::string> notes;
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<Tally> tallies; // a table of tallies has no rows
};

/// Reads the tables of one file. Throws InputError with the place.
std::vector<Table> read_tables(const text::Source& source);

/// One of our answers that differs from what some source states.
struct Deviation {
  std::string test, label, engine;
  friend auto operator<=>(const Deviation&, const Deviation&) = default;
};

struct Explanation {
  std::size_t reason = 0; // index of Explanations::reasons
  text::Span span;
};

struct Explanations {
  text::Source source;
  std::vector<std::string> reasons;
  std::map<Deviation, Explanation> entries; // an empty label: the only outcome of its test
};

/// Reads explanations. Throws InputError with the place.
Explanations read_explanations(const text::Source& source);

} // namespace thinair::cli::published
