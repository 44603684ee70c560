// Lays out the class around what code.h makes of the threads.
#include "litmus/java/source.h"

#include "litmus/java/class_code.h"
#include "litmus/java/code.h"
#include "litmus/java/floats.h"
#include "litmus/java/format.h"
#include "litmus/java/lifetimes.h"
#include "litmus/language.h"
#include "litmus/lexer.h"
#include "litmus/objects.h"
#include "litmus/questions.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace thinair::litmus::java {
namespace {

/// A sentence as the text of a `//` comment: one line, and no `\u` that javac would decode.
std::string comment(std::string_view text) {
  std::string line = "// " + text::printable_word(text);
  for (auto at = line.find("\\u"); at != std::string::npos; at = line.find("\\u", at))
    line[at] = '/';
  return line + "\n";
}

/// A question as it stands in a test.
std::string to_string(const Clause& clause) {
  return fmt::format("{}{} ({})", name(clause.quantifier),
                     clause.label.empty() ? "" : " " + quoted(clause.label),
                     litmus::to_string(clause.proposition));
}

const CodeStyle style{.prints = true, .lifetimes = true, .objects = true};

class Source {
 public:
  explicit Source(const Test& test)
      : test_(test), program_(test.java()), names_(names_of(program_)), lifetimes_(program_),
        class_(class_name(test.name)), throws_(may_throw(program_)) {}

  std::string text(std::string_view file) {
    head(file);
    out_ += handle_code(program_, names_, class_);
    out_ += field_code(program_, names_);
    for (std::size_t t = 0; t < threads(); ++t) results(t);
    if (throws_) out_ += threw_code(names_);
    out_ += number_code(program_, names_);
    out_ += class_code(program_, names_, class_, style);
    out_ += lifetime_code(program_, names_, lifetimes_);
    for (std::size_t t = 0; t < threads(); ++t) {
      if (lifetimes_.is_own(t)) out_ += body_code(program_, names_, t, style);
      if (!lifetimes_.is_started(t)) thread(t);
    }
    outcome();
    questions();
    run();
    main();
    return std::move(out_) + "}\n";
  }

 private:
  std::size_t threads() const { return program_.threads.size(); }
  /// Those that run from the beginning.
  std::size_t runners() const {
    std::size_t count = 0;
    for (std::size_t t = 0; t < threads(); ++t) count += lifetimes_.is_started(t) ? 0 : 1;
    return count;
  }

  void head(std::string_view file) {
    out_ += comment(test_.title.empty() ? test_.name : test_.name + ": " + test_.title);
    if (!file.empty()) out_ += comment(fmt::format("Made of {} by thinair litmus-to-java.", file));
    for (const Clause& clause : test_.clauses)
      out_ +=
          comment(to_string(clause) + (clause.because.empty() ? "" : " because " + clause.because));
    const std::string kept = source_file_name(test_);
    out_ += comment(fmt::format("Save it as {0}, and run it: java {0} [ROUNDS]", kept));
    out_ += "import java.lang.invoke.MethodHandles;\nimport java.lang.invoke.VarHandle;\n"
            "import java.util.Map;\nimport java.util.TreeMap;\n"
            "import java.util.concurrent.atomic.AtomicInteger;\n\n";
    out_ += fmt::format("public class {} {{\n", class_);
  }

  void results(std::size_t t) {
    const auto& registers = program_.threads[t].registers;
    std::map<JavaType, std::vector<std::string>> fields;
    for (std::size_t r = 0; r < registers.size(); ++r) {
      auto& field = fields[registers[r].type].emplace_back(names_.results[t][r]);
      if (lifetimes_.is_own(t) && registers[r].initial != 0) // it may never be started
        field += fmt::format(" = {}", literal(registers[r].type.kind, registers[r].initial));
    }
    for (const auto& [type, names] : fields)
      out_ += fmt::format("  {} {}; // what thread {} ends with\n",
                          type_word(program_, names_, type), fmt::join(names, ", "), t);
  }

