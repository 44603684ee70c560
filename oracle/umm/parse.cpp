// Reads a transition table: a title, the operations, a row of the bypassing table for each, and the
// visibility rules.
#include "litmus/text/error.h"
#include "oracle/umm/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace thinair::umm {
namespace {

using text::Span;

template <class T>
using Named = std::pair<std::string_view, T>;

constexpr auto operation_table = std::to_array<OperationInfo>({
    // name, reads, writes, remembered, acquires, releases
    {Operation::read, "read", true, false, false, false, false},
    {Operation::write, "write", false, true, true, false, false},
    {Operation::read_normal, "read-normal", true, false, false, false, false},
    {Operation::write_normal, "write-normal", false, true, true, false, false},
    {Operation::read_volatile, "read-volatile", true, false, true, true, false},
    {Operation::write_volatile, "write-volatile", false, true, true, false, true},
    {Operation::read_final, "read-final", true, false, false, false, false},
    {Operation::write_final, "write-final", false, true, true, false, false},
    {Operation::lock, "lock", false, false, true, true, false},
    {Operation::unlock, "unlock", false, false, true, false, true},
    {Operation::freeze, "freeze", false, false, true, false, false},
    {Operation::membar, "membar", false, false, false, false, false},
});

constexpr auto bypass_names = std::to_array<Named<Bypass>>({
    {"no", Bypass::no},
    {"yes", Bypass::yes},
    {"diff-var", Bypass::different_variable},
    {"diff-tgt", Bypass::different_target},
    {"redundant", Bypass::redundant},
});

constexpr auto visibility_names = std::to_array<Named<Visibility>>({
    {"latest", Visibility::latest},
    {"ordered", Visibility::ordered},
    {"frozen", Visibility::frozen},
});

constexpr auto operation_names = [] {
  std::array<Named<Operation>, operation_count> names{};
  for (std::size_t i = 0; i < operation_count; ++i)
    names[i] = {operation_table[i].name, operation_table[i].operation};
  return names;
}();

struct Word {
  std::string_view text;
  Span span;
};

using Line = std::vector<Word>;

/// Lines that are not empty, split at blanks; `#` begins a comment, a title stands in quotes.
std::vector<Line> lines_of(const text::Source& source) {
  const std::string_view all = source.text;
  std::vector<Line> lines(1);
  for (std::size_t at = 0; at < all.size();) {
    const char c = all[at];
    if (c == '\n') {
      if (!lines.back().empty()) lines.emplace_back();
      ++at;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else if (c == '#') {
      at = std::min(all.find('\n', at), all.size());
    } else {
      const auto stop = c == '"' ? all.find_first_of("\"\n", at + 1) : std::string_view::npos;
      auto end = std::min(all.find_first_of(" \t\r\n#", at), all.size());
      if (c == '"') end = stop == std::string_view::npos ? all.size() : stop + (all[stop] == '"');
      lines.back().push_back({all.substr(at, end - at),
                              {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)}});
      at = end;
    }
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

class Reader {
 public:
  explicit Reader(const text::Source& source) : source_(source), lines_(lines_of(source)) {}

  Model read() {
    read_title();
    read_operations();
    if (at("meaning")) read_meaning();
    if (at("writes")) read_writes();
    read_bypass();
    while (at("visible")) read_visible();
    if (at_ < lines_.size()) fail_expected(lines_[at_].front(), "`visible`");
    check_reads();
    return std::move(model_);
  }

 private:
  bool at(std::string_view word) const {
    return at_ < lines_.size() && lines_[at_].front().text == word;
  }

  [[noreturn]] void fail(Span span, std::string_view message, std::string_view hint = {}) const {
    throw InputError::at(source_, span, message, hint);
  }
  [[noreturn]] void fail_expected(const Word& found, std::string_view what,
                                  std::string_view hint = {}) const {
    fail(found.span, fmt::format("expected {}, found `{}`", what, found.text), hint);
  }

  /// The next line, which must begin with `word`.
  const Line& take(std::string_view word) {
    if (at_ == lines_.size()) {
      const auto end = static_cast<std::uint32_t>(source_.text.size());
      fail({end, end}, fmt::format("expected `{}`, found end of file", word));
    }
    if (lines_[at_].front().text != word)
      fail_expected(lines_[at_].front(), fmt::format("`{}`", word));
    return lines_[at_++];
  }

  template <class Table>
  auto look_up(const Word& word, const Table& table, std::string_view what) const {
    const auto found =
        std::ranges::find(table, word.text, [](const auto& row) { return row.first; });
    if (found != table.end()) return found->second;
    std::vector<std::string_view> names;
    for (const auto& row : table) names.push_back(row.first);
    const auto close = nearest(word.text, names);
    fail_expected(word, what, close ? fmt::format("did you mean `{}`?", *close) : "");
  }

  /// Complains unless `line` has `count` words.
  void check_length(const Line& line, std::size_t count, std::string_view shape) const {
    if (line.size() != count)
      fail({line.front().span.begin, line.back().span.end},
           fmt::format("expected {}, found {} words", shape, line.size()));
  }

  void read_title() {
    if (lines_.empty() || lines_.front().front().text.front() != '"')
      fail(lines_.empty() ? Span{} : lines_.front().front().span,
           "expected a title in quotes on the first line");
    const auto& line = lines_[at_++];
    check_length(line, 1, "a title alone on its line");
    const auto text = line.front().text;
    if (text.size() < 2 || text.back() != '"') fail(line.front().span, "a title without its end");
    model_.title = text.substr(1, text.size() - 2);
  }

  void read_operations() {
    const auto& line = take("operations");
    for (std::size_t i = 1; i < line.size(); ++i) {
      const auto operation = look_up(line[i], operation_names, "an operation");
      auto& has = model_.has[static_cast<std::size_t>(operation)];
      if (has) fail(line[i].span, fmt::format("`{}` stands here twice", line[i].text));
      has = true;
      columns_.push_back(operation);
    }
    if (columns_.empty()) fail(line.front().span, "expected operations behind `operations`");
    using litmus::Construct;
    auto& known = model_.meaning.known = Construct::plain;
    if (model_.knows(Operation::read_volatile)) known |= Construct::volatile_;
    if (model_.knows(Operation::lock)) known |= Construct::monitors;
    if (model_.knows(Operation::membar)) known |= Construct::full_fence;
    model_.meaning.model = model_.title;
  }

  /// Modes that need no operations of their own.
  void read_meaning() {
    const auto& line = take("meaning");
    for (std::size_t i = 1; i < line.size(); ++i) {
      const auto mode = litmus::constructs_named(line[i].text);
      if (!mode || !(*mode - litmus::Constructs::of(litmus::ConstructKind::access)).empty())
        fail_expected(line[i], "a mode of accesses");
      model_.meaning.known |= *mode;
    }
  }

  void read_writes() {
    const auto& line = take("writes");
    check_length(line, 2, "`writes to-each-thread`");
    if (line[1].text != "to-each-thread") fail_expected(line[1], "`to-each-thread`");
    model_.to_each_thread = true;
  }

  void read_bypass() {
    check_length(take("bypass"), 1, "`bypass` alone on its line");
    for (const auto row : columns_) {
      const auto& line = take(info(row).name);
      check_length(line, columns_.size() + 1,
                   fmt::format("an operation and {} entries", columns_.size()));
      for (std::size_t i = 0; i < columns_.size(); ++i)
        model_.bypass[static_cast<std::size_t>(row)][static_cast<std::size_t>(columns_[i])] =
            look_up(line[i + 1], bypass_names, "an entry");
    }
  }

  void read_visible() {
    const auto& line = take("visible");
    check_length(line, 4, "`visible READ WRITE RULE`");
    const auto read = look_up(line[1], operation_names, "an operation that reads");
    const auto write = look_up(line[2], operation_names, "an operation that writes");
    if (!model_.knows(read) || !info(read).reads)
      fail_expected(line[1], "an operation of this model that reads");
    if (!model_.knows(write) || !info(write).writes)
      fail_expected(line[2], "an operation of this model that writes");
    auto& rule = model_.visible[static_cast<std::size_t>(read)];
    if (rule) fail(line[1].span, fmt::format("a second rule for `{}`", line[1].text));
    rule = Visible{write, look_up(line[3], visibility_names, "a visibility rule")};
  }

  void check_reads() const {
    for (const auto operation : columns_)
      if (info(operation).reads && !model_.visible[static_cast<std::size_t>(operation)])
        fail(lines_.back().front().span,
             fmt::format("no `visible` line says what `{}` may see", info(operation).name));
  }

  const text::Source& source_;
  std::vector<Line> lines_;
  std::size_t at_ = 0;
  Model model_;
  std::vector<Operation> columns_;
};

} // namespace

std::span<const OperationInfo, operation_count> operations() { return operation_table; }
const OperationInfo& info(Operation operation) {
  return operation_table[static_cast<std::size_t>(operation)];
}

Model parse_model(const text::Source& source) { return Reader(source).read(); }

} // namespace thinair::umm
