// Expands what is left open, statement by statement.
#include "oracle/explain/open_statements.h"

#include "litmus/named_values.h"
#include "litmus/objects.h"
#include "litmus/walk.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace thinair::explain {
namespace {

using litmus::Access;
using litmus::Assign;
using litmus::Block;
using litmus::Expression;
using litmus::If;
using litmus::Loop;
using litmus::Program;
using litmus::Proposition;
using litmus::Statement;

bool can_be_left_open(const Statement& statement) {
  return !std::holds_alternative<litmus::MonitorStatement>(statement.node) &&
         !std::holds_alternative<litmus::ThreadStatement>(statement.node) &&
         !std::holds_alternative<litmus::Cut>(statement.node);
}

void add_reads(const Expression& e, std::set<std::string>& names, const Program& program) {
  if (e.op == litmus::Operator::access) names.insert(program.locations[e.location.value].name);
  for (const auto& argument : e.arguments) add_reads(argument, names, program);
}

void add_asked(const Proposition& p, std::set<std::string>& names) {
  if (!p.left.thread) names.insert(p.left.name);
  if (p.right && !p.right->thread) names.insert(p.right->name);
  for (const auto& part : p.parts) add_asked(part, names);
}

/// Names of locations that statements read which are not left open, or that are asked about.
std::set<std::string> looked_at(const Program& program, const Proposition& proposition,
                                const std::set<StatementNumber>& kept) {
  std::set<std::string> names;
  add_asked(proposition, names);
  for (const auto& thread : program.threads)
    litmus::for_each_statement(thread.body, [&](const Statement& statement) {
      if (!kept.contains(statement.span.begin)) return;
      const auto* access = std::get_if<Access>(&statement.node);
      if (access != nullptr && litmus::reads(info(access->method).action))
        names.insert(program.locations[access->location.value].name);
      litmus::for_each_expression(statement,
                                  [&](const Expression& e) { add_reads(e, names, program); });
    });
  return names;
}

/// What a statement that is left open becomes, in one of its ways: these statements.
using Way = Block;

class Ways {
 public:
  Ways(const litmus::Test& test, const Proposition& proposition,
       const std::set<StatementNumber>& kept)
      : program_(test.java()), values_(litmus::named_values(program_, proposition)),
        looked_at_(looked_at(program_, proposition, kept)) {
    pin(proposition);
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      litmus::for_each_statement(program_.threads[t].body, [&](const Statement& statement) {
        if (const auto* access = std::get_if<Access>(&statement.node); access && access->target)
          ++assigned_[{t, access->target->value}];
        if (const auto* assign = std::get_if<Assign>(&statement.node))
          ++assigned_[{t, assign->target.value}];
      });
  }

  std::vector<Way> of(const Statement& statement, std::size_t thread) const {
    if (const auto* branch = std::get_if<If>(&statement.node))
      return {branch->then_block, branch->else_block};
    if (const auto* loop = std::get_if<Loop>(&statement.node)) return {{}, loop->body};
    if (const auto* assign = std::get_if<Assign>(&statement.node))
      return assigned(thread, assign->target);
    if (const auto* access = std::get_if<Access>(&statement.node)) return accessed(*access, thread);
    return {{}}; // fences, print
  }

 private:
  using RegisterOf = std::pair<std::size_t, std::uint32_t>; // thread, register

  /// Registers that have to have one value, where all parts of the proposition have to hold.
  void pin(const Proposition& p) {
    if (p.kind == Proposition::Kind::all)
      for (const auto& part : p.parts) pin(part);
    if (p.kind != Proposition::Kind::equal || p.right || !p.left.thread) return;
    const auto thread = p.left.thread->value;
    if (thread >= program_.threads.size()) return;
    const auto& registers = program_.threads[thread].registers;
    const auto found = std::ranges::find(registers, p.left.name, &litmus::Register::name);
    if (found != registers.end())
      pinned_[{thread, static_cast<std::uint32_t>(found - registers.begin())}] = p.constant;
  }

  std::vector<Way> assigned(std::size_t thread, litmus::RegisterId target) const {
    const RegisterOf here{thread, target.value};
    const auto pinned = pinned_.find(here);
    std::vector<Way> all;
    const auto type = program_.threads[thread].registers[target.value].type;
    for (const auto value : values_)
      if (fits(type, value) &&
          (pinned == pinned_.end() || assigned_.at(here) > 1 || pinned->second == value))
        all.push_back({{Assign{target, Expression::number(value)}, {}}});
    return all;
  }

  static bool fits(litmus::JavaType type, litmus::Value value) {
    return type.refers() || litmus::narrowed(type.kind, value) == value;
  }

