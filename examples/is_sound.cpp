// Is my compilation scheme sound for this test? usage: is_sound MODEL SCHEME TEST
//
// A scheme is a file (docs/lowering.md of thinair says how to write one) or a name: x86:table2.
// Exit status: 0 it is, 1 it is not, 2 wrong use or input, 3 that is not decided.
#include <thinair/thinair.h>

#include <iostream>

namespace {

int fail(const thinair::Error& error) {
  std::cerr << error.message << '\n';
  return error.kind == thinair::Error::Kind::input ? 2 : 3;
}

/// What the target does with the program that the model forbids, beside the code.
void show(const thinair::Soundness& found, const thinair::Code& code) {
  for (const auto& state : found.forbidden) std::cout << "  forbidden: " << state.text << '\n';
  std::cout << code.side_by_side;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: is_sound MODEL SCHEME TEST\n";
    return 2;
  }
  const auto model = thinair::Model::load(argv[1]);
  if (!model) return fail(model.error());
  const std::string scheme = argv[2];
  const auto program = thinair::Program::read(argv[3]);
  if (!program) return fail(program.error());

  const auto found = thinair::sound(*program, *model, scheme);
  if (!found) return fail(found.error());
  std::cout << program->name() << " by " << scheme << " under " << model->name() << ": "
            << to_string(found->answer) << '\n';
  switch (found->answer) {
  case thinair::Soundness::Answer::sound: return 0;
  case thinair::Soundness::Answer::mismatches: {
    const auto code = thinair::lower_to(scheme, *program);
    if (!code) return fail(code.error());
    show(*found, *code);
    return 1;
  }
  case thinair::Soundness::Answer::unknown:
  case thinair::Soundness::Answer::vacuous: std::cout << "  " << found->reason << '\n';
  }
  return 3;
}
