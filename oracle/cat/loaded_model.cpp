// Compiles a model for each architecture, and keeps what went wrong for the one who asks.
#include "oracle/cat/loaded_model.h"

#include "litmus/text/error.h"

#include <algorithm>

namespace thinair::cat {

namespace {

/// From a name, a path or a text.
template <class From>
std::variant<Plan, std::exception_ptr> compile(const From& from, Architecture architecture,
                                               const LoadOptions& options) {
  try {
    return load_model(from, architecture, options);
  } catch (const InputError&) {
    return std::current_exception();
  } catch (const Unsupported&) {
    return std::current_exception();
  }
}

} // namespace

template <class From>
LoadedModel::LoadedModel(std::string name, const From& from, const LoadOptions& options)
    : name_(std::move(name)) {
  for (const auto* each : graph::front_ends())
    compiled_.emplace_back(Architecture(*each), compile(from, Architecture(*each), options));
  const auto fits = [](const auto& row) { return std::holds_alternative<Plan>(row.second); };
  if (std::ranges::none_of(compiled_, fits))
    std::rethrow_exception(std::get<std::exception_ptr>(compiled_.front().second));
}

LoadedModel::LoadedModel(const std::string& name, const LoadOptions& options)
    : LoadedModel(name, name, options) {}

LoadedModel::LoadedModel(const text::Source& source, const LoadOptions& options)
    : LoadedModel(source.name, source, options) {}

const LoadedModel::Compiled& LoadedModel::compiled_for(const litmus::Test& test) const {
  const auto architecture = graph::architecture_of(test);
  return std::ranges::find(compiled_, architecture, &std::pair<Architecture, Compiled>::first)
      ->second;
}

const Plan* LoadedModel::find(const litmus::Test& test) const {
  return std::get_if<Plan>(&compiled_for(test));
}

const Plan& LoadedModel::plan(const litmus::Test& test) const {
  const auto& compiled = compiled_for(test);
  if (const auto* error = std::get_if<std::exception_ptr>(&compiled))
    std::rethrow_exception(*error);
  return std::get<Plan>(compiled);
}

} // namespace thinair::cat
