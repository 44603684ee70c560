// Drawing the bones: critical cycles and noise.
#include "gen/skeleton.h"

#include <algorithm>
#include <array>

namespace thinair::gen {
namespace {

using litmus::Random;

/// An external communication edge, between two threads, on one location.
enum class Link : std::uint8_t { reads_from, from_reads, coherence };

bool source_writes(Link link) { return link != Link::from_reads; }
bool target_writes(Link link) { return link != Link::reads_from; }

std::vector<Link> draw_links(std::size_t threads, Random& random) {
  constexpr std::array<std::uint32_t, 3> weights{4, 4, 2};
  std::vector<Link> links;
  for (std::size_t i = 0; i < threads; ++i)
    links.push_back(static_cast<Link>(random.weighted(weights)));
  return links;
}

/// The locations that program-order edges lead to, so that the last one leads back to location 0.
std::vector<std::size_t> draw_locations(std::size_t steps, std::size_t available, Random& random) {
  std::vector<std::size_t> after;
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < steps; ++i) {
    std::size_t next = i + 1;
    if (next >= available || random.chance(1, 8))
      next = static_cast<std::size_t>(random.below(available));
    if (next == at) next = (at + 1) % std::max<std::size_t>(available, 1);
    if (i + 2 == steps && next == 0 && available > 1) next = at == 1 ? available - 1 : 1;
    after.push_back(next);
    at = next;
  }
  if (steps > 0) after.push_back(0);
  return after;
}

/// One more access beside each event of the cycle, now and then; and now and then one to anywhere.
void add_neighbours(Skeleton& skeleton, const Profile& profile, Random& random) {
  for (auto& thread : skeleton) {
    for (std::size_t i = 0; i < thread.size(); ++i) {
      if (count_slots(skeleton) >= profile.max_accesses || !random.chance(profile.internal, 100))
        continue;
      Slot neighbour{random.chance(1, 4), thread[i].location};
      if (random.chance(1, 5))
        neighbour.location = static_cast<std::size_t>(random.below(profile.max_locations));
      const bool after = thread[i].write || random.chance(1, 2);
      thread.insert(thread.begin() + static_cast<std::ptrdiff_t>(i + (after ? 1 : 0)), neighbour);
      ++i;
    }
  }
}

/// Threads that read a location twice, to see the order of its writes.
void add_observer(Skeleton& skeleton, const Profile& profile, Random& random) {
  if (skeleton.size() >= profile.max_threads || count_slots(skeleton) + 2 > profile.max_accesses)
    return;
  const auto& thread = random.pick(skeleton);
  if (thread.empty()) return;
  const auto location = random.pick(thread).location;
  skeleton.push_back({{false, location}, {false, location}});
}

void trim(Skeleton& skeleton, std::size_t accesses) {
  while (count_slots(skeleton) > accesses) {
    auto longest =
        std::ranges::max_element(skeleton, {}, [](const auto& thread) { return thread.size(); });
    longest->pop_back();
  }
  std::erase_if(skeleton, [](const auto& thread) { return thread.empty(); });
}

/// 2, 3, .. threads, fewer more often.
std::size_t draw_thread_count(std::size_t most, Random& random) {
  std::size_t threads = std::min<std::size_t>(2, most);
  while (threads < most && random.chance(2, 5)) ++threads;
  return threads;
}

} // namespace

std::size_t count_slots(const Skeleton& skeleton) {
  std::size_t count = 0;
  for (const auto& thread : skeleton) count += thread.size();
  return count;
}

Skeleton draw_cycle(const Profile& profile, litmus::Random& random) {
  const std::size_t threads = draw_thread_count(profile.max_threads, random);
  const auto links = draw_links(threads, random);
  std::vector<bool> two_events(threads);
  for (std::size_t t = 0; t < threads; ++t) {
    const bool same_direction =
        target_writes(links[(t + threads - 1) % threads]) == source_writes(links[t]);
    two_events[t] = !same_direction || !random.chance(1, 4);
  }
  const auto steps = static_cast<std::size_t>(std::ranges::count(two_events, true));
  const std::size_t available =
      steps < 2 ? 1 : std::min<std::size_t>(profile.max_locations, std::max<std::size_t>(steps, 2));
  const auto after = draw_locations(steps, available, random);

  Skeleton skeleton(threads);
  std::size_t location = 0, step = 0;
  for (std::size_t t = 0; t < threads; ++t) {
    skeleton[t].push_back({target_writes(links[(t + threads - 1) % threads]), location});
    if (!two_events[t]) continue;
    location = after[step++];
    skeleton[t].push_back({source_writes(links[t]), location});
  }
  trim(skeleton, profile.max_accesses);
  add_neighbours(skeleton, profile, random);
  const bool ordered_writes = std::ranges::find(links, Link::coherence) != links.end();
  if (random.chance(ordered_writes ? 40 : 10, 100)) add_observer(skeleton, profile, random);
  return skeleton;
}

Skeleton draw_noise(const Profile& profile, litmus::Random& random) {
  const std::size_t threads = draw_thread_count(profile.max_threads, random);
  const auto accesses = static_cast<std::size_t>(
      random.between(std::min<std::int64_t>(3, profile.max_accesses), profile.max_accesses));
  const std::size_t locations = 1 + static_cast<std::size_t>(random.below(profile.max_locations));
  Skeleton skeleton(threads);
  for (std::size_t i = 0; i < accesses; ++i)
    random.pick(skeleton).push_back(
        {random.chance(1, 2), static_cast<std::size_t>(random.below(locations))});
  std::erase_if(skeleton, [](const auto& thread) { return thread.empty(); });
  return skeleton;
}

} // namespace thinair::gen
