// Spaces of programs in words: which methods they use, and the sentence that names a space.
#include "gen/exhaustive.h"
#include "gen/methods.h"
#include "gen/walk.h"
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace thinair::gen {
namespace {

using litmus::Action;
using litmus::Fence;
using litmus::Method;
using litmus::MethodInfo;
using litmus::Mode;

bool plain_access_in(const MethodInfo& row, Mode mode) {
  return (row.action == Action::get && row.read == mode) ||
         (row.action == Action::set && row.write == mode);
}

/// A word that stands for several methods.
struct Group {
  std::string_view word;
  bool (*holds)(const MethodInfo&);
};

constexpr auto groups = std::to_array<Group>({
    {"all", [](const MethodInfo& row) { return !litmus::is_rmw(row.action); }},
    {"plain", [](const MethodInfo& row) { return plain_access_in(row, Mode::plain); }},
    {"opaque", [](const MethodInfo& row) { return plain_access_in(row, Mode::opaque); }},
    {"acquire", [](const MethodInfo& row) { return plain_access_in(row, Mode::acquire); }},
    {"release", [](const MethodInfo& row) { return plain_access_in(row, Mode::release); }},
    {"volatile", [](const MethodInfo& row) { return plain_access_in(row, Mode::volatile_); }},
    {"rmw", [](const MethodInfo& row) { return litmus::is_rmw(row.action); }},
});

InputError unknown_word(std::string_view word) {
  std::vector<std::string_view> words = {"fences"};
  for (const auto& group : groups) words.push_back(group.word);
  for (const auto& row : litmus::methods()) words.push_back(row.name);
  for (const auto& row : litmus::fences()) words.push_back(row.name);
  const auto near = nearest(word, words);
  return InputError(fmt::format(
      "error: no mode, method or fence is called '{}'\n  hint: {}", text::printable_word(word),
      near ? fmt::format("did you mean '{}'?", *near)
           : "modes are all, plain, opaque, acquire, release, volatile, rmw, fences, or single "
             "methods and fences as Java calls them"));
}

template <class T>
void add_once(std::vector<T>& to, T value) {
  const auto at = std::ranges::lower_bound(to, value);
  if (at == to.end() || *at != value) to.insert(at, value);
}

void add_word(Space& space, std::string_view word) {
  const auto group = std::ranges::find(groups, word, &Group::word);
  if (group != groups.end()) {
    for (const auto& row : litmus::methods())
      if (group->holds(row)) add_once(space.methods, row.method);
  } else if (word == "fences") {
    for (const auto& row : litmus::fences()) add_once(space.fences, row.fence);
  } else if (const auto method = litmus::method_named(word)) {
    add_once(space.methods, *method);
  } else if (const auto fence = litmus::fence_named(word)) {
    add_once(space.fences, *fence);
  } else {
    throw unknown_word(word);
  }
}

} // namespace

void add_modes(Space& space, std::string_view list) {
  while (true) {
    const auto comma = list.find(',');
    add_word(space, list.substr(0, comma));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

bool mixes_modes(const litmus::Program& program) {
  using Place = std::tuple<std::uint32_t, const litmus::Field*>; // a location, or a field
  std::map<Place, std::uint32_t> strengths;
  bool mixes = false;
  const auto look = [&](ThreadId t, const auto& access) {
    const Place place = access.field
                            ? Place{0, &field_of(program, program.threads[t.value], *access.field)}
                            : Place{access.location.value, nullptr};
    const auto [at, fresh] = strengths.try_emplace(place, stronger_half(access.method));
    mixes = mixes || (!fresh && at->second != stronger_half(access.method));
  };
  each_statement(program, [&](ThreadId t, const Statement& statement) {
    if (const auto* access = std::get_if<litmus::Access>(&statement.node)) look(t, *access);
  });
  each_expression(program, [&](ThreadId t, const Expression& expression) {
    if (expression.op == litmus::Operator::access) look(t, expression);
  });
  return mixes;
}

bool within_modes(const Space& space, const litmus::Program& program) {
  const auto has = [](const auto& all, auto one) {
    return std::ranges::find(all, one) != all.end();
  };
  bool within = space.mixed || !mixes_modes(program);
  each_statement(program, [&](ThreadId, const Statement& statement) {
    if (const auto* access = std::get_if<litmus::Access>(&statement.node))
      within = within && has(space.methods, access->method);
    if (const auto* fence = std::get_if<litmus::FenceStatement>(&statement.node))
      within = within && has(space.fences, fence->fence);
  });
  each_expression(program, [&](ThreadId, const Expression& expression) {
    if (expression.op == litmus::Operator::access)
      within = within && has(space.methods, expression.method);
  });
  return within;
}

Space restricted(Space space, litmus::Constructs constructs) {
  const auto other = [&](auto what) { return !constructs.has(litmus::construct_of(what)); };
  std::erase_if(space.methods, other);
  std::erase_if(space.fences, other);
  return space;
}

std::string to_string(const Space& space) {
  std::vector<std::string_view> names, fences;
  for (const auto method : space.methods) names.push_back(info(method).name);
  for (const auto fence : space.fences) fences.push_back(info(fence).name);
  const std::string between =
      fences.empty() ? ""
                     : fmt::format(", with at most one fence between two of a thread ({})",
                                   fmt::join(fences, ", "));
  const auto counted = [](std::uint32_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  return fmt::format("at most {} in at most {} over at most {}, of {}{}",
                     counted(space.max_accesses, "access", "accesses"),
                     counted(space.max_threads, "thread", "threads"),
                     counted(space.max_locations, "location", "locations"), fmt::join(names, ", "),
                     between) +
         (space.mixed ? "" : ", accesses of one location equally strong") +
         (space.choices.schemes == 1
              ? ""
              : fmt::format(
                    ", each access compiled (with the fence before it) by any of {} schemes",
                    space.choices.schemes));
}

} // namespace thinair::gen
