// Writes tests for herd7, runs it, and finds out what each of its answers is worth.
#include "runners/herd7.h"

#include "litmus/language.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "models/library.h"
#include "runners/herd7_output.h"
#include "runners/process.h"
#include "runners/temporary_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>

namespace thinair::runners {
namespace {

namespace fs = std::filesystem;
using Status = HerdAnswer::Status;
using Names = std::vector<std::pair<litmus::Observable, litmus::Observable>>;

/// The number that herd7 shows; absent for an address and the like.
std::optional<litmus::Value> number_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<litmus::Value>(negative ? 0 - magnitude : magnitude);
}

/// What herd7 7.58 says when its time runs out while it applies a function of a .cat file. (The
/// same would be said of a call that is wrong: nothing is said of the test either way.)
bool cut_off_in_a_call(const std::string& message) {
  return message.ends_with(": argument_mismatch");
}

class Batch {
 public:
  Batch(std::span<const litmus::Test> tests, const HerdOptions& options, std::string program)
      : tests_(tests), options_(options), program_(std::move(program)), answers_(tests.size()),
        names_(tests.size()), cells_(tests.size()) {
    choose_model();
    for (std::size_t i = 0; i < tests.size(); ++i) write(i);
  }

  std::vector<HerdAnswer> run() {
    while (!open_.empty()) run_open();
    return std::move(answers_);
  }

 private:
  static std::string name(std::size_t test) { return fmt::format("t{}", test); }

  void settle(std::size_t test, Status status, Reason reason) {
    answers_[test].status = status;
    answers_[test].reason = std::move(reason);
    answers_[test].result.status = oracle::Result::Status::unknown;
    answers_[test].result.reason = answers_[test].reason;
  }

  void choose_model();
  void write(std::size_t test);
  Command command() const;
  void run_open();
  void blame(std::size_t first, const Outcome& outcome, const std::string& message);
  bool take(std::size_t test, const ParsedBlock& parsed);
  std::string translate(std::size_t test, const HerdBlock& block);
  std::optional<litmus::Value> value_of(std::size_t test, std::string_view text) const;
  litmus::Value as_declared(std::size_t test, const litmus::Observable& observable,
                            litmus::Value value) const;
  std::string contradiction(std::size_t test) const;

