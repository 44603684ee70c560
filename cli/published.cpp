// Reads published tables and explanations: lines of words, the first of which says what it is.
#include "cli/published.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli::published {
namespace {

using text::Span;

struct MarkInfo {
  Mark mark;
  std::string_view written, shown;
};

constexpr auto marks = std::to_array<MarkInfo>({
    {Mark::allowed, "yes", "✓"},
    {Mark::forbidden, "no", "✗"},
    {Mark::always, "always", "always"},
    {Mark::sometimes, "sometimes", "sometimes"},
    {Mark::never, "never", "never"},
    {Mark::unsupported, "unsupported", "unsupported"},
    {Mark::unknown, "unknown", "unknown"},
    {Mark::vacuous, "vacuous", "vacuous"},
    {Mark::timeout, "timeout", "timed out"},
    {Mark::lost, "lost", "?"},
    {Mark::none, "-", ""},
});

struct Word {
  std::string_view text; // without its quotes
  Span span;
  bool quoted = false;
};
using Line = std::vector<Word>;

/// Splits a text into lines of words; `#` begins a comment, quotes keep blanks.
class Splitter {
 public:
  explicit Splitter(const text::Source& source) : source_(source) {}

  std::vector<Line> run() {
    const std::string_view all = source_.text;
    while (at_ < all.size()) {
      const char c = all[at_];
      if (c == '\n') {
        end_line();
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '#') {
        at_ = std::min(all.find('\n', at_), all.size());
      } else {
        word();
      }
    }
    end_line();
    return std::move(lines_);
  }

 private:
  void end_line() {
    if (!line_.empty()) lines_.push_back(std::move(line_));
    line_.clear();
  }

  void word() {
    const std::string_view all = source_.text;
    const auto begin = at_;
    const bool quoted = all[begin] == '"';
    const auto stop = quoted ? all.find_first_of("\"\n", begin + 1)
                             : std::min(all.find_first_of(" \t\r\n#", begin), all.size());
    if (quoted && (stop == std::string_view::npos || all[stop] == '\n'))
      throw InputError::at(source_, span(begin, std::min(all.find('\n', begin), all.size())),
                           "a quotation without its end");
    at_ = stop + (quoted ? 1 : 0);
    const auto text =
        quoted ? all.substr(begin + 1, stop - begin - 1) : all.substr(begin, stop - begin);
    line_.push_back({text, span(begin, at_), quoted});
  }

  static Span span(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  const text::Source& source_;
  std::size_t at_ = 0;
  Line line_;
  std::vector<Line> lines_;
};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    parts.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

class TableReader {
 public:
  explicit TableReader(const text::Source& source) : source_(source) {}

  std::vector<Table> run() {
    const auto lines = Splitter(source_).run();
    for (const auto& line : lines) read(line);
    if (tables_.empty()) fail(Span{}, "expected `table NAME`, found end of file");
    return std::move(tables_);
  }

 private:
  void read(const Line& line) {
    const auto first = line.front().text;
    if (first == "publication") {
      publication_ = quoted(line, 1);
      about_ = line.size() > 2 ? quoted(line, 2) : "";
      return;
    }
    if (first == "table") return start(line);
    if (tables_.empty())
      fail(line.front().span, fmt::format("expected `table NAME`, found `{}`", first));
    auto& table = tables_.back();
    if (first == "title") {
      table.title = quoted(line, 1);
    } else if (first == "note") {
      table.notes.push_back(quoted(line, 1));
    } else if (first == "column") {
      column(table, line);
    } else if (first == "group") {
      group_ = quoted(line, 1);
    } else if (first == "row") {
      row(table, line);
    } else if (first == "count") {
      tally(table, line);
    } else {
      constexpr auto words = std::to_array<std::string_view>(
          {"publication", "table", "title", "note", "column", "group", "row", "count"});
      const auto near = nearest(first, words);
      fail(line.front().span, fmt::format("`{}` begins no line of a table", first),
           near ? fmt::format("did you mean `{}`?", *near) : "");
    }
  }

  void start(const Line& line) {
    tables_.emplace_back();
    tables_.back().source = source_;
    tables_.back().publication = publication_;
    tables_.back().about = about_;
    tables_.back().name = word(line, 1, "a name");
    group_.clear();
  }

  void column(Table& table, const Line& line) {
    Column column{word(line, 1, "a name"), quoted(line, 2), {}, line.back().span};
    if (line.size() > 3) {
      if (line[3].text != "as" || line.size() != 5)
        fail(line[3].span, fmt::format("expected `as ENGINE,…`, found `{}`", line[3].text));
      column.engines = split(line[4].text);
    }
    table.columns.push_back(std::move(column));
  }

