// The embedded scheme files: schemes/x86-table2.scheme is "x86:table2".
#include "litmus/test.h"
#include "litmus/text/error.h"
#include "lower/scheme.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {
namespace {

constexpr auto embedded = std::to_array<ShippedScheme>({
#include "lower/embedded.inc"
});

/// "x86:table2" for "x86-table2.scheme"; the name itself where it is neither.
std::string file_of(std::string_view name) {
  std::string file(name);
  if (const auto colon = file.find(':'); colon != std::string::npos) file[colon] = '-';
  return file + ".scheme";
}

} // namespace

text::Source source_of(const ShippedScheme& shipped) {
  return {std::string(shipped.file), std::string(shipped.text)};
}

std::vector<ShippedScheme> shipped_schemes(Machine machine) {
  std::vector<ShippedScheme> result;
  for (const auto& shipped : embedded)
    if (shipped.file.substr(0, shipped.file.find('-')) == info(machine).prefix)
      result.push_back(shipped);
  return result;
}

std::optional<ShippedScheme> shipped_file(std::string_view name) {
  const auto found = std::ranges::find(embedded, file_of(name), &ShippedScheme::file);
  return found == embedded.end() ? std::nullopt : std::optional(*found);
}

text::Source base_of(const text::Source& from, const SchemeHead& head, int depth) {
  constexpr int deepest = 8;
  if (depth == deepest)
    throw InputError::in(from.name,
                         fmt::format("more than {} schemes that are like one another", deepest));
  text::Source base;
  if (const auto shipped = shipped_file(head.like)) {
    base = source_of(*shipped);
  } else if (head.like.ends_with(".scheme")) {
    const auto slash = from.name.rfind('/');
    const auto folder = slash == std::string::npos ? "" : from.name.substr(0, slash + 1);
    base = litmus::read_file(folder + head.like);
  } else {
    std::vector<std::string> names;
    for (const auto& other : shipped_schemes(machine_of(head.name)))
      names.push_back(scheme_head(source_of(other)).name);
    const auto near = nearest(head.like, names);
    throw InputError::in(
        from.name,
        fmt::format("no scheme is called \"{}\", which this one is to be like{}", head.like,
                    near ? fmt::format("\n  hint: did you mean {}?", *near) : std::string()));
  }
  const auto other = scheme_head(base).name;
  if (machine_of(other) != machine_of(head.name))
    throw InputError::in(from.name, fmt::format("{} is for another machine than {}, which it is to "
                                                "be like",
                                                head.name, other));
  return base;
}

std::optional<Scheme> find_scheme(std::string_view name) {
  const auto shipped = shipped_file(name);
  if (!shipped) return std::nullopt;
  return parse_scheme(source_of(*shipped));
}

} // namespace thinair::lower
