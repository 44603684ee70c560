// Threads that a program starts or waits for, as threads of real Java beside those that run tests.
#pragma once

#include "litmus/java/code.h"
#include "litmus/java/names.h"
#include "litmus/program.h"

#include <optional>
#include <string>
#include <vector>

namespace thinair::litmus::java {

/// Which threads of a program are threads of their own in Java, and who sees to them. What runs
/// tests (an actor of jcstress, a loop over many objects) is not over when a thread of the program
/// is, so that nobody can wait for its end: a thread that is started or waited for runs in a
/// java.lang.Thread, which is made for it.
class Lifetimes {
 public:
  /// Throws Unsupported for a thread that two statements start, and for threads that start each
  /// other.
  explicit Lifetimes(const Program& program);

  bool any() const;
  /// Whether it is run by a java.lang.Thread.
  bool is_own(std::size_t thread) const { return started_by_[thread] || joined_[thread]; }
  /// Whether some statement of the program starts it.
  bool is_started(std::size_t thread) const { return started_by_[thread].has_value(); }
  /// It, or the one that starts the one that … starts it: who runs that must see all of them end.
  std::size_t root(std::size_t thread) const;
  /// All whose root it is, itself left out, starters before whom they start.
  std::vector<std::size_t> descendants(std::size_t thread) const;

 private:
  std::vector<std::optional<std::size_t>> started_by_;
  std::vector<bool> joined_;
};

/// Fields: each such thread, null until it has been started, and what it ends with; and the methods
/// that start threads and wait for them. Nothing where there are no such threads.
std::string lifetime_code(const Program& program, const Names& names, const Lifetimes& lifetimes);

/// A statement that starts the thread whose code is the method `body`.
std::string start_code(const Names& names, std::size_t thread, const std::string& object = "this");
/// A statement that waits for its end, and before that for its start.
std::string join_code(const Names& names, std::size_t thread, const std::string& object = "this");
/// Statements that wait for the ends of threads that have been started by now, if they have been.
std::string settle_code(const Names& names, const std::vector<std::size_t>& threads);

/// The method that is an own thread's code: `void body1()`. It leaves the thread's registers in
/// fields.
std::string body_code(const Program& program, const Names& names, std::size_t thread,
                      const CodeStyle& style);

} // namespace thinair::litmus::java
