// SQLite as two values: a database and a prepared statement. Errors become InputError naming the
// file and the remedy.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace thinair::campaign {

class Database;

/// A prepared statement: bind in order, step, read columns in order.
class Query {
 public:
  Query(Database& database, std::string_view sql);

  Query& bind(std::int64_t value);
  Query& bind(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }
  Query& bind(std::uint32_t value) { return bind(static_cast<std::int64_t>(value)); }
  Query& bind(int value) { return bind(static_cast<std::int64_t>(value)); }
  Query& bind(double value);
  Query& bind(std::string_view text);
  Query& bind_bytes(std::string_view bytes);

  bool step(); // true: there is a row
  void run();  // to the end, then ready to be bound again

  std::int64_t number();
  double real();
  std::string text();

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0, read_ = 0;
};

class Database {
 public:
  /// Creates the file where `create` is set. Throws InputError where it cannot be opened or is no
  /// database.
  Database(std::string path, bool create, bool read_only);

  void execute(const std::string& sql);
  const std::string& path() const { return path_; }
  sqlite3* handle() const { return handle_.get(); }

  [[noreturn]] void fail(int code) const;

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// BEGIN .. COMMIT, rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) {
    database_.execute("BEGIN IMMEDIATE");
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool done_ = false;
};

} // namespace thinair::campaign