  void row(Table& table, const Line& line) {
    Row row;
    row.name = quoted(line, 1);
    row.span = line[1].span;
    row.group = group_;
    std::size_t at = 2;
    row.test = word(line, at++, "a test of the corpus, or `-`");
    if (row.test == "-") row.test.clear();
    if (at < line.size() && line[at].quoted) row.label = line[at++].text;
    if (line.size() - at != table.columns.size())
      fail(line.front().span, fmt::format("expected {} marks, one for each column, found {}",
                                          table.columns.size(), line.size() - at));
    for (; at < line.size(); ++at) row.cells.push_back(cell(line[at]));
    table.rows.push_back(std::move(row));
  }

  void tally(Table& table, const Line& line) {
    Tally tally{quoted(line, 1), {}};
    for (std::size_t i = 2; i < line.size(); ++i) tally.counts.emplace_back(line[i].text);
    if (tally.counts.size() != table.columns.size())
      fail(line.front().span, fmt::format("expected {} counts, one for each column, found {}",
                                          table.columns.size(), tally.counts.size()));
    table.tallies.push_back(std::move(tally));
  }

  Cell cell(const Word& word) const {
    const auto slash = word.text.find('/');
    if (slash == std::string_view::npos) return {std::nullopt, mark(word, word.text)};
    return {mark(word, word.text.substr(0, slash)), mark(word, word.text.substr(slash + 1))};
  }

  Mark mark(const Word& word, std::string_view text) const {
    const auto found = std::ranges::find(marks, text, &MarkInfo::written);
    if (found != marks.end()) return found->mark;
    std::vector<std::string_view> known;
    for (const auto& m : marks) known.push_back(m.written);
    const auto near = nearest(text, known);
    fail(word.span, fmt::format("`{}` is no mark", text),
         near ? fmt::format("did you mean `{}`?", *near) : "");
  }

  std::string word(const Line& line, std::size_t at, std::string_view what) const {
    if (at < line.size()) return std::string(line[at].text);
    fail(line.back().span, fmt::format("expected {} behind this", what));
  }
  std::string quoted(const Line& line, std::size_t at) const {
    if (at < line.size() && line[at].quoted) return std::string(line[at].text);
    fail(line[std::min(at, line.size() - 1)].span, "expected text in quotes here");
  }
  [[noreturn]] void fail(Span span, std::string_view message, std::string_view hint = {}) const {
    throw InputError::at(source_, span, message, hint);
  }

  const text::Source& source_;
  std::vector<Table> tables_;
  std::string publication_, about_, group_;
};

} // namespace

std::string_view word(Mark mark) { return std::ranges::find(marks, mark, &MarkInfo::mark)->shown; }

bool is_verdict(Mark mark) {
  switch (mark) {
  case Mark::allowed:
  case Mark::forbidden:
  case Mark::always:
  case Mark::sometimes:
  case Mark::never: return true;
  case Mark::unsupported:
  case Mark::unknown:
  case Mark::vacuous:
  case Mark::timeout:
  case Mark::lost:
  case Mark::none: return false;
  }
  return false;
}

std::vector<Table> read_tables(const text::Source& source) { return TableReader(source).run(); }

Explanations read_explanations(const text::Source& source) {
  Explanations all;
  all.source = source;
  for (const auto& line : Splitter(source).run()) {
    const auto& first = line.front();
    const bool begins = first.text == "because" && !first.quoted;
    if (begins) {
      if (line.size() != 2 || !line[1].quoted)
        throw InputError::at(source, first.span, "expected one reason in quotes behind `because`");
      all.reasons.emplace_back(line[1].text);
      continue;
    }
    if (all.reasons.empty())
      throw InputError::at(source, first.span,
                           fmt::format("expected `because`, found `{}`", first.text));
    const bool labelled = line.size() == 3 && line[1].quoted;
    if (line.size() != 2 && !labelled)
      throw InputError::at(source, first.span, "expected `TEST \"LABEL\" ENGINE` or `TEST ENGINE`");
    const Deviation deviation{std::string(first.text),
                              labelled ? std::string(line[1].text) : std::string(),
                              std::string(line.back().text)};
    if (!all.entries.emplace(deviation, Explanation{all.reasons.size() - 1, first.span}).second)
      throw InputError::at(source, first.span, "this is explained twice");
  }
  return all;
}

} // namespace thinair::cli::published
