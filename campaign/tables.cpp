// Definitions of the tables, and the sums.
#include "campaign/tables.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace thinair::campaign {
namespace {

struct Definition {
  std::string_view name;
  int since;   // version of the store
  int columns; // of a row
  std::string_view key;
  std::string_view sql; // as SQLite keeps it
};

constexpr auto definitions = std::to_array<Definition>({
    {"identity", 1, 2, "key = ?",
     "CREATE TABLE identity (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"},
    {"stream", 1, 4, "stream = ?",
     R"sql(CREATE TABLE stream (stream INTEGER PRIMARY KEY, next_index INTEGER NOT NULL, mismatches INTEGER NOT NULL,
                     reductions INTEGER NOT NULL))sql"},
    {"program", 1, 5, "hash = ?",
     R"sql(CREATE TABLE program (hash BLOB PRIMARY KEY, stream INTEGER NOT NULL, idx INTEGER NOT NULL, strategy INTEGER NOT NULL,
                      verdicts BLOB NOT NULL) WITHOUT ROWID)sql"},
    {"mismatch", 1, 15, "target = ? AND hash = ?",
     R"sql(CREATE TABLE mismatch (target INTEGER NOT NULL, hash BLOB NOT NULL, stream INTEGER NOT NULL, idx INTEGER NOT NULL,
                       original TEXT NOT NULL, behaviour TEXT NOT NULL, reason TEXT NOT NULL, minimal TEXT NOT NULL,
                       minimal_hash BLOB NOT NULL, minimal_behaviour TEXT NOT NULL, minimal_reason TEXT NOT NULL,
                       minimal_accesses INTEGER NOT NULL, steps INTEGER NOT NULL, tried INTEGER NOT NULL,
                       found_after_s REAL NOT NULL, PRIMARY KEY (target, hash)) WITHOUT ROWID)sql"},
    {"coverage", 1, 3, "stream = ? AND key = ?",
     R"sql(CREATE TABLE coverage (stream INTEGER NOT NULL, key TEXT NOT NULL, programs INTEGER NOT NULL,
                       PRIMARY KEY (stream, key)) WITHOUT ROWID)sql"},
    {"offer", 1, 3, "stream = ? AND place = ?",
     R"sql(CREATE TABLE offer (stream INTEGER NOT NULL, place INTEGER NOT NULL, program TEXT NOT NULL,
                    PRIMARY KEY (stream, place)) WITHOUT ROWID)sql"},
    {"sample", 1, 4, "rowid = ?",
     "CREATE TABLE sample (elapsed_s REAL, programs INTEGER, mismatches INTEGER, distinct_minimal "
     "INTEGER)"},
    {"clock", 1, 2, "one = ?",
     "CREATE TABLE clock (one INTEGER PRIMARY KEY CHECK (one = 1), elapsed_s REAL NOT NULL)"},
    {"pending", 2, 6, "stream = ? AND target = ?",
     R"sql(CREATE TABLE pending (stream INTEGER NOT NULL, target INTEGER NOT NULL, hash BLOB NOT NULL, program TEXT NOT NULL,
                      steps INTEGER NOT NULL, tried INTEGER NOT NULL, PRIMARY KEY (stream, target)) WITHOUT ROWID)sql"},
    {"undecided", 3, 5, "target = ? AND hash = ?",
     R"sql(CREATE TABLE undecided (target INTEGER NOT NULL, hash BLOB NOT NULL, verdict INTEGER NOT NULL, reason TEXT NOT NULL,
                        program TEXT NOT NULL, PRIMARY KEY (target, hash)) WITHOUT ROWID)sql"},
    {"baseline", 5, 4, "target = ?",
     R"sql(CREATE TABLE baseline (target INTEGER PRIMARY KEY, accesses INTEGER NOT NULL, program TEXT NOT NULL,
                       behaviour TEXT NOT NULL))sql"},
});
static_assert(definitions.size() == table_count);

/// The sums of all the others; a table without rows need not be there.
constexpr Definition checksum{
    "checksum", Tables::first_with_sums, 4, "name = ?",
    R"sql(CREATE TABLE checksum (name TEXT PRIMARY KEY, row_count INTEGER NOT NULL, high INTEGER NOT NULL,
                       low INTEGER NOT NULL) WITHOUT ROWID)sql"};

const Definition& definition_of(Table table) {
  return definitions.at(static_cast<std::size_t>(table));
}

} // namespace

void Sum::add(const RowDigest& row) {
  ++rows;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] += row[i];
}

void Sum::remove(const RowDigest& row) {
  --rows;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] -= row[i];
}

int Tables::version() {
  Query query(database_, "PRAGMA user_version");
  query.step();
  return static_cast<int>(query.number());
}

void Tables::verify_definitions(int version) {
  std::map<std::string, std::string, std::less<>> missing;
  for (const auto& table : definitions)
    if (table.since <= version) missing.emplace(table.name, table.sql);
  if (checksum.since <= version) missing.emplace(checksum.name, checksum.sql);
  Query query(database_, "SELECT name, sql FROM sqlite_master");
  while (query.step()) {
    const auto name = query.text();
    const auto found = missing.find(name);
    if (found == missing.end() || query.text() != found->second)
      database_.damaged(fmt::format("{} is not as a store of version {} has it", name, version));
    missing.erase(found);
  }
  if (!missing.empty())
    database_.damaged(fmt::format("table {} is missing", missing.begin()->first));
}