  /// What a store may store; nothing where nobody looks.
  std::vector<litmus::Value> stored_values(const Access& access, std::size_t thread) const {
    const bool seen = !program_.classes.empty() ||
                      looked_at_.contains(program_.locations[access.location.value].name);
    std::vector<litmus::Value> out;
    if (!seen || !writes(info(access.method).action)) return out;
    const auto type =
        litmus::type_of(program_, program_.threads[thread], access.location, access.field);
    for (const auto value : values_)
      if (fits(type, value)) out.push_back(value);
    return out;
  }

  std::vector<Way> accessed(const Access& access, std::size_t thread) const {
    std::vector<Way> results{{}}, all;
    if (access.target) results = assigned(thread, *access.target);
    const auto values = stored_values(access, thread);
    for (const auto& result : results) {
      all.push_back(result);
      for (const auto value : values) {
        Way way{{stored(access, value), {}}};
        way.insert(way.end(), result.begin(), result.end());
        all.push_back(std::move(way));
      }
    }
    return all;
  }

  /// Of an update only that it stores: what it reads is open.
  static Access stored(const Access& access, litmus::Value value) {
    auto store = access;
    store.target.reset();
    if (info(access.method).action != litmus::Action::set) store.method = litmus::Method::set;
    const auto* index = litmus::element_index(access);
    store.arguments.resize(index == nullptr ? 0 : 1);
    store.arguments.push_back(Expression::number(value));
    return store;
  }

  const Program& program_;
  std::set<litmus::Value> values_;
  std::set<std::string> looked_at_; // locations
  std::map<RegisterOf, litmus::Value> pinned_;
  std::map<RegisterOf, int> assigned_; // how often
};

/// Goes through the program from the front, and comes back to the first statement left open.
class Expansion {
 public:
  Expansion(const litmus::Test& test, const Proposition& proposition,
            const std::vector<StatementNumber>& kept, std::size_t most,
            const std::function<bool(const litmus::Test&)>& visit)
      : kept_(kept.begin(), kept.end()), ways_(test, proposition, kept_), most_(most),
        visit_(visit) {}

  bool run(const litmus::Test& test) {
    expand(test);
    return !too_many_;
  }

 private:
  struct Place {
    Block* block = nullptr;
    std::size_t at = 0, thread = 0;
  };

  bool open(const Statement& statement) const {
    return statement.span.begin != 0 && can_be_left_open(statement) &&
           !kept_.contains(statement.span.begin);
  }

  bool find(Block& block, std::size_t thread, Place& place) const {
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (open(block[i])) {
        place = {&block, i, thread};
        return true;
      }
      if (auto* branch = std::get_if<If>(&block[i].node)) {
        if (find(branch->then_block, thread, place) || find(branch->else_block, thread, place))
          return true;
      } else if (auto* loop = std::get_if<Loop>(&block[i].node)) {
        if (find(loop->body, thread, place)) return true;
      }
    }
    return false;
  }

  bool find(litmus::Test& test, Place& place) const {
    auto& threads = std::get<Program>(test.program).threads;
    for (std::size_t t = 0; t < threads.size(); ++t)
      if (find(threads[t].body, t, place)) return true;
    return false;
  }

  /// True: nothing more is to be visited.
  bool expand(const litmus::Test& test) {
    litmus::Test first = test;
    Place place;
    if (!find(first, place)) {
      if (visited_++ < most_) return visit_(test);
      too_many_ = true;
      return true;
    }
    const Statement statement = (*place.block)[place.at];
    for (const auto& way : ways_.of(statement, place.thread)) {
      litmus::Test next = test;
      find(next, place);
      auto& block = *place.block;
      const auto at = block.begin() + static_cast<std::ptrdiff_t>(place.at);
      block.insert(block.erase(at), way.begin(), way.end());
      for (auto& inserted : std::span(block).subspan(place.at, way.size()))
        if (!has_number_inside(statement, inserted)) inserted.span = {};
      if (expand(next)) return true;
    }
    return false;
  }

  /// Statements of a branch keep their numbers, so that they may be left open, too; what is stored
  /// or assigned instead of the statement has none.
  static bool has_number_inside(const Statement& outer, const Statement& inserted) {
    return inserted.span.begin > outer.span.begin;
  }

  std::set<StatementNumber> kept_;
  Ways ways_;
  std::size_t most_, visited_ = 0;
  bool too_many_ = false;
  const std::function<bool(const litmus::Test&)>& visit_;
};

} // namespace

std::vector<StatementNumber> statements_to_leave_open(const Program& numbered) {
  std::vector<StatementNumber> all;
  for (const auto& thread : numbered.threads)
    litmus::for_each_statement(thread.body, [&](const Statement& statement) {
      if (can_be_left_open(statement)) all.push_back(statement.span.begin);
    });
  return all;
}

bool for_each_way(const litmus::Test& numbered, const Proposition& proposition,
                  const std::vector<StatementNumber>& kept, std::size_t most,
                  const std::function<bool(const litmus::Test&)>& visit) {
  return Expansion(numbered, proposition, kept, most, visit).run(numbered);
}

} // namespace thinair::explain
