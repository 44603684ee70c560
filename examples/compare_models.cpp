// What does one model allow a test that another forbids? usage: compare_models MODEL MODEL TEST
//
// Exit status: 0 they allow the same, 1 they differ, 2 wrong use or input, 3 that is not decided.
#include <thinair/thinair.h>

#include <algorithm>
#include <iostream>

namespace {

int fail(const thinair::Error& error) {
  std::cerr << error.message << '\n';
  return error.kind == thinair::Error::Kind::input ? 2 : 3;
}

/// Prints the states of `some` that `others` lacks; whether there are any.
bool only(const thinair::Behaviours& some, const thinair::Behaviours& others,
          const std::string& model) {
  bool any = false;
  for (const auto& state : some.states) {
    const auto same = [&](const thinair::State& other) { return other.text == state.text; };
    if (std::any_of(others.states.begin(), others.states.end(), same)) continue;
    std::cout << "only " << model << " allows " << state.text << '\n';
    any = true;
  }
  return any;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: compare_models MODEL MODEL TEST\n";
    return 2;
  }
  const auto first = thinair::Model::load(argv[1]);
  if (!first) return fail(first.error());
  const auto second = thinair::Model::load(argv[2]);
  if (!second) return fail(second.error());
  const auto program = thinair::Program::read(argv[3]);
  if (!program) return fail(program.error());

  const auto by_first = thinair::behaviours(*program, *first);
  if (!by_first) return fail(by_first.error());
  const auto by_second = thinair::behaviours(*program, *second);
  if (!by_second) return fail(by_second.error());
  for (const auto* found : {&*by_first, &*by_second})
    if (!found->complete) {
      std::cout << "undecided: " << found->reason << '\n';
      return 3;
    }
  const bool more = only(*by_first, *by_second, first->name());
  const bool fewer = only(*by_second, *by_first, second->name());
  if (!more && !fewer)
    std::cout << first->name() << " and " << second->name() << " allow the same "
              << by_first->states.size() << " states\n";
  return more || fewer ? 1 : 0;
}
