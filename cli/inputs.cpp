// Expands operands into files, and runs jobs over them on several threads with their output in
// order.
#include "cli/inputs.h"

#include "cli/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>

namespace thinair::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t list_depth = 16;
constexpr std::size_t list_bytes = 64U << 20U;
constexpr std::uint64_t most_jobs = 256;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

class Expander {
 public:
  std::vector<std::string> run(const std::vector<std::string>& operands) {
    for (const auto& operand : operands) add(operand, 0);
    return std::move(files_);
  }

 private:
  void add(const std::string& operand, std::size_t depth) {
    std::error_code ignored;
    if (operand.starts_with('@')) {
      list(operand.substr(1), depth);
    } else if (fs::is_directory(operand, ignored)) {
      folder(operand);
    } else {
      files_.push_back(operand);
    }
  }

  void list(const std::string& path, std::size_t depth) {
    if (depth >= list_depth)
      throw InputError::in(path, fmt::format("lists nest deeper than {}", list_depth));
    litmus::Limits limits;
    limits.bytes = list_bytes;
    const auto source = litmus::read_file(path, limits);
    std::string_view rest = source.text;
    while (!rest.empty()) {
      const auto end = std::min(rest.find('\n'), rest.size());
      entry(rest.substr(0, end), path, depth);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void entry(std::string_view line, const std::string& list_path, std::size_t depth) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const bool is_list = line.starts_with('@');
    const fs::path relative(is_list ? trimmed(line.substr(1)) : line);
    const std::string path = (fs::path(list_path).parent_path() / relative).string();
    add(is_list ? "@" + path : path, depth + 1);
  }

  void folder(const std::string& path) {
    const std::size_t before = files_.size();
    try {
      for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.path().extension() == ".litmus" && entry.is_regular_file())
          files_.push_back(entry.path().string());
    } catch (const fs::filesystem_error& e) {
      throw InputError::in(path, e.code().message());
    }
    if (files_.size() == before) throw InputError::in(path, "no .litmus file in this folder");
    std::sort(files_.begin() + static_cast<std::ptrdiff_t>(before), files_.end());
  }

  std::vector<std::string> files_;
};

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

std::vector<std::string> expand(const std::vector<std::string>& operands) {
  return Expander().run(operands);
}

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
