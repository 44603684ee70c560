// A program as the instruction buffers of the machine hold it: one line of instructions a control
// path.
#pragma once

#include "litmus/test.h"
#include "oracle/graph/path.h"
#include "oracle/umm/model.h"

#include <cstdint>
#include <vector>

namespace thinair::umm {

/// UMM 4.1 and 5.1, with symbolic values in place of local variables.
struct Instruction {
  Operation operation = Operation::read;
  std::uint32_t thread = 0;
  std::uint32_t position = 0; // pc: sub-writes of one write share it
  std::uint32_t variable = 0; // LocationId, or MonitorId of lock and unlock
  std::uint32_t target = 0;   // of sub-writes: who observes it
  bool redundant = false;     // synchronizes with nothing (UMM 5.5)
  graph::Variable read;       // its value's variable
  graph::TermId written;
};

struct Line {
  std::vector<Instruction> instructions; // at most 64
  std::vector<graph::Branch> branches;   // by instruction's position
  std::vector<graph::TermId> must_divide;
  std::vector<graph::TermId> final_registers;
};

struct Code {
  graph::TermPool terms;
  std::vector<graph::Value> initial; // by LocationId
  std::vector<std::vector<Line>> threads;
  bool cut = false; // a loop bound ended some path
};

/// Throws Unsupported, LimitReached.
Code code_of(const litmus::Program& program, const Model& model, const graph::PathLimits& limits);

} // namespace thinair::umm
