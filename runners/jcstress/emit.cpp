// Lays out one jcstress test: state, handles, an actor a thread, an arbiter for final memory.
#include "runners/jcstress/emit.h"

#include "litmus/java/class_code.h"
#include "litmus/java/code.h"
#include "litmus/java/floats.h"
#include "litmus/java/format.h"
#include "litmus/java/lifetimes.h"
#include "litmus/language.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "runners/jcstress/sentinel.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace thinair::runners::jcstress {
namespace {

using litmus::Observable;
using litmus::java::java_string;

constexpr std::size_t most_native_slots = 8; // I_Result … IIIIIIII_Result

const litmus::java::CodeStyle style{.lifetimes = true, .objects = true};

bool may_throw(const Prepared& test) {
  return !test.slots.empty() && test.slots.back().tells_exception;
}

/// Variables of the source's own: what an actor gets, and what jcstress adds to its classes.
const std::vector<std::string>& own_names() {
  static const std::vector<std::string> names = {"r", "jcstress_trap"};
  return names;
}

/// Locations that the test speaks of.
std::vector<Observable> locations_named(const litmus::Test& test) {
  std::vector<Observable> named = litmus::observables(test);
  std::erase_if(named, [](const Observable& o) { return o.thread.has_value(); });
  return named;
}

/// Everything below one class.
class Writer {
 public:
  Writer(const Prepared& test, std::span<const Grade> grades)
      : test_(test), program_(test.test.java()), grades_(grades),
        names_(litmus::java::names_of(program_, own_names())), lifetimes_(program_) {}

  std::string text() {
    out_ = fmt::format("package {};\n\n", package);
    if (!program_.locations.empty() || !program_.classes.empty())
      out_ += "import java.lang.invoke.MethodHandles;\nimport java.lang.invoke.VarHandle;\n\n";
    out_ += "import org.openjdk.jcstress.annotations.*;\n"
            "import org.openjdk.jcstress.infra.results.*;\n\n@JCStressTest\n";
    out_ += fmt::format("@Description({})\n", java_string(description()));
    for (const Grade& grade : grades_) write(grade);
    out_ += fmt::format("@State\npublic class {} {{\n", test_.class_name);
    out_ += litmus::java::handle_code(program_, names_, test_.class_name);
    out_ += litmus::java::field_code(program_, names_);
    out_ += litmus::java::print_code(program_, names_);
    result_fields();
    if (may_throw(test_)) out_ += litmus::java::threw_code(names_);
    out_ += litmus::java::number_code(program_, names_);
    out_ += litmus::java::class_code(program_, names_, test_.class_name, style);
    out_ += litmus::java::lifetime_code(program_, names_, lifetimes_);
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      if (lifetimes_.is_own(t)) out_ += litmus::java::body_code(program_, names_, t, style);
      if (!lifetimes_.is_started(t)) actor(t);
    }
    arbiter();
    return std::move(out_) + "}\n";
  }

 private:
  std::string description() const {
    std::string text = test_.name;
    if (!test_.test.title.empty()) text += ": " + test_.test.title;
    text += ". Results:";
    for (const Slot& slot : test_.slots) {
      text += " " + (slot.tells_exception ? "exception" : litmus::to_string(slot.observable));
      if (slot.sentinel) text += fmt::format(" ({}: not written)", *slot.sentinel);
    }
    for (std::uint32_t i = 0; i < program_.objects.size(); ++i)
      text += fmt::format("{} {}: {}", i == 0 ? ". 0: null" : ",", i + 1,
                          object_name(program_, litmus::ObjectId(i)));
    return text;
  }

  void write(const Grade& grade) {
    out_ += "@Outcome(";
    if (!grade.outcome.empty()) out_ += fmt::format("id = {}, ", java_string(grade.outcome));
    out_ += fmt::format("expect = Expect.{}, desc = {})\n",
                        grade.acceptable ? "ACCEPTABLE" : "FORBIDDEN", java_string(grade.reason));
  }

  bool refers(const Observable& o) const { return type_of(program_, o).refers(); }

  /// Assignments of the slots of a thread (of memory where absent). References go to fields: which
  /// object it is, the arbiter finds out when all threads are done.
  std::string stores(std::optional<litmus::ThreadId> thread, std::size_t level) const {
    std::string text;
    for (std::size_t i = 0; i < test_.slots.size(); ++i) {
      const Observable& o = test_.slots[i].observable;
      if (test_.slots[i].tells_exception || o.thread != thread || (o.thread && refers(o))) continue;
      const bool truth = test_.slots[i].type == litmus::TypeKind::boolean;
      text += fmt::format("{:{}}r.r{} = {}{};\n", "", 2 * level, i + 1,
                          refers(o) ? number_of(field_of(o))
                                    : litmus::java::bits_of(test_.slots[i].type, value_of(o)),
                          truth ? " ? 1 : 0" : "");
    }
    return text;
  }

  static std::string number_of(const std::string& reference) {
    return fmt::format("number({})", reference);
  }

  /// Where the reference is when all threads are done.
  const std::string& field_of(const Observable& o) const {
    return o.thread ? names_.results[o.thread->value][register_of(o)] : value_of(o);
  }

