// What docs/barriers.md says of a question: read from its section, and told in one table above all.
#pragma once

#include "tests/barriers/barriers.h"

#include <optional>
#include <span>
#include <string>

namespace thinair::barriers {

/// A run's row of its section.
struct PageRow {
  std::string verdict; // thinair's: "sound", "unsound", "unknown"
  double seconds = 0;
};
/// Absent where the section has no such row.
std::optional<PageRow> row_of(const std::string& section, const Run& run);

/// The part of the page that a question has; empty where it has none.
std::string section_of(const std::string& page, const Question& question);

/// The table of all questions, from their sections: a row for each that has one, with a link.
std::string in_short(std::span<const Question> questions, const std::string& sections);

} // namespace thinair::barriers
