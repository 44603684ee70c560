// Passes over the shape of a program: threads, statements, branches, locations.
#include "gen/passes.h"
#include "gen/walk.h"

#include <algorithm>
#include <iterator>

namespace thinair::gen::pass {
namespace {

using litmus::Access;
using litmus::If;
using litmus::LocationId;
using litmus::Loop;
using litmus::Operator;
using litmus::Thread;
using litmus::ThreadStatement;

/// Without `start` and `join` of a thread that is going away.
void forget_thread(Program& program, ThreadId gone) {
  for (std::size_t i = 0; i < count_statements(program);) {
    bool erased = false;
    Program without = with_statement(program, i, [&](const Statement& statement) -> Block {
      const auto* lifetime = std::get_if<ThreadStatement>(&statement.node);
      erased = lifetime != nullptr && lifetime->thread == gone;
      return erased ? Block{} : Block{statement};
    });
    if (erased)
      program = std::move(without);
    else
      ++i;
  }
}

void rename_registers(Block& block, std::uint32_t offset) {
  Program alone;
  alone.threads.push_back({});
  alone.threads[0].body = std::move(block);
  each_statement(alone, [&](ThreadId, Statement& statement) {
    if (auto* made = std::get_if<litmus::New>(&statement.node)) made->target.value += offset;
    if (auto* assign = std::get_if<litmus::Assign>(&statement.node)) assign->target.value += offset;
    if (auto* access = std::get_if<Access>(&statement.node); access != nullptr && access->target)
      access->target->value += offset;
  });
  each_expression(alone, [&](ThreadId, Expression& e) {
    if (e.op == Operator::reg) e.reg.value += offset;
  });
  each_place(alone, [&](ThreadId, LocationId&, auto& field) {
    if (field) field->object.value += offset;
  });
  block = std::move(alone.threads[0].body);
}

} // namespace

Proposals drop_threads(const Program& program) {
  Proposals out;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    Program copy = program;
    copy.threads[t].body.clear();
    forget_thread(copy, ThreadId(t));
    out.push_back(std::move(copy));
  }
  return out;
}

/// The statements of one thread after those of another: fewer threads, no statement lost.
Proposals merge_threads(const Program& program) {
  Proposals out;
  for (std::uint32_t first = 0; first < program.threads.size(); ++first) {
    for (std::uint32_t second = 0; second < program.threads.size(); ++second) {
      if (first == second) continue;
      Program copy = program;
      Thread& to = copy.threads[first];
      Thread& from = copy.threads[second];
      rename_registers(from.body, static_cast<std::uint32_t>(to.registers.size()));
      std::ranges::move(from.body, std::back_inserter(to.body));
      std::ranges::copy(from.registers, std::back_inserter(to.registers));
      from.body.clear();
      forget_thread(copy, ThreadId(second));
      out.push_back(std::move(copy));
    }
  }
  return out;
}

/// Runs of top-level statements, long ones first, then every statement by itself.
Proposals drop_statements(const Program& program) {
  Proposals out;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const std::size_t size = program.threads[t].body.size();
    for (std::size_t run = size / 2; run > 1; run /= 2) {
      for (std::size_t at = 0; at < size; at += run) {
        Program copy = program;
        auto& body = copy.threads[t].body;
        const auto first = body.begin() + static_cast<std::ptrdiff_t>(at);
        body.erase(first, first + static_cast<std::ptrdiff_t>(std::min(run, size - at)));
        out.push_back(std::move(copy));
      }
    }
  }
  for (std::size_t i = 0; i < count_statements(program); ++i)
    out.push_back(with_statement(program, i, [](const Statement&) { return Block{}; }));
  return out;
}

/// A branch to one of its arms; a loop to its body once, or to a lower bound.
Proposals flatten_branches(const Program& program) {
  Proposals out;
  std::vector<Statement> all;
  each_statement(program, [&](ThreadId, const Statement& statement) { all.push_back(statement); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto put = [&](Block block) {
      out.push_back(with_statement(program, i, [&](const Statement&) { return block; }));
    };
    if (const auto* branch = std::get_if<If>(&all[i].node)) {
      put(branch->then_block);
      if (!branch->else_block.empty()) {
        put(branch->else_block);
        put({Statement{If{branch->condition, branch->then_block, {}}, all[i].span}});
      }
    } else if (const auto* loop = std::get_if<Loop>(&all[i].node)) {
      put(loop->body);
      for (std::uint32_t bound = 1; bound < loop->bound.value_or(5); ++bound) {
        Loop shorter = *loop;
        shorter.bound = bound;
        put({Statement{shorter, all[i].span}});
      }
    }
  }
  return out;
}

/// Every use of one location becomes a use of another.
Proposals merge_locations(const Program& program) {
  Proposals out;
  for (std::uint32_t kept = 0; kept < program.locations.size(); ++kept) {
    for (std::uint32_t gone = kept + 1; gone < program.locations.size(); ++gone) {
      Program copy = program;
      const auto redirect = [&](LocationId& location) {
        if (location == LocationId(gone)) location = LocationId(kept);
      };
      each_place(copy, [&](ThreadId, LocationId& location, const auto& field) {
        if (!field) redirect(location);
      });
      out.push_back(std::move(copy));
    }
  }
  return out;
}

} // namespace thinair::gen::pass
