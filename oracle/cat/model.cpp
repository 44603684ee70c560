// The entry points: by name, by text, check only.
#include "oracle/cat/model.h"

#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "models/library.h"
#include "oracle/cat/finish.h"
#include "oracle/cat/session.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace thinair::cat {
namespace {

std::string known_models() {
  std::string result;
  for (const auto& file : models::files()) {
    if (file.name.starts_with("library/")) continue;
    if (!result.empty()) result += ", ";
    result += file.name.substr(0, file.name.size() - 4);
  }
  return result;
}

[[noreturn]] void fail_not_found(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& file : models::files())
    if (!file.name.starts_with("library/"))
      names.emplace_back(file.name.substr(0, file.name.size() - 4));
  const auto close = nearest(name, names);
  throw InputError(fmt::format(
      "error: no model '{}': neither a file nor one of {}{}", text::printable_word(name),
      known_models(), close ? fmt::format("\n  hint: did you mean '{}'?", *close) : std::string()));
}

text::Source source_of(std::string_view name_or_path) {
  if (const auto file = models::find_model(name_or_path))
    return {std::string(file->name), std::string(file->text)};
  const std::filesystem::path path{name_or_path};
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) fail_not_found(name_or_path);
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw InputError(fmt::format("error: cannot read '{}'", text::printable_word(name_or_path)));
  return {path.string(), {std::istreambuf_iterator<char>(in), {}}};
}

} // namespace

Plan load_model(std::string_view name_or_path, Architecture architecture,
                const LoadOptions& options) {
  Plan plan = load_model(source_of(name_or_path), architecture, options);
  plan.meaning.model = name_or_path;
  return plan;
}

Plan load_model(const text::Source& source, Architecture architecture, const LoadOptions& options) {
  Session session(architecture, options);
  session.run(source);
  if (session.has_assertions) throw Unsupported("'assert' in a model that is to be run");
  Plan plan = finish(session, architecture);
  plan.limits = {options.max_steps, options.max_depth};
  plan.meaning.as_plain = options.as_plain;
  plan.meaning.model = source.name;
  return plan;
}

std::vector<std::string> check_model(const text::Source& source, const LoadOptions& options) {
  Session session(std::nullopt, options);
  session.run(source);
  finish(session, Architecture::java);
  session.check_unused();
  return session.warnings;
}

} // namespace thinair::cat
