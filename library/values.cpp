// Models and programs: reading, copying, naming.
#include "library/guard.h"
#include "library/hidden.h"
#include "litmus/text/error.h"
#include "models/library.h"

#include <fmt/format.h>

namespace thinair {
namespace {

template <class From>
Result<Model> load_from(const From& from, const ModelOptions& options) {
  return guarded([&] {
    if (!options.causality.empty()) oracle::rule_set_named(options.causality);
    cat::LoadOptions load;
    load.include_path = options.include;
    load.as_plain = options.as_plain;
    return Model(std::make_unique<const Model::Hidden>(
        Model::Hidden{cat::LoadedModel(from, load), options.causality, options.identity}));
  });
}

Program program_of(const text::Source& source) {
  return Program(std::make_unique<const Program::Hidden>(Program::Hidden{litmus::parse(source)}));
}

} // namespace

std::string_view version() { return THINAIR_VERSION; }

Result<Model> Model::load(const std::string& name_or_path, const ModelOptions& options) {
  return load_from(name_or_path, options);
}

Result<Model> Model::parse(const std::string& text, const std::string& name,
                           const ModelOptions& options) {
  return load_from(text::Source{name, text}, options);
}

std::vector<std::string> Model::shipped() {
  std::vector<std::string> names;
  for (const auto& file : models::files())
    if (!file.name.starts_with("library/"))
      names.emplace_back(file.name.substr(0, file.name.rfind('.')));
  return names;
}

const std::string& Model::name() const { return hidden_->loaded.name(); }

Model::Model(std::unique_ptr<const Hidden> hidden) : hidden_(std::move(hidden)) {}
Model::Model(const Model& other) : hidden_(std::make_unique<const Hidden>(*other.hidden_)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model other) noexcept {
  hidden_ = std::move(other.hidden_);
  return *this;
}
Model::~Model() = default;

Result<Program> Program::parse(const std::string& text, const std::string& name) {
  return guarded([&] { return program_of({name, text}); });
}

Result<Program> Program::read(const std::string& path) {
  return guarded([&] { return program_of(litmus::read_file(path)); });
}

const std::string& Program::name() const { return hidden_->test.name; }
std::string Program::text() const { return litmus::print(hidden_->test); }

std::vector<std::string> Program::questions() const {
  std::vector<std::string> outcomes;
  for (const auto& clause : hidden_->test.clauses)
    outcomes.push_back(litmus::to_string(clause.proposition));
  return outcomes;
}

Program::Program(std::unique_ptr<const Hidden> hidden) : hidden_(std::move(hidden)) {}
Program::Program(const Program& other) : hidden_(std::make_unique<const Hidden>(*other.hidden_)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program other) noexcept {
  hidden_ = std::move(other.hidden_);
  return *this;
}
Program::~Program() = default;

oracle::Options oracle_options(const Model::Hidden& model, const Limits& limits) {
  oracle::Options out;
  out.rules = model.causality;
  if (model.identity == Identity::free) out.switches.identity = causality::Identity::free;
  auto& most = out.limits;
  most.seconds = limits.seconds.value_or(most.seconds);
  most.candidates = limits.candidates.value_or(most.candidates);
  most.loop_bound = limits.unroll.value_or(most.loop_bound);
  most.graphs = limits.graphs.value_or(most.graphs);
  most.states = limits.states.value_or(most.states);
  return out;
}

} // namespace thinair
