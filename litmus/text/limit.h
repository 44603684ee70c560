// Limits as values: what a question was asked under and a user can change. Libraries say which one
// it was; what it is called there is known to whoever offers it, as cli/limits.cpp knows the
// options.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thinair {

enum class Limit : std::uint8_t {
  none,
  // of a question
  time,
  steps,
  memory,
  candidates,
  loop_bound,
  events,
  paths,
  values,
  solver_effort,
  states,
  model_steps,
  model_depth,
  // where rules of causality apply
  graphs,
  labellings,
  // of a campaign
  run_time,
  // not of size: what else stands between a question and its answer
  as_plain, // constructs that a model does not know have no meaning unless taken for plain ones
  herd7,    // the program that is to be asked
  engine,   // who says what code does
};

struct LimitRow {
  Limit limit;
  std::string_view key;  // in files: it stays
  std::string_view what; // what is said to be reached
};

const LimitRow& row_of(Limit limit);
/// The one with this key, if there is one.
std::optional<Limit> limit_of(std::string_view key);

/// Why there is no answer: a sentence without its full stop, and the limit that it is about.
struct Reason {
  std::string text;
  Limit limit = Limit::none;

  Reason() = default;
  Reason(std::string why, Limit about = Limit::none);
  Reason(const char* why, Limit about = Limit::none);
  /// "candidates limit reached"; `what` instead of the row's words.
  static Reason reached(Limit limit, std::string_view what = {});

  bool empty() const { return text.empty(); }
  friend Reason operator+(std::string_view before, const Reason& reason);
  friend auto operator<=>(const Reason&, const Reason&) = default;
};

} // namespace thinair
