// Draws a program, then writes it plainly and wildly.
#include "tests/support/herd_spelling.h"

#include "litmus/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace thinair::test {
namespace {

constexpr std::array<std::string_view, 3> cells{"x", "y", "a.b"};
constexpr std::array<std::string_view, 4> intel_registers{"EAX", "EBX", "ECX", "EDX"};
constexpr std::array<std::string_view, 4> registers_32{"%eax", "%ebx", "%ecx", "%edx"};
constexpr std::array<std::string_view, 4> registers_64{"rax", "rbx", "rcx", "rdx"};

struct Op {
  enum class Kind : std::uint8_t {
    store,      // a constant
    load,       //
    store_back, // a register
    exchange,   //
    add,        // a constant to a register
    increment,  // of a cell, locked
    fence,      //
    element,    // a load through the pointer at the array
    skip,       // jumps over the next
    leave,      // ends the thread
  } kind = Kind::store;
  std::size_t cell = 0, reg = 0;
  int value = 0;
};

struct Atom {
  std::size_t thread = 0, reg = 0, cell = 0;
  enum class Of : std::uint8_t { reg, cell, element, array } of = Of::reg;
  int value = 0;
  bool differs = false;
};

struct Drawn {
  bool intel = false;
  std::vector<std::vector<Op>> threads;
  std::vector<std::size_t> symbolic; // registers of the thread that have no place: the first ones
  std::array<int, cells.size()> initial{};
  std::array<int, 2> array{};
  std::vector<Atom> atoms;
  bool any = false; // of the atoms
};

bool names_register(const Op& op) {
  using Kind = Op::Kind;
  return op.kind == Kind::load || op.kind == Kind::store_back || op.kind == Kind::exchange ||
         op.kind == Kind::add || op.kind == Kind::element;
}

/// How many registers the code names, where they are the first ones; 0 where they are not.
std::size_t first_registers(const std::vector<Op>& code) {
  std::array<bool, intel_registers.size()> named{};
  for (const Op& op : code)
    if (names_register(op)) named.at(op.reg) = true;
  const auto end = std::ranges::find(named, false);
  return std::find(end, named.end(), true) == named.end()
             ? static_cast<std::size_t>(end - named.begin())
             : 0;
}

Op draw_op(litmus::Random& random, bool intel, bool last) {
  using Kind = Op::Kind;
  constexpr std::array kinds{Kind::store,      Kind::store,    Kind::load,      Kind::load,
                             Kind::store_back, Kind::add,      Kind::increment, Kind::fence,
                             Kind::element,    Kind::exchange, Kind::skip,      Kind::leave};
  Op op;
  do op.kind = kinds[random.below(kinds.size())];
  while ((op.kind == Kind::leave && intel) || (op.kind == Kind::skip && last));
  op.cell = random.below(cells.size());
  op.reg = random.below(2);
  op.value = static_cast<int>(random.below(3));
  return op;
}

Drawn draw(std::uint64_t seed) {
  litmus::Random random(seed, 0);
  Drawn out;
  out.intel = seed % 2 == 0;
  for (std::size_t t = 0, n = 2 + random.below(2); t < n; ++t) {
    auto& code = out.threads.emplace_back();
    for (std::size_t i = 0, size = 2 + random.below(n == 2 ? 3 : 2); i < size; ++i)
      code.push_back(draw_op(random, out.intel, i + 1 == size));
    out.symbolic.push_back(random.chance(1, 4) ? first_registers(code) : 0);
  }
  for (int& value : out.initial) value = static_cast<int>(random.below(2));
  for (int& value : out.array) value = static_cast<int>(random.below(3));
  for (std::size_t i = 0, n = 2 + random.below(3); i < n; ++i) {
    Atom atom;
    atom.thread = random.below(out.threads.size());
    atom.reg = random.below(out.symbolic[atom.thread] > 0 ? out.symbolic[atom.thread] : 2);
    atom.cell = random.below(cells.size());
    atom.of = static_cast<Atom::Of>(random.below(4));
    atom.value = static_cast<int>(random.below(3));
    atom.differs = atom.of != Atom::Of::array && random.chance(1, 4);
    out.atoms.push_back(atom);
  }
  out.any = random.chance(1, 3);
  return out;
}

/// Writes a test; `wild` chooses among spellings, plain ones are always the first.
class Writer {
 public:
  Writer(const Drawn& drawn, std::uint64_t seed, bool wild)
      : drawn_(drawn), random_(seed, 1), wild_(wild) {}

  std::string text() { return header() + initial() + code() + questions(); }

