// The thin layer over SQLite, and the texts of its errors.
#include "campaign/sqlite.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace thinair::campaign {
namespace {

constexpr double most_seconds = 1e12;

/// What a user can do about it.
std::string_view remedy(int code) {
  switch (code & 0xFF) {
  case SQLITE_FULL: return "the disk is full: free some space and run the same command again";
  case SQLITE_READONLY:
  case SQLITE_PERM:
  case SQLITE_CANTOPEN: return "check that the directory exists and is writable";
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB: return "the file is damaged or no campaign store; it was left as it is";
  case SQLITE_BUSY:
  case SQLITE_LOCKED: return "another program is using it";
  case SQLITE_IOERR:
    return "reading or writing failed: is the disk full or gone, or a file at the limit on sizes "
           "(ulimit -f)?";
  default: return "";
  }
}

// A row's digest: each column's type, then its value.
void add(text::Digest& digest, std::int64_t value) {
  digest.add(std::uint64_t{SQLITE_INTEGER});
  digest.add(static_cast<std::uint64_t>(value));
}
void add(text::Digest& digest, double value) {
  digest.add(std::uint64_t{SQLITE_FLOAT});
  digest.add(std::bit_cast<std::uint64_t>(value));
}
void add(text::Digest& digest, std::uint64_t type, std::string_view value) {
  digest.add(type);
  digest.add(value);
}

} // namespace

Query::Query(Database& database, std::string_view sql) : database_(database) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      &raw, nullptr);
  statement_.reset(raw);
  if (code != SQLITE_OK) database.fail(code);
}

Query& Query::bind(std::int64_t value) {
  add(digest_, value);
  sqlite3_bind_int64(statement_.get(), ++bound_, value);
  return *this;
}

Query& Query::bind(double value) {
  add(digest_, value);
  sqlite3_bind_double(statement_.get(), ++bound_, value);
  return *this;
}

Query& Query::bind(std::string_view text) {
  add(digest_, SQLITE_TEXT, text);
  sqlite3_bind_text(statement_.get(), ++bound_, text.data(), static_cast<int>(text.size()),
                    SQLITE_TRANSIENT);
  return *this;
}

Query& Query::bind_bytes(std::string_view bytes) {
  add(digest_, SQLITE_BLOB, bytes);
  sqlite3_bind_blob(statement_.get(), ++bound_, bytes.data(), static_cast<int>(bytes.size()),
                    SQLITE_TRANSIENT);
  return *this;
}

bool Query::step() {
  read_ = 0;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail(code);
  return false;
}

void Query::run() {
  while (step()) {
  }
  reset();
}

void Query::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  bound_ = 0;
  digest_ = {};
}

void Query::require(int type) {
  if (sqlite3_column_type(statement_.get(), read_) != type)
    database_.damaged(fmt::format("a value of another type than {} has",
                                  sqlite3_column_name(statement_.get(), read_)));
}

std::int64_t Query::number() {
  require(SQLITE_INTEGER);
  return sqlite3_column_int64(statement_.get(), read_++);
}

std::uint64_t Query::natural(std::uint64_t at_most) {
  const auto value = number();
  if (value < 0 || static_cast<std::uint64_t>(value) > at_most)
    database_.damaged(
        fmt::format("{} cannot be {}", sqlite3_column_name(statement_.get(), read_ - 1), value));
  return static_cast<std::uint64_t>(value);
}

double Query::seconds() {
  require(SQLITE_FLOAT);
  const double value = sqlite3_column_double(statement_.get(), read_++);
  if (!std::isfinite(value) || value < 0 || value > most_seconds)
    database_.damaged(
        fmt::format("{} cannot be {}", sqlite3_column_name(statement_.get(), read_ - 1), value));
  return value;
}

std::string Query::content(int type) {
  require(type);
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), read_));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), read_++));
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

std::string Query::text() { return content(SQLITE_TEXT); }
std::string Query::bytes() { return content(SQLITE_BLOB); }

RowDigest Query::bound() const { return digest_.words(); }

RowDigest Query::row() {
  auto* row = statement_.get();
  text::Digest digest;
  for (int column = 0; column < sqlite3_column_count(row); ++column) {
    const int type = sqlite3_column_type(row, column);
    if (type == SQLITE_INTEGER) {
      add(digest, static_cast<std::int64_t>(sqlite3_column_int64(row, column)));
    } else if (type == SQLITE_FLOAT) {
      add(digest, sqlite3_column_double(row, column));
    } else {
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(row, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
      add(digest, static_cast<std::uint64_t>(type),
          bytes == nullptr ? std::string_view() : std::string_view(bytes, size));
    }
  }
  return digest.words();
}

Database::Database(std::string path, bool create) : path_(std::move(path)) {
  sqlite3* raw = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path_.c_str(), &raw, flags, nullptr);
  handle_.reset(raw);
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(raw, 10'000);
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void Database::fail(int code) const {
  const std::string what = handle_ ? sqlite3_errmsg(handle()) : sqlite3_errstr(code);
  const auto advice = remedy(code);
  throw InputError(fmt::format("{}: error: {}{}", path_, what,
                               advice.empty() ? "" : fmt::format("\n  hint: {}", advice)));
}

void Database::damaged(std::string_view what) const {
  throw InputError(fmt::format("{}: error: {}\n  hint: {}", path_, what, remedy(SQLITE_CORRUPT)));
}

Transaction::~Transaction() {
  if (!done_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  done_ = true;
}

} // namespace thinair::campaign
