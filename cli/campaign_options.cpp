// Reading the common options of commands around campaigns.
#include "cli/campaign_options.h"

#include "campaign/known_list.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <thread>

namespace thinair::cli {
namespace {

// a signal handler can reach nothing else
std::atomic<bool> stop = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) { stop = true; }

} // namespace

std::uint32_t bounded(const Arguments& arguments, std::string_view option, std::uint32_t fallback,
                      std::uint64_t most) {
  const auto value = arguments.count(option, fallback);
  if (value < 1 || value > most)
    throw InputError(fmt::format("error: --{} takes 1 to {}, not {}", option, most, value));
  return static_cast<std::uint32_t>(value);
}

litmus::Constructs meant_by(std::span<const std::string> models, const cat::LoadOptions& load) {
  auto meant = litmus::Constructs::all();
  if (load.as_plain) return meant;
  for (const auto& model : models)
    meant = meant & cat::load_model(model, cat::Architecture::java, load).meaning.known;
  return meant;
}

gen::Space space_of(const Arguments& arguments, litmus::Constructs meant) {
  gen::Space space;
  space.max_accesses = bounded(arguments, "max-accesses", space.max_accesses, 12);
  space.max_threads = bounded(arguments, "threads", space.max_threads, 12);
  space.max_locations = bounded(arguments, "locations", space.max_locations, 12);
  space.mixed = !arguments.has("no-mixed");
  gen::add_modes(space, arguments.text("modes", "all"));
  return arguments.has("modes") ? space : gen::restricted(std::move(space), meant);
}

std::uint32_t jobs_of(const Arguments& arguments, std::uint32_t most) {
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(arguments.count("jobs", cores), most));
}

std::vector<litmus::ContentHash> known_of(const Arguments& arguments) {
  const auto file = arguments.text("known");
  return file ? campaign::parse_known(litmus::read_file(*file))
              : std::vector<litmus::ContentHash>();
}

StopOnSignal::StopOnSignal() {
  stop = false;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

StopOnSignal::~StopOnSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& StopOnSignal::flag() const { return stop; }

} // namespace thinair::cli
