// Methods and fields for threads of their own (JLS 17.4.4: start, and joining what has ended).
#include "litmus/java/lifetimes.h"

#include "litmus/java/class_code.h"
#include "litmus/text/error.h"
#include "litmus/walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::litmus::java {

Lifetimes::Lifetimes(const Program& program)
    : started_by_(program.threads.size()), joined_(program.threads.size()) {
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    for_each_statement(program.threads[t].body, [&](const Statement& statement) {
      const auto* node = std::get_if<ThreadStatement>(&statement.node);
      if (node == nullptr) return;
      if (node->kind == ThreadStatement::Kind::join) {
        joined_[node->thread.value] = true;
        return;
      }
      auto& starter = started_by_[node->thread.value];
      if (starter) throw Unsupported("a thread that two statements start, in Java source");
      starter = t;
    });
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    std::size_t steps = 0;
    for (auto by = started_by_[t]; by; by = started_by_[*by])
      if (++steps > program.threads.size())
        throw Unsupported("threads that start each other, in Java source");
  }
}

bool Lifetimes::any() const {
  for (std::size_t t = 0; t < joined_.size(); ++t)
    if (is_own(t)) return true;
  return false;
}

std::size_t Lifetimes::root(std::size_t thread) const {
  while (started_by_[thread]) thread = *started_by_[thread];
  return thread;
}

std::vector<std::size_t> Lifetimes::descendants(std::size_t thread) const {
  std::vector<std::size_t> out;
  const auto add = [&](std::size_t starter) {
    for (std::size_t t = 0; t < started_by_.size(); ++t)
      if (started_by_[t] == starter) out.push_back(t);
  };
  add(thread);
  for (std::size_t i = 0; i < out.size(); ++i) add(out[i]);
  return out;
}

std::string lifetime_code(const Program& program, const Names& names, const Lifetimes& lifetimes) {
  if (!lifetimes.any()) return {};
  std::string out;
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    if (lifetimes.is_own(t))
      out += fmt::format("  volatile Thread {} = null; // thread {}, once it has been started\n",
                         names.threads[t], t);
  return out + R"(
  /** A thread that has been started. Who waits for it may meet it before this returns. */
  static Thread started(Runnable body) {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Waits until there is a thread, and then for its end. */
  static void ended(java.util.function.Supplier<Thread> started) {
    Thread thread;
    while ((thread = started.get()) == null) Thread.yield();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
)";
}

namespace {

std::string field(const std::string& object, const std::string& name) {
  return object == "this" ? name : fmt::format("{}.{}", object, name);
}

} // namespace

std::string start_code(const Names& names, std::size_t thread, const std::string& object) {
  return fmt::format("{} = started({}::body{});", field(object, names.threads[thread]), object,
                     thread);
}

std::string join_code(const Names& names, std::size_t thread, const std::string& object) {
  return fmt::format("ended(() -> {});", field(object, names.threads[thread]));
}

std::string settle_code(const Names& names, const std::vector<std::size_t>& threads) {
  std::string out;
  for (const std::size_t t : threads)
    out += fmt::format("    if ({} != null) {}\n", names.threads[t], join_code(names, t));
  return out;
}

std::string body_code(const Program& program, const Names& names, std::size_t thread,
                      const CodeStyle& style) {
  return fmt::format("\n  void body{}() {{\n{}  }}\n", thread,
                     run_code(program, thread, names, style));
}

} // namespace thinair::litmus::java
