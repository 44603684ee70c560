// Contradictions in the corpus: the same question of the same program with different answers.
#include "litmus/canonical.h"
#include "litmus/text/error.h"
#include "tests/litmus/corpus_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace thinair::litmus::corpus {
namespace {

using Conjunction = std::vector<Proposition>; // of `equal` with a constant
using Disjunction = std::vector<Conjunction>;

Disjunction product(const Disjunction& left, const Disjunction& right) {
  Disjunction result;
  for (const Conjunction& a : left) {
    for (const Conjunction& b : right) {
      result.push_back(a);
      result.back().insert(result.back().end(), b.begin(), b.end());
    }
  }
  return result;
}

/// The proposition as a disjunction of conjunctions; none if it says more than equalities with
/// constants.
std::optional<Disjunction> normal_form(const Proposition& p) {
  if (p.kind == Proposition::Kind::equal && !p.right) return Disjunction{{p}};
  const bool all = p.kind == Proposition::Kind::all;
  if (!all && p.kind != Proposition::Kind::any) return std::nullopt;
  Disjunction result = all ? Disjunction{{}} : Disjunction{};
  for (const Proposition& part : p.parts) {
    const auto form = normal_form(part);
    if (!form) return std::nullopt;
    if (all)
      result = product(result, *form);
    else
      result.insert(result.end(), form->begin(), form->end());
  }
  return result;
}

/// `if (value == constant) {}`: a comparison leaves the choice of constants free, as print would
/// not.
void append_question(Block& block, Expression value, const Proposition& atom) {
  If question;
  question.condition =
      Expression::binary(Operator::equal, std::move(value),
                         Expression::number(static_cast<std::int32_t>(atom.constant)));
  Statement statement;
  statement.node = std::move(question);
  block.push_back(std::move(statement));
}

RegisterId register_of(const Thread& thread, const std::string& name) {
  const auto found = std::ranges::find(thread.registers, name, &Register::name);
  THINAIR_CHECK(found != thread.registers.end(), "an outcome names a register of its thread");
  return RegisterId{static_cast<std::uint32_t>(found - thread.registers.begin())};
}

/// A thread that only looks at the location.
Thread observer(const Program& program, const Proposition& atom) {
  const auto found = std::ranges::find(program.locations, atom.left.name, &Location::name);
  THINAIR_CHECK(found != program.locations.end(), "an outcome names a location of the program");
  const LocationId location{static_cast<std::uint32_t>(found - program.locations.begin())};
  Thread thread;
  thread.name = fmt::format("Thread{}", program.threads.size());
  thread.handles.push_back({"H", location});
  append_question(thread.body, Expression::of(Method::get, location, {}), atom);
  return thread;
}

/// The program with the question built in: each thread ends with a comparison of each of its
/// registers that is asked for, in the order of the registers, and each location has an observer.
/// Two questions are the same up to renaming when these programs are.
Program with_question(Program program, const Conjunction& atoms) {
  std::vector<std::pair<RegisterId, const Proposition*>> registers;
  for (const Proposition& atom : atoms) {
    if (atom.left.thread)
      registers.emplace_back(
          register_of(program.threads.at(atom.left.thread->value), atom.left.name), &atom);
    else
      program.threads.push_back(observer(program, atom));
  }
  std::ranges::sort(registers, {}, [](const auto& entry) { return entry.first; });
  for (const auto& [reg, atom] : registers)
    append_question(program.threads.at(atom->left.thread->value).body, Expression::of(reg), *atom);
  return program;
}

/// An answer to a question: whose, which, where.
struct Answer {
  bool allowed = false;
  std::string place;
};

class Answers {
 public:
  void add(const std::string& who, const ContentHash& question, Answer answer) {
    const auto [first, is_new] = answers_.try_emplace({who, question}, answer);
    if (is_new || first->second.allowed == answer.allowed) return;
    const auto word = [](const Answer& a) { return a.allowed ? "allowed" : "forbidden"; };
    contradictions_.push_back(fmt::format("{}: {} says {}, of the same program {} says {}",
                                          answer.place, who, word(answer), first->second.place,
                                          word(first->second)));
  }
  std::vector<std::string> take() { return std::move(contradictions_); }

 private:
  std::map<std::pair<std::string, ContentHash>, Answer> answers_;
  std::vector<std::string> contradictions_;
};

std::optional<bool> allowed(Quantifier quantifier) {
  if (quantifier == Quantifier::required) return true;
  if (quantifier == Quantifier::forbidden) return false;
  return std::nullopt;
}

std::optional<bool> allowed(Verdict verdict) {
  if (verdict == Verdict::contested) return std::nullopt;
  return verdict == Verdict::allowed;
}

void add_clause(const Entry& entry, const Clause& clause, Answers& answers) {
  const auto form = normal_form(clause.proposition);
  if (!form) return;
  const std::size_t offset = entry.source.text.find("\"" + clause.label + "\"");
  const auto line = text::position_of(entry.source, static_cast<std::uint32_t>(offset)).line;
  const std::string place = fmt::format("{}:{}", entry.source.name, line);
  for (const Conjunction& outcome : *form) {
    const ContentHash question = content_hash(with_question(entry.test.java(), outcome));
    // that one of several is allowed says nothing of each
    const auto add = [&](const std::string& who, std::optional<bool> is_allowed) {
      if (is_allowed && (!*is_allowed || form->size() == 1))
        answers.add(who, question, {*is_allowed, place});
    };
    add("its quantifier", allowed(clause.quantifier));
    for (const ModelVerdict& verdict : clause.verdicts)
      add(verdict.model, allowed(verdict.verdict));
  }
}

} // namespace

std::vector<std::string> contradictions(const std::vector<Entry>& entries) {
  Answers answers;
  for (const Entry& entry : entries)
    for (const Clause& clause : entry.test.clauses) add_clause(entry, clause, answers);
  return answers.take();
}

} // namespace thinair::litmus::corpus
