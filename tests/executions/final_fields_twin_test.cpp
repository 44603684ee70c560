// Final fields against JLS 17.5.1 written out: five loops over actions, every choice of the reads
// that threads have addresses from, on random programs that publish objects.
#include "litmus/random.h"
#include "litmus/test.h"
#include "oracle/cat/model.h"
#include "oracle/executions/behaviours.h"
#include "oracle/executions/enumerate.h"
#include "tests/support/draws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace thinair::executions {
namespace {

using litmus::Random;

/// One thread makes an object, and lets others see it before or after its constructor or both; they
/// read it, hand it on, and look at what it refers to.
std::string publication(Random& random) {
  const auto maybe = [&](const char* text) { return random.chance(1, 2) ? text : ""; };
  const auto often = [&](const char* text) { return random.chance(4, 5) ? text : ""; };
  const auto set = [&] { return random.chance(1, 5) ? "setVolatile" : "set"; };
  const auto get = [&] { return random.chance(1, 5) ? "getVolatile" : "get"; };
  std::vector<std::string> inside{often("a.x = 1; "), often("a.b = b; "), maybe("b.y = 1; ")};
  if (random.chance(1, 3)) inside.push_back(fmt::format("P.{}(a); ", set()));
  for (std::size_t i = inside.size(); i > 1; --i) std::swap(inside[i - 1], inside[random.below(i)]);
  std::string text =
      fmt::format("Java T\n{{ class A {{ {}int x; {}B b; }} class B {{ {}int y; }} "
                  "A p; A q; P=p; Q=q; }}\n",
                  often("final "), maybe("final "), random.chance(1, 4) ? "final " : "");
  text += "Thread0 { B b = new B(); A a = new A { ";
  if (text.find("final int y") != std::string::npos) std::erase(inside, std::string("b.y = 1; "));
  for (const auto& each : inside) text += each;
  text += fmt::format("}}; P.{}(a); }}\nThread1 {{ ", set());
  const auto reads = 1 + random.below(2);
  for (std::uint64_t i = 0; i < reads; ++i) text += fmt::format("A r{0} = P.{1}(); ", i, get());
  const auto by = random.below(reads);
  text += fmt::format(
      "int i = 7; int j = 7; if (r{0} != null) {{ {1} {2} {3} }} }}\n", by,
      maybe(fmt::format("i = r{}.x;", by).c_str()),
      maybe(fmt::format("B t = r{}.b; if (t != null) {{ j = t.y; }}", by).c_str()),
      fmt::format("{}", random.chance(1, 2) ? fmt::format("Q.{}(r{});", set(), by) : ""));
  if (text.find("Q.set") != std::string::npos)
    text += fmt::format("Thread2 {{ A s = Q.{}(); int k = 7; if (s != null) {{ k = s.x; }} }}\n",
                        get());
  return text;
}

/// The same with an array behind the field, of ints or of references, and what it has in it.
std::string array_publication(Random& random) {
  const auto maybe = [&](const char* text) { return random.chance(1, 2) ? text : ""; };
  const auto often = [&](const char* text) { return random.chance(4, 5) ? text : ""; };
  const auto set = [&] { return random.chance(1, 5) ? "setVolatile" : "set"; };
  const auto get = [&] { return random.chance(1, 5) ? "getVolatile" : "get"; };
  const bool ints = random.chance(1, 2);
  std::vector<std::string> inside{often("a.of = e; "), often(ints ? "e[1] = 1; " : "e[1] = b; "),
                                  maybe(ints ? "e[0] = 2; " : "b.y = 1; ")};
  if (random.chance(1, 3)) inside.push_back(fmt::format("P.{}(a); ", set()));
  for (std::size_t i = inside.size(); i > 1; --i) std::swap(inside[i - 1], inside[random.below(i)]);
  const char* type = ints ? "int" : "B";
  std::string text = fmt::format("Java T\n{{ class A {{ {}{}[] of; }} class B {{ int y; }} "
                                 "A p; A q; int n; P=p; Q=q; N=n; }}\n",
                                 often("final "), type);
  text += fmt::format("Thread0 {{ {0} {1}[] e = new {1}[2]; {2} A a = new A {{ ",
                      ints ? "" : "B b = new B();", type, maybe("N.set(1);"));
  for (const auto& each : inside) text += each;
  text +=
      fmt::format("}}; {} P.{}(a); }}\nThread1 {{ ", maybe(ints ? "e[1] = 3;" : "b.y = 3;"), set());
  const auto reads = 1 + random.below(2);
  for (std::uint64_t i = 0; i < reads; ++i) text += fmt::format("A r{0} = P.{1}(); ", i, get());
  const auto by = random.below(reads);
  const char* index = random.chance(1, 3) ? "N.get()" : "1";
  const std::string look =
      ints ? fmt::format("i = t[{}];", index) : "B s = t[1]; if (s != null) { i = s.y; }";
  text +=
      fmt::format("int i = 7; if (r{0} != null) {{ {1}[] t = r{0}.of; "
                  "if (t != null) {{ {2} }} {3} }} }}\n",
                  by, type, look, random.chance(1, 3) ? fmt::format("Q.{}(r{});", set(), by) : "");
  if (text.find("Q.set") != std::string::npos)
    text += fmt::format(
        "Thread2 {{ A s = Q.{}(); int k = 7; if (s != null) {{ {}[] t = s.of; {} }} }}\n", get(),
        type, ints ? "if (t != null) { k = t[1]; }" : "");
  return text;
}

/// One execution, judged by 17.4.5 and 17.5.1.
class Judge {
 public:
  Judge(const Witness& witness, std::size_t hb) : witness_(witness), n_(witness.skeleton().size()) {
    for (EventId e = 0; e < n_; ++e) {
      hb_.emplace_back(n_, false);
      for (EventId f = 0; f < n_; ++f) hb_[e][f] = e != f && witness.shown(hb, e).contains(f);
    }
  }

