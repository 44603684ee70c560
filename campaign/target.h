// A target: anything that turns a program into behaviours, judged against a model. Each kind of
// target is one file and one row of the table in targets.cpp.
#pragma once

#include "campaign/explanation.h"
#include "campaign/fault.h"
#include "campaign/judge.h"
#include "litmus/choices.h"
#include "litmus/constructs.h"
#include "litmus/text/watch.h"
#include "oracle/cat/model.h"
#include "runners/herd7.h"
#include "runners/operational.h"
#include "runners/soundness.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::campaign {

class SchemeMending;

/// How long programs run on a JVM, and how often.
struct JvmSettings {
  std::uint32_t predicted_ms =
      300;                        // a run of a program whose code on x86 shows something forbidden
  std::uint32_t likely_ms = 150;  // of one in which something forbidden is conceivable
  std::uint32_t unlikely_ms = 40; // of every other
  std::uint32_t runs = 3, needed = 2; // a forbidden outcome must come back in `needed` of `runs`
  std::size_t batch = 32;
  double gather_s = 1; // the first of a batch waits so long for more
};

/// What all targets of a campaign are judged against, and how. The model outlives it.
struct Against {
  const cat::Plan& model;
  std::string model_name = {};         // as it was given: for commands and titles
  runners::SoundnessOptions with = {}; // rules of causality, limits
  cat::LoadOptions load = {};          // where other models find their includes
  std::string engine = {};             // who says what code does; empty: the machine's own
  std::string baseline = {};           // a target: what it shows, too, is no mismatch
  bool confirm = false;                // what a JIT's code may do is looked for on a JVM
  runners::HerdOptions herd7 = {};
  JvmSettings jvm = {};
};

/// What suits a campaign with a target.
struct Tuning {
  std::uint32_t candidates =
      2; // drawn for each program tested: the one with the rarest coverage is taken
  std::uint32_t chunk = 32;     // programs of a stream between two commits: what a kill may lose
  std::uint32_t jobs = 0;       // programs at a time; 0: as many as there are processors
  double grace_s = 0;           // after the end, for what is being judged or reduced …
  double grace_share = 0;       // … and this share of the time
  bool learn_from_finds = true; // off where what is found is chance
  bool ahead = false;           // judging is cheaper where programs are known beforehand
  std::span<const std::string_view> profiles =
      {}; // what to draw, the first that the model knows whole
};

/// What a target does with one test, for people.
struct Look {
  runners::Judged judged;
  std::string side_by_side;              // source and code; empty where there is no code
  lower::Restoration restoration;        // where the source's registers are found
  std::string code;                      // as a litmus test; a model's is the test itself
  std::optional<litmus::Test> lowered;   // the code, where it is of a language that is read here
  std::vector<runners::TraceStep> trace; // how the machine gets to what is forbidden
};

/// A target and what it is judged against. All but ready() may be called by several threads at
/// once.
class Target {
 public:
  explicit Target(std::string name) : name_(std::move(name)) {}
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  const std::string& name() const { return name_; }

  /// A digest of what stands behind the name: another one is another campaign. Empty where the name
  /// says it all.
  virtual std::string content() const { return {}; }
  /// The same of its baseline; empty where it has none.
  virtual std::string baseline_content() const { return {}; }
  virtual Tuning tuning() const { return {}; }
  /// What the target itself gives a meaning to: other programs need not be drawn.
  virtual litmus::Constructs known() const { return litmus::Constructs::all(); }
  /// Which schemes may compile what, where it is a mix of them: part of what is drawn.
  virtual litmus::Choices choices() const { return {}; }
  /// Why 'sound' is no proof; empty where it is one.
  virtual std::string doubt() const { return {}; }

