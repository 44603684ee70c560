// Gathers questions into batches, runs suspects again, guesses what the reducer will ask.
#include "campaign/jvm_target.h"

#include "gen/reduce.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"
#include "oracle/cat/model.h"
#include "oracle/explain/core.h"
#include "runners/jcstress/expect.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <thread>

namespace thinair::campaign {
namespace {

namespace jcs = runners::jcstress;
using Status = jcs::Record::Status;

constexpr std::string_view jvm_prefix = "jvm:";
constexpr std::size_t most_edits = 32; // of one program, asked about ahead

/// What HotSpot's compilers make of single accesses; the interpreter is nearer to c1, which keeps
/// every access in its place.
std::unique_ptr<Target> jit_of(jcs::Mode mode, const Against& against) {
  const bool in_place = mode == jcs::Mode::c1 || mode == jcs::Mode::interpreted;
  return make_target(in_place ? "x86:hotspot-c1" : "x86:hotspot-c2",
                     {.model = against.model, .with = against.with});
}

/// "17" and "c1" of jvm:17:c1; the mode may be absent.
struct Parts {
  std::string jdk;
  std::optional<std::string> mode;
};
Parts parts_of(const std::string& target) {
  const std::string rest = target.substr(jvm_prefix.size());
  const auto colon = rest.rfind(':');
  if (colon == std::string::npos) return {rest, std::nullopt};
  return {rest.substr(0, colon), rest.substr(colon + 1)};
}

jcs::Mode mode_of(const jcs::Jvm& jvm, const std::optional<std::string>& name) {
  return name ? jcs::find_mode(jvm, *name) : jcs::default_mode(jvm);
}

/// A JVM that shows something takes all processors: batches of several JVMs take turns.
std::mutex processors;

/// Options of questions to the model that end by a deadline.
class InTime {
 public:
  InTime(oracle::Options options, Deadline deadline)
      : watch_(limits_of(options, deadline)), options_(std::move(options)) {
    options_.limits.watch = &watch_;
  }
  InTime(const InTime&) = delete;
  InTime& operator=(const InTime&) = delete;

  const oracle::Options& options() const { return options_; }

 private:
  static Watch::Limits limits_of(const oracle::Options& options, Deadline deadline) {
    auto limits = oracle::watch_limits(options.limits);
    limits.deadline = Deadline::first(limits.deadline, deadline);
    return limits;
  }

