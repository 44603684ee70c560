// No model that comes with the program is silent: what a program uses has a meaning under it, which
// is kept, or the program is unsupported.
#include "litmus/text/error.h"
#include "machine/x86/front_end.h"
#include "models/library.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "tests/executions/small_programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

namespace thinair::cat {
namespace {

using graph::Architecture;
using litmus::Construct;
using litmus::Constructs;

std::vector<std::string> shipped(Architecture architecture) {
  std::vector<std::string> names;
  for (const auto& file : models::files()) {
    if (file.name.starts_with("library/")) continue;
    std::string name(file.name.substr(0, file.name.rfind('.')));
    try {
      load_model(name, architecture);
      names.push_back(std::move(name));
    } catch (const InputError&) { // it speaks of other programs: tests/models/models_test.cpp
    }
  }
  return names;
}

/// What the engine says of a test, or "unsupported: ..".
/// Why there is no answer, and what a user can change; no text where there is one.
Reason unsupported(const litmus::Test& test, const Plan& plan) {
  try {
    executions::behaviours(test, plan);
    return {};
  } catch (const Unsupported& lacking) {
    return {lacking.what(), lacking.reason().limit};
  }
}

struct Known {
  const char* model;
  const char* known; // for Java, then for x86
};

/// As docs/models.md has it.
constexpr auto all_known = std::to_array<Known>({
    {"sc", "everything"},
    {"jls04", "plain, volatile, plain updates, volatile updates, monitors, threads, final fields"},
    {"jam19", "plain, opaque, acquire, release, volatile, updates, fences"},
    {"jam21", "plain, opaque, acquire, release, volatile, updates, fences"},
    {"tso",
     "plain, opaque, acquire, release, updates, fences, fence instructions, atomic instructions"},
    {"x86-tso", "plain, fence instructions, atomic instructions"},
    {"armv8", "instructions"},
    {"riscv", "plain, instructions"},
    {"riscv-tso", "plain, instructions"},
    {"coherence", "plain, opaque, plain updates, atomic instructions"},
    {"java", "plain, opaque, acquire, release, volatile, updates, fences, monitors, threads, "
             "final fields"},
    {"pc", "plain, opaque, plain updates"},
    {"pram", "plain"},
    {"causal", "plain"},
});

/// The first that has programs for the model.
Architecture architecture_for(const char* model) {
  for (const auto* each : graph::front_ends()) {
    const auto names = shipped(Architecture(*each));
    if (std::ranges::find(names, model) != names.end()) return Architecture(*each);
  }
  throw Bug("a model for no programs");
}

TEST(Meaning, OfEachModelIsDeclaredAndDocumented) {
  std::set<std::string> listed, there;
  const auto page = litmus::read_file(THINAIR_SOURCE_DIR "/docs/models.md").text;
  for (const auto& [model, known] : all_known) {
    listed.insert(model);
    const auto plan = load_model(model, architecture_for(model));
    EXPECT_EQ(declaration_of(plan.meaning.known), known) << model;
    EXPECT_NE(page.find(fmt::format("| `{}` | {} |", model, known)), std::string::npos)
        << "docs/models.md on " << model;
  }
  for (const auto* each : graph::front_ends())
    for (auto& name : shipped(Architecture(*each))) there.insert(std::move(name));
  EXPECT_EQ(listed, there);
}

litmus::Test of_statement(const std::string& statement) {
  const bool object = statement.starts_with("A ");
  return litmus::parse({"t", std::string("Java T\n{ ") +
                                 (object ? "class A { final int x; } " : "") +
                                 "x=0; X=x; monitor m; }\nThread0 { int r = 0; " + statement +
                                 " }\nThread1 { X.set(1); }\nlocations [0:r;]\n"});
}

std::string call_of(const litmus::MethodInfo& method) {
  const std::string result = litmus::reads(method.action) ? "r = " : "";
  return fmt::format("{}X.{}({});", result, method.name,
                     method.arguments == 0   ? ""
                     : method.arguments == 1 ? "1"
                                             : "0, 1");
}

/// A statement for every construct of Java, with what `unsupported` must name.
std::vector<std::pair<std::string, Construct>> statements() {
  std::vector<std::pair<std::string, Construct>> all;
  for (const auto& method : litmus::methods())
    all.emplace_back(call_of(method), litmus::construct_of(method.method));
  for (const auto& fence : litmus::fences())
    all.emplace_back(fmt::format("VarHandle.{}();", fence.name), litmus::construct_of(fence.fence));
  all.emplace_back("lock(m); unlock(m);", Construct::monitors);
  all.emplace_back("join(Thread1);", Construct::threads);
  all.emplace_back("A a = new A();", Construct::final_fields);
  return all;
}

TEST(Meaning, EveryStatementHasOneOrIsUnsupported) {
  Constructs met;
  for (const auto& name : shipped(Architecture::java)) {
    const auto plan = load_model(name, Architecture::java);
    const auto plain = load_model(name, Architecture::java, {.as_plain = true});
    for (const auto& [statement, construct] : statements()) {
      met |= construct;
      const auto test = of_statement(statement);
      const auto said = unsupported(test, plan);
      EXPECT_EQ(said.empty(), plan.meaning.known.has(construct)) << name << ": " << statement;
      const bool is_action = litmus::info(construct).kind == litmus::ConstructKind::action;
      if (!said.empty()) {
        const auto& text = said.text;
        EXPECT_EQ(text, fmt::format("unsupported: {} under {}", to_string(construct), name) +
                            text.substr(std::min(text.find(" ("), text.size())));
        EXPECT_EQ(said.limit == Limit::as_plain, !is_action) << text;
      }
      EXPECT_EQ(unsupported(test, plain).empty(), !is_action || plan.meaning.known.has(construct))
          << name << ", as plain: " << statement;
    }
  }
  EXPECT_EQ(met | Construct::fence_instruction | Construct::ordered_instruction |
                Construct::atomic_instruction,
            Constructs::all());
}

TEST(Meaning, EveryInstructionHasOneOrIsUnsupported) {
  struct Row {
    const char* instruction;
    std::optional<Construct> construct;
  };
  constexpr auto rows = std::to_array<Row>({{"mfence", Construct::fence_instruction},
                                            {"lock incl (x)", Construct::atomic_instruction},
                                            {"xchgl %eax,(x)", Construct::atomic_instruction},
                                            {"lfence", std::nullopt}, // these order nothing more
                                            {"sfence", std::nullopt},
                                            {"movl $1,(x)", std::nullopt},
                                            {"incl (x)", std::nullopt}});
  for (const auto& name : shipped(x86::architecture)) {
    const auto plan = load_model(name, x86::architecture);
    const auto plain = load_model(name, x86::architecture, {.as_plain = true});
    for (const auto& row : rows) {
      const auto test =
          litmus::parse({"t", fmt::format("X86_64 T\n{{ x=0; }}\n P0 | P1 ;\n {} | movl $1,(x) ;\n"
                                          "exists (0:rax=0)\n",
                                          row.instruction)});
      EXPECT_EQ(unsupported(test, plan).empty(),
                !row.construct || plan.meaning.known.has(*row.construct))
          << name << ": " << row.instruction;
      EXPECT_EQ(unsupported(test, plain).text, "") << name << ": " << row.instruction;
    }
  }
}

// ---- what a meaning promises ---------------------------------------------------------------

/// An outcome that the VarHandle documentation rules out for what the program uses.
struct Promise {
  const char* name;
  Construct construct; // whose promise it is
  std::vector<std::string> threads;
  const char* outcome;
};

std::vector<Promise> promises() {
  std::vector<Promise> all;
  const auto reading = [](const char* mode) { return fmt::format("X.get{}()", mode); };
  const std::string twice = fmt::format("int r = {0}; int s = {0};", reading("Opaque"));
  all.push_back({"coherence of two writes",
                 Construct::opaque,
                 {"X.setOpaque(1); X.setOpaque(2);", twice},
                 "1:r=2 /\\ 1:s=1"});
  const auto passing = [&](const char* name, Construct construct, std::string write,
                           std::string read) {
    all.push_back(
        {name, construct, {"X.set(1); " + write, read + " int s = X.get();"}, "1:r=1 /\\ 1:s=0"});
  };
  passing("message passing", Construct::acquire, "Y.setRelease(1);", "int r = Y.getAcquire();");
  passing("message passing", Construct::release, "Y.setRelease(1);", "int r = Y.getAcquire();");
  passing("message passing", Construct::volatile_, "Y.setVolatile(1);", "int r = Y.getVolatile();");
  passing("by an update that acquires", Construct::acquire_update, "Y.setRelease(1);",
          "int r = Y.getAndAddAcquire(0);");
  passing("by an update that releases", Construct::release_update, "Y.getAndAddRelease(1);",
          "int r = Y.getAcquire();");
  passing("by volatile updates", Construct::volatile_update, "Y.getAndAdd(1);",
          "int r = Y.getAndAdd(0);");
  const auto fenced = [&](Construct construct, const char* first, const char* second) {
    all.push_back(
        {"message passing by fences",
         construct,
         {fmt::format("X.setOpaque(1); VarHandle.{}(); Y.setOpaque(1);", first),
          fmt::format("int r = Y.getOpaque(); VarHandle.{}(); int s = X.getOpaque();", second)},
         "1:r=1 /\\ 1:s=0"});
  };
  fenced(Construct::acquire_fence, "releaseFence", "acquireFence");
  fenced(Construct::release_fence, "releaseFence", "acquireFence");
  fenced(Construct::load_load_fence, "storeStoreFence", "loadLoadFence");
  fenced(Construct::store_store_fence, "storeStoreFence", "loadLoadFence");
  const auto buffering = [&](Construct construct, const char* mode, const char* fence) {
    const auto thread = [&](const char* mine, const char* other) {
      return fmt::format("{0}.set{2}(1); {3} int r = {1}.get{2}();", mine, other, mode, fence);
    };
    all.push_back(
        {"store buffering", construct, {thread("X", "Y"), thread("Y", "X")}, "0:r=0 /\\ 1:r=0"});
  };
  buffering(Construct::volatile_, "Volatile", "");
  buffering(Construct::full_fence, "Opaque", "VarHandle.fullFence();");
  const auto atomic = [&](Construct construct, const char* update) {
    const auto thread = fmt::format("int r = X.{};", update);
    all.push_back({"two updates", construct, {thread, thread}, "0:r=1 /\\ 1:r=1"});
  };
  atomic(Construct::plain_update, "weakCompareAndSetPlain(0, 1)");
  atomic(Construct::acquire_update, "weakCompareAndSetAcquire(0, 1)");
  atomic(Construct::release_update, "weakCompareAndSetRelease(0, 1)");
  atomic(Construct::volatile_update, "compareAndSet(0, 1)");
  all.push_back({"publication of a final field",
                 Construct::final_fields,
                 {"A a = new A { a.x = 1; }; P.set(a);",
                  "A a = P.get(); int r = 1; if (a != null) { r = a.x; }"},
                 "1:r=0"});
  return all;
}

/// What a model declares is no empty word: it rules out what the construct is there to rule out.
TEST(Meaning, WhatIsDeclaredIsKept) {
  std::set<std::pair<std::string, Construct>> kept;
  for (const auto& name : shipped(Architecture::java)) {
    const auto plan = load_model(name, Architecture::java);
    for (const auto& promise : promises()) {
      std::string text = "Java T\n{ x=0; y=0; X=x; Y=y; }\n";
      if (promise.construct == Construct::final_fields)
        text = "Java T\n{ class A { final int x; } A p; P=p; }\n";
      for (std::size_t t = 0; t < promise.threads.size(); ++t)
        text += fmt::format("Thread{} {{ {} }}\n", t, promise.threads[t]);
      const auto test = litmus::parse({"t", text + fmt::format("exists ({})\n", promise.outcome)});
      if (!(constructs_of(test.java()) - plan.meaning.known).empty()) continue;
      kept.emplace(name, promise.construct);
      EXPECT_EQ(executions::exists(test, plan, test.clauses[0].proposition),
                oracle::Answer::forbidden)
          << name << ": " << promise.name << " of " << to_string(promise.construct) << "\n"
          << text;
    }
    for (const auto& info : litmus::constructs())
      if (plan.meaning.known.has(info.construct) && info.construct != Construct::plain &&
          info.kind != litmus::ConstructKind::action &&
          info.construct != Construct::fence_instruction &&
          info.construct != Construct::ordered_instruction &&
          info.construct != Construct::atomic_instruction) {
        EXPECT_TRUE(kept.contains({name, info.construct}))
            << name << " declares " << info.name << ", which nothing above asks for";
      }
  }
}

// ---- as plain ------------------------------------------------------------------------------

/// A program with everything in it that a model does not know taken away by hand; absent where
/// there is an update among it, which Java has no plain form of.
class Plainly {
 public:
  explicit Plainly(Constructs known) : known_(known) {}

