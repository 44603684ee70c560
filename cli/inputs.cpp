// Reads inputs, and runs jobs over them on several threads with their output in order.
#include "cli/inputs.h"

#include "cli/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <iostream>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>

namespace thinair::cli {
namespace {

constexpr std::uint64_t most_jobs = 256;

Done attempt(const Job& job, const std::string& file, bool as_json) {
  Progress progress;
  try {
    return job(file, progress);
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    return {failure.exit, as_json ? json_of(failure, progress.test, file) + "\n" : std::string(),
            diagnostic(failure, file)};
  }
}

/// Results by input; the workers fill them in any order, one reader takes them in theirs.
class Results {
 public:
  explicit Results(std::size_t size) : slots_(size) {}

  void put(std::size_t index, Done done) {
    const std::lock_guard lock(mutex_);
    slots_[index] = std::move(done);
    changed_.notify_all();
  }

  Done take(std::size_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return slots_[index].has_value(); });
    return std::move(*slots_[index]);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<Done>> slots_;
};

void deliver(const Done& done, Console& console) {
  console.out.write(done.out);
  if (done.err.empty()) return;
  console.out.flush(); // so that a terminal shows both in order
  console.diagnose(done.err);
}

} // namespace

text::Source read_input(const std::string& path) {
  if (path != "-") return litmus::read_file(path);
  const std::size_t limit = litmus::Limits{}.bytes;
  std::string text;
  for (std::istreambuf_iterator<char> it(std::cin), end; it != end; ++it) {
    text += *it;
    if (text.size() > limit) throw InputError::in("-", fmt::format("more than {} bytes", limit));
  }
  return {"-", std::move(text)};
}

Exit for_each_input(const Arguments& arguments, Console& console, const Job& job) {
  return for_each(expand(arguments.operands()), arguments, console, job);
}

Exit for_each(const std::vector<std::string>& files, const Arguments& arguments, Console& console,
              const Job& job) {
  const std::size_t workers = static_cast<std::size_t>(std::clamp<std::uint64_t>(
      arguments.count("jobs", 1), 1,
      std::min<std::uint64_t>(most_jobs, std::max<std::size_t>(files.size(), 1))));
  Results results(files.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&](const std::stop_token& stop) {
    for (std::size_t i = next++; i < files.size() && !stop.stop_requested(); i = next++)
      results.put(i, attempt(job, files[i], arguments.json()));
  };
  std::vector<std::jthread> threads; // stopped and joined also when a write throws
  for (std::size_t i = 0; i < workers; ++i) threads.emplace_back(work);
  Exit exit = Exit::clean;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Done done = results.take(i);
    exit = worst(exit, done.exit);
    deliver(done, console);
  }
  return exit;
}

} // namespace thinair::cli
