// Several threads at one piece of work.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace thinair::campaign {

/// Calls `work` with 0, 1, .. `jobs` - 1, each in a thread of its own, and waits for all. Where one
/// throws, `failed` is set, so that the others may end early, and the first exception is thrown
/// here.
void in_parallel(std::uint32_t jobs, std::atomic<bool>& failed,
                 const std::function<void(std::uint32_t)>& work);

} // namespace thinair::campaign
