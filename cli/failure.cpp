// Tells the three types of error apart; what is none of them is a bug of thinair.
#include "cli/failure.h"

#include "cli/limits.h"
#include "litmus/text/json.h"
#include "litmus/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <system_error>

namespace thinair::cli {

Failure failure_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const InputError& e) {
    return {Exit::bad_input, "error", e.what()};
  } catch (const Unsupported& e) {
    return {Exit::undecided, "unsupported", "unsupported: " + shown(e.reason())};
  } catch (const LimitReached& e) {
    return {Exit::undecided, "unknown", "unknown: " + shown(e.reason())};
  } catch (const std::filesystem::filesystem_error& e) { // a name that is too long, for example
    return {Exit::bad_input, "error",
            InputError::in(e.path1().string(), e.code().message()).what()};
  } catch (const std::bad_alloc&) {
    return {Exit::undecided, "unknown", "unknown: memory limit reached (ulimit -v)"};
  } catch (const Bug& e) {
    return {Exit::bug, "error", e.what()};
  } catch (const std::system_error& e) { // files, threads: what the system refuses is no bug
    return {Exit::bad_input, "error", fmt::format("error: {}", e.what())};
  } catch (const std::exception& e) {
    return {Exit::bug, "error", fmt::format("internal error: {}", e.what())};
  } catch (...) {
    return {Exit::bug, "error", "internal error: an exception of no known type"};
  }
}

std::string diagnostic(const Failure& failure, std::string_view place) {
  constexpr auto kinds =
      std::to_array<std::string_view>({"error: ", "unsupported: ", "unknown: ", "internal error"});
  const std::string_view reason = failure.reason;
  const std::string where = text::printable_word(place);
  const auto line = reason.substr(0, reason.find('\n'));
  const auto begins = [&](std::string_view kind) { return reason.starts_with(kind); };
  const auto is_in = [&](std::string_view kind) {
    return line.find(fmt::format(": {}", kind)) != std::string_view::npos;
  };
  std::string text(reason);
  if (std::ranges::any_of(kinds, begins)) {
    text = fmt::format("{}: {}", where, reason);
  } else if (std::ranges::none_of(kinds, is_in)) {
    text = fmt::format("{}: error: {}", where, reason);
  } else if (reason.find(where) == std::string_view::npos && !place.starts_with("thinair")) {
    text += fmt::format("\n  found while working on {}", where);
  }
  if (failure.exit == Exit::bug)
    text += "\n  this is a fault of thinair: please report it together with its input";
  return text;
}

std::string json_of(const Failure& failure, std::string_view test, std::string_view file) {
  json::Object object;
  if (test.empty()) {
    object.null("test");
  } else {
    object.string("test", test);
  }
  if (file.empty()) {
    object.null("file");
  } else {
    object.string("file", file);
  }
  return object.string("status", failure.status).string("reason", failure.reason).text();
}

Exit worst(Exit a, Exit b) {
  constexpr std::array<Exit, 5> by_weight = {Exit::clean, Exit::undecided, Exit::finding,
                                             Exit::bad_input, Exit::bug};
  const auto weight = [&](Exit exit) { return std::ranges::find(by_weight, exit); };
  return weight(a) < weight(b) ? b : a;
}

} // namespace thinair::cli
