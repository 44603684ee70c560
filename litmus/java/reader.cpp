// Reads a Java litmus program: initial state, threads, questions.
#include "litmus/floating_literal.h"
#include "litmus/initial.h"
#include "litmus/java/format.h"
#include "litmus/java/scope.h"
#include "litmus/java/statement_reader.h"
#include "litmus/language.h"
#include "litmus/objects.h"
#include "litmus/questions.h"
#include "litmus/text/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace thinair::litmus::java {
namespace {

bool any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

class ProgramReader {
 public:
  ProgramReader(Lexer& lexer, Program& program) : lexer_(lexer), program_(program) {}

  void read() {
    entries_ = read_initial(lexer_, java_int);
    for (const InitialEntry& entry : entries_)
      if (entry.type == "class") declare_class(entry);
    for (const InitialEntry& entry : entries_) {
      add_array(entry);
      for (const InitialEntry& field : entry.fields) add_array(field);
    }
    for (const InitialEntry& entry : entries_)
      if (entry.type == "class") read_fields(entry);
    for (const InitialEntry& entry : entries_)
      if (entry.type != "class") declare(entry);
    for (const InitialEntry& entry : entries_) find_location(entry);
    if (!at_thread()) fail_thread();
    while (at_thread()) read_thread();
    const Token behind = lexer_.peek();
    if (behind.kind != Token::Kind::end && !behind.is_word() && !behind.is("~") && !behind.is("("))
      lexer_.fail_expected("a thread, a clause or the end of the file");
    assemble();
  }

 private:
  struct NumberedThread {
    std::uint32_t number;
    text::Span span;
    Thread thread;
  };

  static bool is_null(const InitialEntry& entry) {
    const auto* name = std::get_if<std::string>(&entry.value);
    return name != nullptr && *name == "null";
  }

  static bool is_handle(const InitialEntry& entry) {
    return std::holds_alternative<std::string>(entry.value) && !is_null(entry);
  }

  std::optional<ClassId> class_named(std::string_view name) const {
    const auto found = std::ranges::find(program_.classes, name, &Class::name);
    if (found == program_.classes.end()) return std::nullopt;
    return ClassId{static_cast<std::uint32_t>(found - program_.classes.begin())};
  }

  void declare_class(const InitialEntry& entry) {
    lexer_.check_name(entry.name, entry.name_span);
    if (is_reserved(entry.name))
      lexer_.fail(entry.name_span,
                  fmt::format("expected a class, found the reserved word `{}`", entry.name));
    if (class_named(entry.name))
      lexer_.fail(entry.name_span,
                  fmt::format("expected one class `{}`, found a second", entry.name));
    if (entry.fields.empty())
      lexer_.fail(entry.name_span, fmt::format("expected a field of `{}`, found none", entry.name));
    if (program_.classes.size() >= lexer_.limits().objects)
      lexer_.fail(entry.name_span,
                  fmt::format("expected at most {} classes, found more", lexer_.limits().objects));
    program_.classes.push_back({entry.name, {}});
  }

  /// Once all classes have names, which types of elements may be.
  void add_array(InitialEntry entry) {
    if (!entry.type.ends_with("[]")) return;
    entry.type.resize(entry.type.size() - 2);
    array_of(program_, type_named(entry));
  }

  /// The same of types of fields.
  void read_fields(const InitialEntry& entry) {
    auto& fields = program_.classes[class_named(entry.name)->value].fields;
    for (const InitialEntry& each : entry.fields) {
      lexer_.check_name(each.name, each.name_span);
      if (is_reserved(each.name) ||
          std::ranges::find(methods(), each.name, &MethodInfo::name) != methods().end())
        lexer_.fail(each.name_span,
                    fmt::format("expected a field, found the reserved word `{}`", each.name));
      if (std::ranges::find(fields, each.name, &Field::name) != fields.end())
        lexer_.fail(each.name_span,
                    fmt::format("expected one field `{}`, found a second", each.name));
      if (fields.size() >= lexer_.limits().objects)
        lexer_.fail(each.name_span, fmt::format("expected at most {} fields of a class, found more",
                                                lexer_.limits().objects));
      fields.push_back({each.name, type_named(each), each.is_final});
    }
  }

