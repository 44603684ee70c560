// Machine code of threads that were compiled before.
#pragma once

#include "lower/backend.h"

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace thinair::lower {

/// A thread's code, and the globals of its IR that its arguments point at, by number; none where
/// addresses are in the code.
struct ThreadCode {
  MachineFunction function;
  std::vector<std::size_t> arguments;
};

/// By the thread's IR (ThreadIr::body). Compilers of one kind may share it: programs that are
/// drawn, reduced or enumerated have many threads in common. It forgets what was long not asked
/// for: what is kept is at most twice `half` threads. Several threads may use it at once.
class CodeMemory {
 public:
  explicit CodeMemory(std::size_t half = 4096) : half_(half) {}

  std::optional<ThreadCode> find(const std::string& body);
  void keep(const std::string& body, const ThreadCode& code);

 private:
  using Codes = std::unordered_map<std::string, ThreadCode>;
  void keep_newest(const std::string& body, ThreadCode code);

  std::size_t half_;
  std::mutex mutex_; // guards what follows
  Codes newer_, older_;
};

} // namespace thinair::lower
