// A litmus test: a program in Java or in x86 assembly, with the questions asked of it.
#pragma once

#include "litmus/condition.h"
#include "litmus/program.h"
#include "litmus/text/source.h"
#include "litmus/x86/program.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace thinair::litmus {

/// The formats we read and write; the word is the first of the file, as in herd.
enum class Dialect : std::uint8_t {
  java,      // "Java"
  x86_att,   // "X86_64": AT&T syntax
  x86_intel, // "X86": Intel syntax, 32 bits
};

std::string_view name(Dialect dialect);

struct Test {
  std::string name;
  Dialect dialect = Dialect::java;
  std::string title; // the quoted line under the name; may be empty
  std::vector<std::pair<std::string, std::string>> metadata; // `Key=Value` lines, in order
  std::variant<Program, x86::Program> program;
  std::vector<Observable> locations; // `locations [..]`: shown beside those the clauses mention
  std::optional<Proposition>
      filter; // herd's `filter`: executions that do not satisfy it are not looked at
  std::vector<Clause> clauses; // herd allows one; we allow several required/forbidden/contested

  const Program& java() const { return std::get<Program>(program); }
  const x86::Program& x86() const { return std::get<x86::Program>(program); }
  std::optional<std::string_view> metadata_value(std::string_view key) const;

  friend bool operator==(const Test&, const Test&) = default;
};

/// What a run shows by default: everything that `locations`, `filter` and the clauses name; all
/// registers with `all`.
std::vector<Observable> observables(const Test& test, bool all_registers = false);

/// A value of a location in decimal, as its type shows it.
std::string shown(const Test& test, LocationId location, Value value);

/// The canonical text of a behaviour, "0:rax=1; [x]=4294967295": x86 values as their types show
/// them.
std::string to_string(const Test& test, const std::vector<Observable>& observables,
                      const Behaviour& behaviour);

/// Limits that every reader enforces (docs/language.md); one past each is an InputError.
struct Limits {
  std::size_t bytes = 1 << 20;
  std::size_t depth = 64; // nesting of blocks, expressions, propositions
  std::size_t threads = 64;
  std::size_t locations = 256;
  std::size_t registers_per_thread = 1024;
  std::size_t statements = 10'000;
  std::size_t name_length = 200;
  std::uint32_t silence_ms = 10'000; // that a pipe or a device may stay silent
};

/// Reads one test in any dialect. Throws InputError (one, the first) or Unsupported.
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
