// The tables of a store, the version that each is there since, and a checksum of what each holds.
//
// A checksum is a sum over the digests of a table's rows: it does not depend on their order, is
// kept up to date by what is added and taken away, and is stored in the same transaction. A value
// that was changed by anything else does not go with it.
#pragma once

#include "campaign/sqlite.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace thinair::campaign {

enum class Table : std::uint8_t {
  identity,
  stream,
  program,
  mismatch,
  coverage,
  offer,
  sample,
  clock,
  pending,
  undecided,
  baseline,
};
constexpr std::size_t table_count = 11;

struct Sum {
  std::uint64_t rows = 0;
  RowDigest words{};

  void add(const RowDigest& row);
  void remove(const RowDigest& row);
  friend bool operator==(const Sum&, const Sum&) = default;
};

/// Rows are added, replaced and removed through it alone, within a Change.
class Tables {
 public:
  static constexpr int newest = 5; // older stores are brought up to date
  static constexpr int first_with_sums = 4;

  explicit Tables(Database& database) : database_(database) {}

  /// 0: there is no store in the file.
  int version();

  /// Throws InputError where the file is damaged, as far as that can be seen: in SQLite's pages, in
  /// the tables' definitions, and in the sums of their rows.
  void verify();

  /// The tables that stores of this version lack, and the sums of what is there.
  void create_after(int version);

  /// Binds a row's columns to it in order, then calls add(). Its key comes first.
  Query& insertion(Table table);
  bool add(Table table); // false: there is a row with that key, which stays as it is

  /// Binds a key's columns to it, steps, and reads all columns of the row.
  Query& lookup(Table table);
  /// Binds a key's columns to it, then calls remove().
  Query& removal(Table table);
  void remove(Table table); // the row, if there is one

  /// More programs for a key: a row of `coverage`.
  void add_coverage(std::uint32_t stream, const std::string& key, std::uint64_t programs);

  friend class Change;

 private:
  using Sums = std::array<Sum, table_count>;
  struct Statements {
    std::optional<Query> insertion, lookup, removal;
  };

  Statements& statements(Table table) { return statements_.at(static_cast<std::size_t>(table)); }
  Sum& sum(Table table) { return sums_.at(static_cast<std::size_t>(table)); }
  void verify_definitions(int version);
  Sum counted(Table table); // of the rows that are there
  Sums stored();
  void store_changes(const Sums& before);

  Database& database_;
  Sums sums_;
  std::array<Statements, table_count> statements_;
  std::optional<Query> coverage_, store_;
};

/// A transaction that changes tables; rolled back, sums and all, unless committed.
class Change {
 public:
  explicit Change(Tables& tables);
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change();
  void commit();

 private:
  Tables& tables_;
  Transaction transaction_;
  Tables::Sums before_;
  bool done_ = false;
};

} // namespace thinair::campaign
