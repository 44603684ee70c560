// Every verdict that a source states for a shipped model, and the models against the sources' own
// verdicts.
#include "cli/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::cli::results {
namespace {

using litmus::Verdict;

/// A source's verdict on a clause beside our answer.
struct Comparison {
  const Program* program = nullptr;
  std::size_t clause = 0;
  std::string_view engine;
  Verdict stated = Verdict::allowed;
  Mark ours = Mark::none;
  std::string why; // of unsupported, unknown, vacuous
};

enum class Became : std::uint8_t { agrees, differs, unsupported, unknown, vacuous, contested };
constexpr std::size_t became_count = 6;

Became became(const Comparison& c) {
  if (c.ours == Mark::unsupported) return Became::unsupported;
  if (c.ours == Mark::unknown) return Became::unknown;
  if (c.ours == Mark::vacuous) return Became::vacuous;
  if (c.stated == Verdict::contested) return Became::contested;
  return (c.ours == Mark::allowed) == (c.stated == Verdict::allowed) ? Became::agrees
                                                                     : Became::differs;
}

using Counts = std::array<std::size_t, became_count>;

std::string cells(const Counts& counts) {
  std::string out;
  for (const auto n : counts) out += fmt::format(" {} |", n);
  return out;
}

std::string name_of(const Comparison& c) {
  const auto& label = c.program->test.clauses[c.clause].label;
  if (c.program->test.clauses.size() == 1) return "`" + c.program->test.name + "`";
  return fmt::format("`{}` “{}”", c.program->test.name, label);
}

std::string_view text_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::allowed: return word(Mark::allowed);
  case Verdict::forbidden: return word(Mark::forbidden);
  case Verdict::contested: return "contested";
  }
  return {};
}

Comparison compare(const Answers& answers, const Program& program, std::size_t clause,
                   std::string_view engine, Verdict stated) {
  const auto& answer = answers.of(engine, program.test.name, clause);
  return {&program, clause,        engine,
          stated,   answer.mark(), answer.holds.allowed ? std::string() : answer.holds.reason};
}

std::vector<Comparison> comparisons(const Corpus& corpus, const Answers& answers,
                                    std::string_view key, std::string_view engine) {
  std::vector<Comparison> all;
  for (const auto& [name, program] : corpus.programs)
    for (std::size_t i = 0; i < program.test.clauses.size(); ++i)
      for (const auto& verdict : program.test.clauses[i].verdicts)
        if (verdict.model == key)
          all.push_back(compare(answers, program, i, engine, verdict.verdict));
  return all;
}

/// Undecided entries by reason: "monitors: `A`, `B`".
using ByReason = std::map<std::string, std::set<std::string>>;

void note_undecided(const std::vector<Comparison>& all, ByReason& reasons) {
  for (const auto& c : all) {
    const auto what = became(c);
    const bool undecided =
        what == Became::unsupported || what == Became::unknown || what == Became::vacuous;
    if (!undecided) continue;
    // the first line; an unknown names its kind itself only at times
    auto why = c.why.substr(0, c.why.find('\n'));
    if (what == Became::unknown && !why.starts_with("unknown")) why = "unknown: " + why;
    reasons[why].insert(fmt::format("{} ({})", name_of(c), c.engine));
  }
}

std::string text_of(const ByReason& reasons) {
  std::string out;
  for (const auto& [why, entries] : reasons) {
    out += fmt::format("- {} ({}):", why, entries.size());
    for (const auto& entry : entries) out += (entry == *entries.begin() ? " " : ", ") + entry;
    out += "\n";
  }
  return out;
}

std::size_t stated(const Corpus& corpus, std::string_view key) {
  std::size_t n = 0;
  for (const auto& [name, program] : corpus.programs)
    for (const auto& clause : program.test.clauses)
      n += static_cast<std::size_t>(
          std::ranges::count(clause.verdicts, key, &litmus::ModelVerdict::model));
  return n;
}

/// Keys that nobody here knows, with their entries.
std::map<std::string, std::size_t> unknown_keys(const Corpus& corpus) {
  std::map<std::string, std::size_t> unknown;
  for (const auto& [name, program] : corpus.programs)
    for (const auto& clause : program.test.clauses)
      for (const auto& verdict : clause.verdicts)
        if (std::ranges::find(keys(), verdict.model, &KeyInfo::key) == keys().end())
          ++unknown[verdict.model];
  return unknown;
}

Verdict official(litmus::Quantifier quantifier) {
  switch (quantifier) {
  case litmus::Quantifier::required:
  case litmus::Quantifier::exists:
  case litmus::Quantifier::forall: return Verdict::allowed;
  case litmus::Quantifier::forbidden:
  case litmus::Quantifier::not_exists: return Verdict::forbidden;
  case litmus::Quantifier::contested: return Verdict::contested;
  }
  return Verdict::contested;
}

