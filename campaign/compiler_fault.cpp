// Puts fences between statements.
#include "campaign/compiler_fault.h"

#include "campaign/subsets.h"
#include "litmus/java/format.h"
#include "litmus/steps.h"
#include "lower/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace thinair::campaign {
namespace {

using litmus::Block;
using litmus::Program;
using litmus::Statement;
using litmus::Thread;

/// A statement that other threads may notice, or a fence, in the order of the text.
struct Deed {
  std::size_t thread = 0;
  std::string text;
  std::string operation; // "compareAndSet"; the last of the statement
  bool is_fence = false, is_branch = false;
};

/// What a statement does by itself, its blocks left aside; empty where nobody notices it.
std::string operation_of(const Statement& statement, const Thread& thread) {
  if (const auto* monitor = std::get_if<litmus::MonitorStatement>(&statement.node))
    return std::string(lower::info(lower::action_of(*monitor)).name);
  if (const auto* other = std::get_if<litmus::ThreadStatement>(&statement.node))
    return std::string(lower::info(lower::action_of(*other)).name);
  Statement alone = statement;
  if (auto* branch = std::get_if<litmus::If>(&alone.node))
    branch->then_block = branch->else_block = {};
  Thread only = thread;
  only.body = {std::move(alone)};
  const auto steps = litmus::steps_of(only);
  return steps.empty() ? std::string() : std::string(litmus::name(steps.back().what));
}

/// Visits the statements of a thread in the order of the text, and puts a full fence behind each of
/// which `visit` says so. Constructors are left as they are: what they do is seen through the
/// reference alone.
void each_statement(Block& block, const std::function<bool(const Statement&)>& visit) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    const bool wants_fence = visit(block[i]);
    if (auto* branch = std::get_if<litmus::If>(&block[i].node)) {
      each_statement(branch->then_block, visit);
      each_statement(branch->else_block, visit);
    }
    if (wants_fence)
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(++i),
                   Statement{litmus::FenceStatement{}, {}});
  }
}

std::vector<Deed> deeds_of(const Program& program) {
  std::vector<Deed> out;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    Block body = program.threads[t].body;
    each_statement(body, [&](const Statement& statement) {
      auto operation = operation_of(statement, program.threads[t]);
      if (operation.empty()) return false;
      auto text = litmus::java::to_string(statement, program, program.threads[t]);
      while (text.ends_with(';')) text.pop_back();
      out.push_back({t, text.substr(0, text.find('\n')), std::move(operation),
                     std::holds_alternative<litmus::FenceStatement>(statement.node),
                     std::holds_alternative<litmus::If>(statement.node)});
      return false;
    });
  }
  return out;
}

/// The program with a full fence behind each of these deeds.
Program with_fences(Program program, const std::vector<std::size_t>& behind) {
  std::size_t number = 0;
  for (auto& thread : program.threads) {
    const Thread before = thread;
    each_statement(thread.body, [&](const Statement& statement) {
      if (operation_of(statement, before).empty()) return false;
      return std::ranges::find(behind, number++) != behind.end();
    });
  }
  return program;
}

/// Behind these a fence may do something.
std::vector<std::size_t> places_in(const std::vector<Deed>& deeds) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i + 1 < deeds.size(); ++i)
    if (!deeds[i].is_fence && !deeds[i].is_branch && deeds[i + 1].thread == deeds[i].thread)
      out.push_back(i);
  return out;
}

/// Two deeds between which a fence helps, and the fences that stand there already: they are at
/// fault, if there are such.
struct Gap {
  const Deed& before;
  const Deed* behind = nullptr; // null: it is another thread's
  std::vector<std::string> fences;
};

Gap gap_behind(const std::vector<Deed>& deeds, std::size_t place) {
  Gap out{deeds[place], nullptr, {}};
  for (std::size_t i = place + 1; i < deeds.size() && deeds[i].thread == out.before.thread; ++i) {
    if (!deeds[i].is_fence) {
      out.behind = &deeds[i];
      break;
    }
    out.fences.push_back(deeds[i].operation);
  }
  return out;
}

enum class Side : std::uint8_t { before, behind };

/// One gap more, told by what stands on that side of it.
void tell(const Gap& gap, Side side, Fault& out) {
  const Deed& told = side == Side::before ? gap.before : *gap.behind;
  const auto heads = gap.fences.empty() ? std::vector{told.operation} : gap.fences;
  out.sentence +=
      fmt::format("{}{}: nothing keeps `{}` before {}", out.sentence.empty() ? "" : "; and ",
                  fmt::join(heads, " and "), gap.before.text,
                  gap.behind != nullptr ? fmt::format("`{}`", gap.behind->text) : "what follows");
  out.change += fmt::format("{}`fullFence()` {} `{}`", out.change.empty() ? "" : " and ",
                            side == Side::before ? "behind" : "before", told.text);
  out.parts.insert(out.parts.end(), heads.begin(), heads.end());
}

Fault fault_in(const std::vector<Deed>& deeds, const std::vector<std::size_t>& places, Side side) {
  Fault out;
  out.kind = side == Side::before ? "not before what follows" : "not behind what precedes";
  for (const auto place : places) tell(gap_behind(deeds, place), side, out);
  std::ranges::sort(out.parts);
  return out;
}

/// Seen from the other side, too, where there are accesses on it and nothing between.
Fault fault_in(const std::vector<Deed>& deeds, const std::vector<std::size_t>& places) {
  Fault out = fault_in(deeds, places, Side::before);
  const bool has_other = std::ranges::all_of(places, [&](std::size_t place) {
    const Gap gap = gap_behind(deeds, place);
    return gap.behind != nullptr && gap.fences.empty();
  });
  if (has_other) out.otherwise.push_back(fault_in(deeds, places, Side::behind));
  return out;
}

} // namespace

CompilerFault::CompilerFault(const std::string& machine, JudgeWith with, JudgeCodeOf judge)
    : machine_(machine), schemes_(SchemeMending::strongest_of(machine), std::move(with)),
      judge_(std::move(judge)) {}

std::optional<Fault> CompilerFault::of(const Program& program) const {
  const auto right = schemes_.others_are_right(program);
  if (!right)
    return Fault{{},
                 {},
                 fmt::format("whether some scheme for {} is right on these is not known, so that "
                             "the compiler may be at fault, or the model",
                             machine_),
                 {}};
  if (!*right) return std::nullopt;
  const auto deeds = deeds_of(program);
  const auto places = places_in(deeds);
  for (std::size_t size = 1; size <= std::min(most_fences, places.size()); ++size)
    for (const auto& behind : subsets(places, size))
      if (is_right(judge_(program, with_fences(program, behind)))) return fault_in(deeds, behind);
  return Fault{{},
               {},
               fmt::format("the compiler computes something else than schemes for {}, which are "
                           "right: no {} full fences between statements mend its code",
                           machine_, most_fences),
               {}};
}

} // namespace thinair::campaign
