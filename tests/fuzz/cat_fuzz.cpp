// Fuzzes the reader and compiler of models: any bytes become a plan or are refused, and a plan is
// well formed.
#include "litmus/text/error.h"
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/cat/node_graph.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using namespace thinair;

std::optional<cat::Plan> load(const std::string& text, cat::Architecture architecture) {
  cat::LoadOptions options;
  options.max_steps = 20'000;
  try {
    return cat::load_model(text::Source{"fuzz", text}, architecture, options);
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const Unsupported&) {
    return std::nullopt;
  } catch (const LimitReached&) {
    return std::nullopt;
  }
}

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const cat::Plan& plan) {
  require(plan.judged <= plan.nodes.size());
  for (cat::NodeId id = 0; id < plan.nodes.size(); ++id) {
    const auto& node = plan.nodes[id];
    for (const auto operand : cat::operands_of(node)) require(operand < id);
    if (node.op == cat::Op::choice) require(node.a < plan.choices.size());
    if (node.op == cat::Op::variable) require(node.a < plan.fixpoints.size());
    if (node.op == cat::Op::interpreted) require(node.a < plan.interpreted.size());
  }
  for (const auto& axiom : plan.axioms) require(axiom.node < plan.judged);
  for (const auto& group : plan.fixpoints)
    for (const auto body : group.bodies)
      require(body + group.variables.size() >= group.first && body < group.last);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const auto architecture : {cat::Architecture::java, x86::architecture})
    if (const auto plan = load(text, architecture)) check(*plan);
  return 0;
}
