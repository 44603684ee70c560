// Columns of each kind of row.
#include "campaign/store_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace thinair::campaign {
namespace {

/// Reason and rate of a finding share a column, as the rate was part of the reason before they were
/// told apart: older stores are read as they are.
constexpr char behind_reason = '\x1f';

std::string reason_column(const Finding& finding) {
  const auto reason = as_text(finding.reason);
  return finding.seen.empty() ? reason : reason + behind_reason + finding.seen;
}

std::optional<explain::Core> reason_in(std::string_view text) {
  if (text.empty()) return std::nullopt; // not asked for
  return explain::core_in(text);
}

void read_reason_column(const std::string& text, Finding& finding) {
  const auto end = std::min(text.find(behind_reason), text.size());
  finding.reason = reason_in(std::string_view(text).substr(0, end));
  finding.seen = text.substr(std::min(end + 1, text.size()));
}

/// A reason and the limit that it is about, by its key; stores before there were keys have none.
std::string column_of(const Reason& reason) {
  const auto key = row_of(reason.limit).key;
  return key.empty() ? reason.text : fmt::format("{}{}{}", reason.text, behind_reason, key);
}

Reason reason_of(const std::string& text) {
  const auto end = std::min(text.find(behind_reason), text.size());
  const auto key = std::string_view(text).substr(std::min(end + 1, text.size()));
  return {text.substr(0, end), limit_of(key).value_or(Limit::none)};
}

constexpr std::size_t hash_bytes = 16;

std::string verdict_bytes(const std::vector<Verdict>& verdicts) {
  std::string bytes;
  for (const auto v : verdicts) bytes += static_cast<char>(v);
  return bytes;
}

} // namespace

std::string bytes_of(const litmus::ContentHash& hash) {
  std::string bytes;
  for (const auto word : hash.words)
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>((word >> shift) & 0xFF);
  return bytes;
}

void bind(Query& query, const ProgramRow& row) {
  query.bind_bytes(bytes_of(row.hash)).bind(row.place.stream).bind(row.place.index);
  query.bind(static_cast<std::uint32_t>(row.strategy)).bind_bytes(verdict_bytes(row.verdicts));
}

void bind(Query& query, const MismatchRow& row) {
  query.bind(row.target).bind_bytes(bytes_of(row.hash)).bind(row.place.stream);
  query.bind(row.place.index).bind(row.original).bind(litmus::to_string(row.finding.behaviour));
  query.bind(as_text(row.finding.reason)).bind(row.minimal).bind_bytes(bytes_of(row.minimal_hash));
  query.bind(litmus::to_string(row.minimal_finding.behaviour))
      .bind(reason_column(row.minimal_finding));
  query.bind(row.minimal_accesses).bind(row.steps).bind(row.tried).bind(row.found_after_s);
}

void bind(Query& query, const UndecidedRow& row) {
  query.bind(row.target).bind_bytes(bytes_of(row.hash));
  query.bind(static_cast<std::uint32_t>(row.verdict)).bind(column_of(row.reason)).bind(row.program);
}

void bind(Query& query, const PendingReduction& row) {
  query.bind(row.stream).bind(row.target).bind_bytes(bytes_of(row.hash));
  query.bind(row.program).bind(row.steps).bind(row.tried);
}

void bind(Query& query, const BaselineRow& row) {
  query.bind(row.target).bind(row.fault.accesses).bind(row.fault.program);
  query.bind(litmus::to_string(row.fault.behaviour));
}

void bind(Query& query, const StreamRow& row) {
  query.bind(row.stream).bind(row.next_index).bind(row.mismatches).bind(row.reductions);
}

void bind(Query& query, const Sample& sample) {
  query.bind(sample.elapsed_s).bind(sample.programs).bind(sample.mismatches).bind(sample.distinct);
}

litmus::ContentHash RowReader::hash() {
  const auto bytes = query_.bytes();
  if (bytes.size() != hash_bytes) database_.damaged("a hash of another length");
  litmus::ContentHash hash;
  for (std::size_t i = 0; i < hash_bytes; ++i)
    hash.words[i / 8] = hash.words[i / 8] << 8 | static_cast<unsigned char>(bytes[i]);
  return hash;
}

