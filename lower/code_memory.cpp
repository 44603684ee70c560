// Two generations: what is found in the older one moves to the newer.
#include "lower/code_memory.h"

#include <utility>

namespace thinair::lower {

std::optional<ThreadCode> CodeMemory::find(const std::string& body) {
  const std::scoped_lock guard(mutex_);
  if (const auto found = newer_.find(body); found != newer_.end()) return found->second;
  const auto found = older_.find(body);
  if (found == older_.end()) return std::nullopt;
  ThreadCode code = found->second;
  keep_newest(body, code);
  return code;
}

void CodeMemory::keep(const std::string& body, const ThreadCode& code) {
  const std::scoped_lock guard(mutex_);
  keep_newest(body, code);
}

void CodeMemory::keep_newest(const std::string& body, ThreadCode code) {
  if (newer_.size() >= half_) older_ = std::exchange(newer_, {});
  newer_.insert_or_assign(body, std::move(code));
}

} // namespace thinair::lower
