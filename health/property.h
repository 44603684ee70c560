// Properties that a memory model should have: each a file, and a line of the table in
// properties.cpp.
#pragma once

#include "health/lab.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::health {

/// What one program says of a property.
struct Finding {
  enum class Answer : std::uint8_t {
    silent, // the property says nothing of such a program
    holds,
    fails,
    unknown, // a limit was reached, or an engine lacks something
  } answer = Answer::silent;
  std::string behaviour; // of `fails`: what is allowed and should not be, or the other way round
  std::optional<litmus::Program>
      other;            // of `fails`: the program after the change that the property is about
  std::string sentence; // of `fails`: what is wrong, for people; of `unknown`: why
};

struct Property {
  std::string name;   // "reorder-RW"
  std::string group;  // a heading: "Reorderings"
  std::string claim;  // what holds of a healthy model, a sentence
  std::string source; // who asks for it
  std::function<Finding(const litmus::Program&, Lab&)> look;
  std::uint32_t every =
      1; // of random programs it looks at one in so many: it makes many variants of each
  /// What is at fault where it fails of a program, in a word or two; empty where that is not known.
  /// Failures of other causes are told, too. Absent: one failure says enough.
  std::function<std::string(const litmus::Program&)> cause = {};
};

/// All of them, in the order of the page; those that need more than the settings have are left out.
std::vector<Property> properties(const Settings& settings);

/// A form of a program that should allow no more than the program itself.
struct Variant {
  litmus::Program program;
  /// Where a register of the original is found, where that is not its own place.
  std::vector<std::pair<litmus::Observable, litmus::Observable>> moved = {};
};
using Variants = std::vector<Variant> (*)(const litmus::Program&);

/// The property that none of the variants allows what the program does not.
std::function<Finding(const litmus::Program&, Lab&)> adds_nothing(Variants variants);
/// The property that the program allows nothing that its variants do not: a variant is what it was
/// made of.
std::function<Finding(const litmus::Program&, Lab&)> loses_nothing(Variants variants);

/// The property that what is allowed on the left is allowed on the right.
Finding included(const Allowed& left, const Allowed& right, std::string_view sentence);

// the properties, by file
void add_basics(std::vector<Property>& out, const Settings& settings);       // basics.cpp
void add_monotony(std::vector<Property>& out, const Settings& settings);     // monotony.cpp
void add_reorderings(std::vector<Property>& out, const Settings& settings);  // reorderings.cpp
void add_eliminations(std::vector<Property>& out, const Settings& settings); // eliminations.cpp
void add_inlining(std::vector<Property>& out, const Settings& settings);     // inlining.cpp
void add_implementations(std::vector<Property>& out,
                         const Settings& settings); // implementations.cpp

} // namespace thinair::health