 private:
  /// The first of them, or any.
  std::string one_of(std::vector<std::string> spellings) {
    return wild_ ? spellings[random_.below(spellings.size())] : spellings[0];
  }
  std::string blank() { return one_of({" ", "  ", "\t", " (* or (* not *) *) "}); }
  std::string maybe() { return one_of({"", " ", "\t", "(* *)"}); }

  std::string header() {
    const std::string word = drawn_.intel ? "X86" : "X86_64";
    const bool leaves = std::ranges::any_of(drawn_.threads, [](const auto& code) {
      return std::ranges::any_of(code, [](const Op& op) { return op.kind == Op::Kind::leave; });
    });
    return word + one_of({" ", "\t "}) + "t" +
           one_of({"", "  (TheTest)", " (The-1/2.Test) \"said\"", " \"a\nb\"", "\n\"said\"", " ;",
                   " and so on", " \"\"", "\n  \"said; or not\" ;"}) +
           "\n" +
           one_of({"", "Com=Rf Fr\n", "This line says nothing: at all, 1 = 2.\n",
                   "(* nothing *)\n\n", "Prefetch=0:x=F,0:y=W\nOrig=PodWR Fre\n", "_x=1\n"}) +
           (wild_ && leaves ? "Variant=telechat\n" : "");
  }

  std::string initial() {
    std::string out = "{" + maybe();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string name(cells[i]), value = std::to_string(drawn_.initial[i]);
      std::vector<std::string> ways{name + "=" + value, "int " + name + " = " + value,
                                    "[" + name + "]=0" + value, "_Atomic int " + name + "=" + value,
                                    "int32_t [" + name + "]=0x" + value};
      if (value == "0") ways.insert(ways.end(), {name, "int " + name});
      out += one_of(ways) + ";" + blank();
    }
    out +=
        fmt::format("int t[2]={}{{{},{}{}}}", maybe(), drawn_.array[0], maybe(), drawn_.array[1]);
    for (std::size_t t = 0; t < drawn_.threads.size(); ++t) {
      const std::string reg = drawn_.intel ? "ESI" : "rsi";
      const std::string here = fmt::format("{}:{}", t, reg);
      out += ";" + blank() +
             one_of({here + "=t", "P" + here + " = t", "int* " + here + "=&t", "* " + here + "=t"});
    }
    return out + one_of({";}\n", "}\n", "};\n", ";\n};\n\n"});
  }

  std::string reg(std::size_t thread, std::size_t number) const {
    if (wild_ && number < drawn_.symbolic[thread]) return fmt::format("%s{}of{}", number, thread);
    return std::string(drawn_.intel ? intel_registers.at(number) : registers_32.at(number));
  }

  std::string word(std::string_view mnemonic) {
    std::string lower(mnemonic), upper(mnemonic);
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return one_of({lower, upper});
  }

  std::string number(int value) {
    const std::string digits = std::to_string(value);
    return one_of({"$" + digits, digits, "$0" + digits});
  }

  std::string memory(std::size_t cell) {
    const std::string name(cells[cell]);
    return drawn_.intel ? "[" + name + "]" : one_of({"(" + name + ")", "[" + name + "]"});
  }

  /// Operands are given destination first.
  std::string two(std::string_view mnemonic, const std::string& into, const std::string& from) {
    const std::string name =
        word(drawn_.intel ? std::string(mnemonic) : std::string(mnemonic) + "l");
    const auto& [first, second] = drawn_.intel ? std::pair(into, from) : std::pair(from, into);
    return name + blank() + first + "," + maybe() + second;
  }

  std::string element(const std::string& into, int index) {
    if (drawn_.intel) return two("mov", into, one_of({"[ESI]", "(ESI)"}));
    std::vector<std::string> ways{fmt::format("{}(%rsi)", 4 * index)};
    if (index == 0) ways.insert(ways.end(), {"(%rsi)", "[%rsi]", "(%RSI)"});
    ways.push_back(fmt::format("{}[%rsi]", 4 * index));
    return two("mov", into, one_of(ways));
  }

  std::string instruction(const Op& op, std::size_t thread, std::size_t at) {
    using Kind = Op::Kind;
    const std::string r = reg(thread, op.reg);
    switch (op.kind) {
    case Kind::store: return two("mov", memory(op.cell), number(op.value));
    case Kind::load: return two("mov", r, memory(op.cell));
    case Kind::store_back: return two("mov", memory(op.cell), r);
    case Kind::exchange:
      return one_of({"", "lock ", "lock; "}) + (wild_ && random_.chance(1, 2)
                                                    ? two("xchg", r, memory(op.cell))
                                                    : two("xchg", memory(op.cell), r));
    case Kind::add: return two("add", r, number(op.value));
    case Kind::increment:
      return one_of({"lock ", "lock ; ", "LOCK; "}) + word(drawn_.intel ? "inc" : "incl") + " " +
             memory(op.cell);
    case Kind::fence: return word("mfence");
    case Kind::element: return element(r, op.value % 2);
    case Kind::skip: return word("jmp") + " " + label(thread, at);
    case Kind::leave: return wild_ ? word("ret") : "jmp END";
    }
    return {};
  }

