// What a model allows programs, asked again and again while properties look at one program and its
// variants.
#pragma once

#include "litmus/constructs.h"
#include "litmus/program.h"
#include "litmus/text/watch.h"
#include "oracle/answer.h"
#include "oracle/cat/model.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thinair::campaign {
class Target;
}

namespace thinair::health {

/// The final values of all registers, by name: what a program and its variants are compared by.
using State = std::map<litmus::Observable, litmus::Value>;
std::string to_string(const State& state);

struct Allowed {
  bool known = false; // false: a limit was reached, or something is unsupported
  std::string reason; // why it is not
  bool unfit = false; // the model is none that its rules of causality can be used with
  std::set<State> states;
};

/// What some property needs beside the model that is examined.
struct Settings {
  const cat::Plan* model = nullptr;
  std::string name;                // the model's, as it was given
  const cat::Plan* like = nullptr; // absent: no comparison
  std::string like_name = {};
  oracle::Options options = {};                // rules, identity, limits of one question
  std::vector<campaign::Target*> targets = {}; // whose soundness is looked at
};

/// One thread's view: it remembers the answers about the program at hand.
class Lab {
 public:
  /// What is asked after the deadline is not known.
  explicit Lab(const Settings& settings, Deadline deadline = {});

  const Settings& settings() const { return settings_; }

  /// What the model allows.
  const Allowed& allowed(const litmus::Program& program) { return of(*settings_.model, program); }
  /// What the model to compare with allows.
  const Allowed& baseline(const litmus::Program& program) { return of(*settings_.like, program); }
  /// Interleavings.
  const Allowed& sequential(const litmus::Program& program) { return of(sc_, program); }
  /// Interleavings with a data race: two conflicting accesses, not both volatile, which nothing
  /// orders (JLS 17.4.5).
  const Allowed& racy(const litmus::Program& program) { return of(racy_, program); }

  /// Answers about the program before are not needed any more.
  void forget() { answers_.clear(); }

 private:
  const Allowed& of(const cat::Plan& model, const litmus::Program& program);
  Allowed asked(const cat::Plan& model, const litmus::Program& program) const;

  const Settings& settings_;
  const Deadline deadline_;
  const cat::Plan sc_, racy_;
  std::map<std::pair<const cat::Plan*, std::string>, Allowed> answers_; // by model and text
};

} // namespace thinair::health
