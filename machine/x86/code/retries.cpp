// Looks at what stands between a label and the jump back to it.
#include "machine/x86/code/retries.h"

#include "machine/x86/code/reach.h"

#include <algorithm>
#include <map>
#include <vector>

namespace thinair::lower::x86_code {
namespace {

using runners::memory_use;
using x86::ConditionCode;
using x86::Instruction;
using x86::Opcode;

/// Runs the loop's body from behind its `lock cmpxchg`, which has failed or not, to the jump:
/// registers that hold its success, and whether the flags say "equal" of what.
class Round {
 public:
  /// Whether the jump at `jump` is taken, only if the attempt at `at` fails.
  static bool only_repeats_failures(const std::vector<Instruction>& code, std::size_t at,
                                    std::size_t jump) {
    Round failed, succeeded;
    for (std::size_t i = at + 1; i < jump; ++i)
      if (!failed.step(code[i], false) || !succeeded.step(code[i], true)) return false;
    return !succeeded.takes(code[jump], true) && failed.takes(code[jump], false);
  }

 private:
  using Known = std::map<x86::Register, bool>; // whether it is 1

  bool step(const Instruction& in, bool success) {
    const auto* to =
        in.operands.empty() ? nullptr : std::get_if<x86::RegisterOperand>(&in.operands[0]);
    const auto* from =
        in.operands.size() < 2 ? nullptr : std::get_if<x86::RegisterOperand>(&in.operands[1]);
    if (memory_use(in) || !in.target.empty() || !to) return false;
    if (in.opcode == Opcode::setcc) {
      if (in.condition != ConditionCode::e || !flags_of_attempt_) return false;
      known_[to->reg] = success;
      return true;
    }
    if (in.opcode == Opcode::mov || in.opcode == Opcode::movzx) {
      if (from && known_.contains(from->reg))
        known_[to->reg] = known_[from->reg];
      else
        known_.erase(to->reg);
      return true;
    }
    if (in.opcode != Opcode::test || !from || from->reg != to->reg || !known_.contains(to->reg))
      return false;
    flags_of_attempt_ = false;
    tested_zero_ = !known_[to->reg];
    return true;
  }

  bool takes(const Instruction& jump, bool success) const {
    const bool equal = flags_of_attempt_ ? success : tested_zero_;
    return jump.opcode == Opcode::jcc && ((jump.condition == ConditionCode::e && equal) ||
                                          (jump.condition == ConditionCode::ne && !equal));
  }

  Known known_;
  bool flags_of_attempt_ = true, tested_zero_ = false;
};

bool is_retry(const x86::Thread& thread, std::size_t from, std::size_t jump) {
  const auto& code = thread.code;
  const auto begin = code.begin() + static_cast<std::ptrdiff_t>(from),
             end = code.begin() + static_cast<std::ptrdiff_t>(jump);
  const auto attempt = std::find_if(
      begin, end, [](const Instruction& in) { return in.opcode == Opcode::cmpxchg && in.lock; });
  if (attempt == end) return false;
  for (auto in = begin; in != attempt; ++in)
    if (const auto use = memory_use(*in); (use && use->writes) || !in->target.empty()) return false;
  return Round::only_repeats_failures(code, static_cast<std::size_t>(attempt - code.begin()), jump);
}

} // namespace

bool only_retries(const litmus::Test& test, std::size_t thread, std::size_t from,
                  std::size_t jump) {
  return is_retry(x86::program_of(test).threads.at(thread), from, jump);
}

} // namespace thinair::lower::x86_code
