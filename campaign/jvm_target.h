// jvm:JDK and jvm:JDK:MODE: real JVMs. Many programs in one batch, flaky answers taken as such.
#pragma once

#include "campaign/target.h"
#include "litmus/canonical.h"
#include "oracle/cat/plan.h"
#include "runners/jcstress/batch.h"
#include "runners/jcstress/membership.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thinair::campaign {

extern const TargetKind jvm_kind;

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
  /// `target` is a jvm: name. Throws InputError: no such JVM or mode, no javac, no jcstress.
  JvmJudge(const Against& against, const std::string& target);

  Judgement operator()(const litmus::Program& program);

  /// All that was seen so far of a program that was judged, with what of it the model forbids.
  runners::Judged seen(const litmus::Program& program);

  /// What is asked after that is unknown; before anything is asked.
  void set_deadline(Deadline deadline) { deadline_ = deadline; }

  /// How much a program promises: much where the JIT's code shows something forbidden; less with
  /// every thread beyond two. The same on every machine.
  double promise(const litmus::Program& program);

  /// The program reduced as long as the JIT's code shows something forbidden; absent where it does
  /// not, or nothing can be left out. No JVM is asked.
  std::optional<litmus::Program> shortcut(const litmus::Program& program);

  /// A reduction will ask about the edits of `program` one by one: they join the next batch. Those
  /// that are not worth a run are answered.
  void ask_about_edits(const litmus::Program& program);

  /// Why the model forbids what was seen, how often it was seen, and, with `official`, whether
  /// jcstress's own command line sees it too.
  Why reason(const litmus::Program& program, bool official);

 private:
  using Key = litmus::ContentHash;
  struct Sighting {
    litmus::Behaviour behaviour;
    std::uint64_t count = 0, samples = 0; // over all runs
    std::uint32_t runs = 0;               // that showed it
  };
  struct Answer {
    Judgement judgement;
    std::vector<Sighting> forbidden;
    std::set<litmus::Behaviour> outcomes; // all that was seen
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
  bool is_predicted(const litmus::Program& program);
  Question question(const Key& key, const litmus::Program& program);
  std::uint32_t milliseconds(const Question& question) const;
  bool late() const;
  void lead(std::unique_lock<std::mutex>& lock);
  std::vector<Question> take();
  std::map<Key, Answer> judge(std::vector<Question> questions) const;
  void count(const Question& question, const runners::jcstress::TestRun& run, Answer& answer) const;
  std::optional<runners::jcstress::TestRun>
  run_officially(const runners::jcstress::Prepared& test) const;
  std::string confirmation(const Key& key, const runners::jcstress::Prepared& test,
                           const Sighting& seen);
  void conclude(const Question& question, Answer& answer) const;

  const cat::Plan& model_;
  const oracle::Options oracle_;   // rules and limits of questions to the model
  const cat::Plan happens_before_; // JLS 17.4.5 alone; a guess, so that other modes are plain
  runners::jcstress::Jvm jvm_;
  runners::jcstress::Mode mode_;
  std::unique_ptr<campaign::Target> jit_; // what the JIT makes of single accesses
  runners::jcstress::Jars jars_;
  JvmSettings settings_;
  Deadline deadline_;

  std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  std::map<Key, Answer> answers_;
  std::map<Key, Question> waiting_;
  bool led_ = false;

  std::mutex confirming_;                    // guards what follows
  std::map<Key, std::string> confirmations_; // what jcstress's command line said
};

} // namespace thinair::campaign
