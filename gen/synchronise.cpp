// Chooses places between a thread's outermost statements.
#include "gen/synchronise.h"

#include "gen/tidy.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace thinair::gen {
namespace {

using litmus::Block;
using litmus::MonitorId;
using litmus::MonitorStatement;
using litmus::Program;
using litmus::Random;
using litmus::Statement;
using litmus::ThreadId;
using litmus::ThreadStatement;

constexpr std::uint64_t most_monitors = 2;

void insert(Block& block, std::size_t at, Statement statement) {
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), std::move(statement));
}

/// What stands at the beginning because a register has to be declared somewhere.
std::size_t declarations(const Block& block) {
  const auto is_one = [](const Statement& statement) {
    const auto* assign = std::get_if<litmus::Assign>(&statement.node);
    return assign != nullptr && assign->declares;
  };
  return static_cast<std::size_t>(std::ranges::find_if_not(block, is_one) - block.begin());
}

class Synchroniser {
 public:
  Synchroniser(Program program, const Profile& profile, Random& random)
      : program_(std::move(program)), profile_(profile), random_(random) {}

  Program run() {
    for (auto& thread : program_.threads) print_some(thread.body);
    for (auto& thread : program_.threads)
      if (random_.chance(profile_.monitor, 100))
        put_under_a_monitor(thread.body, declarations(thread.body));
    for (std::uint32_t t = 1; t < program_.threads.size(); ++t) give_a_life(t);
    return tidy(program_);
  }

 private:
  MonitorId draw_monitor() {
    // most sections are on one monitor, or they keep nobody out
    const auto which = random_.chance(3, 4) ? 0 : random_.below(most_monitors);
    while (program_.monitors.size() <= which)
      program_.monitors.push_back(
          program_.monitors.empty() ? "m" : "m" + std::to_string(program_.monitors.size()));
    return MonitorId(static_cast<std::uint32_t>(which));
  }

  /// A run of statements, in some cases a shorter one inside of it, and another one behind it.
  void put_under_a_monitor(Block& block, std::size_t begin) {
    std::size_t from = begin, to = block.size();
    if (from == to) return;
    const auto first = draw_monitor();
    narrow(from, to);
    enclose(block, from, to, first);
    std::size_t end = to + 2; // with the lock and the unlock
    if (random_.chance(profile_.nested, 100)) {
      ++from; // behind the lock
      ++to;
      narrow(from, to);
      enclose(block, from, to, draw_monitor());
      end += 2;
    }
    if (random_.chance(1, 2)) put_under_a_monitor(block, end);
  }

  void narrow(std::size_t& from, std::size_t& to) {
    const auto begin = from + random_.below(to - from);
    to = begin + 1 + random_.below(to - begin);
    from = begin;
  }

  static void enclose(Block& block, std::size_t from, std::size_t to, MonitorId monitor) {
    insert(block, to, {MonitorStatement{false, monitor}, {}});
    insert(block, from, {MonitorStatement{true, monitor}, {}});
  }

  /// Somebody before it starts it, or waits for its end, or both. Nobody waits within a section,
  /// where the other one may want the monitor.
  void give_a_life(std::uint32_t thread) {
    const bool starts = random_.chance(profile_.start, 100);
    const bool joins = random_.chance(profile_.join, 100);
    const auto parent = static_cast<std::uint32_t>(random_.below(thread));
    auto& body = program_.threads[parent].body;
    std::size_t from = declarations(body);
    if (starts) {
      from += random_.below(body.size() - from + 1);
      insert(body, from++, {ThreadStatement{ThreadStatement::Kind::start, ThreadId(thread)}, {}});
    }
    if (!joins) return;
    std::vector<std::size_t> places;
    std::size_t held = 0;
    for (std::size_t i = 0; i <= body.size(); ++i) {
      if (i >= from && held == 0) places.push_back(i);
      if (i == body.size()) break;
      if (const auto* monitor = std::get_if<MonitorStatement>(&body[i].node))
        held += monitor->enter ? 1 : std::size_t(0) - 1;
    }
    insert(body, random_.pick(places),
           {ThreadStatement{ThreadStatement::Kind::join, ThreadId(thread)}, {}});
  }

  void print_some(Block& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const auto* access = std::get_if<litmus::Access>(&block[i].node);
      if (access == nullptr || !access->target || !random_.chance(profile_.print, 100)) continue;
      const auto value = litmus::Expression::of(*access->target);
      insert(block, ++i, {litmus::ExternalStatement{value}, {}});
    }
  }

  Program program_;
  const Profile& profile_;
  Random& random_;
};

} // namespace

bool synchronises(const Profile& profile) {
  return profile.monitor + profile.start + profile.join + profile.print > 0;
}

Program synchronised(Program program, const Profile& profile, Random& random) {
  return Synchroniser(std::move(program), profile, random).run();
}

} // namespace thinair::gen
