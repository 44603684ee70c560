// What the reader and the writer of one dialect provide to litmus/test.cpp, which knows them all.
#pragma once

#include "litmus/condition.h"
#include "litmus/lexer.h"
#include "litmus/test.h"

#include <string>
#include <vector>

namespace thinair::litmus {

struct Format {
  /// Reads from the `{` of the initial state to the end of the file (the questions by
  /// `read_questions`); header fields of the test are filled already.
  void (*read)(Lexer& lexer, Test& test);
  /// From the `{` of the initial state to the end of the program, with a newline behind.
  std::string (*print)(const Test& test);
  /// Every register of every thread, as observables.
  std::vector<Observable> (*registers)(const Test& test);
  /// The program as a JSON object.
  std::string (*json)(const Test& test) = nullptr;
};

/// The row of a dialect (litmus/test.cpp).
Format format_of(Dialect dialect);

} // namespace thinair::litmus
