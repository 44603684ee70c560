// Objects and final fields: what JLS 17.5 and its examples say, and the same programs spelled out
// in ints.
#include "litmus/objects.h"
#include "litmus/text/error.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "tests/support/random_objects.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace thinair::executions {
namespace {

using litmus::Access;
using litmus::Expression;
using litmus::LocationId;
using litmus::Operator;
using litmus::Program;

cat::Plan model(const std::string& name, bool as_plain = false) {
  return cat::load_model(name, graph::Architecture::java, {.as_plain = as_plain});
}

// ---- by hand -------------------------------------------------------------------------------

litmus::Test test_of(const std::string& threads, const std::string& outcome) {
  return litmus::parse({"t", "Java T\n{ class A { final int x; int y; final B b; B c; }\n"
                             "class B { int z; } A p; A q; B s; int n; P=p; Q=q; S=s; N=n; "
                             "monitor m; }\n" +
                                 threads + "exists (" + outcome + ")\n"});
}

bool allows(const std::string& threads, const std::string& outcome,
            const std::string& name = "java") {
  const auto test = test_of(threads, outcome);
  const auto answer = exists(test, model(name), test.clauses[0].proposition);
  EXPECT_NE(answer, oracle::Answer::unknown) << threads;
  return answer == oracle::Answer::allowed;
}

const std::string make = "Thread0 { A a = new A { a.x = 3; a.y = 4; }; P.set(a); }\n";
const std::string reader = "Thread1 { A r = P.get(); int i = 7; int j = 7; "
                           "if (r != null) { i = r.x; j = r.y; } }\n";

TEST(FinalFields, AreSeenAsTheConstructorLeftThem) { // JLS, example 17.5-1
  EXPECT_FALSE(allows(make + reader, "1:i=0"));
  EXPECT_TRUE(allows(make + reader, "1:i=3 /\\ 1:j=0"));
  EXPECT_TRUE(allows(make + reader, "1:i=3 /\\ 1:j=4"));
  EXPECT_TRUE(allows(make + reader, "1:r=null"));
  EXPECT_FALSE(allows(make + reader, "1:j=0", "sc"));
}

TEST(FinalFields, PromiseNothingToWhoGotTheReferenceBefore) { // 17.5: "completely initialized"
  const std::string leak = "Thread0 { A a = new A { P.set(a); a.x = 3; }; }\n";
  EXPECT_TRUE(allows(leak + reader, "1:i=0"));
  const std::string late = "Thread0 { A a = new A { a.x = 3; P.set(a); }; }\n";
  EXPECT_TRUE(allows(late + reader, "1:i=0"));
}

TEST(FinalFields, MayBeReadByTheReferenceThatWasReadFirst) { // 17.5.1, dereference chains
  const std::string both = "Thread0 { A a = new A { P.set(a); a.x = 3; }; Q.set(a); }\n";
  const std::string by_q = "Thread1 { A r = Q.get(); int i = 7; if (r != null) { i = r.x; } }\n";
  EXPECT_FALSE(allows(both + by_q, "1:i=0"));
  const std::string p_first = "Thread1 { A l = P.get(); A r = Q.get(); int i = 7; "
                              "if (r != null) { i = r.x; } }\n";
  EXPECT_TRUE(allows(both + p_first, "1:i=0 /\\ 1:l=1:r"));
  EXPECT_FALSE(allows(both + p_first, "1:i=0 /\\ 1:l=null"));
}

TEST(FinalFields, ShowWhatTheyReferTo) {
  const auto written = [](const std::string& before, const std::string& after,
                          const std::string& field) {
    return "Thread0 { B b = new B(); A a = new A { " + before + " a." + field + " = b; }; " +
           after + " P.set(a); }\nThread1 { A r = P.get(); int i = 7; if (r != null) { B t = r." +
           field + "; if (t != null) { i = t.z; } } }\n";
  };
  EXPECT_FALSE(allows(written("b.z = 1;", "", "b"), "1:i=0"));
  EXPECT_TRUE(allows(written("", "b.z = 1;", "b"), "1:i=0"));
  EXPECT_TRUE(allows(written("b.z = 1;", "", "c"), "1:i=0"));
  EXPECT_TRUE(allows(written("b.z = 1;", "", "c"), "1:i=1"));
}

TEST(FinalFields, AreSeenByWhoGotTheReferenceFromAnother) { // 17.5.1, memory chains
  const std::string hand_on = "Thread2 { A t = P.get(); Q.set(t); }\n";
  const std::string other = "Thread1 { A r = Q.get(); int i = 7; if (r != null) { i = r.x; } }\n";
  EXPECT_FALSE(allows(make + other + hand_on, "1:i=0"));
  EXPECT_TRUE(allows(make + other + hand_on, "1:i=3"));
}

TEST(FinalFields, AreOrderedAsOthersInTheirConstructor) { // 17.5.2; UMM figure 10
  EXPECT_FALSE(
      allows("Thread0 { A a = new A { a.x = 1; N.set(a.x); }; int r = N.get(); }\n", "0:r=0"));
  EXPECT_TRUE(
      allows("Thread0 { A a = new A { N.set(a.x); a.x = 1; }; int r = N.get(); }\n", "0:r=0"));
}

TEST(FinalFields, HaveNoOtherOrderElsewhere) { // 17.5.1, at its end
  const std::string inside =
      "Thread0 { A a = new A { a.x = 3; a.y = 4; lock(m); P.set(a); unlock(m); }; }\n";
  const std::string locked = "Thread1 { lock(m); A r = P.get(); unlock(m); int i = 7; int j = 7; "
                             "if (r != null) { i = r.x; j = r.y; } }\n";
  EXPECT_TRUE(allows(inside + locked, "1:i=0"));
  EXPECT_FALSE(allows(inside + locked, "1:j=0"));
  const std::string behind =
      "Thread0 { A a = new A { a.x = 3; }; lock(m); P.set(a); unlock(m); }\n";
  EXPECT_FALSE(allows(behind + locked, "1:i=0"));
}

TEST(FinalFields, HaveNoMeaningWhereAModelSaysNothing) {
  const auto test = test_of(make + reader, "1:i=0");
  EXPECT_THROW(exists(test, model("jam21"), test.clauses[0].proposition), Unsupported);
  EXPECT_EQ(exists(test, model("jam21", true), test.clauses[0].proposition),
            oracle::Answer::allowed);
}

TEST(Objects, AreFresh) {
  const std::string two = "Thread0 { A a = new A(); A b = new A(); int same = a == b; "
                          "a.y = 1; int i = b.y; A c = a; c.y = 2; int j = a.y; }\n";
  EXPECT_FALSE(allows(two, "0:same=1"));
  EXPECT_FALSE(allows(two, "0:i=1"));
  EXPECT_FALSE(allows(two, "0:j != 2"));
}

TEST(Objects, ThrowWhereThereIsNone) {
  const auto states = [](const std::string& code) {
    return behaviours(test_of("Thread0 { " + code + " }\n", "0:i=0"), model("java")).behaviours;
  };
  EXPECT_TRUE(states("A a = P.get(); int i = a.y;").empty());
  EXPECT_TRUE(states("A a = null; int i = 0; a.y = 1;").empty());
  EXPECT_EQ(states("A a = P.get(); int i = 1; if (a != null) { i = a.y; }").size(), 1U);
}

TEST(Objects, AreComparedAndSetByIdentity) {
  const std::string two =
      "Thread0 { A a = new A(); int i = P.compareAndSet(null, a); }\n"
      "Thread1 { A a = new A(); int i = P.compareAndSet(null, a); A w = P.getVolatile(); }\n";
  EXPECT_FALSE(allows(two, "0:i=1 /\\ 1:i=1"));
  EXPECT_FALSE(allows(two, "0:i=0 /\\ 1:i=0"));
  EXPECT_TRUE(allows(two, "0:i=1 /\\ 1:w=A.1"));
  EXPECT_FALSE(allows(two, "0:i=1 /\\ 1:w=A.2"));
}

TEST(Objects, MadeAgainInALoopAreUnsupported) {
  const auto run = [](const std::string& code) {
    return behaviours(test_of("Thread0 { int i = 0; " + code + " }\n", "0:i=0"), model("java"));
  };
  EXPECT_THROW(run("while (i < 2) { A a = new A(); i = i + 1; }"), Unsupported);
  EXPECT_EQ(run("do { A a = new A(); } while (i != 0);").behaviours.size(), 1U);
}

// ---- in ints -------------------------------------------------------------------------------

/// The same program without objects: a reference is the number of its object, a field of each a
/// or element a location, an access by a reference a branch for each object, with a division by
/// zero for null, and within it one for each index, with such a division where it is out of bounds.
class Spelled {
 public:
  explicit Spelled(const Program& program) : from_(program), out_(program) {}