/// One model against the quantifiers: a row a source, then what fails.
std::string official_table(const Corpus& corpus, const Answers& answers, std::string_view engine) {
  std::map<std::string, Counts> rows;
  Counts total{};
  std::string fails;
  std::size_t failed = 0;
  for (const auto& [name, program] : corpus.programs)
    for (std::size_t i = 0; i < program.test.clauses.size(); ++i) {
      const auto c =
          compare(answers, program, i, engine, official(program.test.clauses[i].quantifier));
      const auto what = static_cast<std::size_t>(became(c));
      ++rows[program.folder][what];
      ++total[what];
      if (became(c) != Became::differs) continue;
      ++failed;
      fails += fmt::format("{}{} {}", fails.empty() ? "" : ", ", name_of(c), word(c.ours));
    }
  std::string out = fmt::format("\n### `{}`\n\n| source | pass | fail | unsupported | unknown | "
                                "vacuous | contested |\n|---|---:|---:|---:|---:|---:|---:|\n",
                                engine);
  for (const auto& [source, counts] : rows) out += fmt::format("| {} |{}\n", source, cells(counts));
  out += fmt::format("| **all** |{}\n", cells(total));
  return out + fmt::format("\nFails ({}, with what it says): {}.\n", failed, fails);
}

} // namespace

std::string verdicts_section(const Corpus& corpus, const Answers& answers, Reasons& reasons) {
  std::string out =
      "\n## Every verdict that a source states\n\n"
      "The corpus records what sources say of its outcomes under models (docs/corpus.md). Each "
      "such "
      "entry is asked of the shipped\nmodel that it is about; `umm:` are the transition tables.\n\n"
      "| stated for | entries | asked of | agrees | differs | unsupported | unknown | vacuous | "
      "contested |\n|---|---:|---|---:|---:|---:|---:|---:|---:|\n";
  std::string differing;
  ByReason undecided;
  for (const auto& key : keys()) {
    const auto entries = stated(corpus, key.key);
    if (key.engines.empty())
      out += fmt::format("| `{}` | {} | no shipped model | | | | | | |\n", key.key, entries);
    for (const auto engine : key.engines) {
      const auto all = comparisons(corpus, answers, key.key, engine);
      Counts counts{};
      for (const auto& c : all) {
        ++counts[static_cast<std::size_t>(became(c))];
        if (became(c) != Became::differs) continue;
        differing +=
            fmt::format("- {}: `{}` {}, `{}` {}. {}\n", name_of(c), key.key, text_of(c.stated),
                        engine, word(c.ours), reasons.of(*c.program, c.clause, engine));
      }
      note_undecided(all, undecided);
      out += fmt::format("| `{}` | {} | `{}` |{}\n", key.key, entries, engine, cells(counts));
    }
  }
  for (const auto& [key, n] : unknown_keys(corpus))
    out += fmt::format("| `{}` | {} | no shipped model | | | | | | |\n", key, n);
  out += "\n`jmt` is what jMT expects, compared in its tables above.\n";
  out += "\n### Where ours differs\n\n" + (differing.empty() ? "Nowhere.\n" : differing);
  return out + "\n### What is not decided\n\n" +
         (undecided.empty() ? "Nothing.\n" : text_of(undecided));
}

std::string official_section(const Corpus& corpus, const Answers& answers) {
  std::string out =
      "\n## The models against the sources' own verdicts\n\n"
      "What the author of a test, or the experts who looked at it, say of Java, against what the "
      "models say, as in\n`thinair check corpus --model M`. A fail is a point where the two "
      "differ: "
      "the file of the test gives the reason for the opinion.\nThe rules of 2004 and their "
      "revision "
      "know plain and volatile accesses and volatile updates: programs with other modes or with "
      "fences\nare unsupported under them, and so are monitors and threads that start threads "
      "under the JAMs ([models.md](models.md)).\n";
  for (const auto engine : official_engines) out += official_table(corpus, answers, engine);
  return out;
}

std::string document(const Corpus& corpus, const Answers& answers, Reasons& reasons) {
  std::string out =
      "# Results\n\n"
      "Published tables next to what thinair says, and every place where they "
      "differ. `scripts/results` writes this page; a\ntest writes it again and "
      "compares. ✓ is allowed, ✗ forbidden, `a/b` expected/found; a verdict of thinair "
      "that differs is **bold**,\nwith its reason below the table. ? is a mark that "
      "the texts we have lost. Models are described in [models.md](models.md), the\n"
      "programs in [corpus.md](corpus.md); how soon wrong compilation schemes are caught is in "
      "[mutants.md](mutants.md),\nwhat JVMs do in [jvm.md](jvm.md).\n";
  out += tables_section(corpus, answers, reasons);
  out += verdicts_section(corpus, answers, reasons);
  return out + official_section(corpus, answers);
}

} // namespace thinair::cli::results
