// Reads the initial state.
#include "litmus/initial.h"

#include <fmt/format.h>

#include <charconv>

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
bool at_type(Lexer& lexer) {
  if (!lexer.peek().is_word()) return false;
  const Token after = lexer.second();
  if (after.is("[")) { // `int [x]`, but not `x[3]`
    Lexer ahead = lexer;
    ahead.seek(after.span.end);
    return ahead.peek().is_word();
  }
  return after.is_word() || after.is_number() || after.is("*");
}

void read_target(Lexer& lexer, InitialEntry& entry) {
  if (at_thread_number(lexer)) {
    entry.thread = read_thread_number(lexer);
    lexer.expect(":");
  }
  const bool bracketed = !entry.thread && lexer.accept("[");
  const Token name = lexer.expect_word(entry.thread ? "a register" : "a location or a register");
  if (bracketed) lexer.expect("]");
  entry.name = name.text;
  entry.name_span = name.span;
}

void read_value(Lexer& lexer, InitialEntry& entry, const ValueRange& range) {
  const std::uint32_t begin = lexer.peek().span.begin;
  if (lexer.accept("&") || lexer.peek().is_word()) {
    entry.value = std::string(lexer.expect_word("a location").text);
  } else if (lexer.at("-") || lexer.peek().is_number()) {
    entry.value = lexer.expect_integer(range);
  } else {
    lexer.fail_expected("a number or a location");
  }
  entry.value_span = lexer.since(begin);
}

InitialEntry read_entry(Lexer& lexer, const ValueRange& range) {
  InitialEntry entry;
  const std::uint32_t begin = lexer.peek().span.begin;
  entry.is_final = lexer.accept("final");
  if (at_type(lexer)) {
    const Token type = lexer.next();
    entry.type = type.text;
  }
  if (lexer.accept("*")) entry.type += '*';
  read_target(lexer, entry);
  if (lexer.accept("=")) read_value(lexer, entry, range);
  entry.span = lexer.since(begin);
  return entry;
}

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

std::vector<InitialEntry> read_initial(Lexer& lexer, const ValueRange& range) {
  std::vector<InitialEntry> entries;
  lexer.expect("{");
  while (!lexer.at("}")) {
    if (lexer.accept(";")) continue;
    entries.push_back(read_entry(lexer, range));
    if (!lexer.at("}") && !lexer.at(";")) {
      lexer.fail_expected("`;` or `}` after an initial value",
                          lexer.at("[") ? "arrays are not part of the language" : "");
    }
  }
  lexer.expect("}");
  return entries;
}

} // namespace thinair::litmus