  /// A thread, and the ends of those that it starts.
  void thread(std::size_t t) {
    out_ += fmt::format("\n  void thread{}() {{\n", t);
    if (lifetimes_.is_own(t)) {
      out_ += fmt::format("    {}\n", start_code(names_, t)) + settle_code(names_, {t});
    } else {
      out_ += run_code(program_, t, names_, style);
    }
    out_ += settle_code(names_, lifetimes_.descendants(t)) + "  }\n";
  }

  /// As thinair writes behaviours: registers by thread and name, then locations by name.
  void outcome() {
    std::string shown;
    for (const Observable& o : observed()) {
      shown += fmt::format("{}\"{}{}=\" + {}", shown.empty() ? "" : "\n        + ",
                           shown.empty() ? "" : "; ", to_string(o), number_of(o));
    }
    if (!program_.classes.empty()) out_ += object_names();
    out_ += fmt::format("\n  String outcome() {{\n    return {};\n  }}\n",
                        shown.empty() ? "\"\"" : shown);
  }

  /// What `number` stands for.
  std::string object_names() const {
    std::string names = "\"null\"";
    for (std::uint32_t i = 0; i < program_.objects.size(); ++i)
      names += fmt::format(", \"{}\"", object_name(program_, ObjectId(i)));
    return fmt::format("\n  String named(Object object) {{\n"
                       "    return new String[] {{{}}}[number(object)];\n  }}\n",
                       names);
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

  /// As final states have it: a boolean is 0 or 1.
  std::string number_of(const Observable& o) const {
    const JavaType type = type_of(program_, o);
    if (type.refers()) return fmt::format("named({})", field_of(o));
    if (type.kind == TypeKind::boolean) return fmt::format("({} ? 1 : 0)", field_of(o));
    return (type.kind == TypeKind::char_ ? "(int) " : "") + field_of(o);
  }

  std::string field_of(const Observable& o) const {
    if (!o.thread) {
      for (std::size_t i = 0; i < program_.locations.size(); ++i)
        if (program_.locations[i].name == o.name) return names_.fields[i];
    } else {
      const auto& registers = program_.threads[o.thread->value].registers;
      for (std::size_t r = 0; r < registers.size(); ++r)
        if (registers[r].name == o.name) return names_.results[o.thread->value][r];
    }
    bug(__FILE__, __LINE__, "an observable that the test lacks");
  }

  std::string condition(const Proposition& p) const {
    using Kind = Proposition::Kind;
    switch (p.kind) {
    case Kind::always: return "true";
    case Kind::never: return "false";
    case Kind::equal:
    case Kind::not_equal: return comparison(p, p.kind == Kind::equal ? "==" : "!=");
    case Kind::all: return joined(p.parts, " && ");
    case Kind::any: return joined(p.parts, " || ");
    case Kind::negation: return fmt::format("!({})", condition(p.parts[0]));
    case Kind::implication:
      return fmt::format("!({}) || ({})", condition(p.parts[0]), condition(p.parts[1]));
    }
    bug(__FILE__, __LINE__, "no such kind of proposition");
  }

  std::string comparison(const Proposition& p, std::string_view op) const {
    const JavaType type = type_of(program_, p.left);
    const std::string left = bits_of(type.kind, field_of(p.left));
    if (p.right) return fmt::format("{} {} {}", left, op, bits_of(type.kind, field_of(*p.right)));
    if (is_floating(type.kind))
      return fmt::format(
          "{} {} {}", left, op,
          literal(type.kind == TypeKind::double_ ? TypeKind::long_ : TypeKind::int_, p.constant));
    if (type.refers()) return fmt::format("number({}) {} {}", left, op, p.constant);
    return fmt::format("{} {} {}", left, op, literal(type.kind, p.constant));
  }

  std::string joined(const std::vector<Proposition>& parts, std::string_view connective) const {
    std::string text;
    for (const Proposition& part : parts) {
      if (!text.empty()) text += connective;
      text += part.parts.empty() ? condition(part) : fmt::format("({})", condition(part));
    }
    return text;
  }

  void truth(std::string_view comment, const std::string& method, const Proposition& p) {
    out_ += fmt::format("\n  /** {} */\n  boolean {}() {{\n    return {};\n  }}\n", comment, method,
                        condition(p));
  }

  /// A method for each question, and one for the filter.
  void questions() {
    if (test_.filter) truth("Only such final states count.", "counts", *test_.filter);
    for (std::size_t i = 0; i < test_.clauses.size(); ++i)
      truth(fmt::format("What the test asks about: {}.", name(test_.clauses[i].quantifier)),
            fmt::format("asked{}", i), test_.clauses[i].proposition);
  }

  /// What `main` does with each final state.
  std::string count_code() const {
    std::string code = "        String line = state.outcome();\n";
    if (test_.filter) code = "        if (!state.counts()) continue;\n" + code;
    if (throws_)
      code = fmt::format("        if (state.{}) {{\n          exceptions++;\n"
                         "          continue;\n        }}\n",
                         names_.threw) +
             code;
    for (std::size_t i = 0; i < test_.clauses.size(); ++i)
      code += fmt::format("        if (state.asked{0}()) {{\n          asked[{0}]++;\n"
                          "          line += \"  <-- \" + questions[{0}];\n        }}\n",
                          i);
    return code + "        seen.merge(line, 1L, Long::sum);\n        states_seen++;\n";
  }

  void run() {
    out_ += "\n  static void run(int number, AtomicInteger ready, " + class_ +
            "[] states) {\n    ready.incrementAndGet();\n";
    out_ += fmt::format("    while (ready.get() < {}) Thread.onSpinWait();\n", runners());
    out_ += fmt::format("    for ({} state : states) {{\n      switch (number) {{\n", class_);
    std::size_t number = 0;
    for (std::size_t t = 0; t < threads(); ++t)
      if (!lifetimes_.is_started(t))
        out_ += fmt::format("        case {}: state.thread{}(); break;\n", number++, t);
    out_ += "      }\n    }\n  }\n";
  }

  void main() {
    std::string texts;
    for (const Clause& clause : test_.clauses)
      texts +=
          fmt::format("{}{}", texts.empty() ? "" : ",\n        ", java_string(to_string(clause)));
    out_ += fmt::format(R"(
  public static void main(String[] args) throws InterruptedException {{
    String[] questions = {{{2}}};
    long[] asked = new long[questions.length];
    long states_seen = 0;{4}
    System.out.println(System.getProperty("java.vm.name") + " "
        + System.getProperty("java.vm.version") + ", " + System.getProperty("os.name") + " "
        + System.getProperty("os.arch"));
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
      for ({0} state : states) {{
{3}      }}
    }}
    seen.forEach((outcome, times) -> System.out.println(times + "  " + outcome));{5}
    for (int i = 0; i < questions.length; i++)
      System.out.println(asked[i] + " of " + states_seen + ": " + questions[i]);
  }}
)",
                        class_, runners(), texts, count_code(),
                        throws_ ? "\n    long exceptions = 0;" : "",
                        throws_ ? "\n    if (exceptions > 0)\n      System.out.println(exceptions"
                                  " + \"  an exception: no final state\");"
                                : "");
  }

  const Test& test_;
  const Program& program_;
  const Names names_;
  const Lifetimes lifetimes_;
  const std::string class_;
  const bool throws_;
  std::string out_;
};

} // namespace

std::string plain_source(const Test& test, std::string_view file) {
  require_java(test, "as Java source");
  refuse_sums_to_nan(test.java());
  return Source(test).text(file);
}

std::string source_file_name(const Test& test) {
  constexpr std::size_t longest = 255;
  const std::string name = class_name(test.name) + ".java";
  return name.size() > longest ? "Test.java" : name;
}

} // namespace thinair::litmus::java
