// What is said of a mismatch beyond the rows of a store, and the parts that targets of every kind
// put it together from.
#pragma once

#include "litmus/test.h"
#include "oracle/cat/plan.h"
#include "oracle/explain/drawing.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::campaign {

struct Against;

/// An execution and what is said of it.
struct Drawing {
  std::string title;
  std::string svg;        // part of a page: explain::as_svg
  std::string text;       // the same in words, where there is no place for pictures
  std::string note;       // below either, in lines of any length
  std::string terms = {}; // the same in the model's own terms, for who asks
  std::string steps = {}; // how the target gets there, in columns
};

/// What the engines can say about a mismatch beyond the store's rows. All texts are raw; the report
/// quotes them.
struct Explanation {
  std::string java;              // the minimal program as a Java class
  std::string lowered;           // the code that the target runs
  std::string command;           // that shows the mismatch again
  std::vector<Drawing> drawings; // the target's execution, the model's reason
};

/// A word for a POSIX shell, in quotes where it needs them.
std::string shell_quoted(std::string_view text);

/// The options that have a command take the model as it was taken here, each with a space before
/// it: what is taken for plain, causality, identity.
std::string model_options(const Against& against);

/// A shell command, "thinair sound" with `options`, that reads the program from the lines behind
/// it.
std::string shell_command(std::string_view command_and_options, std::string_view program);

/// A drawing with its title; without a picture where there is none.
Drawing drawn(std::string title, const std::optional<explain::Drawing>& drawing, std::string note);

/// Why the model forbids `asked`, drawn.
Drawing refusal_drawn(const Against& against, const litmus::Test& test,
                      const litmus::Proposition& asked);

/// Limits of the searches that explain: a report is no place to wait for.
oracle::Limits explaining_limits();

/// The test as a Java class; empty where Java source has no form for something in it.
std::string java_of(const litmus::Test& test);

} // namespace thinair::campaign