  std::span<const litmus::Test> tests_;
  const HerdOptions& options_;
  std::string program_;
  TemporaryDirectory directory_;
  std::string model_, model_folder_;
  std::vector<HerdAnswer> answers_;
  std::vector<Names> names_;
  std::vector<std::vector<std::string>> cells_; // what herd7 calls x86 locations, by their ids
  std::vector<std::size_t> open_;               // tests without an answer, in order
  Reason last_blame_;
};

void Batch::choose_model() {
  if (options_.model.empty()) return; // herd7's own
  if (const auto known = models::find_model(options_.model)) {
    for (const models::File& file : models::files())
      directory_.write(fmt::format("models/{}", file.name), file.text);
    model_folder_ = directory_.path() + "/models";
    model_ = fmt::format("{}/{}", model_folder_, known->name);
    return;
  }
  std::error_code ignored;
  if (!fs::is_regular_file(options_.model, ignored))
    throw InputError(fmt::format("no model {}", text::printable_word(options_.model)));
  model_ = fs::absolute(options_.model).string();
  model_folder_ = fs::path(model_).parent_path().string();
}

void Batch::write(std::size_t test) {
  try {
    const bool java = tests_[test].is_java();
    auto exported = litmus::for_herd(tests_[test], options_.all_registers);
    exported.test.name = name(test);
    exported.test.metadata.clear();
    directory_.write(name(test) + ".litmus", litmus::print(exported.test));
    names_[test] = std::move(exported.names);
    if (!java)
      for (const auto& cell : exported.test.code().cells())
        cells_[test].emplace_back(litmus::name_in_code(cell));
    open_.push_back(test);
  } catch (const Unsupported& error) {
    settle(test, Status::rejected, error.what());
  }
}

Command Batch::command() const {
  Command command;
  command.argv = {program_, "-optace", options_.optace};
  if (!model_.empty())
    command.argv.insert(command.argv.end(), {"-model", model_, "-I", model_folder_, "-I",
                                             model_folder_ + "/library", "-archcheck", "false"});
  if (options_.atomic_updates) command.argv.insert(command.argv.end(), {"-variant", "OptRfRMW"});
  if (options_.unroll)
    command.argv.insert(command.argv.end(), {"-unroll", std::to_string(*options_.unroll)});
  if (options_.seconds > 0) {
    command.argv.insert(command.argv.end(), {"-timeout", fmt::format("{}", options_.seconds)});
    // herd7 counts processor time and gives up test by test; this is for one that hangs.
    command.seconds = options_.grace + 4 * options_.seconds * static_cast<double>(open_.size());
  }
  command.argv.emplace_back("@tests");
  command.directory = directory_.path();
  command.memory = options_.memory;
  command.output = std::size_t{256} << 20;
  return command;
}

/// Runs herd7 over the open tests; at least one is closed.
void Batch::run_open() {
  std::string list;
  for (const std::size_t test : open_) list += name(test) + ".litmus\n";
  directory_.write("@tests", list);
  const Outcome outcome = runners::run(command());
  if (outcome.end == Outcome::End::not_started)
    throw InputError(fmt::format("{}: {}", program_, describe(outcome)));
  const auto blocks = parse_herd_output(outcome.out);
  auto messages = parse_herd_messages(outcome.error);

  std::vector<std::size_t> silent; // positions in open_ of tests that nothing was said of
  std::size_t heard = 0;           // behind the last test that something was said of
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const std::size_t test = open_[i];
    if (const auto block = blocks.find(name(test)); block != blocks.end()) {
      take(test, block->second);
    } else if (const auto message = messages.find(name(test)); message != messages.end()) {
      settle(test, Status::rejected, message->second.front());
    } else {
      silent.push_back(i);
      continue;
    }
    heard = i + 1;
  }
  const bool clean = outcome.end == Outcome::End::exited && outcome.code == 0;
  if (options_.seconds > 0) std::erase_if(messages[""], cut_off_in_a_call);
  const std::string unattributed = messages[""].empty() ? "" : messages[""].back();
  std::vector<std::size_t> again;
  for (const std::size_t i : silent) {
    if (clean ? unattributed.empty() : i < heard)
      settle(open_[i], Status::unknown, Reason::reached(Limit::time));
    else if (clean)
      settle(open_[i], Status::failed, unattributed);
    else
      again.push_back(open_[i]);
  }
  open_ = std::move(again);
  if (!open_.empty()) blame(heard, outcome, unattributed);
}

/// herd7 did not end well: at the first open test. If it never gets past its first test for one and
/// the same reason, the reason lies elsewhere.
void Batch::blame(std::size_t heard, const Outcome& outcome, const std::string& message) {
  const bool limit =
      outcome.end == Outcome::End::timed_out || outcome.end == Outcome::End::too_verbose;
  Reason reason = limit ? describe(outcome) : "herd7: " + describe(outcome);
  if (outcome.end == Outcome::End::timed_out) reason.limit = Limit::time;
  if (!message.empty()) reason.text += ": " + message;
  const Status status = limit ? Status::unknown : Status::failed;
  const bool hopeless = heard == 0 && reason == last_blame_;
  last_blame_ = heard == 0 ? reason : Reason();
  settle(open_.front(), status, reason);
  open_.erase(open_.begin());
  if (!hopeless) return;
  for (const std::size_t test : open_) settle(test, status, reason);
  open_.clear();
}

bool Batch::take(std::size_t test, const ParsedBlock& parsed) {
  std::string complaint = parsed.complaint;
  if (complaint.empty()) complaint = translate(test, parsed.block);
  if (complaint.empty()) complaint = contradiction(test);
  HerdAnswer& answer = answers_[test];
  answer.seconds = parsed.block.seconds;
  if (!complaint.empty()) {
    answer.result = {};
    settle(test, Status::failed, "herd7's answer makes no sense: " + complaint);
    return false;
  }
  answer.status = Status::ok;
  if (parsed.block.loop_cut) {
    answer.result.cut_by_loop_bound = true;
    settle(test, Status::unknown, Reason::reached(Limit::loop_bound));
  }
  return true;
}