  /// Of a field, a location or a register.
  JavaType type_named(const InitialEntry& entry) const {
    if (any_of(entry.type, {"", "int32_t"})) return {};
    if (const auto found = class_named(entry.type)) return *found;
    if (const auto kind = litmus::type_named(entry.type)) return *kind;
    std::vector<std::string_view> names;
    for (const ValueTypeInfo& row : value_types()) names.push_back(row.word);
    for (const Class& each : program_.classes)
      if (!each.is_array) names.push_back(each.name);
    lexer_.fail(entry.span, fmt::format("expected a type, found `{}`", entry.type),
                Lexer::suggest(entry.type, names));
  }

  std::optional<LocationId> location_named(std::string_view name) const {
    const auto found = std::ranges::find(program_.locations, name, &Location::name);
    if (found == program_.locations.end()) return std::nullopt;
    return LocationId{static_cast<std::uint32_t>(found - program_.locations.begin())};
  }

  void add_location(std::string_view name, text::Span span, Value initial, bool is_final,
                    JavaType type = {}) {
    lexer_.check_name(name, span);
    if (is_reserved(name))
      lexer_.fail(span, fmt::format("expected a location, found the reserved word `{}`", name));
    if (program_.locations.size() >= lexer_.limits().locations) {
      lexer_.fail(span, fmt::format("expected at most {} locations, found more",
                                    lexer_.limits().locations));
    }
    program_.locations.push_back({std::string(name), initial, is_final, type});
  }

  /// First pass: locations with a value, and monitors.
  void declare(const InitialEntry& entry) {
    check_type(entry);
    if (entry.thread || is_handle(entry)) return;
    if (entry.type == "monitor") return declare_monitor(entry);
    if (location_named(entry.name)) {
      lexer_.fail(entry.name_span,
                  fmt::format("expected one initial value of `{}`, found a second", entry.name));
    }
    const auto* value = std::get_if<Value>(&entry.value);
    add_location(entry.name, entry.name_span, value ? *value : 0, entry.is_final,
                 type_named(entry));
  }

  void declare_monitor(const InitialEntry& entry) {
    if (!std::holds_alternative<std::monostate>(entry.value))
      lexer_.fail(entry.value_span, "expected no value of a monitor, found one");
    if (std::ranges::find(program_.monitors, entry.name) != program_.monitors.end()) {
      lexer_.fail(entry.name_span,
                  fmt::format("expected one declaration of `{}`, found a second", entry.name));
    }
    if (program_.monitors.size() >= lexer_.limits().locations) {
      lexer_.fail(entry.name_span, fmt::format("expected at most {} monitors, found more",
                                               lexer_.limits().locations));
    }
    program_.monitors.push_back(entry.name);
  }

  void check_type(const InitialEntry& entry) const {
    const bool accepted = is_handle(entry)
                              ? any_of(entry.type, {"", "*", "int", "int*", "VarHandle"})
                              : any_of(entry.type, {"", "int32_t"}) || class_named(entry.type) ||
                                    litmus::type_named(entry.type) ||
                                    (!entry.thread && entry.type == "monitor");
    if (!accepted) {
      std::vector<std::string_view> names;
      for (const ValueTypeInfo& row : value_types()) names.push_back(row.word);
      std::string hint = Lexer::suggest(entry.type, names);
      if (hint.empty())
        hint = "a location or a register has a value type of Java, or a class declared here";
      lexer_.fail(entry.span,
                  fmt::format("expected {}, found `{}`",
                              is_handle(entry) ? "a VarHandle" : "a type", entry.type),
                  hint);
    }
    check_truth(entry);
    const bool refers = class_named(entry.type).has_value();
    if (is_null(entry) && !refers)
      lexer_.fail(entry.value_span, "expected an int, found `null`",
                  "a reference has its class in front, as `A r = null;`");
    if (refers && std::holds_alternative<Value>(entry.value))
      lexer_.fail(entry.value_span, "expected `null`, found a number",
                  "objects are made by threads, with `new`");
    if (refers && entry.is_final)
      lexer_.fail(entry.span, "expected a reference that is not final",
                  "final fields belong to classes, as `class A { final int x; }`");
    if (entry.is_final && (entry.thread || is_handle(entry) || entry.type == "monitor"))
      lexer_.fail(entry.span, "expected a location after `final`");
  }

