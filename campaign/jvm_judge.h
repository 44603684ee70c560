// The judge of campaigns against JVMs: many programs in one batch, flaky answers taken as such.
#pragma once

#include "campaign/judge.h"
#include "campaign/soundness_judge.h"
#include "litmus/canonical.h"
#include "oracle/cat/plan.h"
#include "runners/jcstress/batch.h"
#include "runners/jcstress/membership.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::campaign {

/// `jvm:JDK` or `jvm:JDK:MODE`.
bool is_jvm_target(std::string_view name);

struct JvmSettings {
  std::uint32_t predicted_ms =
      300;                        // a run of a program whose code on x86 shows something forbidden
  std::uint32_t likely_ms = 150;  // of one in which something forbidden is conceivable
  std::uint32_t unlikely_ms = 40; // of every other
  std::uint32_t runs = 3, needed = 2; // a forbidden outcome must come back in `needed` of `runs`
  std::size_t batch = 32;
  double gather_s = 1;  // the first of a batch waits so long for more
  double give_up_s = 0; // after so long every answer is `unknown`; 0: never
};

/// A JVM answers for what it happened to show, so here the same program gets the same answer only
/// because answers are kept. Programs are judged in batches: callers wait until one of them, the
/// leader, has compiled and run what all of them ask.
///
/// How long a program runs depends on what it could show: most, where the code that the JIT makes
/// of each access (x86:hotspot-c2, -c1), with no optimization across accesses, does on x86-TSO what
/// the model forbids; less, where happens-before consistency (JLS 17.4.5) allows something that the
/// model does not; else hardly at all. Edits of a reduction in which nothing forbidden is
/// conceivable are not run.
class JvmJudge {
 public:
  /// `targets` are jvm: names. Throws InputError: no such JVM or mode, no javac, no jcstress.
  JvmJudge(cat::Plan model, const std::vector<std::string>& targets, JvmSettings settings = {});

  Judgement operator()(const litmus::Program& program, std::size_t target);

  /// Instead of JvmSettings::give_up_s; before anything is asked.
  void set_deadline(Deadline deadline) { deadline_ = deadline; }

  /// How much a program promises: much where the JIT's code shows something forbidden; less with
  /// every thread beyond two. The same on every machine.
  double promise(const litmus::Program& program);

  /// The program reduced as long as the JIT's code shows something forbidden; absent where it does
  /// not, or nothing can be left out. No JVM is asked.
  std::optional<litmus::Program> shortcut(const litmus::Program& program, std::size_t target);

  /// A reduction will ask about the edits of `program` one by one: they join the next batch. Those
  /// that are not worth a run are answered.
  void ask_about_edits(const litmus::Program& program, std::size_t target);

  /// Why the model forbids what was seen, how often it was seen, and, with `official`, whether
  /// jcstress's own command line sees it too.
  Why reason(const litmus::Program& program, std::size_t target, bool official);

 private:
  struct Target {
    runners::jcstress::Jvm jvm;
    runners::jcstress::Mode mode;
    std::size_t code; // what the JIT makes of single accesses: a target of `jit_`
  };
  using Key = std::pair<std::size_t, litmus::ContentHash>; // target, program
  struct Sighting {
    litmus::Behaviour behaviour;
    std::uint64_t count = 0, samples = 0; // over all runs
    std::uint32_t runs = 0;               // that showed it
  };
  struct Answer {
    Judgement judgement;
    std::vector<Sighting> forbidden;
  };
  struct Question {
    Key key;
    litmus::Program program;
    runners::jcstress::Prepared test;
    bool likely = true;     // something forbidden is conceivable
    bool predicted = false; // the JIT's code shows it
    bool is_edit = false;   // a reduction needs it: what is predicted gets a second chance
  };

  runners::jcstress::Prepared prepare(const litmus::Program& program) const;
  bool is_likely(const runners::jcstress::Prepared& test) const;
  bool is_predicted(const litmus::Program& program, std::size_t target);
  Question question(const Key& key, const litmus::Program& program);
  std::uint32_t milliseconds(const Question& question) const;
  bool late() const;
  void lead(std::unique_lock<std::mutex>& lock);
  std::vector<Question> take();
  std::map<Key, Answer> judge(std::vector<Question> questions) const;
  std::map<Key, Answer> judge_on(std::size_t target, std::vector<Question> questions) const;
  void count(const Question& question, const runners::jcstress::TestRun& run, Answer& answer) const;
  std::string confirmation(const Key& key, const runners::jcstress::Prepared& test,
                           const Sighting& seen);
  void conclude(const Question& question, Answer& answer) const;

  const cat::Plan model_;
  const cat::Plan happens_before_; // JLS 17.4.5 alone; a guess, so that other modes are plain
  std::vector<Target> targets_;
  SoundnessJudge jit_;
  runners::jcstress::Jars jars_;
  JvmSettings settings_;
  Deadline deadline_ = Deadline::in(settings_.give_up_s);

  std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  std::map<Key, Answer> answers_;
  std::map<Key, Question> waiting_;
  bool led_ = false;

  std::mutex confirming_;                    // guards what follows
  std::map<Key, std::string> confirmations_; // what jcstress's command line said
};

} // namespace thinair::campaign
