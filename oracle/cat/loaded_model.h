// A model that is asked about tests of any language: compiled for each that it fits.
#pragma once

#include "litmus/test.h"
#include "oracle/cat/model.h"

#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace thinair::cat {

/// A model by name or file, compiled for every architecture; where it does not fit one, the reason
/// comes when a test of that architecture asks.
class LoadedModel {
 public:
  /// Throws when the model fits no architecture: what is wrong with it for Java.
  LoadedModel(const std::string& name, const LoadOptions& options);
  /// The same of a text; its name is the model's.
  LoadedModel(const text::Source& source, const LoadOptions& options);

  const std::string& name() const { return name_; }
  const Plan& plan(const litmus::Test& test) const;
  /// Null where the model does not fit the test's architecture.
  const Plan* find(const litmus::Test& test) const;

 private:
  using Compiled = std::variant<Plan, std::exception_ptr>;
  template <class From>
  LoadedModel(std::string name, const From& from, const LoadOptions& options);
  const Compiled& compiled_for(const litmus::Test& test) const;

  std::string name_;
  std::vector<std::pair<Architecture, Compiled>> compiled_; // Java's first
};

} // namespace thinair::cat
