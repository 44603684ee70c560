// Draws AArch64 tests.
#include "tests/support/aarch64_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::test {
namespace {

using Words = std::vector<std::string_view>;

/// One thread. X0 to X2 hold the locations' addresses, W3 to W8 values.
class Thread {
 public:
  Thread(std::mt19937_64& random, unsigned number, unsigned locations)
      : random_(random), number_(number), locations_(locations) {}

  std::vector<std::string> code(unsigned accesses) {
    for (left_ = accesses; left_ > 0;) draw();
    if (below(3) == 0) barrier();
    if (!pending_.empty()) lines_.push_back(std::exchange(pending_, {}) + ":");
    return lines_;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string_view one(const Words& words) { return words[below(words.size())]; }
  std::string value() { return fmt::format("W{}", 3 + below(6)); }
  std::string place() { return fmt::format("[X{}]", below(locations_)); }

  void emit(std::string line) {
    if (!pending_.empty()) line = std::exchange(pending_, {}) + ": " + line;
    lines_.push_back(std::move(line));
  }

  void draw() {
    static constexpr unsigned weights[] = {5, 5, 3, 3, 3, 2, 2, 3, 2};
    std::size_t pick = below(28), kind = 0;
    while (pick >= weights[kind]) pick -= weights[kind++];
    switch (kind) {
    case 0: return load();
    case 1: return store();
    case 2: return update();
    case 3: return exclusives();
    case 4: return barrier();
    case 5: return choice();
    case 6: return branch();
    case 7: return by_address();
    default: return compute();
    }
  }

  void load() {
    --left_;
    emit(fmt::format("{} {},{}", one({"LDR", "LDR", "LDAR", "LDAPR"}), value(), place()));
  }

  void store() {
    --left_;
    const auto from = value(), where = place();
    if (below(2) == 0) emit(fmt::format("MOV {},#{}", from, 1 + below(2)));
    emit(fmt::format("{} {},{}", one({"STR", "STR", "STLR"}), from, where));
    if (below(6) == 0) pass_on(where);
  }

  /// Loads back what was written, for a store, a branch or an address: what it depends on comes
  /// along through memory.
  void pass_on(const std::string& where) {
    const auto back = value();
    emit(fmt::format("{} {},{}", one({"LDR", "LDR", "LDR", "LDAPR"}), back, where));
    switch (below(3)) {
    case 0: return emit(fmt::format("STR {},{}", back, place()));
    case 1: {
      if (!pending_.empty()) return;
      std::string label = fmt::format("L{}{}", number_, labels_++);
      emit(fmt::format("{} {},{}", one({"CBZ", "CBNZ"}), back, label));
      pending_ = std::move(label);
      break;
    }
    default: {
      const auto offset = value();
      emit(fmt::format("EOR {},{},{}", offset, back, back));
      emit(fmt::format("{} {},[X{},{},SXTW]", one({"LDR", "STR"}), value(), below(locations_),
                       offset));
    }
    }
    if (below(2) == 0) emit("ISB");
    emit(fmt::format("{} {},{}", one({"LDR", "STR"}), value(), place()));
  }

  void update() {
    --left_;
    const auto where = place();
    update(where);
    if (below(3) == 0) pass_on(where);
  }

  void update(const std::string& where) {
    const auto order = one({"", "A", "L", "AL"});
    const auto result = below(4) == 0 ? std::string("WZR") : value();
    const auto operand = value();
    if (below(2) == 0) emit(fmt::format("MOV {},#{}", operand, 1 + below(2)));
    if (below(8) == 0)
      return emit(fmt::format("{}{} {},{}", one({"STADD", "STCLR", "STEOR", "STSET"}),
                              one({"", "L"}), operand, where));
    if (below(3) == 0) return emit(fmt::format("CAS{} {},{},{}", order, result, operand, where));
    emit(fmt::format("{}{} {},{},{}", one({"SWP", "SWP", "LDADD", "LDCLR", "LDEOR", "LDSET"}),
                     order, operand, result, where));
  }

  /// No update: herd7 does not take the two exclusives around one for a pair, so that other threads
  /// may write between (docs/language-aarch64.md).
  void between() {
    switch (below(4)) {
    case 0: return load();
    case 1: return store();
    case 2: return barrier();
    default: return compute();
    }
  }

  /// A pair, often with something between or with another location; sometimes it tries again.
  void exclusives() {
    --left_;
    const auto where = place(), read = value(), written = value(), status = value();
    const bool again = below(10) == 0 && status != read && status != written;
    std::string label = fmt::format("R{}{}", number_, labels_++);
    if (again && pending_.empty()) pending_ = label;
    const bool loops = again && pending_ == label;
    emit(fmt::format("{} {},{}", one({"LDXR", "LDAXR"}), read, where));
    if (!loops && below(3) == 0 && left_ > 0) between();
    if (below(2) == 0) emit(fmt::format("ADD {},{},#1", written, read));
    emit(fmt::format("{} {},{},{}", one({"STXR", "STLXR"}), status, written,
                     below(8) == 0 ? place() : where));
    if (loops) emit(fmt::format("CBNZ {},{}", status, label));
  }

  void barrier() {
    if (below(5) == 0) return emit("ISB");
    emit(fmt::format("{} {}", one({"DMB", "DMB", "DMB", "DSB"}),
                     one({"SY", "ISH", "LD", "ISHLD", "ST", "ISHST"})));
  }

  void choice() {
    const auto into = value();
    emit(fmt::format("CMP {},#{}", value(), below(2)));
    const auto condition = one({"EQ", "NE", "GT", "LE", "HI", "CC"});
    if (below(3) == 0) return emit(fmt::format("CSET {},{}", into, condition));
    emit(fmt::format("{} {},{},{},{}", one({"CSEL", "CSINC"}), into, value(), value(), condition));
  }

  void branch() {
    if (!pending_.empty()) return;
    std::string label = fmt::format("L{}{}", number_, labels_++);
    if (below(3) == 0) {
      emit(fmt::format("CMP {},#{}", value(), below(2)));
      emit(fmt::format("B.{} {}", one({"EQ", "NE"}), label));
    } else {
      emit(fmt::format("{} {},{}", one({"CBZ", "CBNZ"}), value(), label));
    }
    if (below(2) == 0 && left_ > 0) below(2) == 0 ? load() : store();
    pending_ = std::move(label);
  }

  void by_address() {
    --left_;
    const auto from = value(), offset = value();
    if (below(2) == 0)
      emit(fmt::format("EOR {},{},{}", offset, from, from));
    else
      emit(fmt::format("AND {},{},#128", offset, from));
    emit(fmt::format("{} {},[X{},{},SXTW]", one({"LDR", "STR"}), value(), below(locations_),
                     offset));
  }

  void compute() {
    const auto into = value(), from = value();
    if (below(3) == 0) return emit(fmt::format("MOV {},{}", into, from));
    emit(fmt::format("{} {},{},{}", one({"ADD", "EOR", "AND", "ORR"}), into, from, value()));
  }

  std::mt19937_64& random_;
  unsigned number_, locations_, left_ = 0, labels_ = 0;
  std::string pending_; // a label that the next line has
  std::vector<std::string> lines_;
};

} // namespace

std::string aarch64_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<unsigned>(random() % n); };
  const unsigned threads = below(4) == 0 ? 3 : 2, locations = below(4) == 0 ? 1 : 2;
  std::string out = fmt::format("AArch64 random-{}\n{{\n", seed), shown;
  std::vector<std::vector<std::string>> columns;
  for (unsigned l = 0; l < locations; ++l) shown += fmt::format("{};", "xyz"[l]);
  for (unsigned t = 0; t < threads; ++t) {
    for (unsigned l = 0; l < locations; ++l) out += fmt::format("{}:X{}={};", t, l, "xyz"[l]);
    for (unsigned r = 3; r < 9; ++r) shown += fmt::format("{}:X{};", t, r);
    columns.push_back(
        Thread(random, t, locations).code(threads == 3 ? 1 + below(2) : 2 + below(2)));
  }
  out += "\n}\n";
  std::size_t rows = 0;
  for (unsigned t = 0; t < threads; ++t) {
    out += fmt::format("{}P{}", t == 0 ? " " : " | ", t);
    rows = std::max(rows, columns[t].size());
  }
  out += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (unsigned t = 0; t < threads; ++t)
      out +=
          fmt::format("{}{}", t == 0 ? " " : " | ", row < columns[t].size() ? columns[t][row] : "");
    out += " ;\n";
  }
  return out + fmt::format("locations [{}]\nexists (true)\n", shown);
}

} // namespace thinair::test