void Tables::verify() {
  const int found = version();
  if (found > newest)
    throw InputError(
        fmt::format("{}: error: written by a newer version of this program (store version {}, this "
                    "program reads {})",
                    database_.path(), found, newest));
  if (found < 1)
    throw InputError(
        fmt::format("{}: error: not a campaign store; it was left as it is", database_.path()));
  Query check(database_, "PRAGMA quick_check(1)");
  check.step();
  if (const auto complaint = check.text(); complaint != "ok") database_.damaged(complaint);
  verify_definitions(found);
  if (found < first_with_sums) return;
  sums_ = stored();
  for (std::size_t i = 0; i < table_count; ++i)
    if (definitions[i].since <= found && counted(static_cast<Table>(i)) != sums_.at(i))
      database_.damaged(fmt::format("table {} does not go with its checksum", definitions[i].name));
}

Sum Tables::counted(Table table) {
  Sum sum;
  Query rows(database_, fmt::format("SELECT * FROM {}", definition_of(table).name));
  while (rows.step()) sum.add(rows.row());
  return sum;
}

Tables::Sums Tables::stored() {
  Sums sums;
  Query query(database_, "SELECT name, row_count, high, low FROM checksum");
  while (query.step()) {
    const auto name = query.text();
    const auto table = std::ranges::find(definitions, name, &Definition::name);
    if (table == definitions.end())
      database_.damaged(fmt::format("there is a checksum of {}, which is no table", name));
    auto& sum = sums.at(static_cast<std::size_t>(table - definitions.begin()));
    sum.rows = query.natural();
    for (auto& word : sum.words) word = static_cast<std::uint64_t>(query.number());
  }
  return sums;
}

void Tables::create_after(int version) {
  for (std::size_t i = 0; i < table_count; ++i) {
    if (definitions[i].since > version) database_.execute(std::string(definitions[i].sql));
    sums_.at(i) = counted(static_cast<Table>(i));
  }
  if (checksum.since > version) database_.execute(std::string(checksum.sql));
  database_.execute(fmt::format("PRAGMA user_version = {}", newest));
}

namespace {

/// Ready to be bound; prepared when it is first needed.
Query& fresh(std::optional<Query>& query, Database& database, const auto& sql) {
  if (!query) query.emplace(database, sql());
  query->reset();
  return *query;
}

std::string insertion_into(const Definition& table) {
  std::string values = "?";
  for (int i = 1; i < table.columns; ++i) values += ", ?";
  return fmt::format("INSERT OR IGNORE INTO {} VALUES ({})", table.name, values);
}

} // namespace

Query& Tables::insertion(Table table) {
  return fresh(statements(table).insertion, database_,
               [&] { return insertion_into(definition_of(table)); });
}

bool Tables::add(Table table) {
  auto& query = *statements(table).insertion;
  const auto row = query.bound();
  query.run();
  if (sqlite3_changes(database_.handle()) == 0) return false;
  sum(table).add(row);
  return true;
}

Query& Tables::lookup(Table table) {
  return fresh(statements(table).lookup, database_, [&] {
    const auto& definition = definition_of(table);
    return fmt::format("SELECT * FROM {} WHERE {}", definition.name, definition.key);
  });
}

Query& Tables::removal(Table table) {
  return fresh(statements(table).removal, database_, [&] {
    const auto& definition = definition_of(table);
    return fmt::format("DELETE FROM {} WHERE {} RETURNING *", definition.name, definition.key);
  });
}

void Tables::remove(Table table) {
  auto& query = *statements(table).removal;
  while (query.step()) sum(table).remove(query.row());
  query.reset();
}

void Tables::add_coverage(std::uint32_t stream, const std::string& key, std::uint64_t programs) {
  auto& row = insertion(Table::coverage).bind(stream).bind(key);
  auto& query = fresh(coverage_, database_, [] {
    return "UPDATE coverage SET programs = programs + ? WHERE stream = ? AND key = ? RETURNING "
           "programs";
  });
  if (!query.bind(programs).bind(stream).bind(key).step()) {
    row.bind(programs);
    add(Table::coverage);
    return;
  }
  const auto now = query.natural();
  auto& sum = this->sum(Table::coverage);
  sum.remove(row.bind(now - programs).bound());
  sum.add(insertion(Table::coverage).bind(stream).bind(key).bind(now).bound());
  query.run();
}

void Tables::store_changes(const Sums& before) {
  for (std::size_t i = 0; i < table_count; ++i) {
    const auto& sum = sums_.at(i);
    if (sum == before.at(i)) continue;
    auto& query = fresh(store_, database_,
                        [] { return "INSERT OR REPLACE INTO checksum VALUES (?, ?, ?, ?)"; });
    query.bind(definitions[i].name).bind(sum.rows);
    query.bind(sum.words[0]).bind(sum.words[1]).run();
  }
}

Change::Change(Tables& tables)
    : tables_(tables), transaction_(tables.database_), before_(tables.sums_) {}

Change::~Change() {
  if (!done_) tables_.sums_ = before_;
}

void Change::commit() {
  tables_.store_changes(before_);
  transaction_.commit();
  done_ = true;
}

} // namespace thinair::campaign
