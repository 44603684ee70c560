// What scheme files say, rule by rule; and the strongest scheme of each machine.
#include "litmus/text/error.h"
#include "lower/target.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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
    const auto shipped = Target::named(name);
    const std::string text = print(shipped.scheme());
    const auto again = Target::of_scheme({"printed", text});
    EXPECT_EQ(shipped.scheme().name(), name);
    EXPECT_EQ(print(again.scheme()), text);
    EXPECT_EQ(again.content(), shipped.content()) << name;
  }
}

TEST(SchemeText, ChangesOneOperationAlone) {
  const auto before = Target::named("x86:table2").scheme();
  auto text = before;
  text.set_code(litmus::Method::getAcquire, text.code(litmus::Method::getAcquire) + "mfence\n");
  const auto changed = Target::of_scheme({"changed", print(text)}).scheme();
  for (std::size_t i = 0; i < operation_count; ++i) {
    const auto operation = operation_at(i);
    const bool same = changed.code(operation) == before.code(operation);
    EXPECT_EQ(same, operation != Operation(litmus::Method::getAcquire)) << name(operation);
  }
  EXPECT_EQ(changed.code(litmus::Method::getAcquire), "  mov dst, [x]\n  mfence\n");
}

/// The line of a file, by its number from 1.
std::string line_of(std::string_view text, std::uint32_t number) {
  for (std::uint32_t i = 1; i < number; ++i) text.remove_prefix(text.find('\n') + 1);
  return std::string(text.substr(0, text.find('\n')));
}

TEST(SchemeText, KnowsTheFileAndLineOfEachRule) {
  const std::string mine = "scheme x86:mine like x86:table2\n\nfullFence {\n  mfence\n}\n";
  const auto scheme = Target::of_scheme({"mine.scheme", mine}).scheme();
  EXPECT_EQ(scheme.file(litmus::Fence::full), "mine.scheme");
  EXPECT_EQ(scheme.line(litmus::Fence::full), 3U);
  const auto base = shipped_file("x86:table2").value();
  EXPECT_EQ(scheme.file(litmus::Method::setVolatile), base.file);
  EXPECT_EQ(line_of(base.text, scheme.line(litmus::Method::setVolatile)), "setVolatile {");
}

TEST(SchemeText, ABaseBringsItsPeepholesAndNoMoreThanTheLimitAreTaken) {
  const std::string head = "scheme riscv:a like riscv:hotspot-c2\n";
  const auto before = Target::named("riscv:hotspot-c2").scheme().peepholes().size();
  const std::string one = "drop { fence rw, w } before { fence rw, w } across set\n";
  std::string all = head;
  for (std::size_t i = before; i < most_peepholes; ++i) all += one;
  EXPECT_EQ(Target::of_scheme({"a", all}).scheme().peepholes().size(), most_peepholes);
  EXPECT_THROW(Target::of_scheme({"a", all + one}), InputError);
}

TEST(SchemeText, IsNotReadFromWhatIsNoScheme) {
  EXPECT_THROW(Target::of_scheme({"x", "no scheme"}), InputError);
  EXPECT_THROW(Target::of_scheme({"x", "scheme x86:one\nget { mov dst, [x] }\n"}), InputError);
  EXPECT_THROW(Target::named("x86:nothing"), InputError);
  EXPECT_THROW(Target::named("mix:x86:table2,x86:jam21").scheme(), InputError);
}

TEST(FencedScheme, EveryMachineHasOne) {
  for (const auto& machine : machines())
    EXPECT_NO_THROW(Target::named(std::string(machine->prefix) + ":fenced")) << machine->prefix;
}

} // namespace
} // namespace thinair::lower
