// Ševčík and Aspinall (ECOOP 2008), table 1: accesses that a compiler may leave out, or put in.
#include "health/edits.h"
#include "health/property.h"

#include <algorithm>

namespace thinair::health {
namespace {

using litmus::Access;
using litmus::Assign;
using litmus::Block;
using litmus::Expression;
using litmus::Mode;
using litmus::Statement;

constexpr const char* table1 =
    "Ševčík and Aspinall, On validity of program transformations in the Java memory "
    "model (ECOOP 2008), table 1";

using Pair = std::optional<Block> (*)(const Statement&, const Access&, const Statement&,
                                      const Access&);

/// Two plain accesses side by side to one location, and what becomes of them.
std::vector<Variant> neighbours(const litmus::Program& program, Pair become) {
  std::vector<Variant> out;
  const auto edit = [&](const litmus::Thread&,
                        std::span<const Statement> pair) -> std::optional<Block> {
    const Access *a = access_in(pair[0]), *b = access_in(pair[1]);
    const auto plain = [](const Access* access) {
      return is_read(access, Mode::plain) || is_write(access, Mode::plain);
    };
    if (!plain(a) || !plain(b) || a->location != b->location) return std::nullopt;
    return become(pair[0], *a, pair[1], *b);
  };
  for (auto& changed : edited(program, 2, edit)) out.push_back({std::move(changed)});
  return out;
}

Statement assignment(const Access& target, Expression value) {
  return {Assign{*target.target, std::move(value), target.declares}, {}};
}

/// r1 = x; r2 = x  ->  r1 = x; r2 = r1
std::vector<Variant> read_after_read(const litmus::Program& program) {
  return neighbours(program,
                    [](const Statement& first, const Access& a, const Statement&,
                       const Access& b) -> std::optional<Block> {
                      if (!is_read(&a, Mode::plain) || !is_read(&b, Mode::plain) || !a.target ||
                          !b.target)
                        return std::nullopt;
                      return Block{first, assignment(b, Expression::of(*a.target))};
                    });
}

/// x = e; r = x  ->  x = e; r = e
std::vector<Variant> read_after_write(const litmus::Program& program) {
  return neighbours(program,
                    [](const Statement& first, const Access& a, const Statement&,
                       const Access& b) -> std::optional<Block> {
                      if (!is_write(&a, Mode::plain) || !is_read(&b, Mode::plain) || !b.target)
                        return std::nullopt;
                      return Block{first, assignment(b, a.arguments.at(0))};
                    });
}

/// r = x; x = r  ->  r = x
std::vector<Variant> write_after_read(const litmus::Program& program) {
  return neighbours(program,
                    [](const Statement& first, const Access& a, const Statement&,
                       const Access& b) -> std::optional<Block> {
                      if (!is_read(&a, Mode::plain) || !is_write(&b, Mode::plain) || !a.target ||
                          b.arguments.at(0) != Expression::of(*a.target))
                        return std::nullopt;
                      return Block{first};
                    });
}

/// r = x  ->  r = x; x = r, which few programs that are drawn have of themselves
std::vector<Variant> with_a_write_back(const litmus::Program& program) {
  std::vector<Variant> out;
  const auto edit = [](const litmus::Thread&,
                       std::span<const Statement> one) -> std::optional<Block> {
    const Access* read = access_in(one[0]);
    if (!is_read(read, Mode::plain) || !read->target) return std::nullopt;
    Access write;
    write.method = litmus::Method::set;
    write.location = read->location;
    write.arguments = {Expression::of(*read->target)};
    return Block{one[0], Statement{write, {}}};
  };
  for (auto& changed : edited(program, 1, edit)) out.push_back({std::move(changed)});
  return out;
}

/// The write that is there adds nothing by going, and one that is not loses nothing by coming.
Finding write_back_is_redundant(const litmus::Program& program, Lab& lab) {
  static const auto goes = adds_nothing(write_after_read), comes = loses_nothing(with_a_write_back);
  auto found = goes(program, lab);
  if (found.answer == Finding::Answer::fails || found.answer == Finding::Answer::unknown)
    return found;
  auto other = comes(program, lab);
  return other.answer == Finding::Answer::silent ? found : other;
}

/// x = e; x = f  ->  x = f
std::vector<Variant> write_before_write(const litmus::Program& program) {
  return neighbours(program,
                    [](const Statement&, const Access& a, const Statement& second,
                       const Access& b) -> std::optional<Block> {
                      if (!is_write(&a, Mode::plain) || !is_write(&b, Mode::plain))
                        return std::nullopt;
                      return Block{second};
                    });
}

/// The program with a plain read whose value nobody uses, of each location that its thread touches,
/// at each place.
std::vector<Variant> with_a_read(const litmus::Program& program) {
  std::vector<Variant> out;
  for (std::uint32_t l = 0; l < program.locations.size(); ++l) {
    Access read;
    read.location = litmus::LocationId(l);
    const auto put_in = [&](const litmus::Thread& thread, auto) -> std::optional<Block> {
      if (std::ranges::find(thread.handles, read.location, &litmus::Handle::location) ==
          thread.handles.end())
        return std::nullopt;
      return Block{Statement{read, {}}};
    };
    for (auto& changed : edited(program, 0, put_in)) out.push_back({std::move(changed)});
  }
  return out;
}

} // namespace

void add_eliminations(std::vector<Property>& out, const Settings& /*settings*/) {
  const auto add = [&](std::string name, std::string group, std::string claim, auto look,
                       std::uint32_t every = 1) {
    out.push_back(
        {std::move(name), std::move(group), std::move(claim), table1, std::move(look), every});
  };
  const std::string away = "Eliminations";
  add("eliminate-RAR", away,
      "a plain read right after another one of its location may take that one's value",
      adds_nothing(read_after_read));
  add("eliminate-RAW", away,
      "a plain read right after a plain write of its location may take what was written",
      adds_nothing(read_after_write));
  add("eliminate-WAR", away,
      "a plain write of the value just read from its location may be left out",
      write_back_is_redundant, 2);
  add("eliminate-WW", away,
      "a plain write that another one of its location follows at once may be left out",
      adds_nothing(write_before_write));
  add("eliminate-IR", away, "a plain read whose value nobody uses may be left out",
      loses_nothing(with_a_read), 8);
  add("introduce-read", "Introductions", "a plain read whose value nobody uses may be put in",
      adds_nothing(with_a_read), 8);
}

} // namespace thinair::health
