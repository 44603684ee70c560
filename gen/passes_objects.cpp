// Passes over objects: fewer of them, fewer fields, fewer freezes, ints in place of references.
#include "gen/passes.h"
#include "gen/walk.h"
#include "litmus/objects.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace thinair::gen::pass {
namespace {

using litmus::Access;
using litmus::ClassId;
using litmus::FieldOf;
using litmus::LocationId;
using litmus::New;
using litmus::Operator;

/// A copy without the accesses whose field `goes(thread, field)` names: statements go, expressions
/// become 0.
template <class Goes>
Program without_accesses(const Program& program, Goes&& goes) {
  Program copy = program;
  for (std::size_t i = 0; i < count_statements(copy);) {
    std::size_t index = 0;
    bool gone = false;
    each_statement(std::as_const(copy), [&](ThreadId t, const Statement& statement) {
      const auto* access = std::get_if<Access>(&statement.node);
      if (index++ == i && access != nullptr && access->field) gone = goes(t, *access->field);
    });
    if (gone)
      copy = with_statement(copy, i, [](const Statement&) { return Block{}; });
    else
      ++i;
  }
  each_expression(copy, [&](ThreadId t, Expression& e) {
    if (e.op == Operator::access && e.field && goes(t, *e.field)) e = Expression::number(0);
  });
  return copy;
}

ClassId class_of(const Program& program, ThreadId t, const FieldOf& field) {
  return program.threads[t.value].registers[field.object.value].type.of;
}

/// Spells the one object of a class in ints: it is 1, its fields are locations, and its
/// constructor is code like other code.
class Spelling {
 public:
  Spelling(const Program& program, ClassId of) : copy_(program), of_(of) {}

  Program run() {
    for (const auto& field : copy_.classes[of_.value].fields) {
      fields_.push_back(LocationId(static_cast<std::uint32_t>(copy_.locations.size())));
      copy_.locations.push_back({"", 0, false, field.type});
    }
    each_place(copy_, [&](ThreadId t, LocationId& location, std::optional<FieldOf>& field) {
      if (!field || class_of(copy_, t, *field) != of_) return;
      location = fields_[field->field];
      field.reset();
    });
    for (auto& thread : copy_.threads) spell(thread.body);
    const auto make_int = [&](litmus::JavaType& type) {
      if (type == litmus::JavaType(of_)) type = {};
    };
    for (auto& location : copy_.locations) make_int(location.type);
    for (auto& thread : copy_.threads)
      for (auto& reg : thread.registers) make_int(reg.type);
    for (auto& each : copy_.classes)
      for (auto& field : each.fields) make_int(field.type);
    return std::move(copy_);
  }

 private:
  void spell(Block& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      auto* made = std::get_if<New>(&block[i].node);
      if (auto* branch = std::get_if<litmus::If>(&block[i].node)) {
        spell(branch->then_block);
        spell(branch->else_block);
      } else if (auto* loop = std::get_if<litmus::Loop>(&block[i].node)) {
        spell(loop->body);
      } else if (made != nullptr && copy_.objects[made->object.value] != of_) {
        spell(made->body);
      } else if (made != nullptr) {
        Block body = std::move(made->body);
        block[i].node = litmus::Assign{made->target, Expression::number(1), made->declares};
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     std::make_move_iterator(body.begin()), std::make_move_iterator(body.end()));
      }
    }
  }

  Program copy_;
  ClassId of_;
  std::vector<LocationId> fields_; // by field of the class
};

} // namespace

/// `A r = new A { … };` goes, and with it all accesses by r; elsewhere r is null.
Proposals drop_allocations(const Program& program) {
  Proposals out;
  std::vector<std::pair<ThreadId, RegisterId>> made;
  std::vector<std::size_t> places;
  std::size_t index = 0;
  each_statement(program, [&](ThreadId t, const Statement& statement) {
    if (const auto* node = std::get_if<New>(&statement.node)) {
      made.emplace_back(t, node->target);
      places.push_back(index);
    }
    ++index;
  });
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto without =
        with_statement(program, places[i], [](const Statement&) { return Block{}; });
    out.push_back(without_accesses(without, [&](ThreadId t, const FieldOf& field) {
      return t == made[i].first && field.object == made[i].second;
    }));
  }
  return out;
}

/// A field of a class, with every access to it.
Proposals drop_fields(const Program& program) {
  Proposals out;
  for (std::uint32_t c = 0; c < program.classes.size(); ++c)
    for (std::uint32_t f = 0; f < program.classes[c].fields.size(); ++f)
      out.push_back(without_accesses(program, [&](ThreadId t, const FieldOf& field) {
        return field.field == f && class_of(program, t, field) == ClassId(c);
      }));
  return out;
}

/// Final fields to others, all at once first.
Proposals drop_freezes(const Program& program) {
  Program none = program;
  Proposals single;
  for (std::size_t c = 0; c < program.classes.size(); ++c)
    for (std::size_t f = 0; f < program.classes[c].fields.size(); ++f) {
      if (!program.classes[c].fields[f].is_final) continue;
      none.classes[c].fields[f].is_final = false;
      single.push_back(program);
      single.back().classes[c].fields[f].is_final = false;
    }
  Proposals out;
  if (single.size() > 1) out.push_back(std::move(none));
  std::ranges::move(single, std::back_inserter(out));
  return out;
}

/// For each class with one object and no final field. What was said by null is said by 0.
Proposals ints_for_references(const Program& program) {
  Proposals out;
  for (std::uint32_t c = 0; c < program.classes.size(); ++c) {
    const auto& fields = program.classes[c].fields;
    if (std::ranges::count(program.objects, ClassId(c)) != 1 ||
        std::ranges::any_of(fields, &litmus::Field::is_final))
      continue;
    out.push_back(Spelling(program, ClassId(c)).run());
  }
  return out;
}

} // namespace thinair::gen::pass
