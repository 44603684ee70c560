// Cores as stores keep them.
#include "oracle/explain/core.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace thinair::explain {
namespace {

// No name in a model has a space in it, so that these are told apart from one.
constexpr std::string_view by_values = "no execution has these values";
constexpr std::string_view not_known = "not worked out";
constexpr std::string_view rules_word = "causality ";
constexpr std::string_view order_prefix = "order ";
constexpr std::string_view separator = ", ";
constexpr std::string_view colon = ": ";

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return parts;
}

} // namespace

std::string as_text(const Core& core) {
  switch (core.kind) {
  case Core::Kind::values: return std::string(by_values);
  case Core::Kind::unknown: return std::string(not_known);
  case Core::Kind::model: break;
  }
  auto parts = core.axioms;
  if (!core.rules.empty()) parts.push_back(std::string(rules_word) + core.rules);
  if (!core.order.empty()) parts.push_back(std::string(order_prefix) + core.order);
  return core.definitions.empty() ? fmt::format("{}", fmt::join(parts, separator))
                                  : fmt::format("{}{}{}", fmt::join(parts, separator), colon,
                                                fmt::join(core.definitions, separator));
}

Core core_in(std::string_view text) {
  Core core;
  if (text == not_known) return core;
  core.kind = text == by_values ? Core::Kind::values : Core::Kind::model;
  if (core.kind == Core::Kind::values) return core;
  const auto end = text.find(colon);
  for (const auto part : parts_of(text.substr(0, end))) {
    if (part.starts_with(rules_word) && core.rules.empty())
      core.rules = part.substr(rules_word.size());
    else if (part.starts_with(order_prefix) && core.order.empty())
      core.order = part.substr(order_prefix.size());
    else
      core.axioms.emplace_back(part);
  }
  if (end != std::string_view::npos)
    for (const auto part : parts_of(text.substr(end + colon.size())))
      core.definitions.emplace_back(part);
  return core;
}

} // namespace thinair::explain
