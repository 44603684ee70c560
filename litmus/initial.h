// The initial state `{ x = 0; 0:X=x; }` as it is written, before a dialect gives it a meaning.
#pragma once

#include "litmus/lexer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace thinair::litmus {

/// One entry: `int x = 1`, `0:r1 = -5`, `0:X = x`, `final x`, `uint64_t *p`; in assembly also
/// `int t[2] = {1, 2}`, `struct {int8_t; int} s = {1, 2}` and `%r = x`.
struct InitialEntry {
  text::Span span;
  bool is_final = false;
  std::string type; // as written, a `*` for a pointer at its end; may be empty
  std::optional<std::uint32_t> thread;
  std::string name; // of a register of no thread, with its `%`
  text::Span name_span;
  std::optional<std::uint32_t> length; // of an array or a struct
  std::vector<Value> elements;         // of one with values: as many
  bool is_truth = false;               // the value is 1 or 0 for `true` or `false`
  std::variant<std::monostate, Value, std::string> value; // none, a number, the name of a location
  text::Span value_span;
  std::vector<InitialEntry> fields; // of `class A { int x; }` (Java), whose type is "class", and
                                    // of a struct (assembly), "struct", which have types alone
};

/// Whether a dialect's initial state has arrays and registers that belong to no thread.
enum class Initial : std::uint8_t { of_java, of_assembly };

/// Reads from `{` to `}`. Numbers are checked against `range`, in Java against that of their type;
/// types, names and threads are the dialect's business.
std::vector<InitialEntry> read_initial(Lexer& lexer, const ValueRange& range,
                                       Initial kind = Initial::of_java);

/// `0` or `P0`, a thread's number before a colon.
bool at_thread_number(Lexer& lexer);
std::uint32_t read_thread_number(Lexer& lexer);

} // namespace thinair::litmus
