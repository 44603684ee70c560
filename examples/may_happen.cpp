// May this outcome happen, and why? usage: may_happen MODEL TEST [OUTCOME]
//
// Without an outcome the test's own questions are answered. Exit status: 0 all is decided, 2 wrong
// use or input, 3 some answer is unknown or vacuous.
#include <thinair/thinair.h>

#include <algorithm>
#include <iostream>

namespace {

int fail(const thinair::Error& error) {
  std::cerr << error.message << '\n';
  return error.kind == thinair::Error::Kind::input ? 2 : 3;
}

/// Prints the answer with its reason.
int answer(const thinair::Program& program, const std::string& outcome,
           const thinair::Model& model) {
  thinair::Limits limits;
  limits.seconds = 10;
  const auto found = thinair::why(program, outcome, model, limits);
  if (!found) return fail(found.error());
  std::cout << outcome << " is " << to_string(found->verdict.answer) << " under " << model.name()
            << '\n'
            << found->text;
  return found->verdict.answer == thinair::Answer::allowed ||
                 found->verdict.answer == thinair::Answer::forbidden
             ? 0
             : 3;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::cerr << "usage: may_happen MODEL TEST [OUTCOME]\n";
    return 2;
  }
  const auto model = thinair::Model::load(argv[1]);
  if (!model) return fail(model.error());
  const auto program = thinair::Program::read(argv[2]);
  if (!program) return fail(program.error());
  int status = 0;
  const auto outcomes = argc == 4 ? std::vector<std::string>{argv[3]} : program->questions();
  for (const auto& outcome : outcomes) status = std::max(status, answer(*program, outcome, *model));
  return status;
}
