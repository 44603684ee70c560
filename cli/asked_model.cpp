// Loads a language's usual model when the first test of that language comes.
#include "cli/asked_model.h"

#include "machine/table.h"

namespace thinair::cli {

std::string usual_model(const litmus::Test& test) {
  const auto* machine = machine::machine_named(test.language->machine);
  return machine == nullptr ? "java" : std::string(machine->model);
}

AskedModel::AskedModel(const Arguments& arguments) : load_(load_options(arguments)) {
  if (const auto model = arguments.text("model")) named_.emplace(*model, load_);
}

std::string AskedModel::name(const litmus::Test& test) const {
  return named_ ? named_->name() : usual_model(test);
}

const cat::LoadedModel& AskedModel::loaded(const litmus::Test& test) const {
  if (named_) return *named_;
  const std::string name = usual_model(test);
  const std::scoped_lock guard(mutex_);
  auto found = usual_.find(name);
  if (found == usual_.end()) found = usual_.try_emplace(name, name, load_).first;
  return found->second;
}

} // namespace thinair::cli
