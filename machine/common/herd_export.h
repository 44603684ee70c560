// Tests whose instructions herd7 reads only when they are written otherwise.
#pragma once

#include "litmus/labels.h"
#include "litmus/language.h"
#include "litmus/text/error.h"

#include <utility>
#include <vector>

namespace thinair::machine {

/// `rewrite(instruction, thread)` gives what herd7 reads in the place of an instruction, with the
/// same effect on what the rest of the thread looks at. Labels, which herd7 wants to differ over
/// all threads, are seen to.
template <class Instruction, class Rewrite>
litmus::HerdExport herd_export(const litmus::Test& test, bool all_registers, Rewrite&& rewrite) {
  litmus::HerdExport out = litmus::as_herd_asks(test, all_registers);
  auto program = test.code().of<Instruction>();
  if (litmus::has_struct(program.locations)) throw Unsupported("a struct in herd7");
  for (auto& thread : program.threads) {
    std::vector<Instruction> code;
    for (const Instruction& in : thread.code) {
      std::vector<Instruction> written = rewrite(in, thread);
      written.front().labels = in.labels;
      written.back().target = in.target;
      for (Instruction& each : written) code.push_back(std::move(each));
    }
    thread.code = std::move(code);
  }
  litmus::separate_labels(program.threads);
  out.test.program = std::move(program);
  return out;
}

} // namespace thinair::machine