  static std::string label(std::size_t thread, std::size_t at) {
    return fmt::format("L.{}-{}", thread, at);
  }

  /// A label stands alone or before the next instruction.
  std::vector<std::string> column(std::size_t thread) {
    std::vector<std::string> out;
    std::string labels, waiting;
    bool leaves = false;
    for (std::size_t i = 0; i < drawn_.threads[thread].size(); ++i) {
      const Op& op = drawn_.threads[thread][i];
      if (wild_ && !labels.empty() && random_.chance(1, 2)) {
        out.push_back(labels);
        labels.clear();
      }
      out.push_back(labels + instruction(op, thread, i));
      labels = std::exchange(waiting, "");
      if (op.kind == Op::Kind::skip) waiting = label(thread, i) + ": ";
      leaves |= op.kind == Op::Kind::leave;
    }
    labels += waiting;
    if (leaves && !wild_) labels += "END: ";
    if (!labels.empty()) out.push_back(labels);
    return out;
  }

  std::string code() {
    std::vector<std::vector<std::string>> columns;
    std::size_t rows = 0;
    for (std::size_t t = 0; t < drawn_.threads.size(); ++t) {
      columns.push_back(column(t));
      rows = std::max(rows, columns.back().size());
    }
    std::string out;
    for (std::size_t t = 0; t < columns.size(); ++t)
      out += fmt::format("{}P{}", t == 0 ? "" : "|" + blank(), t) + maybe();
    out += ";\n";
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t t = 0; t < columns.size(); ++t)
        out += (t == 0 ? "" : "|") + blank() + (row < columns[t].size() ? columns[t][row] : "") +
               maybe();
      out += ";\n";
    }
    return out;
  }

  std::string atom(const Atom& atom) {
    std::string is = atom.differs ? one_of({"!=", "<>"}) : one_of({"=", "==", " = "});
    const std::string value = one_of({"", "0"}) + std::to_string(atom.value);
    switch (atom.of) {
    case Atom::Of::reg: {
      if (wild_ && atom.reg < drawn_.symbolic[atom.thread])
        return reg(atom.thread, atom.reg) + is + value;
      const std::string name(drawn_.intel ? intel_registers.at(atom.reg)
                                          : registers_64.at(atom.reg));
      return one_of({"", "P"}) + fmt::format("{}:{}", atom.thread, name) + is + value;
    }
    case Atom::Of::cell: {
      const std::string name(cells[atom.cell]);
      return one_of({"[" + name + "]", name}) + is + value;
    }
    case Atom::Of::element: return fmt::format("t[{}]", atom.value % 2) + is + value;
    case Atom::Of::array: // `==` before a brace is beyond herd7
      return fmt::format("t={{{},{}{}}}", atom.value, maybe(), drawn_.array[1]);
    }
    return {};
  }

  std::string questions() {
    std::string out =
        "locations [" + one_of({"x; t;", "x;t", "x int; t int;", "x;t[0];t[1];"}) + "]\n";
    std::vector<std::string> atoms;
    for (const Atom& each : drawn_.atoms) atoms.push_back(atom(each));
    const std::string joined = fmt::format("{}", fmt::join(atoms, drawn_.any ? " \\/ " : " /\\ "));
    std::vector<std::string> ways{"exists (" + joined + ")", "exists " + joined,
                                  "final (" + joined + ")", "final\n" + joined};
    const bool plain = std::ranges::none_of(drawn_.atoms, &Atom::differs);
    if (!drawn_.any && plain)
      ways.push_back("observed " + fmt::format("{}", fmt::join(atoms, "; ")) + ";");
    const std::string asked = one_of(ways);
    const bool ended = asked.ends_with(';');
    out += asked + (ended ? "" : one_of({"", ";", " ;"})) +
           one_of({"", "", " with tso: ~exists; x86-tso: forall", "\nwith sc: exists;"}) + "\n";
    return out + one_of({"", "<<\nshow 0 of \"\n>>\n", "(* the end *)\n", "<< exists"});
  }

  const Drawn& drawn_;
  litmus::Random random_;
  bool wild_;
};

} // namespace

TwoSpellings two_spellings(std::uint64_t seed) {
  const Drawn drawn = draw(seed);
  return {Writer(drawn, seed, false).text(), Writer(drawn, seed, true).text()};
}

} // namespace thinair::test
