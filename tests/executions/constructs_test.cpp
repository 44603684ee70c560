// One model written with every construct that models of herd7's library use (mutual recursion,
// functions of functions, recursion over sets, choices that are listed), against the same written
// plainly: the same states and executions. Needs no herd7.
#include "machine/x86/front_end.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "tests/executions/small_programs.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace thinair::executions {
namespace {

using graph::Architecture;

constexpr const char* plain = R"("plain"
include "cos.cat"
let com = rf | co | fr
let within = try iico with 0
acyclic po | within | com as sc
empty rmw & (fre; coe) as atomicity
)";

constexpr const char* mutually_recursive = R"("mutual recursion"
include "cos.cat"
let com = rf | co | fr
let within = try iico with 0
let rec by-thread = po | within | by-memory; (po | within) | by-thread; (po | within)
and by-memory = com | by-thread; com | by-memory; com
irreflexive by-thread | by-memory as sc
empty rmw & (fre; coe) as atomicity
)";

/// Functions as arguments and results; events gathered one by one.
constexpr const char* functional = R"("functions"
include "cos.cat"
let within = try iico with 0
let twice f = fun x -> f (f x)
let grown r = r | r; r
let both (f, g) = fun x -> g (f x)
let long-paths = both (twice grown, twice (twice grown))
let fold f =
  let rec go s = match s with
  || {} -> 0
  || e ++ es -> f e | go es
  end in go
let steps = po | within | rf | co | fr
let each-alone = fold (fun e -> [{e}]; steps) _
irreflexive long-paths each-alone as sc
empty rmw & (fre; coe) as atomicity
)";

/// cross.cat as it is written, without the native search for orders.
constexpr const char* listed = R"("listed orders"
include "cross.cat"
let chosen = generate_cos co0
with co from chosen
let fr = (rf^-1; co) \ id
let within = try iico with 0
acyclic po | within | rf | co | fr as sc
empty rmw & (fr & ext); (co & ext) as atomicity
)";

cat::Plan load(const char* text, Architecture architecture, bool native) {
  cat::LoadOptions options;
  options.native_orders = native;
  options.as_plain = true;
  return cat::load_model(text::Source{"m.cat", text}, architecture, options);
}

void compare(const litmus::Test& test, Architecture architecture) {
  SCOPED_TRACE(litmus::print(test));
  Options all;
  all.depth = Depth::executions;
  const auto expected = behaviours(test, load(plain, architecture, true), all);
  for (const char* model : {mutually_recursive, functional, listed}) {
    const auto plan = load(model, architecture, model != listed);
    const auto found = behaviours(test, plan, all);
    EXPECT_EQ(found.behaviours, expected.behaviours) << model;
    EXPECT_EQ(found.executions, expected.executions) << model;
    EXPECT_EQ(behaviours(test, plan).behaviours, expected.behaviours) << model;
  }
}

TEST(Constructs, MeanTheSameOnJavaPrograms) {
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    compare(SmallJava(seed, 3).make(), Architecture::java);
}

TEST(Constructs, MeanTheSameOnX86Programs) {
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    compare(SmallX86(seed, 3).make(), x86::architecture);
}

} // namespace
} // namespace thinair::executions