  /// Booleans, and nothing else, start with `true` or `false`.
  void check_truth(const InitialEntry& entry) const {
    const bool has_value = std::holds_alternative<Value>(entry.value);
    const bool wanted = entry.type == "boolean";
    if (has_value && wanted != entry.is_truth)
      lexer_.fail(entry.value_span,
                  fmt::format("expected {}, found {}", wanted ? "`true` or `false`" : "a number",
                              wanted ? "a number" : "a boolean"));
  }

  /// Second pass: locations that are only pointed at start at zero, as in herd.
  void find_location(const InitialEntry& entry) {
    if (!is_handle(entry)) return;
    const auto& name = std::get<std::string>(entry.value);
    if (!location_named(name)) add_location(name, entry.value_span, 0, false);
  }

  bool at_thread() { return lexer_.peek().is_word() && thread_number(lexer_.peek().text); }

  [[noreturn]] void fail_thread() {
    const Token found = lexer_.peek();
    lexer_.fail_expected("a thread, as `Thread0 { ... }`",
                         found.is_word() && lexer_.second().is("{")
                             ? "threads are named `Thread0`, `Thread1` and so on"
                             : "");
  }

  void read_thread() {
    const Token word = lexer_.next();
    const std::uint32_t number = *thread_number(word.text);
    if (number >= lexer_.limits().threads) {
      lexer_.fail(word.span, fmt::format("expected at most {} threads, found `{}`",
                                         lexer_.limits().threads, word.text));
    }
    if (std::ranges::find(threads_, number, &NumberedThread::number) != threads_.end())
      lexer_.fail(word.span, fmt::format("expected one `{}`, found a second", word.text));
    Thread thread;
    thread.name = word.text;
    Scope scope(lexer_, program_, thread, unchecked_);
    for (const InitialEntry& entry : entries_) apply(entry, number, scope);
    thread.body = StatementReader(lexer_, scope, statements_).read_braced();
    threads_.push_back({number, word.span, std::move(thread)});
  }

  void apply(const InitialEntry& entry, std::uint32_t number, Scope& scope) const {
    if (entry.thread && *entry.thread != number) return;
    if (is_handle(entry)) {
      scope.add_handle(entry.name, entry.name_span,
                       *location_named(std::get<std::string>(entry.value)));
    } else if (entry.thread) {
      const auto* value = std::get_if<Value>(&entry.value);
      scope.add_initial_register(entry.name, entry.name_span, value ? *value : 0,
                                 type_named(entry));
    }
  }

  /// Threads in the order of their numbers, none left out, and every mention of one checked.
  void assemble() {
    std::ranges::sort(threads_, {}, &NumberedThread::number);
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (threads_[i].number != i) {
        lexer_.fail(threads_[i].span,
                    fmt::format("expected `Thread{}` before `Thread{}`", i, threads_[i].number));
      }
      program_.threads.push_back(std::move(threads_[i].thread));
    }
    order_objects();
    for (const InitialEntry& entry : entries_)
      if (entry.thread) check_thread(*entry.thread, entry.span);
    for (const ThreadReference& reference : unchecked_.threads)
      check_thread(reference.thread.value, reference.span);
    for (const ConstantIndex& constant : unchecked_.indices) check_index(constant);
    order_arrays(program_);
  }

  void check_index(const ConstantIndex& constant) const {
    if (may_index(program_, constant.of, constant.index)) return;
    lexer_.fail(constant.span,
                fmt::format("expected an index of an array, found {}, which is out of bounds of "
                            "each `{}` that is made",
                            constant.index, program_.classes[constant.of.value].name),
                "indices of an array of n elements go from 0 to n - 1");
  }