litmus::State RowReader::state() {
  const auto text = query_.text();
  auto state = litmus::state_in(text);
  if (!state) database_.damaged(fmt::format("\"{}\" is no behaviour", text));
  return *std::move(state);
}

std::uint32_t RowReader::target() {
  return static_cast<std::uint32_t>(query_.natural(identity_.targets.size() - 1));
}

std::uint32_t RowReader::stream_number() {
  return static_cast<std::uint32_t>(query_.natural(identity_.streams - 1));
}

Place RowReader::place() {
  const auto stream = stream_number();
  return {stream, query_.natural()};
}

Verdict RowReader::verdict(std::uint64_t value) const {
  if (value >= verdict_count) database_.damaged("no such verdict");
  return static_cast<Verdict>(value);
}

std::vector<Verdict> RowReader::verdicts() {
  const auto bytes = query_.bytes();
  if (bytes.size() != identity_.targets.size())
    database_.damaged("a program without a verdict for each target");
  std::vector<Verdict> verdicts;
  for (const char c : bytes) verdicts.push_back(verdict(static_cast<unsigned char>(c)));
  return verdicts;
}

ProgramRow RowReader::program() {
  ProgramRow row;
  row.hash = hash();
  row.place = place();
  row.strategy =
      static_cast<std::uint8_t>(query_.natural(std::numeric_limits<std::uint8_t>::max()));
  row.verdicts = verdicts();
  return row;
}

MismatchRow RowReader::mismatch() {
  MismatchRow row;
  row.target = target();
  row.hash = hash();
  row.place = place();
  row.original = query_.text();
  row.finding.behaviour = state();
  row.finding.reason = reason_in(query_.text());
  row.minimal = query_.text();
  row.minimal_hash = hash();
  row.minimal_finding.behaviour = state();
  read_reason_column(query_.text(), row.minimal_finding);
  row.minimal_accesses =
      static_cast<std::uint32_t>(query_.natural(std::numeric_limits<std::uint32_t>::max()));
  row.steps = query_.natural();
  row.tried = query_.natural();
  row.found_after_s = query_.seconds();
  return row;
}

UndecidedRow RowReader::undecided() {
  UndecidedRow row;
  row.target = target();
  row.hash = hash();
  row.verdict = verdict(query_.natural());
  row.reason = reason_of(query_.text());
  row.program = query_.text();
  return row;
}

PendingReduction RowReader::pending() {
  PendingReduction row;
  row.stream = stream_number();
  row.target = target();
  row.hash = hash();
  row.program = query_.text();
  row.steps = query_.natural();
  row.tried = query_.natural();
  return row;
}

BaselineRow RowReader::baseline() {
  BaselineRow row;
  row.target = target();
  row.fault.accesses =
      static_cast<std::uint32_t>(query_.natural(std::numeric_limits<std::uint32_t>::max()));
  row.fault.program = query_.text();
  row.fault.behaviour = state();
  return row;
}

StreamRow RowReader::stream() {
  StreamRow row;
  row.stream = stream_number();
  row.next_index = query_.natural();
  row.mismatches = query_.natural();
  row.reductions = query_.natural();
  return row;
}

Sample RowReader::sample() {
  Sample sample;
  sample.elapsed_s = query_.seconds();
  sample.programs = query_.natural();
  sample.mismatches = query_.natural();
  sample.distinct = query_.natural();
  return sample;
}

std::pair<CoverageKey, std::uint64_t> RowReader::coverage() {
  stream_number();
  return counted();
}

std::pair<CoverageKey, std::uint64_t> RowReader::counted() {
  const auto text = query_.text();
  auto key = coverage_key_in(text);
  if (!key) database_.damaged(fmt::format("\"{}\" is nothing that is counted", text));
  return {*std::move(key), query_.natural()};
}

std::string RowReader::offer() {
  stream_number();
  query_.natural();
  return query_.text();
}

} // namespace thinair::campaign
