// Loads a model for both architectures, and reads the options of limits.
#include "cli/question.h"

namespace thinair::cli {

LoadedModel::Compiled LoadedModel::compile(const std::string& name, cat::Architecture architecture,
                                           const cat::LoadOptions& options) {
  try {
    return cat::load_model(name, architecture, options);
  } catch (const InputError&) {
    return std::current_exception();
  } catch (const Unsupported&) {
    return std::current_exception();
  }
}

LoadedModel::LoadedModel(std::string name, const cat::LoadOptions& options)
    : name_(std::move(name)), java_(compile(name_, cat::Architecture::java, options)),
      x86_(compile(name_, cat::Architecture::x86, options)) {
  const auto* for_java = std::get_if<std::exception_ptr>(&java_);
  if (for_java != nullptr && std::holds_alternative<std::exception_ptr>(x86_))
    std::rethrow_exception(*for_java);
}

const cat::Plan& LoadedModel::plan(const litmus::Test& test) const {
  const auto& compiled = test.dialect == litmus::Dialect::java ? java_ : x86_;
  if (const auto* error = std::get_if<std::exception_ptr>(&compiled))
    std::rethrow_exception(*error);
  return std::get<cat::Plan>(compiled);
}

executions::Limits limits_of(const Arguments& arguments) {
  executions::Limits limits;
  limits.candidates = arguments.count("max-candidates", limits.candidates);
  limits.seconds = arguments.seconds("timeout", limits.seconds);
  const std::uint64_t bound = arguments.count("unroll", limits.loop_bound);
  if (bound == 0 || bound > 1000)
    throw InputError("thinair: error: --unroll takes a number from 1 to 1000");
  limits.loop_bound = static_cast<std::uint32_t>(bound);
  return limits;
}

cat::LoadOptions load_options(const Arguments& arguments) {
  cat::LoadOptions options;
  options.include_path = arguments.texts("include");
  return options;
}

} // namespace thinair::cli
