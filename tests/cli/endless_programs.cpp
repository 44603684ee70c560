// Writes programs that are too much for every engine.
#include "tests/cli/endless_programs.h"

#include "litmus/random.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::cli {
namespace {

std::string repeated(std::uint64_t times, const std::string& text) {
  std::string out;
  for (std::uint64_t i = 0; i < times; ++i) out += text;
  return out;
}

/// Threads with locations x and y as X and Y, and a monitor m.
std::string java(const std::vector<std::string>& threads, const std::string& asked) {
  std::string initial, text;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    initial += fmt::format(" {0}:X=x; {0}:Y=y;", t);
    text += fmt::format("Thread{} {{ {} }}\n", t, threads[t]);
  }
  return fmt::format("Java endless\n{{{} }}\n{}exists ({})\n", initial, text, asked);
}

/// Some `count` threads with the same code.
std::string alike(std::uint64_t count, const std::string& body) {
  return java(std::vector<std::string>(count, body), "0:r=77");
}

std::string nested(std::uint64_t levels, std::string_view access) {
  std::string before, after;
  for (std::uint64_t i = 0; i < levels; ++i) {
    before += fmt::format("int i{0} = 0; while[1000000] (i{0} < 1000000) {{ ", i);
    after = fmt::format("i{0} = i{0} + 1; }} ", i) + after;
  }
  return fmt::format("int r = 0; {}{}{}", before, access, after);
}

std::string x86(const std::vector<std::vector<std::string>>& threads, const std::string& asked) {
  std::string names, rows;
  std::size_t longest = 0;
  for (const auto& code : threads) longest = std::max(longest, code.size());
  for (std::size_t t = 0; t < threads.size(); ++t)
    names += fmt::format("{} P{}", t == 0 ? "" : " |", t);
  for (std::size_t row = 0; row < longest; ++row) {
    for (std::size_t t = 0; t < threads.size(); ++t)
      rows +=
          fmt::format("{} {}", t == 0 ? "" : " |", row < threads[t].size() ? threads[t][row] : "");
    rows += " ;\n";
  }
  return fmt::format("X86_64 endless\n{{ x=0; y=0; }}\n{};\n{}exists ({})\n", names, rows, asked);
}

std::string alike_x86(std::uint64_t count, const std::vector<std::string>& code) {
  std::vector<std::vector<std::string>> threads;
  for (std::uint64_t t = 0; t < count; ++t) {
    threads.push_back(code);
    for (auto& line : threads.back()) // labels of their own
      for (auto at = line.find('@'); at != std::string::npos; at = line.find('@'))
        line.replace(at, 1, fmt::format("L{}", t));
  }
  return x86(threads, "0:rax=77");
}

class Programs {
 public:
  explicit Programs(std::uint64_t round) : random_(round, 14), first_(round == 0) {}

  std::vector<Endless> all() {
    loops();
    values();
    races();
    machine_code();
    return std::move(out_);
  }

 private:
  /// A size that varies from round to round.
  std::uint64_t about(std::uint64_t usual) {
    return first_ ? usual : std::max<std::uint64_t>(1, usual / 2 + random_.below(usual + 1));
  }
  void add(const std::string& name, std::string text) {
    out_.push_back({name, true, std::move(text)});
  }
  void add_x86(const std::string& name, std::string text) {
    out_.push_back({name, false, std::move(text)});
  }

  void loops() {
    add("two-loops", java({nested(2, "")}, "0:r=77"));
    add("thirty-loops", java({nested(about(30), "")}, "0:r=77"));
    add("loops-around-access", java({nested(about(3), "r = X.getOpaque(); ")}, "0:r=77"));
    const auto awaits = about(30);
    add("awaits",
        alike(2, "int r = 0; " + repeated(awaits, "while (r == 0) { r = X.getOpaque(); ") +
                     "X.setOpaque(1); " + repeated(awaits, "}")));
    add("exchange-loops",
        alike(about(4), "int r = 0; int s = 0; while (s == 0) { r = X.getOpaque(); s = "
                        "X.compareAndExchange(r, r + 1); if (s == r) { s = 1; } }"));
    add("lock-loops",
        alike(about(4), "int r = 0; int s = 0; while (r < 3) { lock(m); s = "
                        "X.get(); X.set(s + 1); unlock(m); r = r + Y.getOpaque(); }"));
  }

