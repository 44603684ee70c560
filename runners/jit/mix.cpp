// Counts the ways, and puts code together.
#include "runners/jit/mix.h"

#include "litmus/text/error.h"
#include "lower/jit/lift.h"

#include <algorithm>

namespace thinair::runners::jit {
namespace {

/// The next number, the last thread's digit the fastest; whether there is one.
bool next(Way& way, std::size_t compilers) {
  for (auto digit = way.rbegin(); digit != way.rend(); ++digit) {
    if (++*digit < compilers) return true;
    *digit = 0;
  }
  return false;
}

} // namespace

std::vector<Way> ways(std::size_t threads, std::size_t compilers) {
  std::vector<Way> out;
  Way way(threads, 0);
  const auto one_alone = [&] { return std::ranges::count(way, way.front()) == std::ssize(way); };
  do {
    if (threads < 2 || compilers < 2 || !one_alone()) out.push_back(way);
  } while (next(way, compilers));
  const auto mostly_second = [](const Way& w) { return std::ranges::count(w, 1); };
  std::ranges::stable_sort(out, [&](const Way& a, const Way& b) {
    return std::pair(a.front(), -mostly_second(a)) < std::pair(b.front(), -mostly_second(b));
  });
  return out;
}

lower::jit::Compilation mixed(const std::vector<lower::jit::Compilation>& by_compiler,
                              const Way& way) {
  lower::jit::Compilation out = by_compiler.at(way.front());
  for (std::size_t t = 0; t < way.size(); ++t) {
    const auto& from = by_compiler.at(way[t]);
    if (from.layout != out.layout)
      throw Unsupported("two JVMs that lay out the same class differently");
    if (from.objects != out.objects)
      throw Unsupported("two JVMs that have the same objects at different places");
    out.threads[t] = from.threads[t];
  }
  return out;
}

lower::Lowered lifted(const std::vector<lower::jit::Compilation>& by_compiler, const Way& way,
                      const Asked& asked, lower::Backend& decoder) {
  auto out = lower::jit::lift(mixed(by_compiler, way), decoder);
  if (asked.is_mix())
    for (const auto by : way) out.compilers.emplace_back(info(asked.compilers.at(by)).title);
  return out;
}

} // namespace thinair::runners::jit
