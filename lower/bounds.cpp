// Rewrites blocks of threads.
#include "lower/bounds.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace thinair::lower {
namespace {

using litmus::Access;
using litmus::Block;
using litmus::ClassId;
using litmus::Expression;
using litmus::Operator;
using litmus::RegisterId;

class Checking {
 public:
  Checking(const litmus::Program& program, litmus::Thread& thread)
      : program_(program), thread_(thread) {}

  void rewrite(Block& block) {
    Block out;
    for (litmus::Statement& statement : block) {
      if (auto* access = std::get_if<Access>(&statement.node)) check(*access, statement.span, out);
      if (auto* made = std::get_if<litmus::New>(&statement.node)) rewrite(made->body);
      if (auto* loop = std::get_if<litmus::Loop>(&statement.node)) rewrite(loop->body);
      if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
        rewrite(branch->then_block);
        rewrite(branch->else_block);
      }
      out.push_back(std::move(statement));
    }
    block = std::move(out);
  }

 private:
  /// Appends what stands in front of the access.
  void check(Access& access, text::Span span, Block& out) {
    if (litmus::index_of(access) == nullptr) return;
    const ClassId arrays = thread_.registers[access.field->object.value].type.of;
    const auto length = static_cast<litmus::Value>(length_of(arrays));
    Expression& index = access.arguments.front();
    if (index.op == Operator::constant) return; // of one of the arrays, which are equally long
    if (index.op != Operator::reg) {
      const RegisterId held = fresh("index", {});
      out.push_back({litmus::Assign{held, std::exchange(index, Expression::of(held))}, span});
    }
    const auto trap_if = [&](Operator op, litmus::Value number) {
      out.push_back({litmus::If{Expression::binary(op, index, Expression::number(number)),
                                {{trap(access, arrays), span}},
                                {}},
                     span});
    };
    trap_if(Operator::less, 0);
    trap_if(Operator::greater_equal, length);
  }

  std::uint32_t length_of(ClassId arrays) const {
    std::uint32_t length = 0;
    bool any = false;
    for (const litmus::Object& object : program_.objects) {
      if (object.of != arrays) continue;
      if (any && object.length != length)
        throw Unsupported("arrays of one type and several lengths, in lowered code");
      length = object.length;
      any = true;
    }
    return length;
  }

  Access trap(const Access& access, ClassId arrays) {
    auto found = null_.find(arrays);
    if (found == null_.end()) found = null_.emplace(arrays, fresh("null_array", arrays)).first;
    Access out;
    out.method = litmus::Method::get;
    out.field = litmus::FieldOf{.object = found->second, .element = true};
    out.arguments = {Expression::number(0)};
    out.by = access.by;
    return out;
  }

  RegisterId fresh(const std::string& wish, litmus::JavaType type) {
    std::string name = wish;
    for (int n = 1;
         std::ranges::find(thread_.registers, name, &litmus::Register::name) !=
             thread_.registers.end() ||
         std::ranges::find(thread_.handles, name, &litmus::Handle::name) != thread_.handles.end();
         ++n)
      name = fmt::format("{}{}", wish, n);
    thread_.registers.push_back({std::move(name), 0, type});
    return RegisterId(static_cast<std::uint32_t>(thread_.registers.size() - 1));
  }

  const litmus::Program& program_;
  litmus::Thread& thread_;
  std::map<ClassId, RegisterId> null_; // never assigned
};

} // namespace

void check_bounds(litmus::Program& program) {
  if (!litmus::features(program).arrays) return;
  for (litmus::Thread& thread : program.threads) Checking(program, thread).rewrite(thread.body);
}

} // namespace thinair::lower
