// Makes everything as strong as can be, then weakens one thing after the other.
#include "oracle/explain/prevention.h"

#include "litmus/java/format.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "oracle/cat/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

namespace thinair::explain {
namespace {

using litmus::Access;
using litmus::Block;
using litmus::Fence;
using litmus::Method;
using litmus::Statement;
using litmus::Test;

std::string text_of(const Statement& statement, const Test& test, std::size_t thread) {
  auto text = litmus::java::to_string(statement, test.java(), test.java().threads[thread]);
  while (text.ends_with(';')) text.pop_back();
  return text.substr(0, text.find('\n')); // of a branch its head
}

/// Accesses in the order of the text. Constructors are left as they are: others see what they write
/// by how the object is handed over.
void each_access(Block& block, const std::function<void(Statement&)>& visit) {
  for (auto& statement : block) {
    if (std::holds_alternative<Access>(statement.node)) visit(statement);
    if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
      each_access(branch->then_block, visit);
      each_access(branch->else_block, visit);
    } else if (auto* loop = std::get_if<litmus::Loop>(&statement.node)) {
      each_access(loop->body, visit);
    }
  }
}

void each_access(Test& test, const std::function<void(Statement&, std::size_t thread)>& visit) {
  auto& threads = std::get<litmus::Program>(test.program).threads;
  for (std::size_t t = 0; t < threads.size(); ++t)
    each_access(threads[t].body, [&](Statement& statement) { visit(statement, t); });
}

bool touches_memory(std::span<const Statement> statements) {
  return std::ranges::any_of(statements, [](const Statement& statement) {
    bool found = false;
    litmus::for_each_statement(Block{statement}, [&](const Statement& inner) {
      found = found || std::holds_alternative<Access>(inner.node);
    });
    return found;
  });
}

/// Of the same action, no weaker in either half, the method itself first and the strongest last.
std::vector<Method> stronger(Method method, litmus::Constructs known) {
  const auto& now = litmus::info(method);
  std::vector<Method> out;
  for (const auto& other : litmus::methods())
    if (other.action == now.action && other.method != method &&
        (!reads(now.action) || other.read >= now.read) &&
        (!writes(now.action) || other.write >= now.write) &&
        known.has(litmus::construct_of(other.method)))
      out.push_back(other.method);
  std::ranges::stable_sort(out, {}, [](Method m) {
    return static_cast<int>(litmus::info(m).read) + static_cast<int>(litmus::info(m).write);
  });
  out.insert(out.begin(), method);
  return out;
}

/// What of a program can be made stronger, each by so many steps (0: as it is).
class Knobs {
 public:
  virtual ~Knobs() = default;
  virtual std::vector<std::size_t> strongest() const = 0;
  virtual Test turned(const std::vector<std::size_t>& steps) const = 0;
  virtual std::string words(std::size_t knob, std::size_t step) const = 0;
};

/// Accesses, which may be done in stronger modes.
class Modes : public Knobs {
 public:
  Modes(const Test& test, litmus::Constructs known) : test_(test) {
    each_access(test_, [&](Statement& statement, std::size_t thread) {
      choices_.push_back(stronger(std::get<Access>(statement.node).method, known));
      statements_.push_back(statement);
      threads_.push_back(thread);
    });
  }

  std::vector<std::size_t> strongest() const override {
    std::vector<std::size_t> steps;
    for (const auto& choice : choices_) steps.push_back(choice.size() - 1);
    return steps;
  }
  Test turned(const std::vector<std::size_t>& steps) const override {
    Test out = test_;
    std::size_t at = 0;
    each_access(out, [&](Statement& statement, std::size_t) {
      std::get<Access>(statement.node).method = choices_[at][steps[at]];
      ++at;
    });
    return out;
  }
  std::string words(std::size_t knob, std::size_t step) const override {
    auto changed = statements_[knob];
    std::get<Access>(changed.node).method = choices_[knob][step];
    return fmt::format("`{}` for `{}` of Thread{}", text_of(changed, test_, threads_[knob]),
                       text_of(statements_[knob], test_, threads_[knob]), threads_[knob]);
  }

 private:
  Test test_;
  std::vector<std::vector<Method>> choices_; // by access, in the order of the text
  std::vector<Statement> statements_;
  std::vector<std::size_t> threads_;
};

/// Gaps between statements of a thread, for fences.
class Fences : public Knobs {
 public:
  Fences(const Test& test, litmus::Constructs known) : test_(test) {
    for (const auto fence : weakest_first)
      if (known.has(litmus::construct_of(fence))) fences_.push_back(fence);
    for (std::size_t t = 0; t < test.java().threads.size(); ++t) {
      const std::span<const Statement> body = test.java().threads[t].body;
      for (std::size_t i = 1; i < body.size(); ++i)
        if (touches_memory(body.first(i)) && touches_memory(body.subspan(i)))
          gaps_.push_back({t, i});
    }
  }

