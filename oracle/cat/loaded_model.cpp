// Compiles a model for each architecture, and keeps what went wrong for the one who asks.
#include "oracle/cat/loaded_model.h"

#include "litmus/text/error.h"

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

LoadedModel::LoadedModel(const std::string& name, const LoadOptions& options)
    : LoadedModel(name, compile(name, Architecture::java, options),
                  compile(name, Architecture::x86, options)) {}

LoadedModel::LoadedModel(const text::Source& source, const LoadOptions& options)
    : LoadedModel(source.name, compile(source, Architecture::java, options),
                  compile(source, Architecture::x86, options)) {}

LoadedModel::LoadedModel(std::string name, Compiled java, Compiled x86)
    : name_(std::move(name)), java_(std::move(java)), x86_(std::move(x86)) {
  const auto* for_java = std::get_if<std::exception_ptr>(&java_);
  if (for_java != nullptr && std::holds_alternative<std::exception_ptr>(x86_))
    std::rethrow_exception(*for_java);
}

const Plan* LoadedModel::find(const litmus::Test& test) const {
  return std::get_if<Plan>(test.dialect == litmus::Dialect::java ? &java_ : &x86_);
}

const Plan& LoadedModel::plan(const litmus::Test& test) const {
  const auto& compiled = test.dialect == litmus::Dialect::java ? java_ : x86_;
  if (const auto* error = std::get_if<std::exception_ptr>(&compiled))
    std::rethrow_exception(*error);
  return std::get<Plan>(compiled);
}

} // namespace thinair::cat
