// The model that tests are asked under: the one that was named, or what each test's language has.
#pragma once

#include "cli/question.h"
#include "oracle/cat/loaded_model.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace thinair::cli {

inline constexpr Option asked_model_option = {
    .name = "model",
    .letter = 'm',
    .takes = Takes::model,
    .value = "M",
    .help = "the model: a name that 'thinair models' lists, or a .cat file; where none is given, "
            "java, and for a test in a machine's language that machine's"};

/// The name of the model that says what programs of the test's language may do.
std::string usual_model(const litmus::Test& test);

/// All but the constructor may be called by several threads at once.
class AskedModel {
 public:
  /// From --model, --include and the options of models. Throws what is wrong with a model that is
  /// named; of the others that comes with the first test that asks for one.
  explicit AskedModel(const Arguments& arguments);

  std::string name(const litmus::Test& test) const;
  const cat::Plan& plan(const litmus::Test& test) const { return loaded(test).plan(test); }
  /// Null where the model does not fit the test's language.
  const cat::Plan* find(const litmus::Test& test) const { return loaded(test).find(test); }

 private:
  const cat::LoadedModel& loaded(const litmus::Test& test) const;

  cat::LoadOptions load_;
  std::optional<cat::LoadedModel> named_;
  mutable std::mutex mutex_; // of what is loaded when a test asks
  mutable std::map<std::string, cat::LoadedModel> usual_;
};

} // namespace thinair::cli
