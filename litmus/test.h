// A litmus test: a program in Java or in a machine's assembly, with the questions asked of it.
#pragma once

#include "litmus/condition.h"
#include "litmus/machine/code.h"
#include "litmus/program.h"
#include "litmus/text/source.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace thinair::litmus {

struct Language;
extern const Language java_language; // litmus/language.h

struct Test {
  std::string name;
  const Language* language = &java_language;
  std::string title; // the quoted line under the name; may be empty
  std::vector<std::pair<std::string, std::string>> metadata; // `Key=Value` lines, in order
  std::variant<Program, Code> program;
  std::vector<Observable> locations; // `locations [..]`: shown beside those the clauses mention
  std::optional<Proposition>
      filter; // herd's `filter`: executions that do not satisfy it are not looked at
  std::vector<Clause> clauses; // herd allows one; we allow several required/forbidden/contested

  const Program& java() const { return std::get<Program>(program); }
  const Code& code() const { return std::get<Code>(program); }
  bool is_java() const { return std::holds_alternative<Program>(program); }
  std::optional<std::string_view> metadata_value(std::string_view key) const;

  friend bool operator==(const Test&, const Test&) = default;
};

/// What a run shows by default: everything that `locations`, `filter` and the clauses name; all
/// registers with `all`.
std::vector<Observable> observables(const Test& test, bool all_registers = false);

/// A value of a location in decimal, as its type shows it.
std::string shown(const Test& test, LocationId location, Value value);

/// The canonical text of a behaviour, "0:rax=1; [x]=4294967295": values of machines as their types
/// show them.
std::string to_string(const Test& test, const std::vector<Observable>& observables,
                      const Behaviour& behaviour);

/// Limits that every reader enforces (docs/language.md); one past each is an InputError.
struct Limits {
  std::size_t bytes = 1 << 20;
  std::size_t depth = 64; // nesting of blocks, expressions, propositions
  std::size_t threads = 64;
  std::size_t locations = 256;
  std::size_t objects = 62;
  std::size_t registers_per_thread = 1024;
  std::size_t statements = 10'000;
  std::size_t name_length = 200;
  std::uint32_t silence_ms = 10'000; // that a pipe or a device may stay silent
};

/// Reads one test in any language. Throws InputError (one, the first) or Unsupported.
Test parse(const text::Source& source, const Limits& limits = {});

/// The same as herd7 takes it: registers that nothing introduces are 0, and so is what a question
/// names and the program lacks; `010` is ten.
Test parse_as_herd(const text::Source& source, const Limits& limits = {});

/// The canonical layout: parse(print(t)) == t.
std::string print(const Test& test);

/// Reads a file whole, refusing what is too large, and a pipe from which nothing comes; throws
/// InputError naming it.
text::Source read_file(const std::string& path, const Limits& limits = {});

} // namespace thinair::litmus
