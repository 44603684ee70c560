// SQLite as two values: a database and a prepared statement. Errors become InputError naming the
// file and the remedy.
#pragma once

#include "litmus/text/digest.h"

#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace thinair::campaign {

class Database;

/// Of the types and values of a row's columns, in order.
using RowDigest = std::array<std::uint64_t, 2>;

/// A prepared statement: bind in order, step, read columns in order. A column that holds another
/// type than is asked for, or a number that cannot be, is a damaged file: InputError.
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

  bool step();  // true: there is a row
  void run();   // to the end, then ready to be bound again
  void reset(); // ready to be bound again

  /// What is counted: not negative, and never more than this.
  static constexpr std::uint64_t most = std::uint64_t{1} << 56U;

  std::int64_t number();
  std::uint64_t natural(std::uint64_t at_most = most);
  double seconds(); // finite, not negative
  std::string text();
  std::string bytes();

  RowDigest row();         // all columns, whatever was read of them
  RowDigest bound() const; // what is bound, as if it were a row

 private:
  std::string content(int type);
  void require(int type);

  struct Finalize {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0, read_ = 0;
  text::Digest digest_; // of what is bound
};

class Database {
 public:
  /// Creates the file where `create` is set. Throws InputError where it cannot be opened or is no
  /// database.
  Database(std::string path, bool create);

  void execute(const std::string& sql);
  const std::string& path() const { return path_; }
  sqlite3* handle() const { return handle_.get(); }

  [[noreturn]] void fail(int code) const;
  /// What is in the file cannot be.
  [[noreturn]] void damaged(std::string_view what) const;

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