  /// Objects are numbered by threads, which the file may have in another order.
  void order_objects() {
    std::vector<Object> ordered;
    for (Thread& thread : program_.threads) order_objects(thread.body, ordered);
    program_.objects = std::move(ordered);
  }
  void order_objects(Block& block, std::vector<Object>& ordered) const {
    for (Statement& statement : block) {
      if (auto* made = std::get_if<New>(&statement.node)) {
        ordered.push_back(program_.objects[made->object.value]);
        made->object = ObjectId{static_cast<std::uint32_t>(ordered.size() - 1)};
        order_objects(made->body, ordered);
      } else if (auto* branch = std::get_if<If>(&statement.node)) {
        order_objects(branch->then_block, ordered);
        order_objects(branch->else_block, ordered);
      } else if (auto* loop = std::get_if<Loop>(&statement.node)) {
        order_objects(loop->body, ordered);
      }
    }
  }

  void check_thread(std::uint32_t number, text::Span span) const {
    if (number < program_.threads.size()) return;
    lexer_.fail(span, fmt::format("expected a thread from 0 to {}, found {}",
                                  program_.threads.size() - 1, number));
  }

  Lexer& lexer_;
  Program& program_;
  std::vector<InitialEntry> entries_;
  std::vector<NumberedThread> threads_;
  Unchecked unchecked_;
  std::size_t statements_ = 0;
};

/// Checks that the program has what a question asks for.
class Resolver {
 public:
  Resolver(const Lexer& lexer, Program& program) : lexer_(lexer), program_(program) {}

  Observable operator()(Observable written, text::Span span) const {
    if (lexer_.manner() == Manner::herds) add_missing(written);
    if (written.thread) {
      check_register(written, span);
    } else {
      check_location(written, span);
    }
    return written;
  }

 private:
  void check_register(const Observable& written, text::Span span) const {
    const std::uint32_t number = written.thread->value;
    if (number >= program_.threads.size()) {
      lexer_.fail(span, fmt::format("expected a thread from 0 to {}, found `{}`",
                                    program_.threads.size() - 1, to_string(written)));
    }
    const Thread& thread = program_.threads[number];
    check(thread.registers, written.name, span, fmt::format("a register of {}", thread.name),
          std::ranges::find(thread.handles, written.name, &Handle::name) != thread.handles.end()
              ? "a VarHandle has no final value; ask for its location"
              : "");
  }

  void check_location(const Observable& written, text::Span span) const {
    std::string hint;
    for (const Thread& thread : program_.threads) {
      const auto handle = std::ranges::find(thread.handles, written.name, &Handle::name);
      if (handle != thread.handles.end())
        hint = fmt::format("`{}` is a VarHandle of `{}`", written.name,
                           program_.locations[handle->location.value].name);
    }
    check(program_.locations, written.name, span, "a location", std::move(hint));
  }

  template <class Things>
  void check(const Things& things, std::string_view name, text::Span span, std::string_view what,
             std::string hint) const {
    std::vector<std::string_view> names;
    for (const auto& thing : things) names.push_back(thing.name);
    if (std::ranges::find(names, name) != names.end()) return;
    if (hint.empty()) hint = Lexer::suggest(name, names);
    if (hint.empty() && !names.empty() && names.size() <= most_listed)
      hint =
          fmt::format("there {} `{}`", names.size() == 1 ? "is" : "are", fmt::join(names, "`, `"));
    lexer_.fail(span, fmt::format("expected {}, found `{}`", what, name), hint);
  }

  template <class Things>
  static bool lacks(const Things& things, std::string_view name) {
    return std::ranges::none_of(things, [&](const auto& thing) { return thing.name == name; });
  }

  /// What the program lacks is 0 for herd7.
  void add_missing(const Observable& written) const {
    if (!written.thread) {
      if (lacks(program_.locations, written.name) &&
          program_.locations.size() < lexer_.limits().locations)
        program_.locations.push_back({.name = written.name});
    } else if (written.thread->value < program_.threads.size()) {
      Thread& thread = program_.threads[written.thread->value];
      if (lacks(thread.registers, written.name) && lacks(thread.handles, written.name) &&
          thread.registers.size() < lexer_.limits().registers_per_thread)
        thread.registers.push_back({written.name, 0});
    }
  }

  static constexpr std::size_t most_listed = 8;
  const Lexer& lexer_;
  Program& program_;
};

/// What a question compares a value with that is no int.
class OtherTypes {
 public:
  explicit OtherTypes(const Program& program) : program_(program) {}

