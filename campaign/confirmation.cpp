// One test on one JVM.
#include "campaign/confirmation.h"

#include "litmus/text/counted.h"
#include "litmus/text/error.h"
#include "runners/jcstress/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace thinair::campaign {
namespace {

namespace jcs = runners::jcstress;

/// A JVM that shows something takes all processors.
std::mutex all_processors;

std::vector<litmus::Observable> locations_in(const litmus::State& state) {
  std::vector<litmus::Observable> out;
  for (const auto& [observable, value] : state.values)
    if (!observable.thread) out.push_back(observable);
  return out;
}

/// Whether what was seen is the behaviour, as far as that says.
bool shows(const litmus::State& seen, const litmus::State& behaviour) {
  return std::ranges::all_of(behaviour.values, [&](const auto& value) {
    return std::ranges::find(seen.values, value) != seen.values.end();
  });
}

std::string asked(const litmus::Program& program, const litmus::State& behaviour,
                  const Confirming& by, const Deadline& deadline) {
  const auto test = jcs::prepare(as_test(program, "program"), locations_in(behaviour));
  const std::scoped_lock turn(all_processors);
  const jcs::Batch batch({test}, jcs::find_compiler(by.jvm), jcs::find_jcstress(), deadline);
  jcs::RunOptions options;
  options.mode = by.mode;
  options.seed = by.seed;
  options.milliseconds = by.milliseconds;
  options.deadline = deadline;
  const auto run = batch.run(by.jvm, options).at(0);
  const auto where =
      fmt::format("on {} {} {}", by.jvm.vendor, by.jvm.version, jcs::info(by.mode).name);
  if (run.status != jcs::Record::Status::ok)
    return fmt::format("{}: {} {}: {}", may_happen, where, jcs::name(run.status), run.reason.text);
  std::uint64_t count = 0;
  const auto observables = observables_of(test);
  for (const auto& [outcome, times] : run.outcomes)
    if (shows(litmus::state_of(observables, outcome), behaviour)) count += times;
  const auto samples = text::counted(run.samples, "sample", "samples");
  if (count == 0) return fmt::format("{}: not seen in {}, {}", may_happen, samples, where);
  return fmt::format("{} of {}, {}", text::grouped(count), samples, where);
}

} // namespace

std::string confirmed(const litmus::Program& program, const litmus::State& behaviour,
                      const Confirming& by, const Deadline& deadline) {
  try {
    return asked(program, behaviour, by, deadline);
  } catch (const Unsupported& lacking) {
    return fmt::format("{}: no JVM was asked: {}", may_happen, lacking.reason().text);
  } catch (const LimitReached& limit) {
    return fmt::format("{}: no JVM was asked: {}", may_happen, limit.reason().text);
  }
}

} // namespace thinair::campaign
