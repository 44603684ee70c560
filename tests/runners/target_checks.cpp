// Loads models, and runs code by a machine's engines.
#include "tests/runners/target_checks.h"

#include "litmus/walk.h"
#include "oracle/cat/model.h"
#include "runners/hardware.h"

#include <algorithm>
#include <map>

namespace thinair::runners {

const cat::Plan& model(const std::string& name) {
  static std::map<std::string, cat::Plan> all;
  const auto found = all.find(name);
  if (found != all.end()) return found->second;
  return all.emplace(name, cat::load_model(name, cat::Architecture::java)).first->second;
}

SoundnessResult check(const litmus::Test& test, lower::Target& target,
                      const std::string& model_name, std::string_view engine) {
  const Processor processor(target.machine(), engine);
  const Hardware hardware = [&](const litmus::Test& code) { return processor.run(code, {}); };
  return check_soundness(test, model(model_name), target, hardware);
}

bool fails_for_no_reason(const litmus::Test& test) {
  bool found = false;
  for (const auto& thread : test.java().threads)
    litmus::for_each_statement(thread.body, [&](const litmus::Statement& statement) {
      const auto* access = std::get_if<litmus::Access>(&statement.node);
      found = found || (access != nullptr && litmus::info(access->method).action ==
                                                 litmus::Action::weak_compare_and_set);
    });
  return found;
}

std::string word_of(const testing::TestParamInfo<std::string>& info) {
  std::string out = info.param;
  std::ranges::replace_if(out, [](char c) { return c == ':' || c == '-'; }, '_');
  return out;
}

} // namespace thinair::runners
