// Ševčík and Aspinall (ECOOP 2008), table 1: neighbours that a compiler may swap.
#include "health/edits.h"
#include "health/property.h"

namespace thinair::health {
namespace {

using litmus::Access;
using litmus::Block;
using litmus::Mode;
using litmus::Statement;

constexpr const char* swaps =
    "Ševčík and Aspinall, On validity of program transformations in the Java memory "
    "model (ECOOP 2008), table 1";

/// Two neighbours on different locations that may be swapped as far as registers go.
std::optional<Block> swapped(std::span<const Statement> pair, bool (*first)(const Access*),
                             bool (*second)(const Access*)) {
  const Access *a = access_in(pair[0]), *b = access_in(pair[1]);
  if (!first(a) || !second(b) || a->location == b->location || !independent(*a, *b))
    return std::nullopt;
  return Block{pair[1], pair[0]};
}

std::vector<Variant> swaps_of(const litmus::Program& program, bool (*first)(const Access*),
                              bool (*second)(const Access*)) {
  std::vector<Variant> out;
  for (auto& changed :
       edited(program, 2, [&](const auto&, auto pair) { return swapped(pair, first, second); }))
    out.push_back({std::move(changed)});
  return out;
}

bool plain_read(const Access* a) { return is_read(a, Mode::plain); }
bool plain_write(const Access* a) { return is_write(a, Mode::plain); }
bool plain_access(const Access* a) { return plain_read(a) || plain_write(a); }
bool acquiring(const Access* a) { return is_read(a, Mode::acquire) || is_read(a, Mode::volatile_); }
bool releasing(const Access* a) {
  return is_write(a, Mode::release) || is_write(a, Mode::volatile_);
}

const litmus::MonitorStatement* monitor_in(const Statement& statement) {
  return std::get_if<litmus::MonitorStatement>(&statement.node);
}

/// A plain access before a lock, behind it.
std::vector<Variant> behind_a_lock(const litmus::Program& program) {
  std::vector<Variant> out;
  for (auto& changed : edited(program, 2, [](const auto&, auto pair) -> std::optional<Block> {
         const auto* monitor = monitor_in(pair[1]);
         if (!plain_access(access_in(pair[0])) || monitor == nullptr || !monitor->enter)
           return std::nullopt;
         return Block{pair[1], pair[0]};
       }))
    out.push_back({std::move(changed)});
  return out;
}

/// A plain access behind an unlock, before it.
std::vector<Variant> before_an_unlock(const litmus::Program& program) {
  std::vector<Variant> out;
  for (auto& changed : edited(program, 2, [](const auto&, auto pair) -> std::optional<Block> {
         const auto* monitor = monitor_in(pair[0]);
         if (!plain_access(access_in(pair[1])) || monitor == nullptr || monitor->enter)
           return std::nullopt;
         return Block{pair[1], pair[0]};
       }))
    out.push_back({std::move(changed)});
  return out;
}

/// Two sections of one monitor side by side, as one.
std::vector<Variant> sections_joined(const litmus::Program& program) {
  std::vector<Variant> out;
  for (auto& changed : edited(program, 2, [](const auto&, auto pair) -> std::optional<Block> {
         const auto *left = monitor_in(pair[0]), *entered = monitor_in(pair[1]);
         if (left == nullptr || entered == nullptr || left->enter || !entered->enter ||
             left->monitor != entered->monitor)
           return std::nullopt;
         return Block{};
       }))
    out.push_back({std::move(changed)});
  return out;
}

std::vector<Variant> read_read(const litmus::Program& p) {
  return swaps_of(p, plain_read, plain_read);
}
std::vector<Variant> read_write(const litmus::Program& p) {
  return swaps_of(p, plain_read, plain_write);
}
std::vector<Variant> write_read(const litmus::Program& p) {
  return swaps_of(p, plain_write, plain_read);
}
std::vector<Variant> write_write(const litmus::Program& p) {
  return swaps_of(p, plain_write, plain_write);
}
std::vector<Variant> into_acquire(const litmus::Program& p) {
  return swaps_of(p, plain_access, acquiring);
}
std::vector<Variant> into_release(const litmus::Program& p) {
  return swaps_of(p, releasing, plain_access);
}

} // namespace

void add_reorderings(std::vector<Property>& out, const Settings& /*settings*/) {
  const auto add = [&](std::string name, std::string claim, Variants variants) {
    out.push_back(
        {std::move(name), "Reorderings", std::move(claim), swaps, adds_nothing(variants)});
  };
  add("reorder-RR", "two plain reads of different locations may be swapped", read_read);
  add("reorder-RW",
      "a plain read and a plain write after it, of different locations, may be swapped",
      read_write);
  add("reorder-WR",
      "a plain write and a plain read after it, of different locations, may be swapped",
      write_read);
  add("reorder-WW", "two plain writes of different locations may be swapped", write_write);
  add("roach-motel-acquire",
      "a plain access may move behind a volatile or acquiring read of another location",
      into_acquire);
  add("roach-motel-release",
      "a plain access may move before a volatile or releasing write of another location",
      into_release);
  add("roach-motel-lock", "a plain access may move behind the lock that follows it", behind_a_lock);
  add("roach-motel-unlock", "a plain access may move before the unlock that it follows",
      before_an_unlock);
  add("join-sections", "two sections of one monitor, side by side, may become one",
      sections_joined);
}

} // namespace thinair::health
