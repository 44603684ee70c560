// Gathers questions; see the header.
#include "runners/jit/batches.h"

#include "litmus/test.h"
#include "litmus/text/error.h"

#include <algorithm>
#include <chrono>

namespace thinair::runners::jit {
namespace {

constexpr unsigned most_running = 2;
constexpr std::size_t most_answers = 4096;    // kept at a time
constexpr std::chrono::milliseconds lull{60}; // no more questions come for so long: begin

std::string key_of(const litmus::Program& program) {
  litmus::Test test;
  test.program = program;
  return litmus::print(test);
}

} // namespace

lower::jit::Compilation Batches::compiled(const litmus::Program& program) {
  Question question{&program, key_of(program), {}, {}, false};
  std::unique_lock lock(mutex_);
  if (const auto known = answers_.find(question.key); known != answers_.end())
    return compilation_in(known->second);
  waiting_.push_back(&question);
  changed_.notify_all();
  while (!question.answer && !question.failure) {
    if (!question.taken && !gathering_ && running_ < most_running)
      lead(lock);
    else
      changed_.wait(lock);
  }
  if (question.failure) std::rethrow_exception(question.failure);
  return compilation_in(*question.answer);
}

/// Waits as long as others come, then does the work of all.
void Batches::lead(std::unique_lock<std::mutex>& lock) {
  gathering_ = true;
  const auto full = [&] { return waiting_.size() >= most || deadline_.passed(); };
  for (std::size_t before = 0; before < waiting_.size() && !full();) {
    before = waiting_.size();
    changed_.wait_for(lock, lull, full);
  }
  gathering_ = false;
  std::vector<Question*> taken(waiting_.begin(),
                               waiting_.begin() +
                                   static_cast<std::ptrdiff_t>(std::min(most, waiting_.size())));
  waiting_.erase(waiting_.begin(), waiting_.begin() + std::ssize(taken));
  for (Question* question : taken) question->taken = true;
  ++running_;
  changed_.notify_all();
  lock.unlock();
  answer(taken);
  lock.lock();
  --running_;
  changed_.notify_all();
}

/// Who asked may go as soon as the lock is free, and the question with them: what is to be kept of
/// it is kept before.
void Batches::answer(const std::vector<Question*>& questions) {
  std::vector<litmus::Program> programs;
  for (const Question* question : questions) programs.push_back(*question->program);
  try {
    if (deadline_.passed()) throw LimitReached(Limit::run_time);
    auto captured = capture(programs, jdk_, settings_, deadline_);
    const std::scoped_lock guard(mutex_);
    if (answers_.size() > most_answers) answers_.clear();
    for (std::size_t i = 0; i < questions.size(); ++i) {
      answers_.insert_or_assign(questions[i]->key, captured[i]);
      questions[i]->answer = std::move(captured[i]);
    }
  } catch (...) {
    const std::scoped_lock guard(mutex_);
    for (Question* question : questions) question->failure = std::current_exception();
  }
}

void Batches::prepare(const std::vector<litmus::Program>& programs) {
  std::vector<Question> questions;
  {
    const std::scoped_lock guard(mutex_);
    for (const auto& program : programs) {
      std::string key = key_of(program);
      if (!answers_.contains(key) && questions.size() < most)
        questions.push_back({&program, std::move(key), {}, {}, true});
    }
  }
  if (questions.empty()) return;
  std::vector<Question*> all;
  for (Question& question : questions) all.push_back(&question);
  answer(all);
}

} // namespace thinair::runners::jit
