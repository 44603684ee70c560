// The schema, and the reading and writing of rows.
#include "campaign/store.h"

#include "campaign/identity_rows.h"
#include "campaign/sqlite.h"
#include "litmus/text/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>

namespace thinair::campaign {
namespace {

constexpr const char* schema = R"sql(
CREATE TABLE identity (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE stream (stream INTEGER PRIMARY KEY, next_index INTEGER NOT NULL, mismatches INTEGER NOT NULL,
                     reductions INTEGER NOT NULL);
CREATE TABLE program (hash BLOB PRIMARY KEY, stream INTEGER NOT NULL, idx INTEGER NOT NULL, strategy INTEGER NOT NULL,
                      verdicts BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE mismatch (target INTEGER NOT NULL, hash BLOB NOT NULL, stream INTEGER NOT NULL, idx INTEGER NOT NULL,
                       original TEXT NOT NULL, behaviour TEXT NOT NULL, reason TEXT NOT NULL, minimal TEXT NOT NULL,
                       minimal_hash BLOB NOT NULL, minimal_behaviour TEXT NOT NULL, minimal_reason TEXT NOT NULL,
                       minimal_accesses INTEGER NOT NULL, steps INTEGER NOT NULL, tried INTEGER NOT NULL,
                       found_after_s REAL NOT NULL, PRIMARY KEY (target, hash)) WITHOUT ROWID;
CREATE TABLE coverage (stream INTEGER NOT NULL, key TEXT NOT NULL, programs INTEGER NOT NULL,
                       PRIMARY KEY (stream, key)) WITHOUT ROWID;
CREATE TABLE offer (stream INTEGER NOT NULL, place INTEGER NOT NULL, program TEXT NOT NULL,
                    PRIMARY KEY (stream, place)) WITHOUT ROWID;
CREATE TABLE sample (elapsed_s REAL, programs INTEGER, mismatches INTEGER, distinct_minimal INTEGER);
CREATE TABLE clock (one INTEGER PRIMARY KEY CHECK (one = 1), elapsed_s REAL NOT NULL);
INSERT INTO clock VALUES (1, 0);
)sql";

/// What version 2 has beyond version 1.
constexpr const char* since_version_2 = R"sql(
CREATE TABLE pending (stream INTEGER NOT NULL, target INTEGER NOT NULL, hash BLOB NOT NULL, program TEXT NOT NULL,
                      steps INTEGER NOT NULL, tried INTEGER NOT NULL, PRIMARY KEY (stream, target)) WITHOUT ROWID;
)sql";

/// What version 3 has beyond version 2.
constexpr const char* since_version_3 = R"sql(
CREATE TABLE undecided (target INTEGER NOT NULL, hash BLOB NOT NULL, verdict INTEGER NOT NULL, reason TEXT NOT NULL,
                        program TEXT NOT NULL, PRIMARY KEY (target, hash)) WITHOUT ROWID;
)sql";

std::string bytes_of(const litmus::ContentHash& hash) {
  std::string bytes;
  for (const auto word : hash.words)
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>((word >> shift) & 0xFF);
  return bytes;
}

litmus::ContentHash hash_of(std::string_view bytes) {
  litmus::ContentHash hash;
  for (std::size_t i = 0; i < bytes.size() && i < 16; ++i)
    hash.words[i / 8] = hash.words[i / 8] << 8 | static_cast<unsigned char>(bytes[i]);
  return hash;
}

/// Reason and rate of a finding share a column, as the rate was part of the reason before they were
/// told apart: older stores are read as they are.
constexpr char behind_reason = '\x1f';

std::string reason_column(const Finding& finding) {
  return finding.seen.empty() ? finding.reason : finding.reason + behind_reason + finding.seen;
}

void read_reason_column(const std::string& text, Finding& finding) {
  const auto end = std::min(text.find(behind_reason), text.size());
  finding.reason = text.substr(0, end);
  finding.seen = text.substr(std::min(end + 1, text.size()));
}

std::string verdict_bytes(const std::vector<Verdict>& verdicts) {
  std::string bytes;
  for (const auto v : verdicts) bytes += static_cast<char>(v);
  return bytes;
}

std::vector<Verdict> verdicts_of(std::string_view bytes) {
  std::vector<Verdict> verdicts;
  for (const char c : bytes) verdicts.push_back(static_cast<Verdict>(c));
  return verdicts;
}

/// Held by the one campaign that writes to a directory; the system drops it when the process dies.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& directory) {
    const auto path = directory + "/lock";
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0) throw InputError(fmt::format("{}: error: {}", path, std::strerror(errno)));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      ::close(file_);
      throw InputError(
          fmt::format("{}: error: another campaign is running in this directory", directory));
    }
  }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  ~DirectoryLock() { ::close(file_); }

 private:
  int file_ = -1;
};

} // namespace