  /// Whether there are dereference and memory chains with which every read sees what it may.
  bool is_allowed() {
    needs_.clear();
    for (EventId e = 0; e < n_; ++e) {
      if (what(e) == nullptr) continue;
      need(e, what(e)->base, true);
      need(e, what(e)->given, false);
    }
    deref_.assign(n_, std::vector<bool>(n_, false));
    chain_ = deref_;
    for (EventId r = 0; r < n_; ++r)
      if (event(r).reads()) chain_[witness_.source(r)][r] = true;
    return choose(0);
  }

 private:
  using Relation = std::vector<std::vector<bool>>;
  struct Need {
    EventId action;
    bool dereferences;
    std::vector<EventId> from;
  };

  const Event& event(EventId e) const { return witness_.skeleton().events()[e]; }
  const graph::PathEvent* what(EventId e) const {
    const auto& each = event(e);
    return each.thread == no_thread ? nullptr
                                    : &witness_.skeleton().path(each.thread).events[each.index];
  }
  bool makes(std::uint32_t thread, std::uint8_t object) const {
    return ((witness_.skeleton().path(thread).makes >> (object - 1)) & 1U) != 0;
  }

  void need(EventId e, std::uint8_t object, bool dereferences) {
    if (object == 0 || makes(event(e).thread, object)) return;
    Need out{e, dereferences, {}};
    for (EventId r = 0; r < n_; ++r)
      if (what(r) != nullptr && event(r).thread == event(e).thread &&
          event(r).index < event(e).index && what(r)->seen == object)
        out.from.push_back(r);
    if (!out.from.empty()) needs_.push_back(std::move(out));
  }

  bool choose(std::size_t at) {
    if (at == needs_.size()) return consistent();
    const auto& need = needs_[at];
    return std::ranges::any_of(need.from, [&](EventId r) {
      if (need.dereferences) deref_[r][need.action] = true;
      chain_[r][need.action] = true;
      const bool found = choose(at + 1);
      if (need.dereferences) deref_[r][need.action] = false;
      chain_[r][need.action] = false;
      return found;
    });
  }

