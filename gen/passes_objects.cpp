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

/// Spells the one object of a class in ints: it is 1, its fields or elements are locations, and its
/// constructor is code like other code. Indices are constants.
class Spelling {
 public:
  Spelling(const Program& program, ClassId of) : copy_(program), of_(of) {}

  Program run() {
    const auto one = std::ranges::find(copy_.objects, of_, &litmus::Object::of);
    const litmus::ObjectId object(static_cast<std::uint32_t>(one - copy_.objects.begin()));
    for (std::uint32_t place = 0; place < size_of(copy_, object); ++place) {
      fields_.push_back(LocationId(static_cast<std::uint32_t>(copy_.locations.size())));
      copy_.locations.push_back({"", 0, false, field_of(copy_, object, place).type});
    }
    each_statement(copy_, [&](ThreadId t, Statement& statement) {
      if (auto* access = std::get_if<Access>(&statement.node)) redirect(t, *access);
    });
    each_expression(copy_, [&](ThreadId t, Expression& e) {
      if (e.op == Operator::access) redirect(t, e);
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
  template <class Node>
  void redirect(ThreadId t, Node& node) {
    if (!node.field || class_of(copy_, t, *node.field) != of_) return;
    std::size_t place = node.field->field;
    if (const auto* index = litmus::element_index(node)) {
      place = static_cast<std::size_t>(index->constant);
      node.arguments.erase(node.arguments.begin());
    }
    node.location = fields_.at(place);
    node.field.reset();
  }

  void spell(Block& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      auto* made = std::get_if<New>(&block[i].node);
      if (auto* branch = std::get_if<litmus::If>(&block[i].node)) {
        spell(branch->then_block);
        spell(branch->else_block);
      } else if (auto* loop = std::get_if<litmus::Loop>(&block[i].node)) {
        spell(loop->body);
      } else if (made != nullptr && copy_.objects[made->object.value].of != of_) {
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

/// One element less, of each array.
Proposals shorten_arrays(const Program& program) {
  Proposals out;
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    if (program.objects[i].length == 0) continue;
    out.push_back(program);
    --out.back().objects[i].length;
  }
  return out;
}

namespace {

/// Whether all indices of arrays of the type are constants.
bool constant_indices(const Program& program, ClassId of) {
  bool all = true;
  const auto look = [&](ThreadId t, const auto& node) {
    const auto* index = litmus::element_index(node);
    if (index != nullptr && class_of(program, t, *node.field) == of)
      all = all && index->op == Operator::constant;
  };
  each_statement(program, [&](ThreadId t, const Statement& statement) {
    if (const auto* access = std::get_if<Access>(&statement.node)) look(t, *access);
  });
  each_expression(program, [&](ThreadId t, const Expression& e) {
    if (e.op == Operator::access) look(t, e);
  });
  return all;
}

} // namespace

/// For each class with one object and no final field, and each array that is the one of its type
/// and has constant indices alone. What was said by null is said by 0.
Proposals ints_for_references(const Program& program) {
  Proposals out;
  for (std::uint32_t c = 0; c < program.classes.size(); ++c) {
    const auto& fields = program.classes[c].fields;
    if (std::ranges::count(program.objects, ClassId(c), &litmus::Object::of) != 1 ||
        std::ranges::any_of(fields, &litmus::Field::is_final) ||
        !constant_indices(program, ClassId(c)))
      continue;
    out.push_back(Spelling(program, ClassId(c)).run());
  }
  return out;
}

} // namespace thinair::gen::pass