  /// Numbers are what `to_string` of a proposition without names has: 0 for null.
  std::optional<std::pair<Value, std::string>> read(Lexer& lexer, const Observable& left) const {
    const JavaType type = type_of(program_, left);
    if (type.is_int()) return std::nullopt;
    if (is_floating(type.kind)) return read_floating(lexer, type.kind);
    if (!type.refers()) return read_value(lexer, type.kind);
    if (lexer.accept("null")) return {{0, "null"}};
    const std::uint32_t begin = lexer.peek().span.begin;
    std::string written;
    if (lexer.peek().is_word() && (lexer.second().is(".") || lexer.second().is("["))) {
      std::string name(lexer.next().text);
      if (lexer.accept("[")) {
        lexer.expect("]");
        name += "[]";
      }
      lexer.expect(".");
      written = fmt::format("{}.{}", name, lexer.expect_count("an object's number", 1'000'000));
    }
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < program_.objects.size(); ++i) {
      if (program_.objects[i].of != type.of) continue;
      names.push_back(object_name(program_, ObjectId{i}));
      if (names.back() == written) return {{Value{i} + 1, written}};
    }
    const std::string what =
        fmt::format("`null`{}{}", names.empty() ? "" : ", ", fmt::join(names, ", "));
    if (written.empty()) lexer.fail_expected(what + ", or another reference");
    lexer.fail(lexer.since(begin), fmt::format("expected {}, found `{}`", what, written),
               "objects of a class are counted in the order of the text, threads by number");
  }

  void compare(const Lexer& lexer, const Observable& left, const Observable& right,
               text::Span span) const {
    const JavaType wanted = type_of(program_, left), found = type_of(program_, right);
    const auto counts = [](JavaType type) { return is_integral(type.kind); };
    if (wanted == found || (counts(wanted) && counts(found))) return; // bits, of floats, too
    lexer.fail(span, fmt::format("expected a value of type `{}`, found one of `{}`",
                                 to_string(program_, wanted), to_string(program_, found)));
  }

 private:
  /// Its bits, and the text that stands for them.
  std::pair<Value, std::string> read_floating(Lexer& lexer, TypeKind kind) const {
    const Value bits = read_floating_constant(lexer, kind, Spelling::loose);
    return {bits, shown(program_, kind, bits)};
  }
  static std::pair<Value, std::string> read_value(Lexer& lexer, TypeKind kind) {
    if (kind == TypeKind::boolean && (lexer.at("true") || lexer.at("false")))
      return {lexer.next().is("true") ? 1 : 0, ""};
    return {lexer.expect_integer(range_of(kind)), ""};
  }

  const Program& program_;
};

void read(Lexer& lexer, Test& test) {
  Program program;
  ProgramReader(lexer, program).read();
  const OtherTypes others(program);
  QuestionRules rules{Resolver(lexer, program), java_int};
  if (!program.classes.empty() || features(program).types) {
    rules.reference = [&](Lexer& at, const Observable& left) { return others.read(at, left); };
    rules.comparable = [&](const Observable& left, const Observable& right, text::Span span) {
      others.compare(lexer, left, right, span);
    };
  }
  read_questions(lexer, rules, test);
  test.program = std::move(program);
}

std::string print_test(const Test& test) { return print(test.java()); }

HerdExport for_herd(const Test& test, bool all_registers) {
  refuse_objects(test.java(), "in herd7");
  if (features(test.java()).floats) throw Unsupported("floats and doubles in herd7");
  return as_herd_asks(test, all_registers);
}

std::vector<Observable> registers(const Test& test) {
  std::vector<Observable> all;
  const Program& program = test.java();
  for (std::uint32_t t = 0; t < program.threads.size(); ++t)
    for (const Register& reg : program.threads[t].registers) all.push_back({ThreadId{t}, reg.name});
  return all;
}

} // namespace

} // namespace thinair::litmus::java

namespace thinair::litmus {

constinit const Language java_language{
    .word = "Java",
    .machine = "Java",
    .read = java::read,
    .print = java::print_test,
    .registers = java::registers,
    .json = [](const Test& test) { return java::to_json(test.java()); },
    .for_herd = java::for_herd};

} // namespace thinair::litmus
