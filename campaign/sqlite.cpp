// The thin layer over SQLite, and the texts of its errors.
#include "campaign/sqlite.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

namespace thinair::campaign {
namespace {

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
  case SQLITE_IOERR: return "reading or writing failed: is the disk full or gone?";
  default: return "";
  }
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
  sqlite3_bind_int64(statement_.get(), ++bound_, value);
  return *this;
}

Query& Query::bind(double value) {
  sqlite3_bind_double(statement_.get(), ++bound_, value);
  return *this;
}

Query& Query::bind(std::string_view text) {
  sqlite3_bind_text(statement_.get(), ++bound_, text.data(), static_cast<int>(text.size()),
                    SQLITE_TRANSIENT);
  return *this;
}

Query& Query::bind_bytes(std::string_view bytes) {
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
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  bound_ = 0;
}

std::int64_t Query::number() { return sqlite3_column_int64(statement_.get(), read_++); }

double Query::real() { return sqlite3_column_double(statement_.get(), read_++); }

std::string Query::text() {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), read_));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), read_++));
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

Database::Database(std::string path, bool create, bool read_only) : path_(std::move(path)) {
  sqlite3* raw = nullptr;
  const int access = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  const int flags = access | (create ? SQLITE_OPEN_CREATE : 0);
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

Transaction::~Transaction() {
  if (!done_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  done_ = true;
}

} // namespace thinair::campaign