  std::vector<std::size_t> strongest() const override {
    return std::vector<std::size_t>(gaps_.size(), fences_.size());
  }
  Test turned(const std::vector<std::size_t>& steps) const override {
    Test out = test_;
    for (std::size_t g = gaps_.size(); g-- > 0;) { // from behind: places stay what they are
      if (steps[g] == 0) continue;
      auto& body = std::get<litmus::Program>(out.program).threads[gaps_[g].thread].body;
      body.insert(body.begin() + static_cast<std::ptrdiff_t>(gaps_[g].before),
                  Statement{litmus::FenceStatement{fences_[steps[g] - 1]}, {}});
    }
    return out;
  }
  std::string words(std::size_t knob, std::size_t step) const override {
    const auto& [thread, before] = gaps_[knob];
    const auto& body = test_.java().threads[thread].body;
    return fmt::format("`{}()` behind `{}` of Thread{}", litmus::info(fences_[step - 1]).name,
                       text_of(body[before - 1], test_, thread), thread);
  }

 private:
  static constexpr std::array weakest_first{Fence::load_load, Fence::store_store, Fence::acquire,
                                            Fence::release, Fence::full};
  struct Gap {
    std::size_t thread, before; // the statement behind it
  };

  const Test& test_;
  std::vector<Fence> fences_;
  std::vector<Gap> gaps_;
};

oracle::Answer decided(oracle::Answer answer) {
  if (answer == oracle::Answer::unknown) throw LimitReached(answer.because);
  return answer;
}

class PreventionSearch {
 public:
  PreventionSearch(const cat::Plan& model, const litmus::Proposition& outcome,
                   const oracle::Options& options)
      : model_(model), outcome_(outcome), options_(options) {}

  /// Each knob as little turned as the others allow.
  std::optional<Way> least(const Knobs& knobs) const {
    auto steps = knobs.strongest();
    if (std::ranges::all_of(steps, [](auto step) { return step == 0; })) return std::nullopt;
    if (!forbids(knobs.turned(steps))) return std::nullopt;
    for (auto& step : steps) {
      const auto enough = step;
      for (step = 0; step < enough; ++step)
        if (forbids(knobs.turned(steps))) break;
    }
    Way out{{}, knobs.turned(steps)};
    for (std::size_t k = 0; k < steps.size(); ++k)
      if (steps[k] > 0) out.changes.push_back(knobs.words(k, steps[k]));
    return out;
  }

 private:
  bool forbids(const Test& test) const {
    return decided(oracle::Oracle(test, model_, options_).verdict(outcome_)) ==
           oracle::Answer::forbidden;
  }

  const cat::Plan& model_;
  const litmus::Proposition& outcome_;
  const oracle::Options& options_;
};

bool is_interleaving(const Test& test, const litmus::Proposition& outcome,
                     const oracle::Limits& limits) {
  const auto sc = cat::load_model("sc", cat::Architecture::java, {.as_plain = true});
  return decided(oracle::Oracle(test, sc, {.limits = limits}).allows(outcome)) ==
         oracle::Answer::allowed;
}

} // namespace

Prevention prevention_of(const litmus::Test& test, const cat::Plan& model,
                         const litmus::Proposition& outcome, const oracle::Options& options) {
  const oracle::Watched watch(options.limits);
  auto with = options;
  with.limits.watch = watch.get();
  Prevention out;
  try {
    out.interleaving = is_interleaving(test, outcome, with.limits);
    if (out.interleaving) return out;
    const PreventionSearch search(model, outcome, with);
    const auto known = model.meaning.known;
    if (auto way = search.least(Modes(test, known))) out.ways.push_back(*std::move(way));
    if (auto way = search.least(Fences(test, known))) out.ways.push_back(*std::move(way));
  } catch (const LimitReached& limit) {
    out.unknown = limit.reason();
  }
  if (watch->stopped()) out.unknown = watch->reason(); // what was not asked may be needed or not
  if (!out.unknown.empty()) out.ways.clear();
  return out;
}

std::string as_text(const Prevention& prevention) {
  if (!prevention.unknown.empty()) return "";
  if (prevention.ways.empty())
    return prevention.interleaving
               ? "The threads' statements end so one after the other: no stronger access, and no "
                 "fence, forbids it.\n"
               : "Nothing that was tried forbids it: stronger accesses, but for those within "
                 "expressions, and fences between statements outside of branches and loops.\n";
  std::string out = "It would be forbidden with\n";
  for (const auto& way : prevention.ways) {
    const bool last = &way == &prevention.ways.back();
    out += fmt::format("- {}{}\n", fmt::join(way.changes, ",\n  "), last ? "" : "; or with");
  }
  return out;
}

} // namespace thinair::explain
