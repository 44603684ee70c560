// Random bodies of threads with every kind of statement: all access methods and fences, branches,
// loops that wait, divisions, monitors, threads that start others and wait for them, prints.
#pragma once

#include "litmus/random.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thinair::causality {

struct Statements {
  std::uint32_t threads = 3;       // at most
  std::uint32_t accesses = 3;      // of a thread, at most
  std::uint32_t most_accesses = 7; // of all threads together
  bool every_mode = true;          // otherwise plain and volatile alone
  bool updates = true;
  bool fences = true;
  bool waits = true; // loops, divisions, monitors that may not be left, threads
};

/// The text of a test over x, y and monitors m, n. Which seeds are worth looking at depends on what
/// the caller wants: programs in which no thread waits are drawn as well.
class EveryStatement {
 public:
  EveryStatement(std::uint64_t seed, const Statements& shape) : random_(seed), shape_(shape) {}

  std::string test();

 private:
  std::string body(std::uint32_t thread);
  std::string access(bool as_value);
  std::string call(bool reads);
  std::string value();
  std::string reg();
  std::string fence();
  std::string wrapped(const std::string& inner);
  std::string waiting();

  litmus::Random random_;
  Statements shape_;
  std::uint32_t accesses_left_ = 0;
  std::vector<std::string> registers_;   // of the thread that is written
  std::optional<std::uint32_t> started_; // the thread that another one starts
};

} // namespace thinair::causality
