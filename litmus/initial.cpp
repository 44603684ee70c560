// Reads the initial state.
#include "litmus/initial.h"

#include "litmus/floating_literal.h"
#include "litmus/text/error.h"
#include "litmus/type.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace thinair::litmus {
namespace {

constexpr std::uint32_t greatest_thread_number = 1'000'000;

/// The number of herd's `P0`, if the word is one.
std::optional<std::uint32_t> processor_number(std::string_view word) {
  if (word.size() < 2 || word[0] != 'P') return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), number);
  const bool whole = error == std::errc() && end == word.data() + word.size();
  return whole && number <= greatest_thread_number ? std::optional(number) : std::nullopt;
}

/// Whether the next word is a type: something else of the entry follows it.
bool at_type(Lexer& lexer, bool assembly) {
  if (!lexer.peek().is_word()) return false;
  const Token after = lexer.second();
  if (after.is("[")) { // `int [x]` and `int[] x`, but not `x[3]`
    Lexer ahead = lexer;
    ahead.seek(after.span.end);
    return ahead.peek().is_word() || (!assembly && ahead.at("]"));
  }
  return after.is_word() || after.is_number() || after.is("*");
}

/// Reads one entry.
class EntryReader {
 public:
  EntryReader(Lexer& lexer, const ValueRange& range, Initial kind)
      : lexer_(lexer), range_(range), assembly_(kind == Initial::of_assembly) {}

  InitialEntry read() {
    const std::uint32_t begin = lexer_.peek().span.begin;
    if (!assembly_ && lexer_.at("class")) {
      read_class();
      entry_.span = lexer_.since(begin);
      return std::move(entry_);
    }
    entry_.is_final = lexer_.accept("final");
    if (lexer_.at("_Atomic") && lexer_.second().is_word()) lexer_.next();
    if (assembly_ && lexer_.at("struct") && lexer_.second().is("{"))
      read_members();
    else if (at_type(lexer_, assembly_)) {
      entry_.type = lexer_.next().text;
      if (!assembly_) read_brackets(entry_.type);
    }
    if (lexer_.accept("*")) entry_.type += '*';
    read_target();
    if (!entry_.fields.empty() && (entry_.thread || entry_.name.starts_with('%')))
      lexer_.fail(entry_.name_span, "expected a location, found a register for a struct");
    if (assembly_ && !entry_.thread && !entry_.length && lexer_.at("[")) read_length();
    if (lexer_.accept("=")) entry_.length ? read_elements() : read_value();
    entry_.span = lexer_.since(begin);
    return std::move(entry_);
  }

 private:
  void read_target() {
    const std::uint32_t begin = lexer_.peek().span.begin;
    if (at_thread_number(lexer_)) {
      entry_.thread = read_thread_number(lexer_);
      lexer_.expect(":");
    } else if (assembly_ && lexer_.accept("%")) {
      entry_.name = '%';
    }
    const bool reg = entry_.thread || !entry_.name.empty();
    const bool bracketed = !reg && lexer_.accept("[");
    const Token name = lexer_.expect_word(reg ? "a register" : "a location or a register");
    if (bracketed) lexer_.expect("]");
    entry_.name_span = entry_.name.empty() ? name.span : lexer_.since(begin);
    entry_.name += name.text;
  }

  /// `class A { final int x; A next; }`
  void read_class() {
    entry_.type = lexer_.next().text;
    const Token name = lexer_.expect_word("the name of a class");
    entry_.name = name.text;
    entry_.name_span = name.span;
    lexer_.expect("{");
    while (!lexer_.at("}")) {
      entry_.fields.push_back(read_field());
      if (!lexer_.accept(";")) lexer_.fail_expected("`;` behind a field");
    }
    lexer_.next();
  }

  /// Of the type of an array, `int[]`.
  void read_brackets(std::string& type) {
    if (!lexer_.at("[") || !lexer_.second().is("]")) return;
    lexer_.next();
    lexer_.next();
    type += "[]";
    if (lexer_.at("[") && lexer_.second().is("]"))
      lexer_.fail_expected("a name", "elements are values, or references to objects of a class");
  }

  InitialEntry read_field() {
    InitialEntry field;
    const std::uint32_t begin = lexer_.peek().span.begin;
    field.is_final = lexer_.accept("final");
    field.type = lexer_.expect_word("a field, as `int x;`").text;
    read_brackets(field.type);
    const Token name = lexer_.expect_word("a field's name");
    field.name = name.text;
    field.name_span = name.span;
    field.span = lexer_.since(begin);
    return field;
  }

