// Threads, and what they throw.
#include "campaign/parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace thinair::campaign {

void in_parallel(std::uint32_t jobs, std::atomic<bool>& failed,
                 const std::function<void(std::uint32_t)>& work) {
  std::mutex mutex;
  std::exception_ptr failure;
  std::vector<std::jthread> workers;
  for (std::uint32_t i = 0; i < std::max(1U, jobs); ++i)
    workers.emplace_back([&, i] {
      try {
        work(i);
      } catch (...) {
        const std::scoped_lock guard(mutex);
        if (!failure) failure = std::current_exception();
        failed = true;
      }
    });
  workers.clear(); // joins
  if (failure) std::rethrow_exception(failure);
}

} // namespace thinair::campaign
