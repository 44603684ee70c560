// Unrolls loops.
#include "litmus/unroll.h"

#include "litmus/text/error.h"

#include <iterator>
#include <utility>

namespace thinair::litmus {
namespace {

constexpr std::size_t most_statements = 100'000;
constexpr std::size_t most_levels = 1'000;

class Unroller {
 public:
  explicit Unroller(std::uint32_t default_bound) : default_bound_(default_bound) {}

  void block(const Block& statements, Block& out) {
    for (const Statement& statement : statements) {
      if (const auto* loop = std::get_if<Loop>(&statement.node)) {
        unroll(*loop, statement.span, out);
      } else if (const auto* branch = std::get_if<If>(&statement.node)) {
        If copy{branch->condition, {}, {}};
        const Level level(*this);
        block(branch->then_block, copy.then_block);
        block(branch->else_block, copy.else_block);
        append(std::move(copy), statement.span, out);
      } else if (const auto* made = std::get_if<New>(&statement.node)) {
        New copy{made->target, made->declares, made->object, {}};
        const Level level(*this);
        block(made->body, copy.body);
        append(std::move(copy), statement.span, out);
      } else {
        append(statement.node, statement.span, out);
      }
    }
  }

 private:
  /// One level of nesting, counted against the limit.
  struct Level {
    explicit Level(Unroller& owner) : unroller(owner) {
      if (++unroller.levels_ > most_levels)
        throw LimitReached(Limit::loop_bound, "1000 levels of unrolled loops");
    }
    ~Level() { --unroller.levels_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Unroller& unroller;
  };

  void unroll(const Loop& loop, text::Span span, Block& out) {
    const std::uint32_t bound = loop.bound.value_or(default_bound_);
    if (loop.test_first) return iterate(loop, bound, span, out);
    if (bound == 0) return append(Cut{}, span, out);
    block(loop.body, out);
    iterate(loop, bound - 1, span, out);
  }

  /// `if (c) { B if (c) { .. } }` with `rest` bodies.
  void iterate(const Loop& loop, std::uint32_t rest, text::Span span, Block& out) {
    If step{loop.condition, {}, {}};
    const Level level(*this);
    if (rest == 0) {
      append(Cut{}, span, step.then_block);
    } else {
      block(loop.body, step.then_block);
      iterate(loop, rest - 1, span, step.then_block);
    }
    append(std::move(step), span, out);
  }

  void append(Statement::Node node, text::Span span, Block& out) {
    if (++statements_ > most_statements)
      throw LimitReached(Limit::loop_bound, "100000 statements of unrolled loops");
    out.push_back({std::move(node), span});
  }

  std::uint32_t default_bound_;
  std::size_t statements_ = 0;
  std::size_t levels_ = 0;
};

} // namespace

Program unroll(const Program& program, std::uint32_t default_bound) {
  Program result = program;
  Unroller unroller(default_bound);
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    result.threads[t].body.clear();
    unroller.block(program.threads[t].body, result.threads[t].body);
  }
  return result;
}

} // namespace thinair::litmus