struct Store::Impl {
  Impl(std::unique_ptr<DirectoryLock> held, std::string path, bool create, bool read_only)
      : lock(std::move(held)), database(std::move(path), create, read_only) {}

  int version() {
    Query query(database, "PRAGMA user_version");
    query.step();
    return static_cast<int>(query.number());
  }

  void check_version() {
    const int found = version();
    if (found > schema_version)
      throw InputError(fmt::format(
          "{}: error: written by a newer version of this program (store version {}, this "
          "program reads {})",
          database.path(), found, schema_version));
    if (found < 1)
      throw InputError(
          fmt::format("{}: error: not a campaign store; it was left as it is", database.path()));
    Query check(database, "PRAGMA quick_check(1)");
    check.step();
    if (check.text() != "ok") database.fail(SQLITE_CORRUPT);
  }

  std::map<std::string, std::string> stored_identity() {
    std::map<std::string, std::string> rows;
    Query query(database, "SELECT key, value FROM identity ORDER BY key");
    while (query.step()) {
      auto key = query.text();
      rows[std::move(key)] = query.text();
    }
    return rows;
  }

  void write_identity(const Identity& value) {
    for (const auto& [key, text] : identity_rows(value)) {
      Query query(database, "INSERT OR REPLACE INTO identity VALUES (?, ?)");
      query.bind(key).bind(text).run();
    }
  }

  /// What is known by now and was not.
  void write_contents(const Contents& contents) {
    const auto stored = stored_identity();
    Transaction transaction(database);
    Query query(database, "INSERT INTO identity VALUES (?, ?)");
    for (const auto& [key, text] : content_rows(contents))
      if (!stored.contains(key)) query.bind(key).bind(text).run();
    transaction.commit();
  }

  /// The earliest place wins, so that the store does not depend on which thread was first.
  Query program_query() {
    return Query(
        database,
        "INSERT INTO program VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE SET stream = "
        "excluded.stream, idx = excluded.idx, strategy = excluded.strategy WHERE (excluded.stream, "
        "excluded.idx) < (stream, idx)");
  }

  static void put(Query& query, const ProgramRow& row) {
    query.bind_bytes(bytes_of(row.hash)).bind(row.place.stream).bind(row.place.index);
    query.bind(static_cast<std::uint32_t>(row.strategy))
        .bind_bytes(verdict_bytes(row.verdicts))
        .run();
  }

  /// A reduced row beats one that is not, then the earlier place wins.
  void put(const MismatchRow& row) {
    Query query(
        database,
        "INSERT INTO mismatch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT "
        "(target, hash) DO "
        "UPDATE SET stream = excluded.stream, idx = excluded.idx, original = excluded.original, "
        "behaviour = "
        "excluded.behaviour, reason = excluded.reason, minimal = excluded.minimal, minimal_hash = "
        "excluded.minimal_hash, minimal_behaviour = excluded.minimal_behaviour, minimal_reason = "
        "excluded.minimal_reason, minimal_accesses = excluded.minimal_accesses, steps = "
        "excluded.steps, tried = "
        "excluded.tried, found_after_s = excluded.found_after_s WHERE (excluded.minimal = '', "
        "excluded.stream, "
        "excluded.idx) < (minimal = '', stream, idx)");
    query.bind(row.target)
        .bind_bytes(bytes_of(row.hash))
        .bind(row.place.stream)
        .bind(row.place.index);
    query.bind(row.original).bind(row.finding.behaviour).bind(row.finding.reason).bind(row.minimal);
    query.bind_bytes(bytes_of(row.minimal_hash))
        .bind(row.minimal_finding.behaviour)
        .bind(reason_column(row.minimal_finding));
    query.bind(row.minimal_accesses).bind(row.steps).bind(row.tried).bind(row.found_after_s).run();
  }

  void put(const UndecidedRow& row) {
    Query query(database, "INSERT OR IGNORE INTO undecided VALUES (?, ?, ?, ?, ?)");
    query.bind(row.target)
        .bind_bytes(bytes_of(row.hash))
        .bind(static_cast<std::uint32_t>(row.verdict))
        .bind(row.reason)
        .bind(row.program)
        .run();
  }