  /// What `baseline` shows, too, is no mismatch from here on. Throws InputError where behaviours
  /// are not worked out, all of them.
  virtual void set_baseline(std::unique_ptr<Target> baseline);
  /// The smallest program met on which the baseline is itself unsound; none where none was met.
  virtual std::optional<BaselineFault> baseline_fault() const { return std::nullopt; }

  /// Looks for what judging needs (reports need less). Throws InputError or Unsupported that names
  /// it and says how to install it.
  virtual void ready() {}
  /// The same program always gets the same answer. `same`: what other targets have found out of it.
  virtual Judgement judge(const litmus::Program& program, runners::SameProgram* same = nullptr) = 0;
  /// Why the model forbids the first thing that judge() finds, and how often that was seen.
  /// `official`: where there is another opinion, it is asked for, too.
  virtual Why why(const litmus::Program& program, bool official) = 0;
  /// Throws Unsupported and LimitReached.
  virtual Look look(const litmus::Test& test) = 0;
  /// Code and execution of a minimal program that shows `behaviour`, why the model forbids it, and
  /// the command that shows it again. Throws InputError where it is forbidden no more.
  virtual Explanation explain(const litmus::Test& minimal, const litmus::State& behaviour) = 0;

  /// How often a JVM that is here shows the behaviour, where Against::confirm asks for it; empty
  /// where there is nothing to ask.
  virtual std::string sighting(const litmus::Program&, const litmus::State&) { return {}; }

  /// What the target has done wrong in a minimal program, tried, not guessed. Absent: mending() and
  /// the model tell.
  virtual std::optional<Fault> fault(const litmus::Program&) { return std::nullopt; }

  /// Finds the rules that are at fault; null where the target is not one scheme.
  virtual const SchemeMending* mending() { return nullptr; }

  /// What cannot be judged until then is `unknown`.
  virtual void set_deadline(Deadline) {}

  /// Where judging is dear, hints spare some of it. How likely a program is to show something,
  /// added to the score of a candidate; the same on every machine.
  virtual double promise(const litmus::Program&) { return 0; }
  /// A smaller program that probably shows the same; it is judged before it is believed.
  virtual std::optional<litmus::Program> shortcut(const litmus::Program&) { return std::nullopt; }
  /// These will probably be judged next, which may be cheaper done for all at once.
  virtual void coming(std::span<const litmus::Program>) {}
  /// A reduction has come to this program: its edits are what will be asked about next.
  virtual void reducing(const litmus::Program&) {}

 private:
  std::string name_;
};

/// A row of the table of kinds.
struct TargetKind {
  std::string prefix;    // of names: "jvm:"
  std::string_view form; // how names are written: "jvm:JDK[:MODE]"
  std::string_view help; // what they are, a phrase
  /// What is there, for completion and suggestions; may be incomplete.
  std::function<std::vector<std::string>()> names;
  /// Throws InputError for a name that is not there.
  std::unique_ptr<Target> (*make)(const std::string& name, const Against& against);
};

/// All kinds, in the order of help.
std::vector<TargetKind> target_kinds();

/// Adds kinds while it exists: for tests, and for programs that use the library.
class MoreKinds {
 public:
  explicit MoreKinds(std::span<const TargetKind> kinds);
  MoreKinds(const MoreKinds&) = delete;
  MoreKinds& operator=(const MoreKinds&) = delete;
  ~MoreKinds();
};

/// A target by name, or a scheme file. Throws InputError with the nearest name there is, or the
/// kinds.
std::unique_ptr<Target> make_target(const std::string& name, const Against& against);

/// Several, each in the place of its name.
using Targets = std::vector<std::unique_ptr<Target>>;
Targets make_targets(const std::vector<std::string>& names, const Against& against);

/// What may compile what, of all of them. Throws InputError where two are mixes of different
/// numbers of schemes.
litmus::Choices choices_of(const Targets& targets);

/// What suits all of them: most candidates and jobs, the smallest chunk, the longest grace.
Tuning tuning_of(const Targets& targets);

} // namespace thinair::campaign