  Program spell() {
    out_.classes.clear();
    out_.objects.clear();
    for (auto& location : out_.locations) location.type = {};
    for (std::size_t i = 0; i < from_.objects.size(); ++i) {
      first_.push_back(static_cast<std::uint32_t>(out_.locations.size()));
      const auto size = litmus::size_of(from_, litmus::ObjectId{static_cast<std::uint32_t>(i)});
      for (std::uint32_t f = 0; f < size; ++f)
        out_.locations.push_back({"o" + std::to_string(i) + "_" + std::to_string(f), 0});
    }
    for (std::size_t t = 0; t < out_.threads.size(); ++t) spell(t);
    return out_;
  }

 private:
  void spell(std::size_t t) {
    auto& thread = out_.threads[t];
    thread_ = &from_.threads[t];
    for (auto& reg : thread.registers) reg.type = {};
    scratch_ = litmus::RegisterId{static_cast<std::uint32_t>(thread.registers.size())};
    thread.registers.push_back({"scratch", 0});
    thread.handles.clear();
    for (std::uint32_t l = 0; l < out_.locations.size(); ++l)
      thread.handles.push_back({"H" + std::to_string(l), LocationId{l}});
    thread.body = block(from_.threads[t].body);
  }

  litmus::Block block(const litmus::Block& from) {
    litmus::Block out;
    for (const auto& statement : from) {
      if (const auto* made = std::get_if<litmus::New>(&statement.node)) {
        out.push_back({litmus::Assign{made->target, number(made->object.value)}, {}});
        for (auto& inner : block(made->body)) out.push_back(std::move(inner));
      } else if (const auto* branch = std::get_if<litmus::If>(&statement.node)) {
        out.push_back(
            {litmus::If{branch->condition, block(branch->then_block), block(branch->else_block)},
             {}});
      } else if (const auto* access = std::get_if<Access>(&statement.node);
                 access && access->field) {
        out.push_back({by_reference(*access), {}});
      } else {
        out.push_back(statement);
      }
    }
    return out;
  }

