// Escapes for class names, a trailing underscore for what Java has a meaning for, and a free name
// for each handle.
#include "litmus/java/names.h"

#include "litmus/objects.h"
#include "litmus/text/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace thinair::litmus::java {
namespace {

constexpr auto keywords = std::to_array<std::string_view>(
    {"_",       "abstract",  "assert",       "boolean",  "break",      "byte",    "case",
     "catch",   "char",      "class",        "const",    "continue",   "default", "do",
     "double",  "else",      "enum",         "extends",  "false",      "final",   "finally",
     "float",   "for",       "goto",         "if",       "implements", "import",  "instanceof",
     "int",     "interface", "long",         "native",   "new",        "null",    "package",
     "private", "protected", "public",       "return",   "short",      "static",  "strictfp",
     "super",   "switch",    "synchronized", "this",     "throw",      "throws",  "transient",
     "true",    "try",       "void",         "volatile", "while"});

struct Escape {
  char plain, letter;
};
constexpr auto escapes =
    std::to_array<Escape>({{'+', 'p'}, {'-', 'm'}, {'.', 'd'}, {'/', 's'}, {'[', 'l'}, {']', 'r'}});
constexpr std::string_view before_digit = "_n", behind_word = "_t";
constexpr std::string_view behind_class = "_c"; // no class_name ends so

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string escape(char c) {
  if (is_letter_or_digit(c)) return {c};
  if (c == '_') return "__";
  const auto found = std::ranges::find(escapes, c, &Escape::plain);
  if (found != escapes.end()) return {'_', found->letter};
  return fmt::format("_x{:02x}", static_cast<unsigned char>(c));
}

/// The character behind a `_`, which is removed from the front of `rest` with its code.
std::optional<char> unescape(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  const char letter = rest.front();
  rest.remove_prefix(1);
  if (letter == '_') return '_';
  const auto found = std::ranges::find(escapes, letter, &Escape::letter);
  if (found != escapes.end()) return found->plain;
  if (letter != 'x' || rest.size() < 2) return std::nullopt;
  const int high = hexadecimal(rest[0]), low = hexadecimal(rest[1]);
  rest.remove_prefix(2);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/// Classes that our code mentions are all like this, and no variable is.
bool is_like_a_class(std::string_view word) {
  return is_capital(word.front()) && std::ranges::any_of(word, is_small);
}

bool has_a_meaning(std::string_view word) { return is_keyword(word) || is_like_a_class(word); }

std::string_view without_underscores(std::string_view word) {
  const auto last = word.find_last_not_of('_');
  return last == std::string_view::npos ? "_" : word.substr(0, last + 1);
}

/// `wish`, or the first of wish1, wish2, … that nothing else is called.
std::string free_name(const std::string& wish, std::set<std::string>& used) {
  std::string name = wish;
  for (int n = 1; !used.insert(name).second; ++n) name = fmt::format("{}{}", wish, n);
  return name;
}

/// Of classes and their fields. Handles are used in constructors, where no field may hide them.
void name_classes(const Program& program, const std::vector<std::string>& taken, Names& names,
                  std::set<std::string>& used) {
  for (const Class& of : program.classes) {
    if (of.is_array) { // behind all classes
      names.classes.push_back(type_word(program, names, of.fields[0].type) + "[]");
      names.class_fields.emplace_back();
      continue;
    }
    std::string name;
    for (const char c : of.name) name += escape(c);
    names.classes.push_back(name + std::string(behind_class));
    auto& fields = names.class_fields.emplace_back();
    std::set<std::string> own(taken.begin(), taken.end());
    for (const Field& field : of.fields) fields.push_back(free_name(identifier(field.name), own));
    used.insert(own.begin(), own.end());
  }
}

/// What serves the constructors, and handles of fields.
void name_what_serves_objects(const Program& program, Names& names, std::set<std::string>& used) {
  for (const Class& of : program.classes) {
    auto& handles = names.class_handles.emplace_back();
    for (const Field& field : of.fields) {
      const std::string name = of.is_array ? fmt::format("{}_array", to_string(program, field.type))
                                           : fmt::format("{}_{}", of.name, field.name);
      handles.push_back(free_name(identifier(text::upper_case(name)), used));
    }
  }
  for (std::size_t i = 1; i <= program.objects.size(); ++i) {
    names.made.push_back(free_name(fmt::format("made{}", i), used));
    names.left.push_back(free_name(fmt::format("left{}", i), used));
  }
  names.state = free_name("state", used);
  names.threw = free_name("threw", used);
}

} // namespace

bool is_keyword(std::string_view word) {
  return std::ranges::find(keywords, word) != keywords.end();
}

std::string class_name(std::string_view test) {
  std::string name;
  for (const char c : test) name += escape(c);
  if (name.empty() || is_digit(name.front())) return std::string(before_digit) + name;
  return std::ranges::all_of(name, is_letter_or_digit) ? name + std::string(behind_word) : name;
}

std::optional<std::string> test_name(std::string_view class_name_) {
  std::string_view rest = class_name_;
  if (rest.starts_with(before_digit)) rest.remove_prefix(before_digit.size());
  if (rest.ends_with(behind_word)) rest.remove_suffix(behind_word.size());
  std::string name;
  while (!rest.empty()) {
    char c = rest.front();
    rest.remove_prefix(1);
    if (c == '_') {
      const auto plain = unescape(rest);
      if (!plain) return std::nullopt;
      c = *plain;
    } else if (!is_letter_or_digit(c)) {
      return std::nullopt;
    }
    name += c;
  }
  if (class_name(name) != class_name_) return std::nullopt;
  return name;
}

std::string identifier(std::string_view word) {
  const bool marked = has_a_meaning(word) || has_a_meaning(without_underscores(word));
  return std::string(word) + (marked ? "_" : "");
}

std::string word_of(std::string_view name) {
  const bool marked = name.ends_with('_') && has_a_meaning(without_underscores(name));
  return std::string(name.substr(0, name.size() - (marked ? 1 : 0)));
}

Names names_of(const Program& program, const std::vector<std::string>& taken) {
  Names names;
  std::set<std::string> used(taken.begin(), taken.end()), registers(used);
  for (const Thread& thread : program.threads) {
    auto& own = names.registers.emplace_back();
    std::set<std::string> of_thread(taken.begin(), taken.end());
    for (const Register& reg : thread.registers)
      own.push_back(free_name(identifier(reg.name), of_thread));
    registers.insert(own.begin(), own.end());
  }
  for (const Location& location : program.locations)
    names.fields.push_back(free_name(identifier(location.name), used));
  used.insert(registers.begin(), registers.end()); // what follows is used beside them
  name_classes(program, taken, names, used);
  for (const Location& location : program.locations)
    names.handles.push_back(free_name(identifier(text::upper_case(location.name)), used));
  for (const std::string& monitor : program.monitors)
    names.monitors.push_back(free_name(identifier(monitor), used));
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    auto& results = names.results.emplace_back();
    for (const std::string& reg : names.registers[t])
      results.push_back(free_name(fmt::format("t{}_{}", t, reg), used));
    names.threads.push_back(free_name(fmt::format("thread{}", t), used));
    names.printed.push_back(free_name(fmt::format("printed{}", t), used));
  }
  name_what_serves_objects(program, names, used);
  return names;
}

std::string constructor_class(ObjectId object) { return fmt::format("New{}", object.value + 1); }

std::string type_word(const Program& program, const Names& names, JavaType type) {
  return type.refers() ? names.classes[type.of.value] : to_string(program, type);
}

} // namespace thinair::litmus::java
