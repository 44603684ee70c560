// Fuzzes stores: a small one is damaged, by bytes or by SQL, and read whole; it is refused, or read
// as if nothing were wrong, but never more than that.
//
// An input that begins with `S` is SQL, run on a store of version 3, which has no checksums in
// front; any other is a row of patches of four bytes: the place in the file, three bytes, and what
// is put there.
#include "campaign/sqlite.h"
#include "campaign/store.h"
#include "litmus/text/error.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

namespace fs = std::filesystem;
using namespace thinair;
using campaign::Store;

void require(bool holds) {
  if (!holds) std::abort();
}

campaign::Identity identity() {
  return {.seed = 5,
          .streams = 2,
          .model = "sc",
          .targets = {"x86:table2", "x86:jam21"},
          .profile = "cycles = 1\n",
          .version = "fuzz",
          .contents = {}};
}

campaign::Chunk chunk() {
  const std::string program = "Java t\n{ x=0; X=x; }\nThread0 {\n  X.set(1);\n}\n";
  campaign::Chunk out;
  out.after = {.stream = 1, .next_index = 4, .mismatches = 1, .reductions = 1};
  for (std::uint64_t i = 0; i < 4; ++i)
    out.programs.push_back({.hash = {{i, 7 * i}},
                            .place = {.stream = 1, .index = i},
                            .strategy = static_cast<std::uint8_t>(i % 3),
                            .verdicts = {campaign::Verdict::sound, campaign::Verdict::unsound}});
  campaign::MismatchRow mismatch;
  mismatch.hash = {{1, 7}};
  mismatch.place = {.stream = 1, .index = 1};
  mismatch.target = 1;
  mismatch.original = mismatch.minimal = program;
  mismatch.finding =
      mismatch.minimal_finding = {litmus::state_in("0:r=1").value(), explain::core_in("axiom")};
  mismatch.minimal_hash = {{3, 3}};
  mismatch.minimal_accesses = 1;
  out.mismatches = {mismatch};
  out.undecided = {{.target = 0,
                    .hash = {{2, 14}},
                    .verdict = campaign::Verdict::unknown,
                    .reason = "a limit",
                    .program = program}};
  out.offered = {program};
  out.coverage = {{campaign::coverage_key_in("com get set").value(), 3},
                  {campaign::coverage_key_in("let po").value(), 1}};
  out.pending = {{.stream = 1, .target = 0, .hash = {{9, 9}}, .program = program}};
  out.elapsed_s = 1.5;
  return out;
}

/// Folders of this process: a good store, and one that is damaged anew for each input.
class Folders {
 public:
  Folders() {
    std::string pattern = (fs::temp_directory_path() / "thinair-fuzz-XXXXXX").string();
    require(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
    {
      auto store = Store::open(directory("good"), identity());
      store.commit(chunk());
      store.add_sample({.elapsed_s = 1, .programs = 4, .mismatches = 1, .distinct = 1});
    }
    std::ifstream in(database("good"), std::ios::binary);
    good_.assign(std::istreambuf_iterator<char>(in), {});
    require(!good_.empty());
    fs::create_directories(directory("damaged"));
  }
  Folders(const Folders&) = delete;
  Folders& operator=(const Folders&) = delete;
  ~Folders() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  std::string directory(const std::string& name) const { return (path_ / name).string(); }
  std::string database(const std::string& name) const { return directory(name) + "/campaign.db"; }

  void write(const std::string& bytes) const {
    fs::remove(database("damaged") + "-journal");
    std::ofstream(database("damaged"), std::ios::binary | std::ios::trunc) << bytes;
  }
  const std::string& good() const { return good_; }

 private:
  fs::path path_;
  std::string good_;
};

std::string patched(std::string bytes, const std::uint8_t* data, std::size_t size) {
  for (std::size_t i = 0; i + 4 <= size; i += 4) {
    const std::size_t place =
        std::size_t{data[i]} << 16U | std::size_t{data[i + 1]} << 8U | data[i + 2];
    bytes[place % bytes.size()] = static_cast<char>(data[i + 3]);
  }
  return bytes;
}

/// Rows change; no other file is made, and nothing runs for long.
int permit(void* /*unused*/, int action, const char* /*a*/, const char* /*b*/, const char* /*c*/,
           const char* /*d*/) {
  const bool leaves = action == SQLITE_ATTACH || action == SQLITE_DETACH ||
                      action == SQLITE_PRAGMA || action == SQLITE_RECURSIVE ||
                      action == SQLITE_FUNCTION;
  return leaves ? SQLITE_DENY : SQLITE_OK;
}

void run(const std::string& sql, const std::string& path) {
  sqlite3* handle = nullptr;
  require(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  const char* older = "DROP TABLE baseline; DROP TABLE checksum; PRAGMA user_version = 3";
  require(sqlite3_exec(handle, older, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_set_authorizer(handle, permit, nullptr);
  int steps = 0;
  sqlite3_progress_handler(
      handle, 10'000, [](void* left) { return ++*static_cast<int*>(left) > 100 ? 1 : 0; }, &steps);
  sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr);
  sqlite3_close(handle);
}

/// Everything that a store gives out.
void read_whole(const Store& store) {
  store.digest();
  store.each_program([](const campaign::ProgramRow&) {});
  store.offered(1);
  store.pending(1);
  store.streams();
  store.verdict_counts();
  store.mismatches();
  store.undecided();
  store.coverage();
  store.samples();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folders folders;
  const bool sql = size > 0 && data[0] == 'S';
  folders.write(sql ? folders.good() : patched(folders.good(), data, size));
  if (sql) run({reinterpret_cast<const char*>(data) + 1, size - 1}, folders.database("damaged"));
  try {
    read_whole(Store::open_existing(folders.directory("damaged")));
    Store::unite(folders.directory("damaged"), {folders.directory("good")});
    Store::open_existing(folders.directory("damaged")).examine();
  } catch (const InputError&) { // refused, with what is wrong
  }
  return 0;
}
