// Code for AArch64 and RISC-V: what schemes and LLVM make of each access, and what herd7 lacks.
#include "litmus/test.h"
#include "litmus/text/ascii.h"
#include "litmus/text/error.h"
#include "lower/assembly.h"
#include "lower/listing.h"
#include "lower/target.h"
#include "tests/lower/programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace thinair::lower {
namespace {

using litmus::Expression;
using litmus::Method;
using testing::access;
using testing::one_thread;

std::string text_of(const ListingThread& thread) {
  std::string text;
  for (const auto& line : thread.code) {
    for (const auto& label : line.labels) text += label + ": ";
    text += line.text + "; ";
  }
  for (const auto& label : thread.end_labels) text += label + ": ";
  return text;
}

std::string code_of(Target& target, const litmus::Program& program) {
  const auto lowered = target.lower(program);
  std::string text;
  for (const auto& line : code_lines(lowered.program, *lowered.language, 0))
    text += line + (line.ends_with(':') ? " " : "; ");
  return text;
}

std::string access_code(const char* target_name, Method method,
                        std::vector<Expression> arguments = {}) {
  Target target = Target::named(target_name);
  const bool reads = litmus::reads(litmus::info(method).action);
  return code_of(target,
                 one_thread({access(method, 0, std::move(arguments),
                                    reads ? std::optional<std::uint32_t>(0) : std::nullopt)}));
}

TEST(Listing, AStoreAndAnUpdateOnAarch64) {
  const auto one = Expression::number(1);
  EXPECT_EQ(access_code("aarch64:llvm-O2", Method::setVolatile, {one}),
            "MOV W8,#1; STLR W8,[X0]; ");
  EXPECT_EQ(access_code("aarch64:llvm-O2", Method::getAndAdd, {one}),
            "MOV W8,#1; LDADDAL W8,W8,[X0]; ");
}

TEST(Listing, AStoreAndAnUpdateOnRiscv) {
  const auto one = Expression::number(1);
  // since LLVM 19 with a fence behind it, so that acquire loads may be written without one before
  EXPECT_EQ(access_code("riscv:llvm-O2", Method::setVolatile, {one}),
            fmt::format("fence rw,w; addi x11,x0,1; sw x11,0(x10); {}",
                        std::stoi(backend_version()) >= 19 ? "fence rw,rw; " : ""));
  EXPECT_EQ(access_code("riscv:llvm-O2", Method::getAndAdd, {one}),
            "addi x11,x0,1; amoadd.w.aqrl x17,x11,(x10); ");
}

/// The instructions of an operation that access memory or order accesses, without operands; fences
/// with them.
std::string ordering_of(Target& target, const litmus::Statement& statement) {
  const Lowered lowered = target.lower(one_thread({statement}));
  std::vector<std::string> words;
  for (const auto& printed : code_lines(lowered.program, *lowered.language, 0)) {
    const std::string line = text::lower_case(printed);
    const bool fence = line.starts_with("fence") || line.starts_with("dmb");
    if (fence)
      words.push_back(line);
    else if (line.find_first_of("([") != std::string::npos)
      words.push_back(line.substr(0, line.find(' ')));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

struct Order {
  const char* operation;
  const char* aarch64;
  const char* riscv;
};

// clang-format off
/// C++'s mappings: of Armv8.1 with LSE, and table A.6 of the RISC-V specification.
constexpr Order orders[] = {
    {"get", "ldr", "lw"},
    {"set", "str", "sw"},
    {"getOpaque", "ldr", "lw"},
    {"setOpaque", "str", "sw"},
    {"getAcquire", "ldar", "lw; fence r,rw"},
    {"setRelease", "stlr", "fence rw,w; sw"},
    {"getVolatile", "ldar", "fence rw,rw; lw; fence r,rw"},
    {"setVolatile", "stlr", "fence rw,w; sw"},
    {"compareAndSet", "casal", "lr.w.aqrl; sc.w.rl"},
    {"compareAndExchange", "casal", "lr.w.aqrl; sc.w.rl"},
    {"compareAndExchangeAcquire", "casa", "lr.w.aq; sc.w"},
    {"compareAndExchangeRelease", "casl", "lr.w; sc.w.rl"},
    {"weakCompareAndSetPlain", "cas", "lr.w; sc.w"},
    {"weakCompareAndSet", "casal", "lr.w.aqrl; sc.w.rl"},
    {"weakCompareAndSetAcquire", "casa", "lr.w.aq; sc.w"},
    {"weakCompareAndSetRelease", "casl", "lr.w; sc.w.rl"},
    {"getAndSet", "swpal", "amoswap.w.aqrl"},
    {"getAndSetAcquire", "swpa", "amoswap.w.aq"},
    {"getAndSetRelease", "swpl", "amoswap.w.rl"},
    {"getAndAdd", "ldaddal", "amoadd.w.aqrl"},
    {"getAndAddAcquire", "ldadda", "amoadd.w.aq"},
    {"getAndAddRelease", "ldaddl", "amoadd.w.rl"},
    {"getAndBitwiseOr", "ldsetal", "amoor.w.aqrl"},
    {"getAndBitwiseOrAcquire", "ldseta", "amoor.w.aq"},
    {"getAndBitwiseOrRelease", "ldsetl", "amoor.w.rl"},
    {"getAndBitwiseAnd", "ldclral", "amoand.w.aqrl"},
    {"getAndBitwiseAndAcquire", "ldclra", "amoand.w.aq"},
    {"getAndBitwiseAndRelease", "ldclrl", "amoand.w.rl"},
    {"getAndBitwiseXor", "ldeoral", "amoxor.w.aqrl"},
    {"getAndBitwiseXorAcquire", "ldeora", "amoxor.w.aq"},
    {"getAndBitwiseXorRelease", "ldeorl", "amoxor.w.rl"},
    {"fullFence", "dmb ish", "fence rw,rw"},
    {"acquireFence", "dmb ishld", "fence r,rw"},
    {"releaseFence", "dmb ish", "fence rw,w"},
    {"loadLoadFence", "dmb ishld", "fence r,rw"},
    {"storeStoreFence", "dmb ishst", "fence rw,w"},
};
// clang-format on

/// Where LLVM's own mapping is another: it has no store-store fence, and a volatile store on RISC-V
/// has a fence behind it since LLVM 19.
std::string expected_of(const Order& row, std::string_view target) {
  const std::string_view operation = row.operation;
  if (target == "aarch64:llvm-O2" && operation == "storeStoreFence") return "dmb ish";
  if (target == "riscv:llvm-O2" && operation == "setVolatile" && std::stoi(backend_version()) >= 19)
    return fmt::format("{}; fence rw,rw", row.riscv);
  return target.starts_with("aarch64") ? row.aarch64 : row.riscv;
}

litmus::Statement statement_of(std::string_view operation) {
  for (const auto& fence : litmus::fences())
    if (fence.name == operation) return {litmus::FenceStatement{fence.fence}, {}};
  for (const auto& method : litmus::methods()) {
    if (method.name != operation) continue;
    std::vector<Expression> arguments;
    for (int i = 0; i < method.arguments; ++i) arguments.push_back(Expression::number(i + 1));
    const bool reads = litmus::reads(method.action);
    return access(method.method, 0, arguments,
                  reads ? std::optional<std::uint32_t>(0) : std::nullopt);
  }
  throw Bug(fmt::format("no operation {}", operation));
}

TEST(Listing, EveryOperationHasTheOrderingOfItsMapping) {
  ASSERT_EQ(std::size(orders), litmus::methods().size() + litmus::fences().size());
  for (const char* name : {"aarch64:cxx", "aarch64:llvm-O2", "riscv:cxx", "riscv:llvm-O2"}) {
    Target target = Target::named(name);
    for (const Order& row : orders)
      EXPECT_EQ(ordering_of(target, statement_of(row.operation)), expected_of(row, name))
          << name << " " << row.operation;
  }
}

/// The code of a function written in assembly, without what stands around it.
ListingThread listing_of(Machine machine, const std::string& code) {
  Backend backend(Level::O0, machine);
  const auto functions = backend.disassemble(backend.assemble(
      fmt::format("\t.globl P0\n\t.type P0,%function\nP0:\n\t{}\n\t{}\n\t.size P0, .-P0\n", code,
                  info(machine).end_of_thread)));
  return listed(functions.at(0), machine, {});
}

std::string listed_assembly(Machine machine, const std::string& code) {
  return text_of(listing_of(machine, code));
}

/// A jump of RISC-V's is a `jal` without a return address, and nothing behind it runs.
TEST(Listing, AJumpOnRiscvIsAJalThatKeepsNoAddress) {
  EXPECT_EQ(listed_assembly(machine_of("riscv"),
                            ".option norvc\n\tbeq a0, a1, 1f\n\tjal zero, 2f\n\tli a2, 5\n"
                            "1:\tli a3, 6\n2:\tli a4, 7"),
            "beq a0, a1, L0; j L1; L0: addi a3, zero, 6; L1: addi a4, zero, 7; ");
  const Machine riscv = machine_of("riscv");
  EXPECT_THROW(read({riscv, {}, {listing_of(riscv, "jal ra, 1f\n1:\tli a4, 7")}}), Unsupported);
}

/// Registers that the caller wants back go to the stack unseen; a value of the program's does not.
TEST(Listing, OnlyWhatTheCallerWantsBackMayGoToTheStack) {
  EXPECT_EQ(
      listed_assembly(machine_of("aarch64"), "sub sp, sp, #16\n\tstr x19, [sp, #8]\n\tmov w8, #1"),
      "mov w8, #1; ");
  EXPECT_EQ(listed_assembly(machine_of("riscv"), "addi sp, sp, -16\n\tsd s0, 8(sp)\n\tli a2, 1"),
            "addi a2, zero, 1; ");
  EXPECT_THROW(listed_assembly(machine_of("aarch64"), "str w9, [sp, #12]"), Unsupported);
  EXPECT_THROW(listed_assembly(machine_of("aarch64"), "str x9, [sp, #8]"), Unsupported);
  EXPECT_THROW(listed_assembly(machine_of("aarch64"), "ldr w9, [sp, #12]"), Unsupported);
  EXPECT_THROW(listed_assembly(machine_of("aarch64"), "ldr x19, [sp, #8]"), Unsupported);
  EXPECT_THROW(listed_assembly(machine_of("riscv"), "sw a2, 12(sp)"), Unsupported);
  EXPECT_THROW(listed_assembly(machine_of("riscv"), "ld s0, 8(sp)"), Unsupported);
}

TEST(Listing, EveryRegisterIsFoundAgain) {
  std::vector<litmus::Statement> body;
  for (std::uint32_t i = 0; i < 20; ++i) body.push_back(access(Method::getOpaque, 0, {}, i));
  for (const char* name : {"aarch64:cxx", "riscv:cxx", "aarch64:llvm-O2"}) {
    const auto lowered = Target::named(name).lower(one_thread(body, 20));
    EXPECT_EQ(lowered.restoration.rows.size(), 22U) << name; // 20 registers, x, y
  }
}

TEST(Listing, MoreLocationsThanArgumentRegistersAreUnsupported) {
  litmus::Program program = one_thread({});
  program.locations.clear();
  for (std::uint32_t i = 0; i < 9; ++i) {
    program.locations.push_back({fmt::format("v{}", i), 0, false});
    program.threads[0].body.push_back(access(Method::set, i, {Expression::number(1)}));
  }
  Target target = Target::named("aarch64:llvm-O2");
  EXPECT_THROW(target.lower(program), Unsupported);
  program.threads[0].body.pop_back();
  const auto lowered = target.lower(program);
  EXPECT_EQ(lowered.program.cells()[0].name, "v_v0"); // v0 is a register
}

TEST(Listing, ItsAssemblyAssembles) {
  litmus::Random random(5);
  for (const auto& info : targets()) {
    if (info.machine == machine_of("x86")) continue;
    Target target = Target::named(info.name);
    Backend backend(Level::O0, info.machine);
    std::size_t lowered = 0;
    for (int i = 0; i < 20; ++i) {
      const std::size_t registers = i % 4 == 0 ? 40 : 5; // some are in memory
      const auto program = testing::random_program(
          random, {.statements = registers, .registers = registers, .depth = 0});
      try {
        const auto code = target.lower(program);
        const auto functions =
            backend.disassemble(backend.assemble(assembly(code.program, *code.language)));
        EXPECT_EQ(functions.size(), program.threads.size());
        ++lowered;
      } catch (const Unsupported&) {
      }
    }
    EXPECT_GE(lowered, 4U) << info.name;
  }
}

TEST(ListingTargets, AreFoundByNameAndNothingElseIs) {
  for (const auto& info : targets()) {
    EXPECT_EQ(machine_named(info.name), info.machine) << info.name;
    if (info.machine == machine_of("x86")) continue;
    EXPECT_EQ(Target::named(info.name).name(), info.name);
  }
  EXPECT_THROW(Target::named("aarch64:cx"), InputError);
  EXPECT_THROW(Target::named("riscv:llvm-O0"), InputError);
}

} // namespace
} // namespace thinair::lower