  void put(const StreamRow& row) {
    Query query(
        database,
        "INSERT INTO stream VALUES (?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE SET next_index = "
        "excluded.next_index, mismatches = excluded.mismatches, reductions = excluded.reductions "
        "WHERE excluded.next_index > next_index");
    query.bind(row.stream).bind(row.next_index).bind(row.mismatches).bind(row.reductions).run();
  }

  void put(std::uint32_t stream, const std::map<std::string, std::uint64_t>& counts) {
    Query query(
        database,
        "INSERT INTO coverage VALUES (?, ?, ?) ON CONFLICT (stream, key) DO UPDATE SET programs = "
        "programs + excluded.programs");
    for (const auto& [key, programs] : counts) query.bind(stream).bind(key).bind(programs).run();
  }

  void offer(std::uint32_t stream, const std::vector<std::string>& programs) {
    Query query(database, "INSERT INTO offer SELECT ?1, count(*), ?2 FROM offer WHERE stream = ?1");
    for (const auto& program : programs) query.bind(stream).bind(program).run();
  }

  void put(std::uint32_t stream, const std::vector<PendingReduction>& reductions) {
    Query(database, "DELETE FROM pending WHERE stream = ?").bind(stream).run();
    Query query(database, "INSERT INTO pending VALUES (?, ?, ?, ?, ?, ?)");
    for (const auto& row : reductions)
      query.bind(stream)
          .bind(row.target)
          .bind_bytes(bytes_of(row.hash))
          .bind(row.program)
          .bind(row.steps)
          .bind(row.tried)
          .run();
  }

  std::unique_ptr<DirectoryLock> lock;
  Database database;
  Identity identity;
  std::mutex mutex; // writers are several
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const std::string& directory, const Identity& identity) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw InputError(fmt::format("{}: error: {}", directory, error.message()));
  auto impl = std::make_unique<Impl>(std::make_unique<DirectoryLock>(directory),
                                     directory + "/campaign.db", true, false);
  auto& database = impl->database;
  const bool fresh = !Query(database, "SELECT 1 FROM sqlite_master LIMIT 1").step();
  if (!fresh) { // before anything is changed
    impl->check_version();
    require_same(impl->stored_identity(), identity, directory);
  }
  database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (fresh || impl->version() < schema_version) {
    Transaction transaction(database);
    const int version = impl->version();
    if (fresh) database.execute(schema);
    if (version < 2) database.execute(since_version_2);
    if (version < 3) database.execute(since_version_3);
    database.execute(fmt::format("PRAGMA user_version = {}", schema_version));
    if (fresh) impl->write_identity(identity);
    transaction.commit();
  }
  impl->write_contents(identity.contents);
  impl->identity = identity_of(impl->stored_identity());
  return Store(std::move(impl));
}

Store Store::open_existing(const std::string& directory) {
  const auto path = directory + "/campaign.db";
  if (!std::filesystem::exists(path))
    throw InputError(fmt::format("{}: error: no campaign there (no campaign.db)", directory));
  auto impl = std::make_unique<Impl>(nullptr, path, false, false);
  impl->check_version();
  impl->identity = identity_of(impl->stored_identity());
  return Store(std::move(impl));
}

const Identity& Store::identity() const { return impl_->identity; }

void Store::commit(const Chunk& chunk) {
  const std::scoped_lock guard(impl_->mutex);
  Transaction transaction(impl_->database);
  auto programs = impl_->program_query();
  for (const auto& row : chunk.programs) Impl::put(programs, row);
  for (const auto& row : chunk.mismatches) impl_->put(row);
  for (const auto& row : chunk.undecided) impl_->put(row);
  impl_->put(chunk.after.stream, chunk.coverage);
  impl_->offer(chunk.after.stream, chunk.offered);
  impl_->put(chunk.after.stream, chunk.pending);
  impl_->put(chunk.after);
  Query(impl_->database, "UPDATE clock SET elapsed_s = max(elapsed_s, ?)")
      .bind(chunk.elapsed_s)
      .run();
  transaction.commit();
}

void Store::add_sample(const Sample& sample) {
  const std::scoped_lock guard(impl_->mutex);
  Query query(impl_->database, "INSERT INTO sample VALUES (?, ?, ?, ?)");
  query.bind(sample.elapsed_s)
      .bind(sample.programs)
      .bind(sample.mismatches)
      .bind(sample.distinct)
      .run();
}

std::vector<StreamRow> Store::streams() const {
  std::vector<StreamRow> rows;
  Query query(impl_->database,
              "SELECT stream, next_index, mismatches, reductions FROM stream ORDER BY stream");
  while (query.step()) {
    StreamRow row;
    row.stream = static_cast<std::uint32_t>(query.number());
    row.next_index = static_cast<std::uint64_t>(query.number());
    row.mismatches = static_cast<std::uint64_t>(query.number());
    row.reductions = static_cast<std::uint64_t>(query.number());
    rows.push_back(row);
  }
  return rows;
}

