// Programs from many threads, compiled many at a time.
#pragma once

#include "runners/jit/capture.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace thinair::runners::jit {

/// Whoever asks waits until a batch with its program is done. One of those who wait, a leader, runs
/// it; while it does, another may. Answers are kept.
class Batches {
 public:
  static constexpr std::size_t most = 128; // programs of a batch

  Batches(Jdk jdk, const Settings& settings) : jdk_(std::move(jdk)), settings_(settings) {}

  /// Throws Unsupported where there is no code of it, LimitReached at the deadline. Several threads
  /// may call it at once.
  lower::jit::Compilation compiled(const litmus::Program& program);

  /// Compiles them all: they will be asked for.
  void prepare(const std::vector<litmus::Program>& programs);

  void set_deadline(Deadline deadline) { deadline_ = deadline; }

 private:
  struct Question {
    const litmus::Program* program;
    std::string key;
    std::optional<Captured> answer;
    std::exception_ptr failure;
    bool taken = false;
  };

  void lead(std::unique_lock<std::mutex>& lock);
  void answer(const std::vector<Question*>& questions);

  const Jdk jdk_;
  const Settings settings_;
  Deadline deadline_;

  std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  std::map<std::string, Captured> answers_;
  std::vector<Question*> waiting_;
  bool gathering_ = false;
  unsigned running_ = 0;
};

} // namespace thinair::runners::jit
