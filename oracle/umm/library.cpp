// The embedded transition tables: models/pram.umm is "pram".
#include "oracle/umm/model.h"

#include <algorithm>

namespace thinair::umm {
namespace {

constexpr auto embedded = std::to_array<ShippedModel>({
#include "oracle/umm/embedded.inc"
});

} // namespace

std::span<const ShippedModel> shipped_models() { return embedded; }

std::optional<Model> find_model(std::string_view name) {
  const auto found = std::ranges::find(embedded, std::string(name) + ".umm", &ShippedModel::file);
  if (found == embedded.end()) return std::nullopt;
  return parse_model({std::string(found->file), std::string(found->text)});
}

} // namespace thinair::umm
