// Enumerating, drawing and reducing, by several threads with a lab each.
#include "health/checkup.h"

#include "campaign/parallel.h"
#include "gen/generator.h"
#include "gen/reduce.h"
#include "litmus/canonical.h"
#include "litmus/text/error.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <mutex>

namespace thinair::health {
namespace {

using Answer = Finding::Answer;
using Clock = std::chrono::steady_clock;

/// When a program is looked at: first those of the space.
using Order = std::pair<bool, std::uint64_t>; // whether it is a random one; its place

constexpr std::size_t most_causes = 4; // told of one property
constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

class Search {
 public:
  Search(const Settings& settings, const Extent& extent, const std::atomic<bool>& stop)
      : settings_(settings), extent_(extent), stop_(stop) {
    for (auto& property : properties(settings)) {
      rows_.emplace_back().property = std::move(property);
      states_.emplace_back();
    }
  }

  Checkup run() {
    campaign::in_parallel(extent_.jobs, failed_,
                          [this](std::uint32_t worker) { enumerate(worker); });
    conclude_space();
    if (extent_.programs || extent_.seconds)
      campaign::in_parallel(extent_.jobs, failed_, [this](std::uint32_t worker) { draw(worker); });
    reduce_examples();
    out_.rows = std::move(rows_);
    return std::move(out_);
  }

 private:
  struct Earliest {
    Order order;
    litmus::Program program;
  };

  /// The first program that a property does not hold of, and the least size that is not decided.
  struct State {
    std::uint64_t first = none; // its place in the order of looking
    std::uint32_t size = 0;     // of the space; 0: random
    litmus::Program program;
    std::uint32_t open = 0;                 // the least size with an undecided program; 0: none
    std::map<std::string, Earliest> causes; // where the property tells them apart
  };

  bool over(double share) const {
    const std::chrono::duration<double> spent = Clock::now() - started_;
    return stop_ || failed_ || (extent_.seconds && spent.count() >= *extent_.seconds * share);
  }

  void enumerate(std::uint32_t worker);
  void draw(std::uint32_t worker);
  void look(const litmus::Program& program, std::uint64_t place, std::uint32_t size, Lab& lab);
  void note(std::size_t row, const Finding& finding, const litmus::Program& program,
            std::uint64_t place, std::uint32_t size);
  void conclude_space();
  void note_cause(std::size_t row, const litmus::Program& program, Order order);
  void reduce_examples();
  void reduce(Row& row, Lab& lab) const;
  void reduce_others(std::size_t row, Lab& lab);
  litmus::Program least(const litmus::Program& program, const gen::Interesting& fails) const;

  const Settings& settings_;
  const Extent& extent_;
  const std::atomic<bool>& stop_;
  const Clock::time_point started_ = Clock::now();
  /// A little later than the end: what is reduced then is to be looked at once more.
  const Deadline deadline_ = Deadline::in(extent_.seconds ? *extent_.seconds * 1.15 : 0);

