// What a single-execution model allows a test to do: its final states, by search over candidate
// executions.
#pragma once

#include "litmus/condition.h"
#include "litmus/test.h"
#include "oracle/cat/plan.h"
#include "oracle/question/question.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace thinair::executions {

using oracle::Answer;
using oracle::Limits;
using oracle::Result;
using oracle::Watched;

/// What is shown of a test: a location that only a list names is left out where the model says
/// nothing of it. Throws InputError where the test asks about such a one.
std::vector<litmus::Observable> shown(const litmus::Test& test, const cat::Plan& model,
                                      bool all_registers);

/// Throws InputError for a location that the model says nothing of.
void require_memory(const std::vector<litmus::Observable>& observables, const cat::Plan& model);

/// How much of the space is walked.
enum class Depth : std::uint8_t {
  states,     // each distinct final state once: stop at its first witness
  executions, // every allowed execution, counted as herd counts (distinct values of `with` choices
              // included)
};

struct Options {
  Depth depth = Depth::states;
  Limits limits;
  bool all_registers = false;
};

/// Throws Unsupported for what the test uses and the engine lacks, InputError for a condition on a
/// location when the model does not order writes.
Result behaviours(const litmus::Test& test, const cat::Plan& model, const Options& options = {});

/// One question only, stopping at the first answer: is there an allowed execution whose final state
/// satisfies `p`?
Answer exists(const litmus::Test& test, const cat::Plan& model, const litmus::Proposition& p,
              const Options& options = {});

/// The same of many final states at once, in one search that ends when all are found. Values that
/// depend on themselves are solved for each state: an answer is exact even where there are too many
/// to list.
struct Membership {
  std::vector<Answer> answers; // by state
  std::uint64_t candidates = 0;
  std::uint64_t value_cycles = 0;
  values::Statistics values;
};
Membership members(const litmus::Test& test, const cat::Plan& model,
                   const std::vector<litmus::Observable>& observables,
                   const std::vector<litmus::Behaviour>& states, const Options& options = {});

} // namespace thinair::executions
