// Asks the strongest model there is: what it allows, every model of a language should.

#include "litmus/text/error.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"
#include "oracle/executions/enumerate.h"
#include "oracle/graph/path.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::oracle {

Answer ends_by_interleaving(const litmus::Test& test, const Limits& limits) {
  const auto architecture = graph::architecture_of(test);
  executions::Options options;
  options.limits = limits;
  try {
    return executions::exists(test, cat::load_model("sc", architecture), litmus::anything(),
                              options);
  } catch (const Unsupported&) {
    return Answer::unknown;
  } catch (const LimitReached&) {
    return Answer::unknown;
  }
}

namespace {

bool alike(const graph::Path& a, const graph::Path& b) {
  const auto& x = a.events.front();
  const auto& y = b.events.front();
  return x.kinds == y.kinds && x.location == y.location && x.object == y.object &&
         x.written == y.written;
}

/// Nothing, or the first action of one of the thread's paths, whether or not it comes to its end.
std::vector<graph::Path> beginnings(const graph::ThreadPaths& thread) {
  std::vector<graph::Path> all(1);
  all.front().runs = !thread.started_by_others;
  for (const auto* paths : {&thread.paths, &thread.cut_off})
    for (const auto& path : *paths) {
      if (path.events.empty()) continue;
      graph::Path begun;
      begun.events = {path.events.front()};
      const auto same = [&](const graph::Path& other) {
        return !other.events.empty() && alike(other, begun);
      };
      if (std::ranges::none_of(all, same)) all.push_back(std::move(begun));
    }
  return all;
}

/// A program that touches no memory: there is nothing in it that a model could forbid.
bool touches_nothing(const litmus::Test& test) {
  return test.is_java() &&
         (constructs_of(test.java()) - litmus::Constructs::of(litmus::ConstructKind::action))
             .empty();
}

/// Whether the model allows some thread to do anything.
bool may_begin(const litmus::Test& test, const cat::Plan& model, const Limits& limits) {
  if (touches_nothing(test)) return true;
  graph::PathLimits of_paths;
  of_paths.loop_bound = 1;
  of_paths.close_awaits = false; // what waits begins, too
  of_paths.watch = limits.watch;
  of_paths.tearing = model.tearing;
  bool begun = false;
  const auto look = [&](const executions::Witness& witness) {
    begun = begun || witness.skeleton().size() > 0;
    return !begun;
  };
  try {
    auto paths = graph::paths_of(test, of_paths);
    for (auto& thread : paths.threads) thread.paths = beginnings(thread);
    paths.cut = false;
    executions::enumerate(paths, model, look, limits);
  } catch (const LimitReached&) {
    return begun;
  }
  return begun;
}

Answer nothing(const litmus::Test& test, std::string_view model, const cat::Plan* plan,
               const Limits& limits) {
  const std::string_view passing = test.filter ? "execution that passes the filter" : "execution";
  switch (ends_by_interleaving(test, limits).kind) {
  case Answer::allowed:
    return {Answer::vacuous,
            fmt::format("{} allows the program no {}, though interleaving its threads gives "
                        "some",
                        model, passing)};
  case Answer::unknown:
  case Answer::vacuous:
    return {Answer::vacuous, fmt::format("{} allows the program no {}", model, passing)};
  case Answer::forbidden: break;
  }
  litmus::Test open = test;
  open.filter.reset();
  if (test.filter && ends_by_interleaving(open, limits) != Answer::forbidden)
    return {Answer::vacuous,
            fmt::format("{} allows the program no {}, and interleaving its threads gives "
                        "none",
                        model, passing)};
  if (plan != nullptr && !may_begin(test, *plan, limits))
    return {
        Answer::vacuous,
        fmt::format("{} allows the program no execution, not even one that does not end", model)};
  return {Answer::forbidden,
          fmt::format("no execution of the program ends, under {} or by interleaving its "
                      "threads: they wait for ever, or throw",
                      model)};
}

} // namespace

Answer why_nothing(const litmus::Test& test, const cat::Plan& model, const Limits& limits) {
  const Watched watch(limits);
  return nothing(test, model.meaning.model, &model, watched_by(*watch, limits));
}

Answer why_nothing(const litmus::Test& test, std::string_view engine, const Limits& limits) {
  const Watched watch(limits);
  return nothing(test, engine, nullptr, watched_by(*watch, limits));
}

} // namespace thinair::oracle
