// Building a mutant, noticing it, and timing that.
#include "gen/generator.h"
#include "litmus/canonical.h"
#include "litmus/text/error.h"
#include "machine/x86/code/store_buffers.h"
#include "runners/soundness.h"
#include "tests/mutants/mutants.h"

#include <time.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace thinair::mutants {
namespace {

/// One rule of a scheme file: "get, getOpaque" and "{ mov dst, [x] }".
struct Block {
  std::vector<std::string> operations;
  std::string code;
};

/// The rules of a text in the format of scheme files, which has been read before: no error is left.
std::vector<Block> blocks_of(std::string_view text) {
  std::vector<Block> blocks;
  while (true) {
    const auto open = text.find('{');
    if (open == std::string_view::npos) return blocks;
    const auto close = text.find('}', open);
    Block block;
    std::string word;
    for (const char c : std::string(text.substr(0, open)) + ",") {
      const bool part = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (part) word += c;
      if (!part && !word.empty()) block.operations.push_back(std::exchange(word, {}));
    }
    block.code = text.substr(open, close + 1 - open);
    blocks.push_back(std::move(block));
    text.remove_prefix(close + 1);
  }
}

std::string text_of(const Block& block) {
  std::string text;
  for (const auto& operation : block.operations) text += (text.empty() ? "" : ", ") + operation;
  return text + " " + block.code + "\n";
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

litmus::Test as_test(const litmus::Program& program) {
  litmus::Test test;
  test.name = "program";
  test.program = program;
  return test;
}

gen::Profile profile_of(const Mutant& mutant) {
  auto profile = gen::load_profile(mutant.profile);
  profile.wide = mutant.wide;
  return profile;
}

} // namespace

lower::Scheme scheme_of(const Mutant& mutant) {
  const auto own = blocks_of(mutant.rules);
  std::string text = "scheme x86:mutant \"" + std::string(mutant.mistake) + "\"\n";
  std::set<std::string> replaced;
  for (const auto& block : own) {
    replaced.insert(block.operations.begin(), block.operations.end());
    text += text_of(block);
  }
  const std::string table2 = print(*lower::find_scheme("x86:table2"));
  for (auto& block : blocks_of(std::string_view(table2).substr(table2.rfind("\"") + 1))) {
    std::erase_if(block.operations, [&](const auto& name) { return replaced.contains(name); });
    if (!block.operations.empty()) text += text_of(block);
  }
  return lower::parse_scheme({std::string(mutant.name), text});
}

Detector::Detector(const Mutant& mutant, const cat::Plan& model)
    : mutant_(mutant), model_(model), target_(scheme_of(mutant)),
      right_(lower::Target::named("x86:table2")) {}

gen::Interest Detector::operator()(const litmus::Program& program) try {
  const auto hardware = [](const litmus::Test& test) { return runners::x86_machine(test); };
  const auto test = as_test(program);
  auto lowered = target_.lower(mutant_.rewrite ? mutant_.rewrite(program) : program);
  const auto wrong =
      runners::check_soundness(test, model_, std::move(lowered), mutant_.name, hardware);
  if (wrong.verdict == runners::Soundness::unknown) return gen::Interest::unknown;
  if (wrong.verdict == runners::Soundness::sound) return gen::Interest::no;
  const auto right = runners::check_soundness(test, model_, right_, hardware);
  const auto of_table2 = [&](const auto& b) {
    return std::ranges::find(right.behaviours, b) != right.behaviours.end();
  };
  return std::ranges::all_of(wrong.forbidden, of_table2) ? gen::Interest::no : gen::Interest::yes;
} catch (const Unsupported&) {
  return gen::Interest::unknown;
} catch (const LimitReached&) {
  return gen::Interest::unknown;
}

std::optional<Catch> hunt(const Mutant& mutant, const cat::Plan& model, std::uint64_t seed,
                          double seconds) {
  Detector detector(mutant, model);
  gen::Generator generator(profile_of(mutant), seed, 0);
  const double began = processor_seconds();
  Catch caught;
  while (processor_seconds() - began < seconds) {
    const auto program = generator.next().program;
    ++caught.programs;
    if (detector(program) != gen::Interest::yes) continue;
    const double found = processor_seconds();
    caught.seconds = found - began;
    caught.program = litmus::canonical(gen::reduce(program, std::ref(detector)).program);
    caught.reduce_seconds = processor_seconds() - found;
    return caught;
  }
  return std::nullopt;
}

} // namespace thinair::mutants
