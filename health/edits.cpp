// Finding the places where edits apply.
#include "health/edits.h"

#include "litmus/walk.h"

#include <algorithm>

namespace thinair::health {
namespace {

using litmus::Access;
using litmus::Block;
using litmus::Mode;
using litmus::Program;
using litmus::Statement;

/// All blocks of a program, outer ones first.
void collect(Block& block, std::vector<Block*>& out) {
  out.push_back(&block);
  for (auto& statement : block) {
    if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
      collect(branch->then_block, out);
      collect(branch->else_block, out);
    } else if (auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
      collect(loop->body, out);
    }
  }
}

std::vector<Block*> blocks_of(litmus::Thread& thread) {
  std::vector<Block*> out;
  collect(thread.body, out);
  return out;
}

void replace(Block& block, std::size_t at, std::size_t width, const Block& become) {
  const auto begin = block.begin() + static_cast<std::ptrdiff_t>(at);
  const auto after = block.erase(begin, begin + static_cast<std::ptrdiff_t>(width));
  block.insert(after, become.begin(), become.end());
}

bool touches_memory(const litmus::Expression& expression) {
  return expression.op == litmus::Operator::access ||
         std::ranges::any_of(expression.arguments, touches_memory);
}

bool uses_any(const Access& access, const std::optional<litmus::RegisterId>& reg) {
  return reg && std::ranges::any_of(access.arguments,
                                    [&](const auto& argument) { return uses(argument, *reg); });
}

} // namespace

std::vector<Program> edited(const Program& program, std::size_t width, const Edit& edit) {
  std::vector<Program> out;
  Program scratch = program;
  for (std::size_t t = 0; t < scratch.threads.size(); ++t) {
    const auto blocks = blocks_of(scratch.threads[t]);
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (std::size_t at = 0; at + width <= blocks[b]->size(); ++at) {
        const auto become = edit(program.threads[t], std::span(*blocks[b]).subspan(at, width));
        if (!become) continue;
        Program changed = program;
        replace(*blocks_of(changed.threads[t])[b], at, width, *become);
        out.push_back(std::move(changed));
      }
  }
  return out;
}

const Access* access_in(const Statement& statement) {
  const auto* access = std::get_if<Access>(&statement.node);
  if (access == nullptr || std::ranges::any_of(access->arguments, touches_memory)) return nullptr;
  return access;
}

bool is_read(const Access* access, Mode mode) {
  return access != nullptr && info(access->method).action == litmus::Action::get &&
         info(access->method).read == mode;
}

bool is_write(const Access* access, Mode mode) {
  return access != nullptr && info(access->method).action == litmus::Action::set &&
         info(access->method).write == mode;
}

bool independent(const Access& a, const Access& b) {
  return !(a.target && a.target == b.target) && !uses_any(a, b.target) && !uses_any(b, a.target);
}

bool uses(const litmus::Expression& expression, litmus::RegisterId reg) {
  if (expression.op == litmus::Operator::reg && expression.reg == reg) return true;
  return std::ranges::any_of(expression.arguments,
                             [&](const auto& argument) { return uses(argument, reg); });
}

} // namespace thinair::health