  std::mutex mutex_; // guards what follows
  std::vector<Row> rows_;
  std::vector<State> states_;
  Checkup out_;
  std::uint32_t cut_ = 0; // the least size of the space that was not finished; 0: all were
  std::atomic<bool> failed_ = false;
};

/// Every `jobs`-th program of the space.
void Search::enumerate(std::uint32_t worker) {
  const std::uint32_t jobs = std::max(1U, extent_.jobs);
  Lab lab(settings_, deadline_);
  const double share = extent_.programs ? 1 : 0.5;
  gen::Enumerator at(extent_.space, [&] { return over(share); });
  std::uint64_t looked = 0;
  std::uint32_t cut = 0;
  while (at.next()) {
    if (at.index() % jobs != worker) continue;
    if (over(share)) {
      cut = at.accesses();
      break;
    }
    look(at.program(), at.index(), at.accesses(), lab);
    ++looked;
  }
  if (at.stopped()) cut = at.accesses();
  const std::scoped_lock guard(mutex_);
  out_.enumerated += looked;
  if (cut != 0 && (cut_ == 0 || cut < cut_)) cut_ = cut;
}

/// Every `jobs`-th program of the streams.
void Search::draw(std::uint32_t worker) {
  const std::uint32_t jobs = std::max(1U, extent_.jobs);
  Lab lab(settings_, deadline_);
  std::vector<gen::Generator> streams;
  for (const auto& profile : extent_.profiles) streams.emplace_back(profile, extent_.seed, 0);
  const std::uint64_t end = extent_.programs.value_or(none);
  for (std::uint64_t place = worker; place < end && !over(1); place += jobs) {
    auto& stream = streams[place % streams.size()];
    stream.resume_at(place / streams.size());
    look(stream.next().program, place, 0, lab);
    const std::scoped_lock guard(mutex_);
    ++out_.random;
  }
}

/// All properties that no earlier program has refuted.
void Search::look(const litmus::Program& program, std::uint64_t place, std::uint32_t size,
                  Lab& lab) {
  lab.forget();
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (size == 0 && place % rows_[row].property.every != 0) continue;
    {
      const std::scoped_lock guard(mutex_);
      const State& state = states_[row];
      const bool again = static_cast<bool>(rows_[row].property.cause);
      const bool refuted = state.first != none && !again;
      if (refuted && (size == 0) == (state.size == 0) && place > state.first) continue;
      if (refuted && size == 0 && state.size > 0) continue; // by the space
    }
    const auto finding = rows_[row].property.look(program, lab);
    note(row, finding, program, place, size);
    if (finding.answer == Answer::fails) note_cause(row, program, {size == 0, place});
  }
}

void Search::note(std::size_t row, const Finding& finding, const litmus::Program& program,
                  std::uint64_t place, std::uint32_t size) {
  if (finding.answer == Answer::silent) return;
  const std::scoped_lock guard(mutex_);
  Row& out = rows_[row];
  State& state = states_[row];
  ++out.programs;
  if (finding.answer == Answer::unknown) {
    if (out.undecided++ == 0) out.why_undecided = finding.sentence;
    if (size > 0 && (state.open == 0 || size < state.open)) state.open = size;
  }
  if (finding.answer != Answer::fails || place > state.first) return;
  if (state.first != none && size == 0 && state.size > 0) return; // the space has one
  state.first = place;
  state.size = size;
  state.program = program;
}

void Search::note_cause(std::size_t row, const litmus::Program& program, Order order) {
  const auto& property = rows_[row].property;
  if (!property.cause) return;
  auto cause = property.cause(program);
  if (cause.empty()) return;
  const std::scoped_lock guard(mutex_);
  const auto [at, fresh] = states_[row].causes.try_emplace(std::move(cause), order, program);
  if (!fresh && order < at->second.order) at->second = {order, program};
}

void Search::conclude_space() {
  out_.whole_up_to = cut_ == 0 ? extent_.space.max_accesses : cut_ - 1;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const State& state = states_[row];
    std::uint32_t up_to = out_.whole_up_to;
    if (state.open > 0) up_to = std::min(up_to, state.open - 1);
    if (state.first != none) up_to = std::min(up_to, state.size - 1);
    rows_[row].holds_up_to = up_to;
  }
}

void Search::reduce_examples() {
  Lab lab(settings_, deadline_);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (states_[row].first == none) continue;
    rows_[row].example = states_[row].program;
    rows_[row].smallest = states_[row].size > 0 && rows_[row].holds_up_to + 1 == states_[row].size;
    reduce(rows_[row], lab);
    reduce_others(row, lab);
  }
}

/// The program is looked at again in its least form; where it says the same by chance of names
/// alone, it stays.
void Search::reduce(Row& row, Lab& lab) const {
  const auto fails = [&](const litmus::Program& program) {
    lab.forget();
    switch (row.property.look(program, lab).answer) {
    case Answer::fails: return gen::Interest::yes;
    case Answer::unknown: return gen::Interest::unknown;
    case Answer::silent:
    case Answer::holds: break;
    }
    return gen::Interest::no;
  };
  row.example = least(*row.example, fails);
  lab.forget();
  Lab patient(settings_); // the answer is known: it was found in time
  row.finding = row.property.look(*row.example, patient);
  THINAIR_CHECK(row.finding.answer == Answer::fails, "an example that shows nothing");
}

