// Walks over the choices of a program.
#include "litmus/choices.h"

#include <algorithm>
#include <array>
#include <variant>

namespace thinair::litmus {
namespace {

constexpr std::array<Choice, 1> only_the_first{0};

std::span<const Choice> row(const std::vector<std::vector<Choice>>& table, std::size_t index) {
  return table.empty() ? std::span<const Choice>(only_the_first) : table[index];
}

template <class Visit>
void walk(Block& block, Visit&& visit) {
  for (Statement& statement : block) {
    if (auto* branch = std::get_if<If>(&statement.node)) {
      walk(branch->then_block, visit);
      walk(branch->else_block, visit);
    } else if (auto* loop = std::get_if<Loop>(&statement.node)) {
      walk(loop->body, visit);
    } else if (auto* made = std::get_if<New>(&statement.node)) {
      walk(made->body, visit);
    } else {
      visit(statement);
    }
  }
}

} // namespace

std::span<const Choice> Choices::of(Method method) const {
  return row(of_method, static_cast<std::size_t>(method));
}

std::span<const Choice> Choices::of(Fence fence) const {
  return row(of_fence, static_cast<std::size_t>(fence));
}

void each_choice(Program& program, const std::function<void(Method, Choice&)>& access,
                 const std::function<void(Fence, Choice&)>& fence) {
  for (Thread& thread : program.threads)
    walk(thread.body, [&](Statement& statement) {
      if (auto* node = std::get_if<Access>(&statement.node)) access(node->method, node->by);
      if (auto* node = std::get_if<FenceStatement>(&statement.node)) fence(node->fence, node->by);
    });
}

Choice choices_of(const Program& program) {
  Program copy = program;
  Choice most = 1;
  const auto note = [&](auto, Choice& by) { most = std::max(most, by + 1); };
  each_choice(copy, note, note);
  return most;
}

Program without_choices(const Program& program) {
  Program copy = program;
  const auto clear = [](auto, Choice& by) { by = 0; };
  each_choice(copy, clear, clear);
  return copy;
}

} // namespace thinair::litmus