  std::size_t register_of(const Observable& o) const {
    const auto& registers = program_.threads[o.thread->value].registers;
    const auto found = std::ranges::find(registers, o.name, &litmus::Register::name);
    THINAIR_CHECK(found != registers.end(), "a slot of an unknown register");
    return static_cast<std::size_t>(found - registers.begin());
  }

  const std::string& value_of(const Observable& o) const {
    if (!o.thread) {
      const auto found = std::ranges::find(program_.locations, o.name, &litmus::Location::name);
      THINAIR_CHECK(found != program_.locations.end(), "a slot of an unknown location");
      return names_.fields[static_cast<std::size_t>(found - program_.locations.begin())];
    }
    const auto& names =
        (lifetimes_.is_own(o.thread->value) ? names_.results : names_.registers)[o.thread->value];
    return names[register_of(o)];
  }

  /// Those of threads of their own are there when the thread never starts, too; of others only
  /// references are left in fields.
  void result_fields() {
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::size_t r = 0; r < names_.results[t].size(); ++r) {
        const auto& reg = program_.threads[t].registers[r];
        if (reg.type.refers())
          out_ += fmt::format("  {} {};\n", type_word(program_, names_, reg.type),
                              names_.results[t][r]);
        else if (lifetimes_.is_own(t))
          out_ +=
              fmt::format("  {} {} = {};\n", litmus::info(reg.type.kind).word, names_.results[t][r],
                          litmus::java::literal(reg.type.kind, reg.initial));
      }
  }

  void method(std::string_view annotation, const std::string& name, const std::string& body,
              bool shows) {
    out_ += fmt::format("\n  {}\n  public void {}({}) {{\n{}  }}\n", annotation, name,
                        shows ? result_class(test_) + " r" : "", body);
  }

  /// What an actor runs itself, and what it leaves of that.
  std::string own_code(std::size_t t, std::string& shown) const {
    const bool throws = may_throw(test_);
    litmus::java::CodeStyle own = style;
    if (throws) ++own.level;
    std::string code = litmus::java::thread_code(program_, t, names_, own);
    shown = stores(litmus::ThreadId(static_cast<std::uint32_t>(t)), own.level);
    std::string references;
    const auto& registers = program_.threads[t].registers;
    for (std::size_t r = 0; r < registers.size(); ++r)
      if (registers[r].type.refers())
        references += fmt::format("{:{}}{} = {};\n", "", 2 * own.level, names_.results[t][r],
                                  names_.registers[t][r]);
    references += litmus::java::made_code(program_, t, names_, own.level);
    if (!throws) return code + references;
    return litmus::java::guarded(program_, code + references + shown, names_);
  }

  /// The code of a thread, and of those that it starts what they end with: it sees to their ends.
  void actor(std::size_t t) {
    auto threads = lifetimes_.descendants(t);
    std::string code, own;
    if (lifetimes_.is_own(t)) {
      code = fmt::format("    {}\n", litmus::java::start_code(names_, t));
      threads.insert(threads.begin(), t);
    } else {
      code = own_code(t, own);
    }
    code += litmus::java::settle_code(names_, threads);
    std::string shown;
    for (const std::size_t each : threads)
      shown += stores(litmus::ThreadId(static_cast<std::uint32_t>(each)), 2);
    const bool shows = !shown.empty() || !own.empty();
    if (!may_throw(test_)) shown += own; // else it is in `code`
    method("@Actor", fmt::format("thread{}", t), code + shown, shows);
  }

  void arbiter() {
    std::string shown = stores(std::nullopt, 2);
    for (std::size_t i = 0; i < test_.slots.size(); ++i)
      if (const Observable& o = test_.slots[i].observable; o.thread && refers(o))
        shown += fmt::format("    r.r{} = {};\n", i + 1, number_of(field_of(o)));
    if (may_throw(test_)) shown += exception_code();
    if (!shown.empty()) method("@Arbiter", "arbiter", shown, true);
  }

  /// All exceptions are one outcome.
  std::string exception_code() const {
    std::string reset;
    for (std::size_t i = 1; i < test_.slots.size(); ++i) reset += fmt::format("r.r{} = ", i);
    return fmt::format("    r.r{0} = {1} ? 1 : 0;\n    if ({1}) {2}0;\n", test_.slots.size(),
                       names_.threw, reset);
  }

  const Prepared& test_;
  const litmus::Program& program_;
  std::span<const Grade> grades_;
  const litmus::java::Names names_;
  const litmus::java::Lifetimes lifetimes_;
  std::string out_;
};

/// The least that jcstress asks of a result: public fields, a trap for its loops, copies.
constexpr std::string_view result_template = R"(package litmus;

import java.util.Arrays;

import org.openjdk.jcstress.annotations.Result;
import org.openjdk.jcstress.infra.Copyable;

@Result
public class {name} implements Copyable {{
  public {type} {fields};
  public int jcstress_trap;

  private {type}[] values() {{
    return new {type}[] {{{fields}}};
  }}