  std::optional<litmus::Test> operator()(litmus::Test test) {
    for (auto& thread : std::get<litmus::Program>(test.program).threads) rewrite(thread.body);
    if (failed_) return std::nullopt;
    return test;
  }

 private:
  void rewrite(litmus::Block& block) {
    std::erase_if(block, [&](const litmus::Statement& s) {
      const auto* fence = std::get_if<litmus::FenceStatement>(&s.node);
      return fence != nullptr && !known_.has(litmus::construct_of(fence->fence));
    });
    for (auto& statement : block) {
      if (auto* branch = std::get_if<litmus::If>(&statement.node)) {
        rewrite(branch->then_block);
        rewrite(branch->else_block);
      }
      auto* access = std::get_if<litmus::Access>(&statement.node);
      if (access == nullptr || known_.has(litmus::construct_of(access->method))) continue;
      const auto action = litmus::info(access->method).action;
      failed_ = failed_ || litmus::is_rmw(action);
      access->method = litmus::reads(action) ? litmus::Method::get : litmus::Method::set;
    }
  }

  Constructs known_;
  bool failed_ = false;
};

/// Two that tell plain accesses, or volatile ones, from all others; by their sets alone.
constexpr auto of_sets = std::to_array<std::string_view>({
    "acyclic ([PLAIN]; po; [PLAIN]) | rf as plain-order",
    "acyclic ([V]; po; [M \\ PLAIN]) | rf as volatile-order",
});

std::vector<std::pair<Plan, Plan>> with_and_without_as_plain() {
  std::vector<std::pair<Plan, Plan>> all;
  const auto java = Architecture::java;
  for (const auto& name : shipped(java))
    all.emplace_back(load_model(name, java), load_model(name, java, {.as_plain = true}));
  for (const auto text : of_sets) {
    const text::Source source{"m.cat", std::string(text)};
    all.emplace_back(load_model(source, java), load_model(source, java, {.as_plain = true}));
  }
  return all;
}

TEST(Meaning, AsPlainIsTheProgramWithPlainAccesses) {
  std::size_t changed = 0;
  for (const auto& [plan, taking] : with_and_without_as_plain()) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      const auto test = executions::SmallJava(seed, 4).make();
      const auto uses = constructs_of(test.java()) - plan.meaning.known;
      EXPECT_EQ(unsupported(test, plan).empty(), uses.empty()) << plan.name << "\n" << print(test);
      const auto by_hand = Plainly(plan.meaning.known)(test);
      if (!by_hand) continue;
      EXPECT_EQ(executions::behaviours(test, taking).behaviours,
                executions::behaviours(*by_hand, plan).behaviours)
          << plan.meaning.model << "\n"
          << print(test);
      changed += uses.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(changed, 50U);
}

/// Java has no plain form of most updates: what is taken for one is in PLAIN, and not in V.
TEST(Meaning, AnUpdateTakenForPlainIsPlain) {
  const auto silent = [](const std::string& text, bool as_plain) {
    return load_model(text::Source{"m.cat", text}, Architecture::java, {.as_plain = as_plain});
  };
  const auto test = litmus::parse({"t", "Java T\n{ x=0; X=x; }\n"
                                        "Thread0 { int r = X.getAndAdd(1); }\nlocations [0:r;]\n"});
  const std::string no_plain = "empty PLAIN & W as none", no_volatile = "empty V & W as none";
  for (const auto& text : {no_plain, no_volatile})
    EXPECT_EQ(unsupported(test, silent(text, false)).text,
              "unsupported: volatile updates under m.cat");
  EXPECT_EQ(executions::behaviours(test, silent(no_plain, true)).behaviours.size(), 0U);
  EXPECT_EQ(executions::behaviours(test, silent(no_volatile, true)).behaviours.size(), 1U);
}

} // namespace
} // namespace thinair::cat
