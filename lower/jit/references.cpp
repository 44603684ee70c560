// Rewrites programs, and reads addresses out of notes.
#include "lower/jit/references.h"

#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/type.h"
#include "litmus/walk.h"
#include "lower/jit/inside.h"
#include "lower/naming.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

namespace thinair::lower::jit {
namespace {

using namespace litmus;

unsigned cell_bytes(JavaType type) { return static_cast<unsigned>(cell_type(type).width); }

class Rewriting {
 public:
  explicit Rewriting(std::span<const Value> objects) : objects_(objects) {}

  void rewrite(Block& block) {
    Block out;
    for (Statement& statement : block) {
      if (auto* branch = std::get_if<If>(&statement.node)) {
        rewrite(branch->then_block);
        rewrite(branch->else_block);
      } else if (auto* loop = std::get_if<Loop>(&statement.node)) {
        rewrite(loop->body);
      } else if (auto* made = std::get_if<New>(&statement.node)) {
        rewrite(made->body);
        const auto number = Expression::number(objects_[made->object.value]);
        Block body = std::move(made->body);
        out.push_back({Assign{made->target, number, made->declares}, statement.span});
        std::ranges::move(body, std::back_inserter(out));
        continue;
      }
      out.push_back(std::move(statement));
    }
    block = std::move(out);
  }

 private:
  std::span<const Value> objects_;
};

} // namespace

Program with_numbers(const Program& program, std::span<const Value> objects) {
  refuse_arrays(program, "as numbers");
  THINAIR_CHECK(!looks_inside(program), "numbers for objects that have fields");
  Program out = program;
  out.classes.clear();
  out.objects.clear();
  for (Location& location : out.locations)
    if (location.type.refers()) location.type = {};
  for (Thread& thread : out.threads) {
    for (Register& reg : thread.registers)
      if (reg.type.refers()) reg.type = {};
    Rewriting(objects).rewrite(thread.body);
  }
  return out;
}

Program with_numbers(const Program& program) {
  std::vector<Value> numbers(program.objects.size());
  std::iota(numbers.begin(), numbers.end(), 1);
  return with_numbers(program, numbers);
}

Layout layout_of(const Compilation& compilation, std::size_t thread) {
  const Layout& all = compilation.layout;
  Layout out = all;
  const auto& locations = compilation.source.locations;
  for (std::size_t i = 0; i < locations.size(); ++i)
    if (locations[i].type.refers()) out.state[i] = all.state_references.at(i);
  const auto& registers = compilation.source.threads[thread].registers;
  for (std::size_t r = 0; r < registers.size(); ++r)
    if (registers[r].type.refers())
      out.result[r] = all.result_references.at(r);
    else if (!registers[r].type.is_int())
      out.result[r] = all.result_values.at(registers[r].type.kind).at(r);
  const auto bytes = [](const auto& each) { return cell_bytes(each.type); };
  std::ranges::transform(locations, std::back_inserter(out.state_bytes), bytes);
  std::ranges::transform(registers, std::back_inserter(out.result_bytes), bytes);
  out.objects = places_of(compilation);
  for (ObjectPlace& place : out.objects) place.is_other = true;
  litmus::for_each_statement(compilation.source.threads[thread].body, [&](const Statement& each) {
    const auto* made = std::get_if<New>(&each.node);
    if (made != nullptr && made->object.value < out.objects.size())
      out.objects[made->object.value].is_other = false;
  });
  out.made_before = compilation.objects;
  out.refers = !compilation.objects.empty() || !compilation.source.classes.empty();
  return out;
}

Value object_returned(const Method& getter) {
  constexpr std::string_view opening = "{oop(a '", address = "{0x";
  for (const auto& [place, note] : getter.notes) {
    const auto begin = note.find(opening);
    const auto at = begin == std::string::npos ? begin : note.find(address, begin + 1);
    if (at == std::string::npos) continue;
    std::uint64_t found = 0;
    const char* digits = note.data() + at + address.size();
    const auto end = std::from_chars(digits, note.data() + note.size(), found, 16);
    if (end.ec != std::errc() || found == 0) continue;
    if (found >> 32U != 0) throw Unsupported("references that are not compressed to 32 bits");
    return narrowed(TypeKind::int_, static_cast<Value>(found));
  }
  throw Unsupported("a listing that does not say where an object is");
}

} // namespace thinair::lower::jit
