// What can go wrong, as three types that are never confused: the user's error, what we do not
// support, our own bug.
#pragma once

#include "litmus/text/limit.h"
#include "litmus/text/source.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace thinair {

/// Exit codes of the tool (docs/cli.md; tested in tests/cli).
enum class Exit : int { clean = 0, finding = 1, bad_input = 2, undecided = 3, bug = 4 };

/// Wrong use or bad input: exit 2. `what()` is the full text, file:line:col, excerpt, caret and
/// suggestion included.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// What the error is about, for programs; the text says the same. An empty file: no place is
  /// known; line 0: the file as a whole.
  struct Place {
    std::string file;
    text::Position position{0, 0};
  };
  const Place& place() const { return place_; }

  /// An error at a place. `message` says what was expected and what was found; `hint` may suggest a
  /// near miss.
  static InputError at(const text::Source& source, text::Span span, std::string_view message,
                       std::string_view hint = {});

  /// An error of a file as a whole.
  static InputError in(std::string_view file, std::string_view message, std::string_view hint = {});

 private:
  InputError(const std::string& text, Place place)
      : std::runtime_error(text), place_(std::move(place)) {}

  Place place_;
};

/// There is no answer: exit 3. The message is the reason behind the word that tells the kind.
class NoAnswer : public std::runtime_error {
 public:
  NoAnswer(std::string_view kind, Reason reason);
  const Reason& reason() const { return reason_; }

 private:
  Reason reason_;
};

/// A thing we know of and do not do. The message is "unsupported: WHAT".
class Unsupported : public NoAnswer {
 public:
  /// `way_out`: what a user can change so that it is done.
  explicit Unsupported(std::string_view what, Limit way_out = Limit::none)
      : NoAnswer("unsupported: ", {std::string(what), way_out}) {}
};

/// A limit was reached before an answer was found. The message is "unknown: WHAT reached".
class LimitReached : public NoAnswer {
 public:
  explicit LimitReached(Limit limit, std::string_view what = {})
      : LimitReached(Reason::reached(limit, what)) {}
  explicit LimitReached(Reason reason) : NoAnswer("unknown: ", std::move(reason)) {}
};

/// An internal check failed: exit 4. Stays on in release builds.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void bug(const char* file, int line, std::string_view what);

/// The closest of `candidates` to `word`, if one is close enough to be a slip of the pen.
template <class Range>
std::optional<std::string_view> nearest(std::string_view word, const Range& candidates);

std::size_t edit_distance(std::string_view a, std::string_view b);

template <class Range>
std::optional<std::string_view> nearest(std::string_view word, const Range& candidates) {
  std::optional<std::string_view> best;
  std::size_t best_distance = word.size() / 3 + 2;
  for (std::string_view candidate : candidates) {
    if (const auto distance = edit_distance(word, candidate); distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

} // namespace thinair

/// Stops with its context when `condition` does not hold, in every build.
#define THINAIR_CHECK(condition, what)                                                             \
  do {                                                                                             \
    if (!(condition)) ::thinair::bug(__FILE__, __LINE__, what);                                    \
  } while (false)