  /// `struct {int8_t; int}`: types without names.
  void read_members() {
    entry_.type = lexer_.next().text;
    lexer_.next();
    while (!lexer_.at("}")) {
      InitialEntry member;
      const Token type = lexer_.expect_word("a type, as in `struct {int8_t; int}`");
      member.type = type.text;
      member.span = type.span;
      entry_.fields.push_back(std::move(member));
      if (!lexer_.accept(";") && !lexer_.at("}")) lexer_.fail_expected("`;` or `}` behind a type");
    }
    if (entry_.fields.empty()) lexer_.fail_expected("a type, as in `struct {int8_t; int}`");
    lexer_.next();
    entry_.length = static_cast<std::uint32_t>(entry_.fields.size());
  }

  void read_length() {
    lexer_.expect("[");
    const Token number = lexer_.peek();
    const auto most = static_cast<std::uint32_t>(lexer_.limits().locations);
    entry_.length = lexer_.expect_count("the length of an array", most);
    if (*entry_.length == 0) lexer_.fail_expected("a length of at least 1", number);
    lexer_.expect("]");
  }

  /// `{1, 2}`: as many as the array is long.
  void read_elements() {
    const std::uint32_t begin = lexer_.peek().span.begin;
    lexer_.expect("{");
    do {
      if (lexer_.peek().is_word()) throw Unsupported("pointers in memory");
      entry_.elements.push_back(lexer_.expect_integer(range_));
    } while (lexer_.accept(","));
    lexer_.expect("}");
    entry_.value_span = lexer_.since(begin);
    if (entry_.elements.size() != *entry_.length)
      lexer_.fail(entry_.value_span, fmt::format("expected {} values, found {}", *entry_.length,
                                                 entry_.elements.size()));
  }

  void read_value() {
    const std::uint32_t begin = lexer_.peek().span.begin;
    const bool wrapped = lexer_.at("ATOMIC_INIT") && lexer_.second().is("(");
    if (wrapped) {
      lexer_.next();
      lexer_.next();
    }
    if (!assembly_ && (lexer_.at("true") || lexer_.at("false"))) {
      entry_.value = Value{lexer_.next().is("true") ? 1 : 0};
      entry_.is_truth = true;
    } else if (const auto kind = floating_type(); kind && at_floating_value()) {
      entry_.value = read_floating_constant(lexer_, *kind, Spelling::of_java);
    } else if (!assembly_ && at_floating(lexer_)) {
      fail_floating();
    } else if (lexer_.accept("&") || lexer_.peek().is_word()) {
      entry_.value = std::string(lexer_.expect_word("a location").text);
    } else if (lexer_.at("-") || lexer_.peek().is_number()) {
      entry_.value = lexer_.expect_integer(range_of_type());
    } else {
      lexer_.fail_expected("a number or a location");
    }
    if (wrapped) lexer_.expect(")");
    if (assembly_ && std::holds_alternative<std::string>(entry_.value) && lexer_.at("["))
      throw Unsupported("addresses inside arrays");
    entry_.value_span = lexer_.since(begin);
  }

  std::optional<TypeKind> floating_type() const {
    const auto kind = assembly_ ? std::nullopt : type_named(entry_.type);
    return kind && is_floating(*kind) ? kind : std::nullopt;
  }
  bool at_floating_value() {
    return lexer_.at("-") || lexer_.peek().is_number() || at_floating(lexer_);
  }
  [[noreturn]] void fail_floating() {
    const std::string type = entry_.type.empty() ? "int" : entry_.type;
    lexer_.fail_expected(fmt::format("a value of type {}", type),
                         "floats and doubles have their type in front, as `double x = 1.5;`");
  }

  ValueRange range_of_type() const {
    const auto kind = assembly_ ? std::nullopt : type_named(entry_.type);
    return kind && is_integral(*kind) ? range_of(*kind) : range_;
  }

  Lexer& lexer_;
  const ValueRange& range_;
  bool assembly_;
  InitialEntry entry_;
};

} // namespace

bool at_thread_number(Lexer& lexer) {
  if (lexer.peek().is_number()) return true;
  return processor_number(lexer.peek().text) && lexer.second().is(":");
}

std::uint32_t read_thread_number(Lexer& lexer) {
  if (const auto number = processor_number(lexer.peek().text)) {
    lexer.next();
    return *number;
  }
  return lexer.expect_count("a thread's number", greatest_thread_number);
}

std::vector<InitialEntry> read_initial(Lexer& lexer, const ValueRange& range, Initial kind) {
  std::vector<InitialEntry> entries;
  lexer.expect("{");
  while (!lexer.at("}")) {
    if (lexer.accept(";")) continue;
    entries.push_back(EntryReader(lexer, range, kind).read());
    if (entries.back().type == "class") continue; // as in Java, nothing ends a class but its brace
    if (!lexer.at("}") && !lexer.at(";")) {
      lexer.fail_expected("`;` or `}` after an initial value",
                          lexer.at("[") ? "threads make arrays, as `int[] a = new int[2];`" : "");
    }
  }
  lexer.expect("}");
  return entries;
}

} // namespace thinair::litmus
