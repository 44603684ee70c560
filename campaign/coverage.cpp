// Which combinations of accesses a program exercises.
#include "campaign/campaign.h"
#include "gen/walk.h"

#include <algorithm>
#include <set>

namespace thinair::campaign {
namespace {

using litmus::Access;
using litmus::FenceStatement;

/// What a thread does, in program order; branches' arms one after the other.
struct Deed {
  std::string_view name; // of the method or fence
  bool is_access = false;
  bool writes = false;
  litmus::LocationId location;
};

std::vector<std::vector<Deed>> deeds_of(const litmus::Program& program) {
  std::vector<std::vector<Deed>> threads(program.threads.size());
  gen::each_statement(program, [&](litmus::ThreadId thread, const litmus::Statement& statement) {
    if (const auto* access = std::get_if<Access>(&statement.node)) {
      const auto& method = info(access->method);
      threads[thread.value].push_back(
          {method.name, true, litmus::writes(method.action), access->location});
    } else if (const auto* fence = std::get_if<FenceStatement>(&statement.node)) {
      threads[thread.value].push_back({info(fence->fence).name, false, false, {}});
    }
  });
  return threads;
}

std::string key(std::string_view kind, const Deed& a, const Deed& b) {
  return std::string(kind) + " " + std::string(a.name) + " " + std::string(b.name);
}

std::string_view order_kind(const Deed& a, const Deed& b) {
  if (!a.is_access || !b.is_access) return "po-fence";
  return a.location == b.location ? "po-same" : "po-diff";
}

} // namespace

std::vector<std::string> coverage_keys(const litmus::Program& program) {
  std::set<std::string> keys;
  const auto threads = deeds_of(program);
  for (const auto& thread : threads)
    for (std::size_t i = 0; i + 1 < thread.size(); ++i)
      keys.insert(key(order_kind(thread[i], thread[i + 1]), thread[i], thread[i + 1]));
  for (std::size_t s = 0; s < threads.size(); ++s)
    for (std::size_t t = s + 1; t < threads.size(); ++t)
      for (const auto& a : threads[s])
        for (const auto& b : threads[t])
          if (a.is_access && b.is_access && a.location == b.location && (a.writes || b.writes))
            keys.insert(a.name <= b.name ? key("com", a, b) : key("com", b, a));
  return {keys.begin(), keys.end()};
}

} // namespace thinair::campaign
