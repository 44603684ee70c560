// Opening, bringing up to date, reading and uniting stores.
#include "campaign/store.h"

#include "campaign/directory.h"
#include "campaign/identity_rows.h"
#include "campaign/store_rows.h"
#include "campaign/tables.h"
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/text/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

namespace thinair::campaign {

namespace {

bool is_empty(Database& database) {
  return !Query(database, "SELECT 1 FROM sqlite_master LIMIT 1").step();
}

/// Nothing is left of a draft: neither of somebody who was killed, nor of our own.
class DraftGuard {
 public:
  explicit DraftGuard(std::string directory) : directory_(std::move(directory)) {
    remove_draft(directory_);
  }
  DraftGuard(const DraftGuard&) = delete;
  DraftGuard& operator=(const DraftGuard&) = delete;
  ~DraftGuard() { remove_draft(directory_); }

 private:
  std::string directory_;
};

/// A store that is there becomes the draft of what takes its place. It leaves no log behind that
/// would be taken for the other's, and nobody else has it open then.
void copy_to_draft(const std::string& directory) {
  if (!std::filesystem::exists(store_path(directory))) return;
  Database database(store_path(directory), false);
  const bool empty = is_empty(database);
  if (!empty) Tables(database).verify();
  database.execute("PRAGMA journal_mode = DELETE");
  if (!empty) Query(database, "VACUUM INTO ?").bind(draft_path(directory)).run();
}

} // namespace

struct Store::Impl {
  Impl(const std::string& path, bool create) : database(path, create), tables(database) {}

  IdentityRows stored_identity() {
    IdentityRows rows;
    Query query(database, "SELECT key, value FROM identity ORDER BY key");
    while (query.step()) {
      auto key = query.text();
      rows[std::move(key)] = query.text();
    }
    return rows;
  }

  void read_identity() {
    auto found = identity_of(stored_identity());
    if (!found) database.damaged("it does not say what its campaign is about");
    identity = *std::move(found);
  }

  void add(const IdentityRows& rows) {
    for (const auto& [key, text] : rows) {
      tables.insertion(Table::identity).bind(key).bind(text);
      tables.add(Table::identity); // what is known stays
    }
  }

  RowReader reader(Query& query) { return {query, database, identity}; }

  /// A store of an earlier version, or none yet.
  void bring_up_to_date(const Identity& wanted) {
    const int version = tables.version();
    Change change(tables);
    tables.create_after(version);
    if (version == 0) {
      add(identity_rows(wanted));
      tables.insertion(Table::clock).bind(1).bind(0.0);
      tables.add(Table::clock);
    }
    change.commit();
  }

  /// The earliest place wins, so that the store does not depend on which thread was first.
  void put(const ProgramRow& row) {
    bind(tables.insertion(Table::program), row);
    if (tables.add(Table::program)) return;
    auto& query = tables.lookup(Table::program).bind_bytes(bytes_of(row.hash));
    query.step();
    auto there = reader(query).program();
    query.reset();
    if (there.place <= row.place) return;
    tables.removal(Table::program).bind_bytes(bytes_of(row.hash));
    tables.remove(Table::program);
    there.place = row.place;
    there.strategy = row.strategy;
    bind(tables.insertion(Table::program), there);
    tables.add(Table::program);
  }

  /// A reduced row beats one that is not, then the earlier place wins.
  void put(const MismatchRow& row) {
    bind(tables.insertion(Table::mismatch), row);
    if (tables.add(Table::mismatch)) return;
    const auto rank = [](const MismatchRow& r) { return std::pair(r.minimal.empty(), r.place); };
    auto& query = tables.lookup(Table::mismatch).bind(row.target).bind_bytes(bytes_of(row.hash));
    query.step();
    const auto there = reader(query).mismatch();
    query.reset();
    if (rank(there) <= rank(row)) return;
    tables.removal(Table::mismatch).bind(row.target).bind_bytes(bytes_of(row.hash));
    tables.remove(Table::mismatch);
    bind(tables.insertion(Table::mismatch), row);
    tables.add(Table::mismatch);
  }

  void put(const UndecidedRow& row) {
    bind(tables.insertion(Table::undecided), row);
    tables.add(Table::undecided);
  }

