// What a model gives a meaning to, and what becomes of a program that uses more: it is unsupported,
// or its accesses are taken for plain ones where that is asked for.
#pragma once

#include "litmus/constructs.h"
#include "oracle/graph/path.h"

#include <string>

namespace thinair::graph {

struct Meaning {
  litmus::Constructs known = litmus::Constructs::all();
  /// Of a machine's events: those that the model never names, though it names others that the same
  /// construct makes.
  Tags unnamed = 0;
  bool as_plain = false; // what it does not know is taken for plain
  std::string model;     // as its user calls it
};

/// What of `uses` is to be taken for plain. Throws Unsupported, with what it is, where the model
/// says nothing of it and nobody asked for that; monitors and threads cannot be taken for anything.
litmus::Constructs taken_for_plain(litmus::Constructs uses, const Meaning& meaning);

/// Throws Unsupported for a test that uses what the model says nothing of.
void demand_meaning(const litmus::Test& test, const Meaning& meaning);

/// The same for a program's paths: accesses of such modes are plain from here on, such updates a
/// plain read and write in one. Such fences stay, as the model does not name them.
void demand(ProgramPaths& program, const Meaning& meaning);

} // namespace thinair::graph
