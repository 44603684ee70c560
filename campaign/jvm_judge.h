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
  std::uint32_t likely_ms = 150;      // a run of a program that could show something forbidden
  std::uint32_t unlikely_ms = 40;     // of every other
  std::uint32_t runs = 3, needed = 2; // a forbidden outcome must come back in `needed` of `runs`
  std::size_t batch = 64;
  double gather_s = 1;  // the first of a batch waits so long for more
  double give_up_s = 0; // after so long every answer is `unknown`; 0: never
};

/// A JVM answers for what it happened to show, so here the same program gets the same answer only
/// because answers are kept. Programs are judged in batches: callers wait until one of them, the
/// leader, has compiled and run what all of them ask. Whether a program could show something that
/// the model forbids is worked out first: what happens-before consistency (JLS 17.4.5) allows and
/// the model does not. Such programs get more time, and edits of a reduction without it none.
/// When a program turns out unsound, its edits join the next batch before the reducer asks; if the
/// usual compilation predicted the find, only edits for which it does so too.
class JvmJudge {
 public:
  /// `targets` are jvm: names. Throws InputError: no such JVM or mode, no javac, no jcstress.
  JvmJudge(cat::Plan model, const std::vector<std::string>& targets, JvmSettings settings = {});

  Judgement operator()(const litmus::Program& program, std::size_t target);

  /// How much a program promises: much where the usual compilation to this machine shows something
  /// forbidden, nothing where there are more threads than processors.
  double promise(const litmus::Program& program);

  /// Why the model forbids what was seen, how often it was seen, and, with `official`, whether
  /// jcstress's own command line sees it too.
  std::string reason(const litmus::Program& program, std::size_t target, bool official);

 private:
  struct Target {
    runners::jcstress::Jvm jvm;
    runners::jcstress::Mode mode;
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
    bool likely = true;
    bool predicted = false; // by the usual compilation
    bool wanted = false;    // somebody waits for it
  };

  runners::jcstress::Prepared prepare(const litmus::Program& program) const;
  bool is_likely(const runners::jcstress::Prepared& test) const;
  bool is_predicted(const litmus::Program& program);
  Question question(const Key& key, const litmus::Program& program);
  bool late() const;
  void lead(std::unique_lock<std::mutex>& lock);
  std::vector<Question> take();
  std::map<Key, Answer> judge(std::vector<Question> questions) const;
  std::map<Key, Answer> judge_on(std::size_t target, std::vector<Question> questions) const;
  void count(const Question& question, const runners::jcstress::TestRun& run, Answer& answer) const;
  void conclude(const Question& question, Answer& answer) const;
  void ask_about_edits(const Question& parent);

  const cat::Plan model_;
  const cat::Plan happens_before_; // JLS 17.4.5 alone
  std::vector<Target> targets_;
  std::optional<SoundnessJudge> usual_; // Table 2 of jMT, where this machine is an x86
  runners::jcstress::Jars jars_;
  JvmSettings settings_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();

  std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  std::map<Key, Answer> answers_;
  std::map<Key, Question> waiting_;
  bool led_ = false;
};

} // namespace thinair::campaign
