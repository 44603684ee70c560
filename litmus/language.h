// The languages that tests are written in: Java, and one or more of each machine. A language is a
// value; the table of all of them stands above this room, in machine/table.cpp, where a machine
// adds its line.
#pragma once

#include "litmus/test.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::litmus {

class Lexer;

/// A test as herd7 takes it, and the way back from its answers.
struct HerdExport {
  /// What herd7 reads: one `exists` clause (the first clause's proposition, or `true`), everything
  /// that the original shows under `locations`, scratch registers in the filter.
  Test test;
  /// As herd7's answer names things, and as the original does; of everything that is shown.
  std::vector<std::pair<Observable, Observable>> names;
};

struct Language {
  std::string_view word;    // the first of a file, as in herd: "Java", "X86_64"
  std::string_view machine; // whose it is, as targets name it: "x86"; of Java "Java"
  /// Reads from the `{` of the initial state to the end of the file (the questions by
  /// `read_questions`); header fields of the test are filled already.
  void (*read)(Lexer& lexer, Test& test) = nullptr;
  /// From the `{` of the initial state to the end of the program, with a newline behind.
  std::string (*print)(const Test& test) = nullptr;
  /// Every register of every thread, as observables.
  std::vector<Observable> (*registers)(const Test& test) = nullptr;
  /// The program as a JSON object.
  std::string (*json)(const Test& test) = nullptr;
  /// An instruction as assemblers take it, without its labels; `label_prefix` goes before a label
  /// that it may go to.
  std::string (*assembly)(const Code& code, std::size_t thread, std::size_t instruction,
                          std::string_view label_prefix) = nullptr;
  std::string_view comment = "#"; // begins one in assembly
  /// Why herd7 would not read the program, or would read it wrongly; absent where it reads it
  /// right, negative numbers aside. Null: it always does.
  std::optional<std::string> (*beyond_herd)(const Test& test) = nullptr;
  /// A test that herd7 reads and that has the same final states. Throws Unsupported where there is
  /// none. Null: the test itself does.
  HerdExport (*for_herd)(const Test& test, bool all_registers) = nullptr;
};

/// Java's row (litmus/java/format.cpp).
extern const Language java_language;

/// All of them, Java first (machine/table.cpp).
std::span<const Language* const> languages();

/// The test as it is, but for what herd7 shows and is asked.
HerdExport as_herd_asks(const Test& test, bool all_registers);

/// As Language::for_herd says, of any test.
HerdExport for_herd(const Test& test, bool all_registers = false);

/// Throws Unsupported for a test that is not in Java: "X86 tests WHERE".
void require_java(const Test& test, std::string_view where);

} // namespace thinair::litmus
