// Moves accesses out of expressions.
#include "litmus/normal.h"

#include "litmus/objects.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace thinair::litmus {
namespace {

class ThreadNormaliser {
 public:
  ThreadNormaliser(const Program& program, Thread& thread) : program_(program), thread_(thread) {}

  Block block(Block statements) {
    Block out;
    for (Statement& statement : statements) {
      span_ = statement.span;
      auto node = std::move(statement.node);
      std::visit([&](auto& alternative) { rewrite(alternative, out); }, node);
      out.push_back({std::move(node), statement.span});
    }
    return out;
  }

 private:
  /// Puts the accesses of `e` behind `out`, in order, and registers in their place.
  void extract(Expression& e, Block& out) {
    for (Expression& argument : e.arguments) extract(argument, out);
    if (e.op != Operator::access) return;
    const RegisterId fresh = fresh_register(type_of(program_, thread_, e));
    Access access{fresh, true, e.method, e.location, std::move(e.arguments)};
    access.field = e.field;
    out.push_back({std::move(access), span_});
    e = Expression::of(fresh);
  }

  void rewrite(Assign& node, Block& out) { extract(node.value, out); }
  void rewrite(ExternalStatement& node, Block& out) { extract(node.value, out); }
  void rewrite(Access& node, Block& out) {
    for (Expression& argument : node.arguments) extract(argument, out);
  }

  void rewrite(If& node, Block& out) {
    extract(node.condition, out);
    node.then_block = block(std::move(node.then_block));
    node.else_block = block(std::move(node.else_block));
  }

  void rewrite(Loop& node, Block& out) {
    Block before;
    extract(node.condition, before);
    node.body = block(std::move(node.body));
    node.body.insert(node.body.end(), before.begin(), before.end());
    if (node.test_first) std::ranges::move(before, std::back_inserter(out));
  }

  void rewrite(New& node, Block&) { node.body = block(std::move(node.body)); }

  static void rewrite(FenceStatement&, Block&) {}
  static void rewrite(MonitorStatement&, Block&) {}
  static void rewrite(ThreadStatement&, Block&) {}
  static void rewrite(Cut&, Block&) {}

  RegisterId fresh_register(JavaType type) {
    std::string name;
    do name = fmt::format("tmp{}", ++last_);
    while (std::ranges::find(thread_.registers, name, &Register::name) != thread_.registers.end() ||
           std::ranges::find(thread_.handles, name, &Handle::name) != thread_.handles.end());
    thread_.registers.push_back({std::move(name), 0, type});
    return RegisterId{static_cast<std::uint32_t>(thread_.registers.size() - 1)};
  }

  const Program& program_;
  Thread& thread_;
  text::Span span_;
  std::size_t last_ = 0;
};

} // namespace

Program normalise(const Program& program) {
  Program result = program;
  for (Thread& thread : result.threads)
    thread.body = ThreadNormaliser(program, thread).block(std::move(thread.body));
  return result;
}

bool is_normal(const Program& program) {
  bool normal = true;
  for (const Thread& thread : program.threads) {
    for_each_statement(thread.body, [&](const Statement& statement) {
      for_each_expression(statement, [&](const Expression& e) { normal &= !has_access(e); });
    });
  }
  return normal;
}

} // namespace thinair::litmus
