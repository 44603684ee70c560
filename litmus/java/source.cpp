// Lays out the class around what code.h makes of the threads.
#include "litmus/java/source.h"

#include "litmus/dialect.h"
#include "litmus/java/code.h"
#include "litmus/questions.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

namespace thinair::litmus::java {
namespace {

/// Names that the class uses itself.
const std::vector<std::string>& own_names() {
  static const std::vector<std::string> names = {"args",   "i",       "main",      "outcome",
                                                 "ready",  "rounds",  "run",       "seen",
                                                 "state",  "states",  "String",    "System",
                                                 "Math",   "Thread",  "VarHandle", "MethodHandles",
                                                 "Map",    "TreeMap", "Object",    "AtomicInteger",
                                                 "threads"};
  return names;
}

/// A sentence as the text of a `//` comment: one line, and no `\u` that javac would decode.
std::string comment(std::string_view text) {
  std::string line = "// ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == 'u';
    line += escape ? '/' : text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
  }
  return line + "\n";
}

class Source {
 public:
  explicit Source(const Test& test)
      : test_(test), program_(test.java()), names_(names_of(program_, own_names())),
        class_(class_name(test.name)) {}

  std::string text() {
    head();
    out_ += handle_code(program_, names_, class_);
    out_ += field_code(program_, names_);
    for (std::size_t t = 0; t < threads(); ++t) results(t);
    for (std::size_t t = 0; t < threads(); ++t) thread(t);
    outcome();
    run();
    main();
    return std::move(out_) + "}\n";
  }

 private:
  std::size_t threads() const { return program_.threads.size(); }

  std::string result(std::size_t thread, std::size_t reg) const {
    return fmt::format("t{}_{}", thread, names_.registers[thread][reg]);
  }

  void head() {
    out_ += comment(test_.title.empty() ? test_.name : test_.name + ": " + test_.title);
    for (const Clause& clause : test_.clauses)
      out_ += comment(fmt::format("{} ({}){}", name(clause.quantifier),
                                  litmus::to_string(clause.proposition),
                                  clause.because.empty() ? "" : " because " + clause.because));
    out_ += "import java.lang.invoke.MethodHandles;\nimport java.lang.invoke.VarHandle;\n"
            "import java.util.Map;\nimport java.util.TreeMap;\n"
            "import java.util.concurrent.atomic.AtomicInteger;\n\n";
    out_ += fmt::format("public class {} {{\n", class_);
  }

  void results(std::size_t t) {
    std::vector<std::string> fields;
    for (std::size_t r = 0; r < program_.threads[t].registers.size(); ++r)
      fields.push_back(result(t, r));
    if (!fields.empty())
      out_ += fmt::format("  int {}; // what thread {} ends with\n", fmt::join(fields, ", "), t);
  }

  void thread(std::size_t t) {
    out_ += fmt::format("\n  void thread{}() {{\n", t);
    out_ += thread_code(program_, t, names_, {.prints = true});
    for (std::size_t r = 0; r < program_.threads[t].registers.size(); ++r)
      out_ += fmt::format("    {} = {};\n", result(t, r), names_.registers[t][r]);
    out_ += "  }\n";
  }

  /// As thinair writes behaviours: registers by thread and name, then locations by name.
  void outcome() {
    std::string shown;
    for (const Observable& o : observed()) {
      shown += fmt::format("{}\"{}{}=\" + {}", shown.empty() ? "" : "\n        + ",
                           shown.empty() ? "" : "; ", to_string(o), field_of(o));
    }
    out_ += fmt::format("\n  String outcome() {{\n    return {};\n  }}\n",
                        shown.empty() ? "\"\"" : shown);
  }

  std::vector<Observable> observed() const {
    Test all = test_;
    all.clauses.clear();
    all.filter.reset();
    all.locations.clear();
    for (const Location& location : program_.locations)
      all.locations.push_back({std::nullopt, location.name});
    return observables(all, true);
  }

  std::string field_of(const Observable& o) const {
    if (!o.thread) {
      for (std::size_t i = 0; i < program_.locations.size(); ++i)
        if (program_.locations[i].name == o.name) return names_.fields[i];
    } else {
      const auto& registers = program_.threads[o.thread->value].registers;
      for (std::size_t r = 0; r < registers.size(); ++r)
        if (registers[r].name == o.name) return result(o.thread->value, r);
    }
    bug(__FILE__, __LINE__, "an observable that the test lacks");
  }

  void run() {
    out_ += "\n  static void run(int number, AtomicInteger ready, " + class_ +
            "[] states) {\n    ready.incrementAndGet();\n";
    out_ += fmt::format("    while (ready.get() < {}) Thread.onSpinWait();\n", threads());
    out_ += fmt::format("    for ({} state : states) {{\n      switch (number) {{\n", class_);
    for (std::size_t t = 0; t < threads(); ++t)
      out_ += fmt::format("        case {0}: state.thread{0}(); break;\n", t);
    out_ += "      }\n    }\n  }\n";
  }

  void main() {
    out_ += fmt::format(R"(
  public static void main(String[] args) throws InterruptedException {{
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 500;
    Map<String, Long> seen = new TreeMap<>();
    for (int round = 0; round < rounds; round++) {{
      {0}[] states = new {0}[10000];
      for (int i = 0; i < states.length; i++) states[i] = new {0}();
      AtomicInteger ready = new AtomicInteger();
      Thread[] threads = new Thread[{1}];
      for (int i = 0; i < threads.length; i++) {{
        int number = i;
        threads[i] = new Thread(() -> run(number, ready, states));
        threads[i].start();
      }}
      for (Thread thread : threads) thread.join();
      for ({0} state : states) seen.merge(state.outcome(), 1L, Long::sum);
    }}
    seen.forEach((outcome, times) -> System.out.println(times + "  " + outcome));
  }}
)",
                        class_, threads());
  }

  const Test& test_;
  const Program& program_;
  const Names names_;
  const std::string class_;
  std::string out_;
};

} // namespace

std::string plain_source(const Test& test) {
  require_java(test, "as Java source");
  return Source(test).text();
}

} // namespace thinair::litmus::java
