// Rewrites blocks of threads.
#include "lower/bounds.h"

#include "lower/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace thinair::lower {
namespace {

using litmus::Access;
using litmus::Block;
using litmus::ClassId;
using litmus::Expression;
using litmus::FieldOf;
using litmus::Operator;
using litmus::RegisterId;

/// Of the arrays of a type; what no array is made of has none.
struct Lengths {
  litmus::Value least = 0, most = 0;
  bool differ() const { return least != most; }
};

Lengths lengths_of(const litmus::Program& program, ClassId arrays) {
  std::optional<Lengths> out;
  for (const litmus::Object& object : program.objects) {
    if (object.of != arrays) continue;
    const litmus::Value length = object.length;
    out = out ? Lengths{std::min(out->least, length), std::max(out->most, length)}
              : Lengths{length, length};
  }
  return out.value_or(Lengths());
}

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
    if (litmus::element_index(access) == nullptr) return;
    const ClassId arrays = thread_.registers[access.field->object.value].type.of;
    const Lengths lengths = lengths_of(program_, arrays);
    Expression& index = access.arguments.front();
    const bool is_constant = index.op == Operator::constant;
    if (is_constant && (!lengths.differ() || index.constant < lengths.least)) return; // of all
    if (!is_constant && index.op != Operator::reg) {
      const RegisterId held = fresh("index", {});
      out.push_back({litmus::Assign{held, std::exchange(index, Expression::of(held))}, span});
    }
    const auto trap_if = [&](Operator op, const Expression& bound) {
      out.push_back(
          {litmus::If{Expression::binary(op, index, bound), {{trap(access, arrays), span}}, {}},
           span});
    };
    if (!is_constant) trap_if(Operator::less, Expression::number(0));
    trap_if(Operator::greater_equal,
            lengths.differ() ? loaded(access, span, out) : Expression::number(lengths.least));
  }

  /// The length of the array that is accessed, which its first word holds.
  Expression loaded(const Access& access, text::Span span, Block& out) {
    Access load;
    load.target = fresh("length", {});
    load.method = litmus::Method::get;
    load.field = FieldOf{.object = access.field->object, .field = length_field};
    load.by = access.by;
    const auto length = Expression::of(*load.target);
    out.push_back({std::move(load), span});
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
  for (std::uint32_t c = 0; c < program.classes.size(); ++c)
    if (program.classes[c].is_array && lengths_of(program, ClassId{c}).differ())
      program.classes[c].fields.push_back({"length", {}, false});
  for (litmus::Thread& thread : program.threads) Checking(program, thread).rewrite(thread.body);
}

} // namespace thinair::lower
