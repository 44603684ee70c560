// Candidates for a scheme, and the programs that tell them apart.
//
// A program that one candidate gets wrong is asked of every later one before any new program is.
// What follows from an answer is not asked again: a candidate shows nothing new of a program where
// one that orders no more in the rules that the program uses shows nothing new (lower/lattice.h:
// stands_below). Of one program, what the model says and what equal codes show is worked out once
// for all candidates.
#pragma once

#include "campaign/scheme_search.h"
#include "runners/hardware.h"
#include "runners/same_program.h"

#include <functional>
#include <list>
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

/// A program that candidates are asked about, and what was found out of it for some.
struct Asked {
  explicit Asked(litmus::Program of);
  Asked(litmus::Program of, std::vector<bool> has_)
      : program(std::move(of)), has(std::move(has_)) {}

  litmus::Program program;
  std::vector<bool> has; // operations, by their numbers
  runners::SameProgram same;
};

class SchemeAsking {
 public:
  /// What counts against a candidate: all that the model forbids, or what the scheme itself does
  /// not show of that.
  enum class Held : std::uint8_t { against_everything, beside_the_scheme };
  enum class Shows : std::uint8_t { nothing, something, unknown };

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
  /// Whether code with less ordering shows all that the other does. Not where a compiler leaves out
  /// an instruction because of another one that follows.
  bool less_shows_more() const { return less_shows_more_; }
  /// Whether what a scheme shows nothing new of, the other shows nothing new of either, where a
  /// program uses these rules alone.
  bool follows(const lower::SchemeText& asked, const lower::SchemeText& from_it,
               lower::Operation operation) const;

  std::unique_ptr<Candidate> candidate(lower::SchemeText scheme);

  Shows shows(Candidate& candidate, Asked& asked, litmus::State& behaviour);
  /// Until the candidate has a witness.
  void ask(Candidate& candidate, Asked& asked);
  void ask_known(Candidate& candidate);
  /// A program that is larger than what it shows needs, made small.
  void reduce(Candidate& candidate);
  /// The programs that some candidate got wrong, the latest first.
  std::list<Asked>& known() { return known_; }
  void learn(const Asked& asked);

  /// Calls `visit` with all programs of at most so many accesses that have the operation, but for
  /// those that `skip` says of their operations to leave out, until it returns false: how far that
  /// went.
  using Skip = std::function<bool(const std::vector<bool>&)>;
  using Visit = std::function<bool(Asked&)>;
  Extent each_small(lower::Operation operation, std::uint32_t accesses, const Skip& skip,
                    const Visit& visit) const;
  /// Programs drawn at random until there are enough with each of these operations, or it takes too
  /// many draws.
  std::vector<Asked> draw(const std::vector<lower::Operation>& operations) const;
  /// Whether the small programs of an operation may have the other one, too.
  bool may_have(lower::Operation of, lower::Operation other) const;

  /// All small programs of all of these at once; those that get one wrong leave the list.
  void ask_small(std::vector<Candidate*>& alive, lower::Operation operation,
                 std::uint32_t accesses);
  /// Programs drawn at random likewise.
  void ask_random(std::vector<Candidate*>& alive);

  /// Schemes that show nothing new of any program of all operations, as far as they were asked; the
  /// scheme itself shows nothing new whatever the program.
  const std::vector<lower::SchemeText>& good() const { return good_; }
  void note_good(const lower::SchemeText& scheme) { good_.push_back(scheme); }

 private:
  lower::Target target_of(const lower::SchemeText& scheme) const;
  gen::Space around(std::optional<lower::Operation> operation) const;
  bool is_asked_about(const Asked& asked) const;

  const Against& against_;
  SchemeSearch settings_;
  const Held held_;
  const std::atomic<bool>& stop_;
  lower::Machine machine_;
  runners::Processor processor_;
  const lower::SchemeText text_;
  std::unique_ptr<lower::Target> scheme_;
  bool less_shows_more_ = true;
  Deadline deadline_;
  std::list<Asked> known_;
  std::vector<lower::SchemeText> good_;
  /// Candidates that got none of an operation's programs of so many accesses wrong.
  std::map<std::pair<std::size_t, std::uint32_t>, std::vector<lower::SchemeText>> asked_;
};

/// What is known to follow of a candidate from answers about others.
class Following {
 public:
  Following(const SchemeAsking& asking, const lower::SchemeText& candidate,
            const std::vector<lower::SchemeText>& asked);

  /// Whether it shows nothing new of a program with these operations.
  bool shows_nothing(const std::vector<bool>& has) const;

 private:
  std::vector<std::vector<bool>> from_; // by scheme that was asked: operations, by their numbers
};

/// The operations of a program, by their numbers.
std::vector<bool> operations_of(const litmus::Program& program);

} // namespace thinair::campaign
