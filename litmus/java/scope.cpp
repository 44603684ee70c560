// Looks up and declares the names of a thread.
#include "litmus/java/scope.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace thinair::litmus::java {
namespace {

constexpr std::array<std::string_view, 18> reserved_words{
    "if",        "else",   "while",   "do",   "VarHandle", "final", "exists", "forall", "Float",
    "locations", "filter", "monitor", "true", "false",     "class", "new",    "null",   "Double"};

std::vector<std::string_view> names_of(const auto& things) {
  std::vector<std::string_view> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

} // namespace

std::optional<std::uint32_t> thread_number(std::string_view word) {
  constexpr std::string_view prefix = "Thread";
  constexpr std::size_t most_digits = 6;
  if (!word.starts_with(prefix)) return std::nullopt;
  word.remove_prefix(prefix.size());
  if (word.empty() || word.size() > most_digits || (word.size() > 1 && word[0] == '0'))
    return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool whole = error == std::errc() && end == word.data() + word.size();
  return whole ? std::optional(number) : std::nullopt;
}

bool is_reserved(std::string_view word) {
  return std::ranges::find(reserved_words, word) != reserved_words.end() || type_named(word) ||
         fence_named(word) || thread_number(word);
}

std::optional<RegisterId> Scope::find_register(std::string_view name) const {
  const auto found = std::ranges::find(thread_.registers, name, &Register::name);
  if (found == thread_.registers.end()) return std::nullopt;
  return RegisterId{static_cast<std::uint32_t>(found - thread_.registers.begin())};
}

const Handle* Scope::find_handle(std::string_view name) const {
  const auto found = std::ranges::find(thread_.handles, name, &Handle::name);
  return found == thread_.handles.end() ? nullptr : &*found;
}

RegisterId Scope::use(const Token& name) {
  if (const auto found = find_register(name.text)) return *found;
  if (find_handle(name.text)) {
    lexer_.fail_expected("a value", name,
                         fmt::format("`{0}` is a VarHandle: read it as `{0}.get()`", name.text));
  }
  if (is_reserved(name.text)) lexer_.fail_expected("a value", name);
  if (lexer_.manner() == Manner::herds) return add_register(name.text, name.span, 0);
  std::string hint = Lexer::suggest(name.text, names_of(thread_.registers));
  if (std::ranges::find(program_.locations, name.text, &Location::name) != program_.locations.end())
    hint = "code reaches a location through a VarHandle, as `X.get()`";
  if (hint.empty()) hint = fmt::format("assign it first, as `int {} = 0;`", name.text);
  hint += fmt::format(" (herd7 reads `{}` as 0, and so does `thinair herd`)", name.text);
  lexer_.fail_expected("a register that was assigned before", name, hint);
}

RegisterId Scope::assign(const Token& name, JavaType type) {
  if (const auto found = find_register(name.text)) {
    const JavaType known = thread_.registers[found->value].type;
    if (constructs(*found))
      lexer_.fail_expected("a register whose object is complete", name,
                           "in its constructor it refers to the object that is made");
    if (known == type) return *found;
    lexer_.fail(name.span,
                fmt::format("expected a register for `{}`, found `{}`, which is one for `{}`",
                            to_string(program_, type), name.text, to_string(program_, known)),
                "a register has one type in all of its thread");
  }
  if (find_handle(name.text)) {
    lexer_.fail_expected(
        "a register", name,
        fmt::format("`{0}` is a VarHandle: write it as `{0}.set(...)`", name.text));
  }
  return add_register(name.text, name.span, 0, type);
}

std::optional<ClassId> Scope::find_class(std::string_view name) const {
  const auto found = std::ranges::find(program_.classes, name, &Class::name);
  if (found == program_.classes.end()) return std::nullopt;
  return ClassId{static_cast<std::uint32_t>(found - program_.classes.begin())};
}

FieldOf Scope::field(const Token& reference, const Token& name) {
  const RegisterId object = use(reference);
  const JavaType type = thread_.registers[object.value].type;
  if (!type.refers())
    lexer_.fail_expected("a reference before `.`", reference,
                         fmt::format("`{}` is {}", reference.text, with_article(program_, type)));
  if (program_.classes[type.of.value].is_array)
    lexer_.fail_expected("an index in brackets behind an array", name,
                         name.is("length") ? "the length of an array is that of its `new`"
                                           : fmt::format("as `{}[0]`", reference.text));
  const auto& fields = program_.classes[type.of.value].fields;
  const auto found = std::ranges::find(fields, name.text, &Field::name);
  if (found == fields.end())
    lexer_.fail_expected(fmt::format("a field of `{}`", program_.classes[type.of.value].name), name,
                         Lexer::suggest(name.text, names_of(fields)));
  return {object, static_cast<std::uint32_t>(found - fields.begin())};
}

FieldOf Scope::element(const Token& reference) {
  const RegisterId array = use(reference);
  const JavaType type = thread_.registers[array.value].type;
  if (!type.refers() || !program_.classes[type.of.value].is_array)
    lexer_.fail_expected("an array before `[`", reference,
                         fmt::format("`{}` is {}", reference.text, with_article(program_, type)));
  return {.object = array, .element = true};
}

void Scope::add_constant_index(const FieldOf& element, Value index, text::Span span) {
  unchecked_.indices.push_back({thread_.registers[element.object.value].type.of, index, span});
}

ObjectId Scope::add_object(ClassId of, std::uint32_t length, text::Span span) {
  if (program_.objects.size() >= lexer_.limits().objects)
    lexer_.fail(span,
                fmt::format("expected at most {} `new`, found more", lexer_.limits().objects));
  program_.objects.push_back({of, length});
  return ObjectId{static_cast<std::uint32_t>(program_.objects.size() - 1)};
}

bool Scope::constructs(RegisterId self) const {
  return std::ranges::find(constructed_, self) != constructed_.end();
}

LocationId Scope::handle(const Token& name) const {
  if (const Handle* found = find_handle(name.text)) return found->location;
  std::string hint = Lexer::suggest(name.text, names_of(thread_.handles));
  if (hint.empty()) {
    hint = fmt::format("declare it in the initial state, as `{}:{}=x;`",
                       *thread_number(thread_.name), name.text);
  }
  lexer_.fail_expected(fmt::format("a VarHandle of {}", thread_.name), name, hint);
}

MonitorId Scope::lock(const Token& name) {
  const auto found = std::ranges::find(program_.monitors, name.text);
  const MonitorId id{static_cast<std::uint32_t>(found - program_.monitors.begin())};
  if (found == program_.monitors.end()) {
    if (program_.monitors.size() >= lexer_.limits().locations) {
      lexer_.fail(name.span, fmt::format("expected at most {} monitors, found more",
                                         lexer_.limits().locations));
    }
    program_.monitors.emplace_back(name.text);
  }
  if (std::ranges::find(locked_, id) == locked_.end()) locked_.push_back(id);
  return id;
}

MonitorId Scope::unlock(const Token& name) const {
  std::vector<std::string_view> candidates;
  for (const MonitorId id : locked_) {
    if (program_.monitors[id.value] == name.text) return id;
    candidates.push_back(program_.monitors[id.value]);
  }
  lexer_.fail_expected("a monitor that this thread locked before", name,
                       Lexer::suggest(name.text, candidates));
}

ThreadId Scope::thread(const Token& name, std::uint32_t number) {
  unchecked_.threads.push_back({ThreadId{number}, name.span});
  return ThreadId{number};
}

RegisterId Scope::add_register(std::string_view name, text::Span span, Value value, JavaType type) {
  check_free(name, span);
  if (thread_.registers.size() >= lexer_.limits().registers_per_thread) {
    lexer_.fail(span, fmt::format("expected at most {} registers in a thread, found more",
                                  lexer_.limits().registers_per_thread));
  }
  thread_.registers.push_back({std::string(name), value, type});
  return RegisterId{static_cast<std::uint32_t>(thread_.registers.size() - 1)};
}

void Scope::add_initial_register(std::string_view name, text::Span span, Value value,
                                 JavaType type) {
  if (knows_register(name) || find_handle(name)) {
    lexer_.fail(span, fmt::format("expected one initial value of `{}`, found a second", name));
  }
  add_register(name, span, value, type);
}

void Scope::add_handle(std::string_view name, text::Span span, LocationId location) {
  const Handle* known = find_handle(name);
  if (known && known->location == location) return;
  if (known || knows_register(name)) {
    lexer_.fail(span, fmt::format("expected one initial value of `{}`, found a second", name));
  }
  check_free(name, span);
  if (thread_.handles.size() >= lexer_.limits().registers_per_thread) {
    lexer_.fail(span, fmt::format("expected at most {} VarHandles in a thread, found more",
                                  lexer_.limits().registers_per_thread));
  }
  thread_.handles.push_back({std::string(name), location});
}

void Scope::check_free(std::string_view name, text::Span span) const {
  lexer_.check_name(name, span);
  if (is_reserved(name))
    lexer_.fail(span, fmt::format("expected a name, found the reserved word `{}`", name));
}

void Scope::count_statement(text::Span span, std::size_t& total) const {
  if (++total > lexer_.limits().statements) {
    lexer_.fail(span, fmt::format("expected at most {} statements, found more",
                                  lexer_.limits().statements));
  }
}

} // namespace thinair::litmus::java
