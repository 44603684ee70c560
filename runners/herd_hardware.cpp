// Asks herd7 for one test or listing at a time.
#include "runners/herd_hardware.h"

#include "litmus/text/error.h"
#include "runners/retries.h"

#include <fmt/format.h>

#include <utility>

namespace thinair::runners {
namespace {

HerdText text_of(const lower::Listing& program, const std::vector<litmus::Observable>& shown,
                 const std::optional<litmus::Proposition>& filter) {
  litmus::Proposition anything;
  anything.kind = litmus::Proposition::Kind::always;
  return {std::string(lower::info(program.machine).herd),
          lower::herd_body(program, shown, filter, anything), shown};
}

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
    throw Unsupported(fmt::format("this code for herd7: {}", answer.reason));
  const bool whole =
      answer.status == Status::ok || (answer.result.cut_by_loop_bound && only_retries);
  if (whole && answer.result.behaviours.empty() && !filtered)
    throw Unsupported("this code for herd7: it finds no execution at all");
  answer.result.status = whole ? oracle::Result::Status::ok : oracle::Result::Status::unknown;
  answer.result.reason = whole ? "" : answer.reason;
  return std::move(answer.result);
}

} // namespace

Hardware herd_x86(HerdOptions options) {
  return [options = std::move(options)](const litmus::Test& test) {
    const bool retries = only_retries(test.x86());
    const HerdOptions with = retries ? with_one_round(options) : options;
    return believed(run_herd7(std::span(&test, 1), with).at(0), retries, test.filter.has_value());
  };
}

void require_herd7(const HerdOptions& options, lower::Machine machine) {
  if (find_herd7(options.program)) return;
  throw Unsupported(fmt::format("{} code needs herd7 (scripts/get-herd7 installs it; --herd7 "
                                "names one)",
                                lower::info(machine).prefix));
}

ListingHardware herd_hardware(HerdOptions options) {
  return [options = with_one_round(std::move(options))](
             const lower::Listing& program, const std::vector<litmus::Observable>& shown,
             const std::optional<litmus::Proposition>& filter) {
    require_herd7(options, program.machine);
    const HerdText text = text_of(program, shown, filter);
    return believed(run_herd7_texts(std::span(&text, 1), options).at(0), only_retries(program),
                    filter.has_value());
  };
}

} // namespace thinair::runners