  static Expression number(std::uint32_t object) {
    return Expression::number(static_cast<std::int32_t>(object) + 1);
  }

  litmus::Statement::Node by_reference(const Access& access) {
    const auto self = Expression::of(access.field->object);
    litmus::Statement::Node out =
        litmus::Assign{scratch_, Expression::binary(Operator::divide, Expression::number(1), self)};
    const auto of = thread_->registers[access.field->object.value].type.of;
    for (std::uint32_t i = 0; i < from_.objects.size(); ++i) {
      if (from_.objects[i].of != of) continue;
      out = litmus::If{Expression::binary(Operator::equal, self, number(i)),
                       {{inside(access, i), {}}},
                       {{std::move(out), {}}}};
    }
    return out;
  }

  litmus::Statement::Node inside(const Access& access, std::uint32_t object) {
    Access there = access;
    there.field.reset();
    if (!access.field->element) {
      there.location = LocationId{first_[object] + access.field->field};
      return there;
    }
    there.arguments.erase(there.arguments.begin());
    litmus::Statement::Node out =
        litmus::Assign{scratch_, Expression::binary(Operator::divide, Expression::number(1),
                                                    Expression::number(0))};
    for (std::uint32_t at = 0; at < from_.objects[object].length; ++at) {
      there.location = LocationId{first_[object] + at};
      out = litmus::If{
          Expression::binary(Operator::equal, access.arguments.front(), Expression::number(at)),
          {{there, {}}},
          {{std::move(out), {}}}};
    }
    return out;
  }

  const Program& from_;
  Program out_;
  const litmus::Thread* thread_ = nullptr;
  litmus::RegisterId scratch_;
  std::vector<std::uint32_t> first_;
};

/// Locations and all registers but those that the spelling adds.
std::vector<litmus::Observable> everything(const Program& program) {
  std::vector<litmus::Observable> out;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t)
    for (const auto& reg : program.threads[t].registers)
      out.push_back({litmus::ThreadId{t}, reg.name});
  for (const auto& location : program.locations) out.push_back({{}, location.name});
  return out;
}

void compare_with_spelling(bool arrays) {
  litmus::Random random(17, arrays ? 6 : 5);
  for (const auto* name : {"sc", "tso", "jam21"}) {
    const auto plan = model(name, true);
    std::size_t states = 0, compared = 0;
    for (int i = 0; i < 1600; ++i) {
      litmus::Test test, spelled;
      test.program =
          litmus::RandomObjects(
              random,
              {.threads = 1 + static_cast<std::uint32_t>(i % 2), .objects = 2, .arrays = arrays})
              .make();
      test.name = spelled.name = "T";
      test.locations = spelled.locations = everything(test.java());
      spelled.program = Spelled(test.java()).spell();
      SCOPED_TRACE(std::string(name) + "\n" + litmus::print(test));
      const auto a = behaviours(test, plan), b = behaviours(spelled, plan);
      if (a.value_cycles + b.value_cycles > 0) continue; // their values are anybody's guess
      ASSERT_EQ(std::set(a.behaviours.begin(), a.behaviours.end()),
                std::set(b.behaviours.begin(), b.behaviours.end()));
      states += a.behaviours.size();
      ++compared;
    }
    EXPECT_GT(compared, 1400U) << name;
    EXPECT_GT(states, arrays ? 800U : 1000U) << name;
  }
}

TEST(Objects, MeanWhatTheirSpellingInIntsMeans) { compare_with_spelling(false); }

TEST(Arrays, MeanWhatTheirSpellingInBranchesMeans) { compare_with_spelling(true); }

} // namespace
} // namespace thinair::executions