  Relation closed(Relation r) const {
    for (EventId k = 0; k < n_; ++k)
      for (EventId a = 0; a < n_; ++a)
        for (EventId b = 0; b < n_; ++b)
          if (r[a][k] && r[k][b]) r[a][b] = true;
    return r;
  }

  bool is_final_read(EventId e) const {
    return event(e).reads() && (event(e).kinds & graph::k_final) != 0;
  }

  /// hb(w, f), hb(f, a), mc(a, r1), dereferences(r1, r2).
  Relation from_freezes() const {
    const auto mc = closed(chain_), deref = closed(deref_);
    Relation out(n_, std::vector<bool>(n_, false));
    for (EventId f = 0; f < n_; ++f) {
      if ((event(f).kinds & graph::k_freeze) == 0) continue;
      for (EventId r1 = 0; r1 < n_; ++r1) {
        if (!is_final_read(r1) || what(r1)->base != what(f)->base) continue;
        bool heard = false;
        for (EventId a = 0; a < n_; ++a)
          heard = heard || (!is_final_read(a) && hb_[f][a] && mc[a][r1]);
        for (EventId w = 0; heard && w < n_; ++w)
          for (EventId r2 = 0; r2 < n_; ++r2)
            if (event(w).writes() && hb_[w][f] && event(r2).reads() && (r1 == r2 || deref[r1][r2]))
              out[w][r2] = true;
      }
    }
    return out;
  }

  bool consistent() const {
    const auto shown = from_freezes();
    for (EventId r = 0; r < n_; ++r) {
      if (!event(r).reads()) continue;
      const EventId seen = witness_.source(r);
      const bool elsewhere = is_final_read(r) && !makes(event(r).thread, what(r)->base);
      for (EventId w = 0; w < n_; ++w) {
        if (!event(w).writes() || w == r || event(w).location != event(r).location) continue;
        if (hb_[seen][w] && (shown[w][r] || (hb_[w][r] && !elsewhere))) return false;
      }
    }
    return true;
  }

  const Witness& witness_;
  std::size_t n_;
  Relation hb_, deref_, chain_;
  std::vector<Need> needs_;
};

void compare_with_letter(std::string (*draw)(Random&), std::uint64_t stream) {
  const auto load = [](std::vector<std::string> dropped) {
    return cat::load_model("jls04", graph::Architecture::java,
                           {.dropped_axioms = std::move(dropped)});
  };
  const auto whole = load({}), without = load({"overwritten", "frozen-value"});
  const auto hb = static_cast<std::size_t>(
      std::ranges::find(without.shows, "hb", &cat::Shown::name) - without.shows.begin());
  Random random(175, stream);
  std::size_t ruled_out = 0, states = 0;
  const auto programs = test::draws(2500); // THINAIR_DRAWS=200: 5,000
  for (std::uint64_t i = 0; i < programs; ++i) {
    auto test = litmus::parse({"t", draw(random)});
    SCOPED_TRACE(litmus::print(test));
    Options all;
    all.all_registers = true;
    const auto found = behaviours(test, whole, all);
    const std::set<litmus::Behaviour> fast(found.behaviours.begin(), found.behaviours.end());
    all.depth = Depth::executions;
    std::set<litmus::Behaviour> slow, more;
    witnesses(test, without, all, [&](auto state, const Witness& witness) {
      litmus::Behaviour reached(state.begin(), state.end());
      if (!slow.contains(reached) && Judge(witness, hb).is_allowed()) slow.insert(reached);
      more.insert(std::move(reached));
    });
    ASSERT_EQ(fast, slow);
    states += slow.size();
    ruled_out += more.size() - slow.size();
  }
  fmt::print("{} programs, {} behaviours, {} more without the rules of 17.5\n", programs, states,
             ruled_out);
  EXPECT_GT(states, 2 * programs);
  EXPECT_GT(ruled_out, programs * 2 / 5);
}

TEST(FinalFieldsTwin, SaysWhatJls175Says) { compare_with_letter(publication, 1); }

TEST(FinalFieldsTwin, SaysItOfArrays) { compare_with_letter(array_publication, 2); }

} // namespace
} // namespace thinair::executions
