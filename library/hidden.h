// What the objects of the library hold inside.
#pragma once

#include "include/thinair/thinair.h"
#include "litmus/test.h"
#include "oracle/answer.h"
#include "oracle/cat/loaded_model.h"

#include <string>

namespace thinair {

struct Model::Hidden {
  cat::LoadedModel loaded;
  std::string causality; // empty: the rules the model is meant for
  Identity identity = Identity::index;
};

struct Program::Hidden {
  litmus::Test test;
};

/// The limits that are set, in the places of the oracle's own.
oracle::Options oracle_options(const Model::Hidden& model, const Limits& limits);

} // namespace thinair
