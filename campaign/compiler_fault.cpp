// Puts fences between statements.
#include "campaign/compiler_fault.h"

#include "campaign/subsets.h"
#include "litmus/java/format.h"
#include "litmus/steps.h"
#include "lower/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
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

/// Statements of a thread in the order of the text; behind each that is visited, `visit` may add
/// others. Constructors are left as they are: what they do is seen through the reference alone.
void each_statement(Block& block, const std::function<bool(const Statement&)>& wants_fence) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (wants_fence(block[i]))
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                   Statement{litmus::FenceStatement{}, {}});
    if (auto* branch = std::get_if<litmus::If>(&block[i].node)) {
      each_statement(branch->then_block, wants_fence);
      each_statement(branch->else_block, wants_fence);
    }
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
  std::size_t skip = 0; // the fence that was just added is none of the deeds
  for (auto& thread : program.threads) {
    const Thread before = thread;
    each_statement(thread.body, [&](const Statement& statement) {
      if (skip > 0) return --skip, false;
      if (operation_of(statement, before).empty()) return false;
      const bool wanted = std::ranges::find(behind, number++) != behind.end();
      skip = wanted ? 1 : 0;
      return wanted;
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

/// What is not kept in order where a fence behind a deed helps: fences that stand there already are
/// at fault, if there are such.
void tell(const std::vector<Deed>& deeds, std::size_t place, Fault& out) {
  std::vector<std::string> fences;
  std::size_t next = place + 1;
  for (; next < deeds.size() && deeds[next].is_fence; ++next)
    if (deeds[next].thread == deeds[place].thread) fences.push_back(deeds[next].operation);
  const bool follows = next < deeds.size() && deeds[next].thread == deeds[place].thread;
  out.sentence += fmt::format(
      "{}{}: nothing keeps `{}` before {}", out.sentence.empty() ? "" : "; and ",
      fences.empty() ? deeds[place].operation : fmt::format("{}", fmt::join(fences, " and ")),
      deeds[place].text, follows ? fmt::format("`{}`", deeds[next].text) : "what follows");
  out.change += fmt::format("{}`fullFence()` behind `{}`", out.change.empty() ? "" : " and ",
                            deeds[place].text);
  if (fences.empty()) fences.push_back(deeds[place].operation);
  out.parts.insert(out.parts.end(), fences.begin(), fences.end());
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
    for (const auto& behind : subsets(places, size)) {
      if (!is_right(judge_(program, with_fences(program, behind)))) continue;
      Fault out;
      out.kind = "compiler";
      for (const auto place : behind) tell(deeds, place, out);
      std::ranges::sort(out.parts);
      return out;
    }
  return Fault{{},
               {},
               fmt::format("schemes for {} are right on these, the compiler is not, and no {} "
                           "full fences between statements mend its code",
                           machine_, most_fences),
               {}};
}

} // namespace thinair::campaign
