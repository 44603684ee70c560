// Reads the helpers' lines.
#include "runners/jcstress/records.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace thinair::runners::jcstress {
namespace {

std::string_view word(std::string_view& line) {
  const std::string_view first = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(first.size() + 1, line.size()));
  return first;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Record::Status> status_named(std::string_view word) {
  using enum Record::Status;
  for (const auto status : {ok, hang, oom, error, crash})
    if (name(status) == word) return status;
  return std::nullopt;
}

void take(std::string_view line, std::map<std::string, Record>& records) {
  const std::string_view what = word(line);
  const std::string key(word(line));
  if (what.empty() || key.empty()) return;
  if (what == "begin") {
    ++records[key].runs;
  } else if (what == "outcome") {
    const auto count = number<std::uint64_t>(word(line));
    if (count && !line.empty()) records[key].outcomes[std::string(line)] += *count;
  } else if (what == "seconds") {
    if (const auto seconds = number<double>(line)) records[key].seconds += *seconds;
  } else if (what == "end") {
    const auto status = status_named(word(line));
    if (!status) return;
    Record& record = records[key];
    if (*status > record.status) record.reason = line;
    record.status = std::max(record.status, *status);
  }
}

} // namespace

std::map<std::string, Record> parse_records(std::string_view text) {
  std::map<std::string, Record> records;
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    take(text.substr(0, end), records);
    text.remove_prefix(end + 1);
  }
  return records;
}

std::string_view name(Record::Status status) {
  switch (status) {
  case Record::Status::begun:
  case Record::Status::crash: return "crash";
  case Record::Status::ok: return "ok";
  case Record::Status::hang: return "hang";
  case Record::Status::oom: return "oom";
  case Record::Status::error: return "error";
  case Record::Status::late: return "late";
  }
  return "";
}

} // namespace thinair::runners::jcstress
