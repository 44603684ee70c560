// The rules of docs/corpus.md as functions from a file of the corpus to what is wrong with it.
#pragma once

#include "litmus/test.h"

#include <compare>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::litmus::corpus {

/// A file of the corpus; the name of its source is the path below corpus/.
struct Entry {
  text::Source source;
  Test test;
};

struct Counts {
  int programs = 0, outcomes = 0, required = 0, forbidden = 0, contested = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// What the tables of docs/corpus.md say.
struct Rules {
  std::set<std::string, std::less<>> metadata; // keys that a file may have
  std::set<std::string, std::less<>> models;   // keys of `verdicts`
  std::map<std::string, Counts> counts;        // by directory; "**all**" for the sum
};

Rules read_rules(std::string_view document);

/// Reads one file; throws as parse() does.
Entry read_entry(std::string path, std::string text);

/// Every file below the folder, sorted by path.
std::vector<Entry> read_corpus(const std::filesystem::path& folder);

std::map<std::string, Counts> count(const std::vector<Entry>& entries);

/// What breaks a rule within one file, as "ctc/CTC1.litmus:3: ...".
std::vector<std::string> problems(const Entry& entry, const Rules& rules);

/// Names that occur twice.
std::vector<std::string> repeated_names(const std::vector<Entry>& entries);

/// Pairs of files that ask the same of the same program, up to renaming, and disagree: in their
/// quantifiers, or in the verdict of one model.
std::vector<std::string> contradictions(const std::vector<Entry>& entries);

} // namespace thinair::litmus::corpus
