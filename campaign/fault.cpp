// A fault as JSON.
#include "campaign/fault.h"

#include "litmus/text/json.h"

namespace thinair::campaign {

std::string to_json(const Fault& fault) {
  std::vector<std::string> parts;
  for (const auto& part : fault.parts) parts.push_back(json::quote(part));
  return json::Object()
      .raw("parts", json::array(parts))
      .string("kind", fault.kind)
      .string("sentence", fault.sentence)
      .string("change", fault.change)
      .text();
}

} // namespace thinair::campaign