  void values() {
    std::string doubled = "int r = X.getOpaque(); ", squared = doubled;
    for (std::uint64_t i = about(60); i > 0; --i) doubled += "r = r + r; ";
    for (std::uint64_t i = about(60); i > 0; --i) squared += "r = r * r + 1; ";
    add("doubling", alike(2, doubled + "if (r == 12) { Y.setOpaque(r); } X.setOpaque(r);"));
    add("squaring", alike(2, squared + "if (r == 12) { Y.setOpaque(r); } X.setOpaque(r);"));
    const auto levels = about(10'000);
    add("deep", java({"int r = X.get(); r = " + repeated(levels, "(") + "r" +
                      repeated(levels, " + 1)") + ";"},
                     "0:r=77"));
    add("deep-in-a-loop", alike(2, "int r = X.get(); int i = 0; while[1000000] (i < 900000) { i = "
                                   "i + 1; r = (r * 3) ^ i; } Y.set(r);"));
    add("circle", java({"int r = X.get(); Y.set((r * r + 7) / 3 + 5);",
                        "int r = Y.get(); X.set((r * r * r) % 1234567 ^ (r >>> 3));"},
                       "0:r=77"));
    add("circles",
        alike(about(4), "int r = X.get(); Y.set(r * r + 7); int s = Y.get(); X.set(s * 3 "
                        "/ (r + 5));"));
  }

  void races() {
    add("writers", alike(about(24), "X.setOpaque(1); X.setOpaque(2); int r = X.getOpaque();"));
    add("plain-writers", alike(about(12), "X.set(1); int r = X.get(); Y.set(r); X.set(2);"));
    add("branches",
        alike(about(10), "int r = X.get(); " + repeated(about(8), "if (r == 1) { r = Y.get(); } ") +
                             "Y.set(r); X.set(1);"));
    std::string outcomes = "X.setOpaque(1); X.setOpaque(2); X.setOpaque(3); ";
    std::string asked;
    for (char name = 'a'; name < 'i'; ++name)
      outcomes += fmt::format("int {} = X.getOpaque(); ", name);
    for (int t = 0; t < 3; ++t)
      for (char name = 'a'; name < 'i'; ++name) asked += fmt::format("{}:{}; ", t, name);
    auto text = java(std::vector<std::string>(3, outcomes), "0:a=77");
    add("outcomes", text.insert(text.rfind("exists"), fmt::format("locations [{}]\n", asked)));
    add("copies", alike(about(6), "int r = X.get(); Y.set(r); int s = Y.get(); X.set(s + 1);"));
    add("paths",
        alike(3, "int r = 0; int s = 0; " +
                     repeated(about(11), "r = X.getOpaque(); if (r == 1) { s = s + 1; } ")));
  }

  void machine_code() {
    add_x86("x86-loops",
            alike_x86(2, {"movl $1000000,%ecx", "@: movl $1000000,%edx", "@b: addl $1,%eax",
                          "decl %edx", "jne @b", "decl %ecx", "jne @", "movl %eax,(x)"}));
    add_x86("x86-endless", alike_x86(2, {"@: addl $1,%eax", "movl (x),%ebx", "jmp @"}));
    add_x86("x86-spin", alike_x86(1, {"@: addl $1,%eax", "jmp @"}));
    std::vector<std::string> doubling{"movl (x),%eax", "movl (y),%ebx"}, ladder = doubling;
    for (std::uint64_t i = about(60); i > 0; --i) doubling.emplace_back("addl %eax,%eax");
    for (std::uint64_t i = about(30); i > 0; --i) {
      ladder.emplace_back("cmpl $5,%ebx");
      ladder.emplace_back("cmovel %eax,%ebx");
      ladder.emplace_back("cmovnel %ebx,%eax");
    }
    doubling.insert(doubling.end(), {"imull %eax,%eax", "movl %eax,(x)"});
    ladder.insert(ladder.end(), {"movl %eax,(x)", "movl %ebx,(y)"});
    add_x86("x86-doubling", alike_x86(2, doubling));
    add_x86("x86-ladder", alike_x86(2, ladder));
    add_x86("x86-exchange-loops",
            alike_x86(about(4), {"movl (x),%eax", "@: movl %eax,%ebx", "orl $4,%ebx",
                                 "lock cmpxchgl %ebx,(x)", "jne @", "movl (y),%eax"}));
    add_x86("x86-locks",
            alike_x86(about(4), {"@: movl $1,%eax", "xchgl %eax,(x)", "testl %eax,%eax", "jne @",
                                 "lock incl (y)", "movl $0,(x)"}));
    std::vector<std::string> writers;
    for (std::uint64_t i = about(6); i > 0; --i)
      writers.insert(writers.end(), {fmt::format("movl ${},(x)", i), "movl (y),%eax",
                                     fmt::format("movl ${},(y)", i), "movl (x),%ebx"});
    add_x86("x86-writers", alike_x86(about(8), writers));
  }

  litmus::Random random_;
  bool first_;
  std::vector<Endless> out_;
};

} // namespace

std::vector<Endless> endless_programs(std::uint64_t round) { return Programs(round).all(); }

} // namespace thinair::cli
