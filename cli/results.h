// What thinair says of everything that published tables and the corpus state, and where it
// differs.
#pragma once

#include "cli/check.h"
#include "cli/published.h"
#include "litmus/test.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::cli::results {

using published::Mark;

struct Program {
  litmus::Test test;
  std::string file, folder;
};

/// The .litmus files of a folder and the tables in its `tables`.
struct Corpus {
  std::map<std::string, Program> programs; // by name
  std::vector<published::Table> tables;
  published::Explanations explanations;

  const Program& program(const published::Table& table, const published::Row& row) const;
};
Corpus read_corpus(const std::string& folder);

/// A shipped model under a name of its own: "jls04-free".
struct EngineInfo {
  std::string_view name, model;
  std::string_view rules; // empty: what the model is meant for
  causality::Identity identity = causality::Identity::index;
  bool over_approximation = false;
};
std::span<const EngineInfo> engines();

/// A key of `verdicts` with the engines that answer for it; none: the model is not shipped.
struct KeyInfo {
  std::string_view key;
  std::vector<std::string_view> engines;
};
std::span<const KeyInfo> keys();

/// What is said of one clause: whether its proposition is allowed, and whether its negation is.
struct Answer {
  Finding holds;
  Mark mark() const;        // allowed, forbidden, unsupported, unknown, vacuous
  Mark observation() const; // always, sometimes, never, unsupported, unknown, vacuous
  std::optional<Finding> fails = {};
};

/// Answers of engines to whole tests, each worked out once.
class Answers {
 public:
  explicit Answers(const Corpus& corpus) : corpus_(corpus) {}

  /// With `both`, whether the negations are allowed, too.
  void want(std::string_view engine, const std::string& test, bool both);
  /// Asks everything that is wanted, `jobs` tests at a time.
  void ask(std::size_t jobs);
  const Answer& of(std::string_view engine, const std::string& test, std::size_t clause) const;
  /// Some engine allows some test nothing at all.
  bool any_vacuous() const;

 private:
  using Question = std::pair<std::string, std::string>; // engine, test
  std::vector<Answer> answers(const Question& question, bool both) const;

  const Corpus& corpus_;
  std::map<std::string, Judge, std::less<>> judges_;
  std::map<Question, bool> wanted_;
  std::map<Question, std::vector<Answer>> answers_;
};

/// The place of a clause by its label; an empty label means the only one.
std::optional<std::size_t> clause_of(const litmus::Test& test, const std::string& label);

/// The reasons given for deviations, and which of them were of use.
class Reasons {
 public:
  explicit Reasons(const published::Explanations& all) : all_(all) {}

  /// Why `engine` differs on this clause; complains later where nobody said so.
  std::string of(const Program& program, std::size_t clause, std::string_view engine);
  /// What is not explained, and what is explained though it does not differ, with its place.
  std::vector<std::string> complaints() const;

 private:
  const published::Explanations& all_;
  std::set<published::Deviation> used_;
  std::vector<std::string> unexplained_;
};

/// The whole document.
std::string document(const Corpus& corpus, const Answers& answers, Reasons& reasons);

/// Everything that the document shows.
void want_all(const Corpus& corpus, Answers& answers);

/// The parts of the document.
std::string tables_section(const Corpus& corpus, const Answers& answers, Reasons& reasons);
std::string verdicts_section(const Corpus& corpus, const Answers& answers, Reasons& reasons);
std::string official_section(const Corpus& corpus, const Answers& answers);

/// What models are compared with the quantifiers of the whole corpus.
inline constexpr auto official_engines =
    std::to_array<std::string_view>({"jls04", "revised", "jam19", "jam21"});

} // namespace thinair::cli::results