void Store::each_program(const std::function<void(const ProgramRow&)>& f) const {
  Query query(impl_->database,
              "SELECT hash, stream, idx, strategy, verdicts FROM program ORDER BY hash");
  ProgramRow row;
  while (query.step()) {
    row.hash = hash_of(query.text());
    row.place.stream = static_cast<std::uint32_t>(query.number());
    row.place.index = static_cast<std::uint64_t>(query.number());
    row.strategy = static_cast<std::uint8_t>(query.number());
    row.verdicts = verdicts_of(query.text());
    f(row);
  }
}

std::vector<MismatchRow> Store::mismatches() const {
  std::vector<MismatchRow> rows;
  Query query(
      impl_->database,
      "SELECT target, hash, stream, idx, original, behaviour, reason, minimal, minimal_hash, "
      "minimal_behaviour, minimal_reason, minimal_accesses, steps, tried, found_after_s FROM "
      "mismatch ORDER BY target, stream, idx, hash");
  while (query.step()) {
    MismatchRow row;
    row.target = static_cast<std::uint32_t>(query.number());
    row.hash = hash_of(query.text());
    row.place.stream = static_cast<std::uint32_t>(query.number());
    row.place.index = static_cast<std::uint64_t>(query.number());
    row.original = query.text();
    row.finding.behaviour = query.text();
    row.finding.reason = query.text();
    row.minimal = query.text();
    row.minimal_hash = hash_of(query.text());
    row.minimal_finding.behaviour = query.text();
    read_reason_column(query.text(), row.minimal_finding);
    row.minimal_accesses = static_cast<std::uint32_t>(query.number());
    row.steps = static_cast<std::uint64_t>(query.number());
    row.tried = static_cast<std::uint64_t>(query.number());
    row.found_after_s = query.real();
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<UndecidedRow> Store::undecided() const {
  std::vector<UndecidedRow> rows;
  if (impl_->version() < 3) return rows;
  Query query(impl_->database,
              "SELECT target, hash, verdict, reason, program FROM undecided ORDER BY target, hash");
  while (query.step()) {
    UndecidedRow row;
    row.target = static_cast<std::uint32_t>(query.number());
    row.hash = hash_of(query.text());
    row.verdict = static_cast<Verdict>(query.number());
    row.reason = query.text();
    row.program = query.text();
    rows.push_back(std::move(row));
  }
  return rows;
}

std::map<std::string, std::uint64_t> Store::coverage() const {
  std::map<std::string, std::uint64_t> counts;
  Query query(impl_->database, "SELECT key, sum(programs) FROM coverage GROUP BY key ORDER BY key");
  while (query.step()) {
    auto key = query.text();
    counts[std::move(key)] = static_cast<std::uint64_t>(query.number());
  }
  return counts;
}

std::map<std::string, std::uint64_t> Store::coverage(std::uint32_t stream) const {
  std::map<std::string, std::uint64_t> counts;
  Query query(impl_->database, "SELECT key, programs FROM coverage WHERE stream = ? ORDER BY key");
  query.bind(stream);
  while (query.step()) {
    auto key = query.text();
    counts[std::move(key)] = static_cast<std::uint64_t>(query.number());
  }
  return counts;
}

std::vector<std::string> Store::offered(std::uint32_t stream) const {
  std::vector<std::string> programs;
  Query query(impl_->database, "SELECT program FROM offer WHERE stream = ? ORDER BY place");
  query.bind(stream);
  while (query.step()) programs.push_back(query.text());
  return programs;
}

std::vector<PendingReduction> Store::pending(std::uint32_t stream) const {
  std::vector<PendingReduction> rows;
  Query query(impl_->database, "SELECT target, hash, program, steps, tried FROM pending WHERE "
                               "stream = ? ORDER BY target");
  query.bind(stream);
  while (query.step()) {
    PendingReduction row{stream, 0, {}, {}, 0, 0};
    row.target = static_cast<std::uint32_t>(query.number());
    row.hash = hash_of(query.text());
    row.program = query.text();
    row.steps = static_cast<std::uint64_t>(query.number());
    row.tried = static_cast<std::uint64_t>(query.number());
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Sample> Store::samples() const {
  std::vector<Sample> rows;
  Query query(
      impl_->database,
      "SELECT elapsed_s, programs, mismatches, distinct_minimal FROM sample ORDER BY elapsed_s");
  while (query.step()) {
    Sample sample;
    sample.elapsed_s = query.real();
    sample.programs = static_cast<std::uint64_t>(query.number());
    sample.mismatches = static_cast<std::uint64_t>(query.number());
    sample.distinct = static_cast<std::uint64_t>(query.number());
    rows.push_back(sample);
  }
  return rows;
}

double Store::elapsed_s() const {
  Query query(impl_->database, "SELECT elapsed_s FROM clock");
  return query.step() ? query.real() : 0;
}

std::uint64_t Store::program_count() const {
  Query query(impl_->database, "SELECT count(*) FROM program");
  query.step();
  return static_cast<std::uint64_t>(query.number());
}

std::vector<std::vector<std::uint64_t>> Store::verdict_counts() const {
  std::vector<std::vector<std::uint64_t>> counts(identity().targets.size(),
                                                 std::vector<std::uint64_t>(4));
  Query query(impl_->database, "SELECT verdicts, count(*) FROM program GROUP BY verdicts");
  while (query.step()) {
    const auto verdicts = verdicts_of(query.text());
    const auto programs = static_cast<std::uint64_t>(query.number());
    for (std::size_t t = 0; t < verdicts.size() && t < counts.size(); ++t)
      counts[t].at(static_cast<std::size_t>(verdicts[t])) += programs;
  }
  return counts;
}

void Store::merge(const Store& other) {
  auto mine = identity_rows(identity()), theirs = identity_rows(other.identity());
  mine.erase("version");
  theirs.erase("version");
  const auto changed = changed_since(identity(), other.identity().contents);
  if (!changed.empty())
    throw InputError(fmt::format("{}: error: {} is not the same in both campaigns",
                                 other.impl_->database.path(), changed));
  if (mine != theirs)
    throw InputError(
        fmt::format("{}: error: not the same campaign (seed, model, targets or profile differ)",
                    other.impl_->database.path()));
  for (const auto& theirs_row : other.streams())
    for (const auto& mine_row : streams())
      if (mine_row.stream == theirs_row.stream)
        throw InputError(
            fmt::format("{}: error: stream {} is in both stores: these are not different shards",
                        other.impl_->database.path(), mine_row.stream));
  const std::scoped_lock guard(impl_->mutex);
  Transaction transaction(impl_->database);
  auto query = impl_->program_query();
  other.each_program([&](const ProgramRow& row) { Impl::put(query, row); });
  for (const auto& row : other.mismatches()) impl_->put(row);
  for (const auto& row : other.undecided()) impl_->put(row);
  for (const auto& row : other.streams()) {
    impl_->put(row);
    impl_->put(row.stream, other.coverage(row.stream));
    impl_->offer(row.stream, other.offered(row.stream));
  }
  Query(impl_->database, "UPDATE clock SET elapsed_s = max(elapsed_s, ?)")
      .bind(other.elapsed_s())
      .run();
  transaction.commit();
}

std::string Store::digest() const {
  std::string out;
  for (const auto& [key, value] : identity_rows(identity()))
    out += fmt::format("{}={}\n", key, value);
  for (const auto& [key, value] : content_rows(identity().contents))
    out += fmt::format("{}={}\n", key, value);
  for (const auto& row : streams())
    out += fmt::format("stream {} {} {} {}\n", row.stream, row.next_index, row.mismatches,
                       row.reductions);
  each_program([&](const ProgramRow& row) {
    out += fmt::format("program {} {}.{} {} {}\n", litmus::to_string(row.hash), row.place.stream,
                       row.place.index, row.strategy, fmt::join(verdict_bytes(row.verdicts), ","));
  });
  for (const auto& row : mismatches())
    out += fmt::format("mismatch {} {} {}.{} {} -> {} {} {}\n", row.target,
                       litmus::to_string(row.hash), row.place.stream, row.place.index,
                       row.finding.behaviour, litmus::to_string(row.minimal_hash),
                       row.minimal_finding.behaviour, reason_column(row.minimal_finding));
  for (const auto& row : undecided())
    out += fmt::format("undecided {} {} {} {}\n{}\n", row.target, litmus::to_string(row.hash),
                       name(row.verdict), row.reason, row.program);
  for (const auto& stream : streams())
    for (const auto& program : offered(stream.stream))
      out += fmt::format("offer {}\n{}\n", stream.stream, program);
  for (const auto& [key, programs] : coverage())
    out += fmt::format("coverage {} {}\n", key, programs);
  return out;
}

} // namespace thinair::campaign