  /// The smallest program.
  void put(const BaselineRow& row) {
    auto& query = tables.lookup(Table::baseline).bind(row.target);
    const bool smaller = !query.step() || row.fault < reader(query).baseline().fault;
    query.reset();
    if (!smaller) return;
    tables.removal(Table::baseline).bind(row.target);
    tables.remove(Table::baseline);
    bind(tables.insertion(Table::baseline), row);
    tables.add(Table::baseline);
  }

  /// The one that has come farther.
  void put(const StreamRow& row) {
    auto& query = tables.lookup(Table::stream).bind(row.stream);
    const bool farther = !query.step() || reader(query).stream().next_index < row.next_index;
    query.reset();
    if (!farther) return;
    tables.removal(Table::stream).bind(row.stream);
    tables.remove(Table::stream);
    bind(tables.insertion(Table::stream), row);
    tables.add(Table::stream);
  }

  void put(std::uint32_t stream, const Counts& counts) {
    for (const auto& [key, programs] : counts)
      tables.add_coverage(stream, to_string(key), programs);
  }

  void offer(std::uint32_t stream, const std::vector<std::string>& programs) {
    if (programs.empty()) return;
    Query there(database, "SELECT count(*) FROM offer WHERE stream = ?");
    there.bind(stream).step();
    auto place = there.natural();
    for (const auto& program : programs) {
      tables.insertion(Table::offer).bind(stream).bind(place++).bind(program);
      tables.add(Table::offer);
    }
  }

  void replace_pending(std::uint32_t stream, const std::vector<PendingReduction>& reductions) {
    for (const auto& row : pending(of_stream(stream))) {
      tables.removal(Table::pending).bind(stream).bind(row.target);
      tables.remove(Table::pending);
    }
    for (const auto& row : reductions) {
      bind(tables.insertion(Table::pending), row);
      tables.add(Table::pending);
    }
  }

  void pass_time(double elapsed) {
    auto& query = tables.lookup(Table::clock).bind(1);
    const bool later = query.step() && (query.natural(), query.seconds()) < elapsed;
    query.reset();
    if (!later) return;
    tables.removal(Table::clock).bind(1);
    tables.remove(Table::clock);
    tables.insertion(Table::clock).bind(1).bind(elapsed);
    tables.add(Table::clock);
  }

  static std::string of_stream(std::uint32_t stream) {
    return fmt::format("WHERE stream = {}", stream);
  }
  std::vector<PendingReduction> pending(const std::string& where) {
    std::vector<PendingReduction> rows;
    if (tables.version() < 2) return rows;
    Query query(database, fmt::format("SELECT * FROM pending {} ORDER BY stream, target", where));
    while (query.step()) rows.push_back(reader(query).pending());
    return rows;
  }

  /// Throws InputError where the text is no program, or not the one with that hash.
  litmus::ContentHash hash_of_program(const std::string& text) const {
    std::string why = "it is not Java";
    try {
      const auto test = litmus::parse({"store", text});
      if (test.is_java()) return litmus::content_hash(test.java());
    } catch (const InputError& error) {
      why = error.what();
    } catch (const Unsupported& error) {
      why = error.what();
    }
    database.damaged(fmt::format("a program cannot be read: {}", why));
  }
  void require_program(const std::string& text, const litmus::ContentHash& hash) const {
    if (hash_of_program(text) != hash) database.damaged("a program is not the one of its row");
  }

