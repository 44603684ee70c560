// Asks herd7 for one test at a time.
#include "runners/herd_hardware.h"

#include "litmus/language.h"
#include "litmus/text/error.h"
#include "machine/table.h"
#include "runners/retries.h"

#include <fmt/format.h>

#include <utility>

namespace thinair::runners {
namespace {

/// One round of a loop is enough where loops only try again; elsewhere what herd7 cuts off is
/// missing.
HerdOptions with_one_round(HerdOptions options) {
  options.optace = "true";
  options.unroll = 0;
  return options;
}

oracle::Result believed(HerdAnswer answer, bool only_retries, bool filtered) {
  using Status = HerdAnswer::Status;
  if (answer.status == Status::rejected || answer.status == Status::failed)
    throw Unsupported(fmt::format("this code for herd7: {}", answer.reason.text),
                      answer.reason.limit);
  const bool whole =
      answer.status == Status::ok || (answer.result.cut_by_loop_bound && only_retries);
  if (whole && answer.result.behaviours.empty() && !filtered)
    throw Unsupported("this code for herd7: it finds no execution at all");
  answer.result.status = whole ? oracle::Result::Status::ok : oracle::Result::Status::unknown;
  answer.result.reason = whole ? Reason() : answer.reason;
  return std::move(answer.result);
}

} // namespace

void require_herd7(const HerdOptions& options, lower::Machine machine) {
  if (find_herd7(options.program)) return;
  throw Unsupported(fmt::format("{} code needs herd7: scripts/get-herd7 installs it",
                                lower::info(machine).prefix),
                    Limit::herd7);
}

oracle::Result herd_states(const litmus::Test& test, HerdOptions options) {
  const bool retries = only_retries(test);
  if (retries) options = with_one_round(std::move(options));
  const auto* machine = machine::machine_named(test.language->machine);
  if (machine == nullptr || !machine->herd_has_it) options.model.clear();
  return believed(run_herd7(std::span(&test, 1), options).at(0), retries, test.filter.has_value());
}

} // namespace thinair::runners
