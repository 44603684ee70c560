// Source text beside code, for people.
#pragma once

#include "litmus/program.h"

#include <string>
#include <vector>

namespace thinair::lower {

/// Statements of a thread in the order in which lowering numbers them: as they are read.
std::vector<const litmus::Statement*> statements_of(const litmus::Thread& thread);

/// Their texts, a line each; an `if` is its condition.
std::vector<std::string> statement_texts(const litmus::Program& program, std::size_t thread);

/// Two columns under a title, line by line; the shorter one ends in blanks.
std::string beside(const std::string& title, std::vector<std::string> left,
                   std::vector<std::string> right);

} // namespace thinair::lower