  std::unique_ptr<DirectoryLock> lock;
  Database database;
  Tables tables;
  Identity identity;
  std::mutex mutex; // writers are several
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open_to_write(const std::string& path, const std::string& directory,
                           const Identity& identity, const std::string& journal) {
  Store store(std::make_unique<Impl>(path, true));
  auto& impl = *store.impl_;
  const bool fresh = is_empty(impl.database);
  if (!fresh) { // before anything is changed
    store.verify();
    require_same(impl.stored_identity(), identity, directory);
  }
  impl.database.execute(journal);
  if (fresh || impl.tables.version() < Tables::newest) impl.bring_up_to_date(identity);
  Change change(impl.tables);
  impl.add(content_rows(identity.contents)); // what is known by now and was not
  change.commit();
  impl.read_identity();
  return store;
}

Store Store::open(const std::string& directory, const Identity& identity) {
  text::make_folders(directory);
  auto lock = std::make_unique<DirectoryLock>(directory);
  remove_draft(directory);
  auto store = open_to_write(store_path(directory), directory, identity,
                             "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  store.impl_->lock = std::move(lock);
  return store;
}

Store Store::open_existing(const std::string& directory) {
  if (!std::filesystem::exists(store_path(directory)))
    throw InputError(fmt::format("{}: error: no campaign there (no campaign.db)", directory));
  return open_file(store_path(directory));
}

Store Store::open_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError(fmt::format("{}: error: cannot read: {}", path,
                                 error ? error.message() : std::string("not a file")));
  Store store(std::make_unique<Impl>(path, false));
  store.impl_->database.execute("BEGIN"); // all that is read is of one moment
  store.verify();
  return store;
}

/// What has checksums is what a campaign wrote.
void Store::verify() {
  impl_->tables.verify();
  impl_->read_identity();
  if (!has_checksums()) examine();
}

void Store::unite(const std::string& directory, const std::vector<std::string>& parts) {
  THINAIR_CHECK(!parts.empty(), "nothing to unite");
  const auto identity = open_existing(parts.front()).identity();
  text::make_folders(directory);
  const DirectoryLock lock(directory);
  const DraftGuard guard(directory);
  copy_to_draft(directory);
  {
    auto united = open_to_write(draft_path(directory), directory, identity,
                                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    for (const auto& part : parts) united.merge(open_existing(part));
    united.impl_->database.execute("PRAGMA journal_mode = WAL"); // as campaigns want it
  }
  text::move_into_place(draft_path(directory), store_path(directory));
}

const Identity& Store::identity() const { return impl_->identity; }

int Store::version() const { return impl_->tables.version(); }
bool Store::has_checksums() const { return version() >= Tables::first_with_sums; }

void Store::commit(const Chunk& chunk) {
  const std::scoped_lock guard(impl_->mutex);
  Change change(impl_->tables);
  for (const auto& row : chunk.programs) impl_->put(row);
  for (const auto& row : chunk.mismatches) impl_->put(row);
  for (const auto& row : chunk.undecided) impl_->put(row);
  impl_->put(chunk.after.stream, chunk.coverage);
  impl_->offer(chunk.after.stream, chunk.offered);
  impl_->replace_pending(chunk.after.stream, chunk.pending);
  for (const auto& row : chunk.baselines) impl_->put(row);
  impl_->put(chunk.after);
  impl_->pass_time(chunk.elapsed_s);
  change.commit();
}

void Store::add_sample(const Sample& sample) {
  const std::scoped_lock guard(impl_->mutex);
  Change change(impl_->tables);
  bind(impl_->tables.insertion(Table::sample), sample);
  impl_->tables.add(Table::sample);
  change.commit();
}

std::vector<StreamRow> Store::streams() const {
  std::vector<StreamRow> rows;
  Query query(impl_->database, "SELECT * FROM stream ORDER BY stream");
  while (query.step()) rows.push_back(impl_->reader(query).stream());
  return rows;
}

void Store::each_program(const std::function<void(const ProgramRow&)>& f) const {
  Query query(impl_->database, "SELECT * FROM program ORDER BY hash");
  while (query.step()) f(impl_->reader(query).program());
}

std::vector<MismatchRow> Store::mismatches() const {
  std::vector<MismatchRow> rows;
  Query query(impl_->database, "SELECT * FROM mismatch ORDER BY target, stream, idx, hash");
  while (query.step()) rows.push_back(impl_->reader(query).mismatch());
  return rows;
}

std::vector<UndecidedRow> Store::undecided() const {
  std::vector<UndecidedRow> rows;
  if (version() < 3) return rows;
  Query query(impl_->database, "SELECT * FROM undecided ORDER BY target, hash");
  while (query.step()) rows.push_back(impl_->reader(query).undecided());
  return rows;
}

std::vector<BaselineRow> Store::baseline_faults() const {
  std::vector<BaselineRow> rows;
  if (version() < 5) return rows;
  Query query(impl_->database, "SELECT * FROM baseline ORDER BY target");
  while (query.step()) rows.push_back(impl_->reader(query).baseline());
  return rows;
}

namespace {

Counts counts_in(Query& query, RowReader reader) {
  Counts counts;
  while (query.step()) {
    const auto [key, programs] = reader.counted();
    counts[key] += programs;
  }
  return counts;
}

} // namespace

Counts Store::coverage() const {
  Query query(impl_->database, "SELECT key, programs FROM coverage");
  return counts_in(query, impl_->reader(query));
}

Counts Store::coverage(std::uint32_t stream) const {
  Query query(impl_->database, "SELECT key, programs FROM coverage WHERE stream = ?");
  query.bind(stream);
  return counts_in(query, impl_->reader(query));
}

std::vector<std::string> Store::offered(std::uint32_t stream) const {
  std::vector<std::string> programs;
  Query query(impl_->database, "SELECT program FROM offer WHERE stream = ? ORDER BY place");
  query.bind(stream);
  while (query.step()) programs.push_back(query.text());
  return programs;
}

std::vector<PendingReduction> Store::pending(std::uint32_t stream) const {
  return impl_->pending(Impl::of_stream(stream));
}

std::vector<Sample> Store::samples() const {
  std::vector<Sample> rows;
  Query query(impl_->database, "SELECT * FROM sample ORDER BY elapsed_s");
  while (query.step()) rows.push_back(impl_->reader(query).sample());
  return rows;
}

double Store::elapsed_s() const {
  Query query(impl_->database, "SELECT elapsed_s FROM clock");
  return query.step() ? query.seconds() : 0;
}

std::uint64_t Store::program_count() const {
  Query query(impl_->database, "SELECT count(*) FROM program");
  query.step();
  return query.natural();
}

std::vector<std::vector<std::uint64_t>> Store::verdict_counts() const {
  std::vector<std::vector<std::uint64_t>> counts(identity().targets.size(),
                                                 std::vector<std::uint64_t>(verdict_count));
  Query query(impl_->database, "SELECT verdicts, count(*) FROM program GROUP BY verdicts");
  while (query.step()) {
    const auto verdicts = impl_->reader(query).verdicts();
    const auto programs = query.natural();
    for (std::size_t t = 0; t < counts.size(); ++t)
      counts[t].at(static_cast<std::size_t>(verdicts[t])) += programs;
  }
  return counts;
}

void Store::examine() const {
  each_program([](const ProgramRow&) {});
  for (const auto& row : mismatches()) {
    impl_->require_program(row.original, row.hash);
    if (!row.minimal.empty()) impl_->require_program(row.minimal, row.minimal_hash);
  }
  for (const auto& row : undecided()) impl_->require_program(row.program, row.hash);
  for (const auto& row : baseline_faults()) impl_->hash_of_program(row.fault.program);
  streams();
  for (const auto& row : impl_->pending("")) impl_->hash_of_program(row.program);
  Query offers(impl_->database, "SELECT * FROM offer");
  while (offers.step()) impl_->hash_of_program(impl_->reader(offers).offer());
  Query counts(impl_->database, "SELECT * FROM coverage");
  while (counts.step()) impl_->reader(counts).coverage();
  samples();
  elapsed_s();
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
  Change change(impl_->tables);
  other.each_program([&](const ProgramRow& row) { impl_->put(row); });
  for (const auto& row : other.mismatches()) impl_->put(row);
  for (const auto& row : other.undecided()) impl_->put(row);
  for (const auto& row : other.baseline_faults()) impl_->put(row);
  for (const auto& row : other.streams()) {
    impl_->put(row);
    impl_->put(row.stream, other.coverage(row.stream));
    impl_->offer(row.stream, other.offered(row.stream));
  }
  impl_->pass_time(other.elapsed_s());
  change.commit();
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
    out += fmt::format("program {} {}.{} {}", litmus::to_string(row.hash), row.place.stream,
                       row.place.index, row.strategy);
    for (const auto verdict : row.verdicts) out += fmt::format(" {}", name(verdict));
    out += '\n';
  });
  for (const auto& row : mismatches())
    out += fmt::format(
        "mismatch {} {} {}.{} {} -> {} {} {}\n", row.target, litmus::to_string(row.hash),
        row.place.stream, row.place.index, litmus::to_string(row.finding.behaviour),
        litmus::to_string(row.minimal_hash), litmus::to_string(row.minimal_finding.behaviour),
        as_text(row.minimal_finding.reason));
  for (const auto& row : undecided())
    out += fmt::format("undecided {} {} {} {}\n{}\n", row.target, litmus::to_string(row.hash),
                       name(row.verdict), row.reason.text, row.program);
  for (const auto& stream : streams())
    for (const auto& program : offered(stream.stream))
      out += fmt::format("offer {}\n{}\n", stream.stream, program);
  for (const auto& [key, programs] : coverage())
    out += fmt::format("coverage {} {}\n", to_string(key), programs);
  return out;
}

} // namespace thinair::campaign