litmus::Program Search::least(const litmus::Program& program, const gen::Interesting& fails) const {
  auto reduced = gen::reduce(program, fails, {extent_.max_tries, [this] { return over(1.1); }});
  auto canonical = litmus::canonical(reduced.program);
  return fails(canonical) == gen::Interest::yes ? std::move(canonical) : std::move(reduced.program);
}

/// Of each further cause the program that was met first, as small as the cause stays the same.
void Search::reduce_others(std::size_t index, Lab& lab) {
  Row& row = rows_[index];
  if (!row.property.cause) return;
  auto& causes = states_[index].causes;
  causes.erase(row.property.cause(*row.example));
  std::vector<std::pair<std::string, Earliest>> all(causes.begin(), causes.end());
  std::ranges::sort(all, {}, [](const auto& each) { return each.second.order; });
  for (auto& [cause, earliest] : all) {
    if (row.others.size() == most_causes) return;
    // names decide which behaviour is the first, and so, at times, the cause
    const auto fails = [&](const litmus::Program& named) {
      const auto program = litmus::canonical(named);
      lab.forget();
      const auto answer = row.property.look(program, lab).answer;
      if (answer == Answer::unknown) return gen::Interest::unknown;
      return answer == Answer::fails && row.property.cause(program) == cause ? gen::Interest::yes
                                                                             : gen::Interest::no;
    };
    Failure other{cause, litmus::canonical(earliest.program), {}};
    for (auto smaller = least(other.program, fails); smaller != other.program;
         smaller = least(other.program, fails))
      other.program = std::move(smaller);
    lab.forget();
    other.finding = row.property.look(other.program, lab);
    if (other.finding.answer == Answer::fails) row.others.push_back(std::move(other));
  }
}

oracle::Answer answer_of(const Settings& settings, const cat::Plan& model,
                         const Question& question) {
  try {
    return oracle::Oracle(question.test, model, settings.options).allows(question.proposition);
  } catch (const Unsupported&) {
    return oracle::Answer::unknown;
  } catch (const LimitReached&) {
    return oracle::Answer::unknown;
  }
}

} // namespace

bool Checkup::failed() const {
  return std::ranges::any_of(rows, [](const Row& row) { return row.example.has_value(); });
}

bool Checkup::undecided() const {
  return std::ranges::any_of(rows,
                             [](const Row& row) { return !row.example && row.undecided > 0; });
}

Checkup check_up(const Settings& settings, const Extent& extent, const std::atomic<bool>& stop) {
  return Search(settings, extent, stop).run();
}

std::vector<AxiomRow> deciding_axioms(const Settings& settings,
                                      const std::vector<Question>& questions) {
  std::vector<AxiomRow> out;
  std::vector<oracle::Answer> whole;
  for (const auto& question : questions)
    whole.push_back(answer_of(settings, *settings.model, question));
  for (std::size_t i = 0; i < settings.model->axioms.size(); ++i) {
    if (settings.model->axioms[i].effect != cat::Axiom::Effect::required) continue;
    AxiomRow row{settings.model->axioms[i].name, {}};
    cat::Plan without = *settings.model;
    without.axioms.erase(without.axioms.begin() + static_cast<std::ptrdiff_t>(i));
    for (std::size_t q = 0; q < questions.size(); ++q) {
      if (whole[q] != oracle::Answer::forbidden) continue; // an axiom fewer allows no less
      if (answer_of(settings, without, questions[q]) == oracle::Answer::allowed)
        row.decides.push_back(questions[q].name);
    }
    out.push_back(std::move(row));
  }
  return out;
}

} // namespace thinair::health