  Watch watch_;
  oracle::Options options_;
};

/// What a model allows a prepared test to do, without causality rules.
std::set<litmus::Behaviour> consistent(const jcs::Prepared& test, const cat::Plan& model,
                                       const oracle::Limits& limits) {
  litmus::Test asked = test.test;
  asked.locations = observables_of(test);
  oracle::Options options{.rules = "none", .limits = limits};
  options.limits.candidates = 200'000;
  const auto found = oracle::Oracle(asked, model, options).behaviours();
  return {found.behaviours.begin(), found.behaviours.end()};
}

/// Whether two threads write to one location: only then can its last value be a surprise.
bool final_memory_varies(const litmus::Program& program) {
  std::vector<std::set<std::size_t>> writers(program.locations.size());
  std::size_t thread = 0;
  const std::function<void(const litmus::Expression&)> look = [&](const litmus::Expression& e) {
    if (e.op == litmus::Operator::access && !e.field && writes(info(e.method).action))
      writers[e.location.value].insert(thread);
    for (const auto& argument : e.arguments) look(argument);
  };
  for (; thread < program.threads.size(); ++thread) {
    litmus::for_each_statement(program.threads[thread].body, [&](const litmus::Statement& s) {
      litmus::for_each_expression(s, look);
      const auto* access = std::get_if<litmus::Access>(&s.node);
      if (access && !access->field && writes(info(access->method).action))
        writers[access->location.value].insert(thread);
    });
  }
  return std::ranges::any_of(writers, [](const auto& threads) { return threads.size() > 1; });
}

} // namespace

JvmJudge::JvmJudge(const Against& against, const std::string& target)
    : model_(against.model), oracle_(against.with.oracle),
      happens_before_(cat::load_model("jls04", cat::Architecture::java, {.as_plain = true})),
      jvm_(jcs::find_jvm(parts_of(target).jdk)), mode_(mode_of(jvm_, parts_of(target).mode)),
      jit_(jit_of(mode_, against)), jars_(jcs::find_jcstress()), settings_(against.jvm) {
  jcs::find_compiler(jvm_); // is there one?
}

jcs::Prepared JvmJudge::prepare(const litmus::Program& program) const {
  std::vector<litmus::Observable> locations;
  if (oracle::compares_memory(model_, oracle_))
    for (const auto& location : program.locations)
      locations.push_back({std::nullopt, location.name});
  return jcs::prepare(as_test(program, "program"), locations);
}

/// Memory is left out of the comparison: happens-before consistency does not order it.
bool JvmJudge::is_likely(const jcs::Prepared& test) const {
  try {
    jcs::Prepared registers = test;
    std::erase_if(registers.slots, [](const auto& slot) {
      return !slot.observable.thread && !slot.tells_exception;
    });
    if (observables_of(registers).empty()) return true;
    const InTime in_time(oracle_, deadline_);
    jcs::Membership membership(registers, model_, in_time.options());
    for (const auto& behaviour : consistent(registers, happens_before_, in_time.options().limits)) {
      const auto seen = jcs::behaviour_of(registers, jcs::outcome_of(registers, behaviour));
      if (seen && membership.allows(*seen) != oracle::Answer::allowed) return true;
    }
    return registers.slots.size() != test.slots.size() && final_memory_varies(test.test.java());
  } catch (const LimitReached&) {
    return true;
  }
}

bool JvmJudge::is_predicted(const litmus::Program& program) {
  return jit_->judge(program).verdict == Verdict::unsound;
}

/// Threads without a processor of their own seldom meet.
double JvmJudge::promise(const litmus::Program& program) {
  constexpr double predicted = 1000, crowded = 0.1;
  double best = is_predicted(program) ? predicted : 1;
  for (std::size_t n = 2; n < program.threads.size(); ++n) best *= crowded;
  return best;
}

std::optional<litmus::Program> JvmJudge::shortcut(const litmus::Program& program) {
  if (!is_predicted(program)) return std::nullopt;
  const auto small = gen::reduce(program,
                                 [&](const litmus::Program& p) {
                                   return is_predicted(p) ? gen::Interest::yes : gen::Interest::no;
                                 },
                                 {.stop = [this] { return late(); }});
  if (small.steps == 0) return std::nullopt;
  const litmus::Program begin = litmus::canonical(small.program);
  try {
    Question asked = question(litmus::content_hash(begin), begin);
    asked.is_edit = true;
    const std::scoped_lock guard(mutex_);
    if (!answers_.contains(asked.key)) waiting_.try_emplace(asked.key, std::move(asked));
    return small.program;
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

std::uint32_t JvmJudge::milliseconds(const Question& question) const {
  if (question.predicted) return settings_.predicted_ms;
  return question.likely ? settings_.likely_ms : settings_.unlikely_ms;
}

/// Throws Unsupported.
JvmJudge::Question JvmJudge::question(const Key& key, const litmus::Program& program) {
  Question asked{key, program, prepare(program), true, false, false};
  jcs::source_of(asked.test, {});
  asked.likely = is_likely(asked.test);
  asked.predicted = asked.likely && is_predicted(program);
  return asked;
}

bool JvmJudge::late() const { return deadline_.passed(); }

Judgement JvmJudge::operator()(const litmus::Program& named) {
  const litmus::Program program = litmus::canonical(named); // so that answers fit whoever asks
  const Key key = litmus::content_hash(program);
  std::unique_lock lock(mutex_);
  if (const auto known = answers_.find(key); known != answers_.end())
    return known->second.judgement;
  if (late()) return {Verdict::unknown, Reason::reached(Limit::run_time), {}};
  if (!waiting_.contains(key)) {
    lock.unlock();
    try {
      Question asked = question(key, program);
      lock.lock();
      waiting_.try_emplace(key, std::move(asked));
    } catch (const Unsupported& lacking) {
      return {Verdict::unsupported, lacking.what(), {}};
    }
  }
  changed_.notify_all(); // a batch may be full now
  while (!answers_.contains(key)) {
    if (!led_)
      lead(lock);
    else
      changed_.wait(lock);
  }
  return answers_.at(key).judgement;
}

/// One batch: the caller waits as long as others come, then does the work of all.
void JvmJudge::lead(std::unique_lock<std::mutex>& lock) {
  led_ = true;
  const auto full = [&] { return waiting_.size() >= settings_.batch || late(); };
  for (std::size_t before = 0; before < waiting_.size() && !full();) {
    before = waiting_.size();
    changed_.wait_for(lock, std::chrono::duration<double>(settings_.gather_s), full);
  }
  auto questions = take();
  lock.unlock();
  std::map<Key, Answer> answers;
  std::exception_ptr failure;
  try {
    if (!late()) answers = judge(questions);
  } catch (const LimitReached&) { // by the deadline: they are not answered
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  led_ = false;
  for (const auto& question : questions) {
    auto& answer = answers_[question.key];
    if (const auto found = answers.find(question.key); found != answers.end())
      answer = std::move(found->second);
    else
      answer.judgement = {Verdict::unknown, "the JVM did not answer", {}};
  }
  changed_.notify_all();
  if (failure) std::rethrow_exception(failure);
}

/// Everything that waits, up to a batch: what reductions need first, then new programs.
std::vector<JvmJudge::Question> JvmJudge::take() {
  std::vector<Question> taken;
  for (const bool edits : {true, false}) {
    for (auto i = waiting_.begin(); i != waiting_.end() && taken.size() < settings_.batch;) {
      if (i->second.is_edit != edits) {
        ++i;
        continue;
      }
      taken.push_back(std::move(i->second));
      i = waiting_.erase(i);
    }
  }
  return taken;
}

std::map<JvmJudge::Key, JvmJudge::Answer> JvmJudge::judge(std::vector<Question> questions) const {
  const std::scoped_lock turn(processors);
  std::vector<jcs::Prepared> tests;
  std::vector<std::uint32_t> times;
  for (const Question& q : questions) {
    tests.push_back(q.test);
    times.push_back(milliseconds(q));
  }
  const jcs::Batch batch(std::move(tests), jcs::find_compiler(jvm_), jars_, deadline_);
  jcs::RunOptions options;
  options.mode = mode_;
  options.deadline = deadline_;
  std::vector<Answer> answers(questions.size());
  std::vector<std::size_t> chosen(questions.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
  for (std::uint32_t round = 0; round < settings_.runs && !chosen.empty() && !late(); ++round) {
    options.seed = round + 1;
    const auto runs = batch.run(jvm_, options, chosen, times);
    for (std::size_t i = 0; i < runs.size(); ++i)
      count(questions[chosen[i]], runs[i], answers[chosen[i]]);
    std::erase_if(chosen, [&](std::size_t i) {
      if (!answers[i].forbidden.empty()) return false;
      const bool hopeless = settings_.runs - round - 1 < settings_.needed;
      return hopeless || !questions[i].is_edit || !questions[i].predicted;
    });
    times.assign(chosen.size(), settings_.predicted_ms);
  }
  std::map<Key, Answer> out;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    conclude(questions[i], answers[i]);
    out.emplace(questions[i].key, std::move(answers[i]));
  }
  return out;
}

/// Adds what a run showed to what earlier ones did.
void JvmJudge::count(const Question& question, const jcs::TestRun& run, Answer& answer) const {
  if (run.status == Status::error) {
    answer.judgement = {Verdict::unsupported, run.reason, {}};
    return;
  }
  if (run.status != Status::ok)
    answer.judgement = {
        Verdict::unknown, fmt::format("{}: ", jcs::name(run.status)) + run.reason, {}};
  const InTime in_time(oracle_, deadline_);
  jcs::Membership membership(question.test, model_, in_time.options());
  for (auto& sighting : answer.forbidden) sighting.samples += run.samples;
  for (const auto& [behaviour, count] : run.outcomes) {
    answer.outcomes.insert(behaviour);
    const auto known = std::ranges::find(answer.forbidden, behaviour, &Sighting::behaviour);
    if (known != answer.forbidden.end()) {
      known->count += count;
      ++known->runs;
      continue;
    }
    const auto allowed = membership.allows(behaviour);
    if (allowed == oracle::Answer::forbidden)
      answer.forbidden.push_back({behaviour, count, run.samples, 1});
    if (allowed == oracle::Answer::unknown)
      answer.judgement = {Verdict::unknown, "the model: " + allowed.because, {}};
  }
}

/// An outcome that does not come back often enough is real, but nothing to reduce by: it is told
/// after those that do, and alone makes the program `unknown`.
void JvmJudge::conclude(const Question& question, Answer& answer) const {
  std::ranges::stable_sort(answer.forbidden, std::greater<>(), &Sighting::runs);
  const auto observables = observables_of(question.test);
  std::vector<Finding> findings;
  for (const Sighting& seen : answer.forbidden)
    if (seen.runs >= settings_.needed)
      findings.push_back({litmus::state_of(observables, seen.behaviour)});
  if (!findings.empty()) {
    answer.judgement = {Verdict::unsound, "", std::move(findings)};
    const InTime in_time(oracle_, deadline_);
    jcs::Membership membership(question.test, model_, in_time.options());
    const auto any = membership.allows_anything();
    if (any == oracle::Answer::vacuous)
      answer.judgement = {Verdict::vacuous, "vacuous: " + any.because, {}};
    if (any == oracle::Answer::unknown)
      answer.judgement = {Verdict::unknown, "the model: " + any.because, {}};
  } else if (!answer.forbidden.empty()) {
    const Sighting& seen = answer.forbidden.front();
    answer.judgement = {
        Verdict::unknown,
        fmt::format("{} was seen {} times in {} of {} runs: too rare to be reduced ({} are needed)",
                    litmus::to_string(question.test.test, observables, seen.behaviour), seen.count,
                    seen.runs, settings_.runs, settings_.needed),
        {}};
  }
}

void JvmJudge::ask_about_edits(const litmus::Program& program) {
  const bool conceivable = is_likely(prepare(litmus::canonical(program)));
  std::size_t asked = 0;
  for (const auto& proposal : gen::proposals(program)) {
    if (asked == most_edits || late()) return;
    const litmus::Program edit = litmus::canonical(proposal);
    const Key key = litmus::content_hash(edit);
    {
      const std::scoped_lock guard(mutex_);
      if (answers_.contains(key) || waiting_.contains(key)) continue;
    }
    Answer answer;
    std::optional<Question> next;
    try {
      next = question(key, edit);
      next->is_edit = true;
      if (conceivable && !next->likely) {
        answer.judgement = {Verdict::unknown, "not run: nothing forbidden is conceivable", {}};
        next.reset();
      }
    } catch (const Unsupported& lacking) {
      answer.judgement = {Verdict::unsupported, lacking.what(), {}};
    }
    const std::scoped_lock guard(mutex_);
    if (!next) {
      answers_.try_emplace(key, std::move(answer));
    } else if (waiting_.try_emplace(key, *std::move(next)).second) {
      ++asked;
    }
  }
}

Why JvmJudge::reason(const litmus::Program& named, bool official) {
  const litmus::Program program = litmus::canonical(named);
  const Key key = litmus::content_hash(program);
  Sighting seen;
  {
    const std::scoped_lock guard(mutex_);
    const auto known = answers_.find(key);
    if (known == answers_.end() || known->second.forbidden.empty()) return {};
    seen = known->second.forbidden.front();
  }
  const auto test = prepare(program);
  std::string rate =
      fmt::format("{} of {} runs, {} of {} samples, on {} {} {}", seen.runs, settings_.runs,
                  seen.count, seen.samples, jvm_.vendor, jvm_.version, info(mode_).name);
  if (official) rate += confirmation(key, test, seen);
  try {
    const InTime in_time(oracle_, deadline_);
    const jcs::Membership membership(test, model_, in_time.options());
    return {membership.why_forbidden(seen.behaviour), std::move(rate)};
  } catch (const LimitReached&) { // there is no time left
    return {{}, std::move(rate)};
  }
}

/// What jcstress's command line says of a test; none where the deadline came before.
std::optional<jcs::TestRun> JvmJudge::run_officially(const jcs::Prepared& test) const {
  try {
    const jcs::Batch batch({test}, jcs::find_compiler(jvm_), jars_, deadline_);
    jcs::RunOptions options;
    options.milliseconds = settings_.predicted_ms;
    options.deadline = deadline_;
    auto run = batch.run_officially(jvm_, options).at(0);
    if (run.status != Status::late) return run;
  } catch (const LimitReached&) { // while it was compiled
    return std::nullopt;
  }
  return std::nullopt;
}

/// One at a time, as each takes all processors, and each program once.
std::string JvmJudge::confirmation(const Key& key, const jcs::Prepared& test,
                                   const Sighting& seen) {
  const std::scoped_lock guard(confirming_);
  if (const auto known = confirmations_.find(key); known != confirmations_.end())
    return known->second;
  constexpr auto no_time = "; jcstress's command line was not asked: time limit reached";
  if (late()) return no_time;
  const auto run = run_officially(test);
  if (!run) return no_time;
  const auto found = run->outcomes.find(seen.behaviour);
  return confirmations_[key] =
             found == run->outcomes.end()
                 ? fmt::format("; jcstress's command line did not see it in {} samples ({})",
                               run->samples, jcs::name(run->status))
                 : fmt::format("; confirmed by jcstress's command line: {} of {} samples",
                               found->second, run->samples);
}

runners::Judged JvmJudge::seen(const litmus::Program& named) {
  const litmus::Program program = litmus::canonical(named);
  runners::Judged out;
  out.observables = observables_of(prepare(program));
  const std::scoped_lock guard(mutex_);
  const auto known = answers_.find(litmus::content_hash(program));
  if (known == answers_.end()) return out;
  out.behaviours.assign(known->second.outcomes.begin(), known->second.outcomes.end());
  for (const auto& sighting : known->second.forbidden) out.forbidden.push_back(sighting.behaviour);
  return out;
}

namespace {

class JvmTarget : public Target {
 public:
  JvmTarget(const std::string& name, const Against& against) : Target(name), against_(against) {}

  void ready() override {
    if (!judge_) judge_.emplace(against_, name());
  }

  /// A JVM is asked about many programs at a time, so there must be as many that wait; asking is
  /// dear, so candidates are compared first; and what it shows is chance.
  Tuning tuning() const override {
    static constexpr auto profiles = std::to_array<std::string_view>({"jvm"});
    Tuning out;
    out.candidates = 40;
    out.chunk = 1;
    out.jobs = static_cast<std::uint32_t>(against_.jvm.batch);
    out.grace_share = 0.15;
    out.learn_from_finds = false;
    out.profiles = profiles;
    return out;
  }

  std::string doubt() const override {
    return "nothing forbidden was seen, which proves nothing: a JVM shows what it happens to do";
  }

  Judgement judge(const litmus::Program& program, runners::SameProgram*) override {
    return asked()(program);
  }
  Why why(const litmus::Program& program, bool official) override {
    return asked().reason(program, official);
  }

  Look look(const litmus::Test& test) override {
    if (test.filter)
      throw Unsupported("unsupported: a filter on a JVM: it shows what it happens to do");
    const auto judgement = asked()(test.java());
    if (judgement.verdict == Verdict::unsupported)
      throw Unsupported(judgement.reason.text, judgement.reason.limit);
    Look out;
    out.judged = asked().seen(test.java());
    out.judged.reason = judgement.reason;
    out.judged.verdict = verdict_of(judgement.verdict);
    // as the names of what was seen have it
    out.code = litmus::print(as_test(litmus::canonical(test.java()), test.name));
    out.side_by_side = out.code;
    return out;
  }

  /// What the JVM showed is in the behaviour; no JVM is needed to explain it.
  Explanation explain(const litmus::Test& minimal, const litmus::State& behaviour) override {
    const auto [jdk, mode] = parts_of(name());
    Explanation out;
    out.java = java_of(minimal);
    out.command =
        shell_command(fmt::format("thinair jcstress run - --jdk {}{} --time 5 --expect {}{}",
                                  shell_quoted(jdk), mode ? " --mode " + *mode : "",
                                  shell_quoted(against_.model_name), model_options(against_)),
                      litmus::print(minimal));
    out.drawings.push_back(refusal_drawn(against_, minimal, litmus::exactly(behaviour)));
    return out;
  }

  void set_deadline(Deadline deadline) override { asked().set_deadline(deadline); }
  double promise(const litmus::Program& program) override { return asked().promise(program); }
  std::optional<litmus::Program> shortcut(const litmus::Program& program) override {
    return asked().shortcut(program);
  }
  void reducing(const litmus::Program& program) override { asked().ask_about_edits(program); }

 private:
  JvmJudge& asked() {
    THINAIR_CHECK(judge_, "a JVM is asked before it was looked for");
    return *judge_;
  }

  static runners::Soundness verdict_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::sound: return runners::Soundness::sound;
    case Verdict::unsound: return runners::Soundness::unsound;
    case Verdict::vacuous: return runners::Soundness::vacuous;
    case Verdict::unknown:
    case Verdict::unsupported: break;
    }
    return runners::Soundness::unknown;
  }

  const Against against_;
  std::optional<JvmJudge> judge_;
};

std::unique_ptr<Target> make_jvm(const std::string& name, const Against& against) {
  if (!against.engine.empty())
    throw InputError(fmt::format("error: engine {} has no meaning for {}: a JVM runs the program",
                                 against.engine, name));
  if (parts_of(name).jdk.empty())
    throw InputError(fmt::format("error: \"{}\" names no JVM\n  hint: jvm:17, or a path; 'thinair "
                                 "jdks' lists those that are here",
                                 name));
  return std::make_unique<JvmTarget>(name, against);
}

/// Those of the machine; looking for them starts each, so names of versions do.
std::vector<std::string> jvm_names() { return {"jvm:"}; }

} // namespace

const TargetKind jvm_kind = {
    .prefix = std::string(jvm_prefix),
    .form = "jvm:JDK[:MODE]",
    .help = "a real JVM, as 'thinair jdks' lists them, through jcstress; MODE: how it compiles",
    .names = jvm_names,
    .make = make_jvm,
};

} // namespace thinair::campaign