  public Object copy() {{
    {name} copy = new {name}();
{copies}    return copy;
  }}

  @Override
  public boolean equals(Object other) {{
    return other instanceof {name} && Arrays.equals(values(), (({name}) other).values());
  }}

  @Override
  public int hashCode() {{
    return Arrays.hashCode(values());
  }}

  @Override
  public String toString() {{
    String text = Arrays.toString(values());
    return text.substring(1, text.length() - 1);
  }}
}}
)";

} // namespace

Prepared prepare(const litmus::Test& test,
                 const std::optional<std::vector<Observable>>& locations) {
  require_java(test, "on a JVM");
  litmus::java::refuse_sums_to_nan(test.java());
  Prepared out{test.name, litmus::java::class_name(test.name), test, {}};
  const auto sentinels = with_sentinels(test.java());
  out.test.program = sentinels.program;
  for (std::uint32_t t = 0; t < sentinels.program.threads.size(); ++t) {
    const auto& registers = test.java().threads[t].registers;
    for (std::size_t r = 0; r < registers.size(); ++r) {
      Slot slot{{litmus::ThreadId(t), registers[r].name},
                {},
                registers[r].initial,
                registers[r].type.kind};
      if (sentinels.marked[t][r]) slot.sentinel = sentinels.value;
      out.slots.push_back(std::move(slot));
    }
  }
  for (const Observable& o : locations ? *locations : locations_named(test))
    out.slots.push_back({o, {}, 0, litmus::type_of(test.java(), o).kind});
  std::ranges::sort(out.slots, {}, &Slot::observable);
  if (out.slots.empty()) throw Unsupported("a test on a JVM that shows nothing: no registers");
  if (litmus::java::may_throw(test.java()))
    out.slots.push_back({{}, {}, 0, litmus::TypeKind::int_, true});
  return out;
}

std::string source_of(const Prepared& test, std::span<const Grade> grades) {
  return Writer(test, grades).text();
}

Fields fields_of(const Prepared& test) {
  const bool longs = std::ranges::any_of(test.slots, [](const Slot& slot) {
    return slot.type == litmus::TypeKind::long_ || slot.type == litmus::TypeKind::double_;
  });
  return longs ? Fields::longs : Fields::ints;
}

std::string result_class(std::size_t slots, Fields fields) {
  if (fields == Fields::longs) return fmt::format("L{}", slots);
  if (slots > most_native_slots) return fmt::format("R{}", slots);
  return std::string(slots, 'I') + "_Result";
}

std::optional<std::string> result_source(std::size_t slots, Fields of) {
  if (of == Fields::ints && slots <= most_native_slots) return std::nullopt;
  std::vector<std::string> fields;
  std::string copies;
  for (std::size_t i = 1; i <= slots; ++i) {
    fields.push_back(fmt::format("r{}", i));
    copies += fmt::format("    copy.r{0} = r{0};\n", i);
  }
  return fmt::format(fmt::runtime(result_template), fmt::arg("name", result_class(slots, of)),
                     fmt::arg("type", of == Fields::longs ? "long" : "int"),
                     fmt::arg("fields", fmt::format("{}", fmt::join(fields, ", "))),
                     fmt::arg("copies", copies));
}

std::optional<litmus::Behaviour> behaviour_of(const Prepared& test, std::string_view outcome) {
  litmus::Behaviour behaviour;
  const auto objects = static_cast<litmus::Value>(test.test.java().objects.size());
  for (const Slot& slot : test.slots) {
    litmus::Value value = 0;
    const auto [end, error] =
        std::from_chars(outcome.data(), outcome.data() + outcome.size(), value);
    const bool refers = slot.type == litmus::TypeKind::reference;
    const bool fits = refers
                          ? value >= 0 && value <= objects
                          : litmus::narrowed(slot.type, value) == value || slot.sentinel == value;
    if (error != std::errc() || !fits || (slot.tells_exception && value != 0)) return std::nullopt;
    outcome.remove_prefix(static_cast<std::size_t>(end - outcome.data()));
    if (!slot.tells_exception) behaviour.push_back(slot.sentinel == value ? slot.unwritten : value);
    const bool last = &slot == &test.slots.back();
    if (last ? !outcome.empty() : !outcome.starts_with(", ")) return std::nullopt;
    outcome.remove_prefix(last ? 0 : 2);
  }
  return behaviour;
}

std::string outcome_of(const Prepared& test, const litmus::Behaviour& behaviour) {
  return fmt::format("{}{}", fmt::join(behaviour, ", "), may_throw(test) ? ", 0" : "");
}

std::optional<std::string> exception_outcome(const Prepared& test) {
  if (!may_throw(test)) return std::nullopt;
  litmus::Behaviour zeros(test.slots.size(), 0);
  zeros.back() = 1;
  return fmt::format("{}", fmt::join(zeros, ", "));
}

std::vector<Observable> observables_of(const Prepared& test) {
  std::vector<Observable> all;
  for (const Slot& slot : test.slots)
    if (!slot.tells_exception) all.push_back(slot.observable);
  return all;
}

} // namespace thinair::runners::jcstress