/// herd7's states as behaviours of the test; what cannot be translated.
std::string Batch::translate(std::size_t index, const HerdBlock& block) {
  oracle::Result& result = answers_[index].result;
  std::map<std::string, std::size_t> positions;
  for (const auto& [exported, original] : names_[index]) {
    positions[litmus::to_string(exported)] = result.observables.size();
    result.observables.push_back(original);
  }
  for (const auto& state : block.states) {
    if (state.size() != positions.size()) return "a state that names too much or too little";
    litmus::Behaviour behaviour(positions.size(), 0);
    std::vector<bool> seen(positions.size(), false);
    for (const auto& [name, text] : state) {
      const auto position = positions.find(name);
      if (position == positions.end() || seen[position->second]) return "the name " + name;
      const auto value = value_of(index, text);
      if (!value) return fmt::format("the value {} of {}", text, name);
      seen[position->second] = true;
      behaviour[position->second] =
          as_declared(index, result.observables[position->second], *value);
    }
    result.behaviours.push_back(std::move(behaviour));
  }
  std::ranges::sort(result.behaviours, {}, [&](const litmus::Behaviour& behaviour) {
    return litmus::to_string(tests_[index], result.observables, behaviour);
  });
  result.positive = block.positive;
  result.negative = block.negative;
  result.executions = block.positive + block.negative;
  result.flags = block.flags;
  return {};
}

/// A number, or the name of a location whose address it is.
std::optional<litmus::Value> Batch::value_of(std::size_t test, std::string_view text) const {
  if (const auto number = number_of(text)) return number;
  const auto cell = std::ranges::find(cells_[test], text);
  if (cell == cells_[test].end()) return std::nullopt;
  const auto id = static_cast<std::uint32_t>(cell - cells_[test].begin());
  return static_cast<litmus::Value>(litmus::address_of(litmus::LocationId(id)));
}

litmus::Value Batch::as_declared(std::size_t index, const litmus::Observable& observable,
                                 litmus::Value value) const {
  if (tests_[index].is_java()) return value;
  return litmus::as_declared(value, tests_[index].code().type_of(observable));
}

/// Where the counts say what the states deny.
std::string Batch::contradiction(std::size_t index) const {
  const oracle::Result& result = answers_[index].result;
  if (std::ranges::adjacent_find(result.behaviours) != result.behaviours.end())
    return "one state twice";
  const litmus::Test& test = tests_[index];
  bool yes = false, no = false;
  for (const litmus::Behaviour& behaviour : result.behaviours) {
    const bool holds = test.clauses.empty() ||
                       litmus::holds(test.clauses[0].proposition, result.observables, behaviour);
    (holds ? yes : no) = true;
  }
  if (yes != (result.positive > 0) || no != (result.negative > 0))
    return "counts that its states deny";
  return {};
}

std::string program_of(const HerdOptions& options) {
  if (auto found = find_herd7(options.program)) return *found;
  throw InputError(options.program.empty()
                       ? "no herd7 here: install it with scripts/get-herd7, or name one"
                       : fmt::format("no program {}", text::printable_word(options.program)));
}

std::string data_directory() {
  if (const char* set = std::getenv("XDG_DATA_HOME"); set != nullptr && *set != '\0') return set;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return std::string(home) + "/.local/share";
  return {};
}

} // namespace

std::optional<std::string> find_herd7(const std::string& given) {
  const auto found = [](const std::string& name) -> std::optional<std::string> {
    std::string path = find_program(name);
    if (path.empty()) return std::nullopt;
    return fs::absolute(path).string();
  };
  if (!given.empty()) return found(given);
  if (const char* set = std::getenv("THINAIR_HERD7"); set != nullptr && *set != '\0')
    return found(set);
  if (auto on_path = found("herd7")) return on_path;
  const std::string data = data_directory();
  return data.empty() ? std::nullopt : found(data + "/thinair/herd7/bin/herd7");
}

std::vector<HerdAnswer> run_herd7(std::span<const litmus::Test> tests, const HerdOptions& options) {
  return Batch(tests, options, program_of(options)).run();
}

} // namespace thinair::runners
