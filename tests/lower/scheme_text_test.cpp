// Schemes as text, rule by rule; and the strongest scheme of each machine.
#include "litmus/text/error.h"
#include "lower/scheme_text.h"
#include "lower/target.h"

#include <gtest/gtest.h>

namespace thinair::lower {
namespace {

/// Every scheme, shipped for whatever machine.
std::vector<std::string> schemes() {
  std::vector<std::string> out;
  for (const auto& target : targets())
    if (!level_of(target.name)) out.push_back(target.name);
  return out;
}

TEST(SchemeText, SaysTheSameWhenPrinted) {
  for (const auto& name : schemes()) {
    const SchemeText read(scheme_source(name));
    EXPECT_EQ(read.name(), name);
    EXPECT_EQ(Target::of_scheme(read.source()).content(), Target::named(name).content()) << name;
    const SchemeText again(read.source());
    EXPECT_EQ(again.source().text, read.source().text) << name;
  }
}

TEST(SchemeText, ChangesOneOperationAlone) {
  SchemeText text(scheme_source("x86:table2"));
  const auto before = text;
  text.set_code(litmus::Method::getAcquire, text.code(litmus::Method::getAcquire) + "mfence\n");
  const SchemeText changed(text.source());
  for (std::size_t i = 0; i < operation_count; ++i) {
    const auto operation = operation_at(i);
    const bool same = changed.code(operation) == before.code(operation);
    EXPECT_EQ(same, operation != Operation(litmus::Method::getAcquire)) << name(operation);
  }
  EXPECT_EQ(changed.code(litmus::Method::getAcquire), "mov dst, [x]\nmfence\n");
}

TEST(SchemeText, KnowsTheLineOfEachRule) {
  const SchemeText text({"mine.scheme", print(*find_scheme("x86:table2"))});
  const std::string all = scheme_source("x86:table2").text;
  const SchemeText own(scheme_source("x86:table2"));
  const auto line = own.line(litmus::Method::setVolatile);
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < line; ++i) at = all.find('\n', at) + 1;
  EXPECT_TRUE(all.substr(at).starts_with("setVolatile {"));
}

TEST(SchemeText, IsNotReadFromWhatIsNoScheme) {
  EXPECT_THROW(SchemeText({"x", "no scheme"}), InputError);
  EXPECT_THROW(SchemeText({"x", "scheme x86:one\nget { mov dst, [x] }\n"}), InputError);
  EXPECT_THROW(scheme_source("x86:nothing"), InputError);
}

TEST(FencedScheme, EveryMachineHasOne) {
  for (const auto& machine : machines())
    EXPECT_NO_THROW(Target::named(std::string(machine->prefix) + ":fenced")) << machine->prefix;
}

} // namespace
} // namespace thinair::lower
