// A model as the implementation.
#include "campaign/model_target.h"

#include "campaign/judged_target.h"
#include "litmus/text/error.h"
#include "models/library.h"
#include "oracle/explain/examples.h"

#include <fmt/format.h>

namespace thinair::campaign {
namespace {

constexpr std::string_view model_prefix = "model:";

class ModelTarget : public JudgedTarget {
 public:
  ModelTarget(const std::string& name, const Against& against)
      : JudgedTarget(name, against), other_(name.substr(model_prefix.size())),
        implementation_(cat::load_model(other_, cat::Architecture::java, against.load)) {}

  std::string content() const override { return implementation_.content; }
  litmus::Constructs known() const override { return implementation_.meaning.known; }

  Look look(const litmus::Test& test) override {
    const auto found = in_time([&](const auto& options) {
      return runners::check_soundness(test, model(), implementation_, options);
    });
    Look out;
    out.judged = found;
    out.code = litmus::print(found.code);
    return out;
  }

 protected:
  runners::Judged judged(const litmus::Test& test,
                         const runners::SoundnessOptions& options) override {
    return runners::check_soundness(test, model(), implementation_, options);
  }

  void show(Explanation& out, const litmus::Test& test, const Look& /*look*/,
            const litmus::Proposition& asked) override {
    out.drawings.push_back(
        drawn("An execution that " + other_ + " allows",
              explain::example(test, implementation_, asked, explaining_limits()), ""));
  }

 private:
  const std::string other_;
  const cat::Plan implementation_;
};

/// Whether a shipped model is one of Java: others speak of events that Java programs do not have.
bool is_of_java(const std::string& name) {
  try {
    cat::load_model(name, cat::Architecture::java);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::vector<std::string> model_names() {
  std::vector<std::string> out;
  for (const auto& file : models::files()) {
    const std::string name(file.name.substr(0, file.name.rfind('.')));
    if (!file.name.starts_with("library/") && is_of_java(name))
      out.push_back(std::string(model_prefix) + name);
  }
  return out;
}

std::unique_ptr<Target> make_model(const std::string& name, const Against& against) {
  if (!against.engine.empty())
    throw InputError(fmt::format("error: engine {} has no meaning for {}: a model runs no code",
                                 against.engine, name));
  return std::make_unique<ModelTarget>(name, against);
}

} // namespace

const TargetKind model_kind = {
    .prefix = std::string(model_prefix),
    .form = "model:M",
    .help = "everything that another model allows, by its name or .cat file",
    .names = model_names,
    .make = make_model,
};

} // namespace thinair::campaign
