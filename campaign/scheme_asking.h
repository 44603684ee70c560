// Candidates for a scheme, and the programs that tell them apart.
//
// A program that one candidate gets wrong is asked of every later one before any new program is.
// What a candidate has in common with one that was asked before is not asked again: a program that
// uses rules of one such candidate only has its answer.
#pragma once

#include "campaign/scheme_search.h"
#include "runners/hardware.h"

#include <map>
#include <memory>

namespace thinair::campaign {

/// A scheme that is asked about.
struct Candidate {
  Candidate(lower::SchemeText scheme_, lower::Target target_, std::vector<bool> changed_)
      : scheme(std::move(scheme_)), target(std::move(target_)), changed(std::move(changed_)) {}

  lower::SchemeText scheme;
  lower::Target target;      // with what the scheme is mixed with
  std::vector<bool> changed; // operations, by their numbers
  std::optional<SchemeWitness> witness;
  bool asked_known = false; // all programs that are known have an answer
  Extent extent;
};

class SchemeAsking {
 public:
  /// What counts against a candidate: all that the model forbids, or what the scheme itself does
  /// not show of that.
  enum class Held : std::uint8_t { against_everything, beside_the_scheme };

  /// Throws InputError for what is no scheme, and for schemes of several machines.
  SchemeAsking(const Against& against, const SchemeSearch& settings, Held held,
               const std::atomic<bool>& stop);

  lower::Machine machine() const { return machine_; }
  const lower::SchemeText& scheme() const { return text_; } // itself
  bool over() const { return stop_ || deadline_.passed(); }
  /// Rules of monitors and threads may, where all may and a whole scheme is asked for.
  bool may_change(lower::Operation operation) const;
  /// Whether programs up to a size have it: monitors and threads are drawn at random alone.
  static bool has_small_programs(lower::Operation operation) {
    return !std::holds_alternative<lower::RuntimeAction>(operation);
  }
  std::uint32_t most_accesses() const { return settings_.space.max_accesses; }

  std::unique_ptr<Candidate> candidate(lower::SchemeText scheme);

  /// Until the candidate has a witness.
  void ask(Candidate& candidate, const litmus::Program& program);
  void ask_known(Candidate& candidate);
  /// All programs of at most so many accesses that have the operation, of all of these at once;
  /// those that get one wrong leave the list.
  void ask_small(std::vector<Candidate*>& alive, lower::Operation operation,
                 std::uint32_t accesses);
  /// Programs drawn at random: those that have the operation, or any.
  void ask_random(std::vector<Candidate*>& alive, std::optional<lower::Operation> operation);

 private:
  enum class Shows : std::uint8_t { nothing, something, unknown };

  lower::Target target_of(const lower::SchemeText& scheme) const;
  Shows ask(lower::Target& target, const litmus::Program& program, litmus::State& behaviour);
  void reduce(Candidate& candidate);
  bool has_answer(const Candidate& candidate, const litmus::Program& program,
                  const std::vector<lower::SchemeText>& before) const;
  gen::Space around(std::optional<lower::Operation> operation) const;
  bool is_asked_about(const litmus::Program& program,
                      std::optional<lower::Operation> operation) const;

  const Against& against_;
  SchemeSearch settings_;
  const Held held_;
  const std::atomic<bool>& stop_;
  lower::Machine machine_;
  runners::Processor processor_;
  const lower::SchemeText text_;
  std::unique_ptr<lower::Target> scheme_;
  Deadline deadline_;
  std::vector<litmus::Program> known_; // programs that some candidate got wrong, the latest first
  /// Candidates that got none of an operation's programs of so many accesses wrong.
  std::map<std::pair<std::size_t, std::uint32_t>, std::vector<lower::SchemeText>> asked_;
};

/// The operations of a program, by their numbers.
std::vector<bool> operations_of(const litmus::Program& program);

} // namespace thinair::campaign
