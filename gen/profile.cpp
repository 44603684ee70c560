// The reader of profiles, `key = number` a line, and those that come with the program
// (gen/profiles).
#include "gen/profile.h"

#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace thinair::gen {
namespace {

/// A key of a profile file.
struct Key {
  std::string_view name;
  std::uint32_t Profile::* member;
  std::uint32_t low, high;
  std::string_view help;
};

constexpr std::uint32_t any_weight = 1'000'000;
constexpr std::string_view like = "like ";

Profile unchanged(std::string name) {
  Profile profile;
  profile.name = std::move(name);
  return profile;
}

constexpr auto keys = std::to_array<Key>({
    {"cycles", &Profile::cycles, 0, any_weight, "weight of programs made of critical cycles"},
    {"mutations", &Profile::mutations, 0, any_weight,
     "weight of mutants of corpus tests and of earlier finds"},
    {"noise", &Profile::noise, 0, any_weight, "weight of uniformly random programs"},
    {"publications", &Profile::publications, 0, any_weight,
     "weight of programs that make objects and hand them over"},
    {"max-threads", &Profile::max_threads, 1, 8, "threads at most"},
    {"max-accesses", &Profile::max_accesses, 1, 32, "accesses at most"},
    {"max-locations", &Profile::max_locations, 1, 8, "locations at most"},
    {"plain", &Profile::plain, 0, any_weight, "weight of plain accesses"},
    {"opaque", &Profile::opaque, 0, any_weight, "weight of opaque accesses"},
    {"acquire-release", &Profile::acquire_release, 0, any_weight,
     "weight of acquire reads and release writes"},
    {"volatile", &Profile::volatile_, 0, any_weight, "weight of volatile accesses"},
    {"mixed-modes", &Profile::mixed_modes, 0, 100,
     "of 100 programs: each access draws its own mode (else each location)"},
    {"rmw", &Profile::rmw, 0, 100, "of 100 accesses: read-modify-writes"},
    {"get-and-set", &Profile::get_and_set, 0, any_weight, "weight among read-modify-writes"},
    {"get-and-add", &Profile::get_and_add, 0, any_weight, "weight among read-modify-writes"},
    {"get-and-bitwise", &Profile::get_and_bitwise, 0, any_weight,
     "weight among read-modify-writes"},
    {"compare-and-exchange", &Profile::compare_and_exchange, 0, any_weight,
     "weight among read-modify-writes"},
    {"compare-and-set", &Profile::compare_and_set, 0, any_weight,
     "weight among read-modify-writes"},
    {"weak-compare-and-set", &Profile::weak_compare_and_set, 0, any_weight,
     "weight among read-modify-writes"},
    {"unused", &Profile::unused, 0, 100, "of 100 read-modify-writes: the result is not used"},
    {"fence", &Profile::fence, 0, 100, "of 100 gaps between accesses: a fence"},
    {"data-dependency", &Profile::data_dependency, 0, 100,
     "of 100 writes after a read: the value is copied"},
    {"control-dependency", &Profile::control_dependency, 0, 100,
     "of 100 gaps after a read: a branch on it"},
    {"false-dependency", &Profile::false_dependency, 0, 100,
     "of 100 writes after a read: a value like 1 + r - r"},
    {"internal", &Profile::internal, 0, 100,
     "of 100 accesses in a cycle: one more to the same location"},
    {"max-constant", &Profile::max_constant, 1, 1000, "largest constant written"},
    {"wide", &Profile::wide, 0, 100,
     "of 100 constants written: one at the edge of a byte, a word or an int"},
    {"types", &Profile::types, 0, 100, "of 100 locations and fields: one of another type than int"},
    {"floats", &Profile::floats, 0, 100, "of 100 such locations: a float or a double"},
    {"monitor", &Profile::monitor, 0, 100, "of 100 threads: statements under a monitor"},
    {"nested", &Profile::nested, 0, 100, "of 100 such sections: another one inside"},
    {"start", &Profile::start, 0, 100, "of 100 threads but the first: another one starts it"},
    {"join", &Profile::join, 0, 100, "of 100 threads but the first: another one waits for its end"},
    {"print", &Profile::print, 0, 100, "of 100 reads: what was read is printed"},
    {"final-fields", &Profile::final_fields, 0, 100, "of 100 fields: final ones"},
    {"leaks", &Profile::leaks, 0, 100, "of 100 constructors: `this` is seen before the end"},
    {"chains", &Profile::chains, 0, 100, "of 100 classes: one with a reference to another"},
    {"lazy", &Profile::lazy, 0, 100, "of 100 publications: double-checked, by all threads"},
    {"locked", &Profile::locked, 0, 100, "of 100 of these: under a monitor"},
    {"unchecked", &Profile::unchecked, 0, 100, "of 100 reads by a reference: it may be null"},
    {"arrays", &Profile::arrays, 0, 100, "of 100 publications: of an array"},
});

struct Shipped {
  std::string_view file, text;
};
constexpr auto shipped = std::to_array<Shipped>({
#include "gen/embedded.inc"
});

std::string_view name_of(const Shipped& profile) {
  return profile.file.substr(0, profile.file.rfind('.'));
}

std::vector<std::string_view> shipped_names() {
  std::vector<std::string_view> names;
  for (const auto& profile : shipped) names.push_back(name_of(profile));
  return names;
}

std::string no_such_profile(std::string_view name) {
  return fmt::format("unknown profile '{}' (there are: {})", text::printable_word(name),
                     fmt::join(shipped_names(), ", "));
}

std::string did_you_mean(std::string_view name) {
  const auto near = nearest(name, shipped_names());
  return near ? fmt::format("did you mean '{}'?", *near) : "";
}

[[noreturn]] void fail(const text::Source& source, std::string_view part, std::string_view message,
                       std::string_view hint = {}) {
  const auto begin = static_cast<std::uint32_t>(part.data() - source.text.data());
  throw InputError::at(source, {begin, begin + static_cast<std::uint32_t>(part.size())}, message,
                       hint);
}

std::string_view trimmed(std::string_view s) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}

const Key& find_key(const text::Source& source, std::string_view word) {
  const auto found = std::ranges::find(keys, word, &Key::name);
  if (found != keys.end()) return *found;
  std::vector<std::string_view> names;
  for (const auto& key : keys) names.push_back(key.name);
  const auto near = nearest(word, names);
  fail(source, word, fmt::format("unknown key '{}' in a profile", word),
       near ? fmt::format("did you mean '{}'?", *near) : std::string());
}

void read_lines(const text::Source& source, Profile& profile);

/// "like NAME": all numbers of a profile that comes with the program; further lines change them.
void take_over(const text::Source& source, std::string_view name, Profile& profile) {
  const auto found = std::ranges::find(shipped, name, name_of);
  if (found == shipped.end()) fail(source, name, no_such_profile(name), did_you_mean(name));
  read_lines({std::string(found->file), std::string(found->text)}, profile);
}

void read_line(const text::Source& source, std::string_view line, Profile& profile) {
  line = trimmed(line.substr(0, line.find('#')));
  if (line.empty()) return;
  if (line.starts_with(like)) {
    if (profile != unchanged(profile.name))
      fail(source, line, "'like' must come before the numbers that it would overwrite");
    return take_over(source, trimmed(line.substr(like.size())), profile);
  }
  const auto equals = line.find('=');
  if (equals == std::string_view::npos)
    fail(source, line, "expected 'key = number', or 'like' and the name of a profile");
  const Key& key = find_key(source, trimmed(line.substr(0, equals)));
  const auto digits = trimmed(line.substr(equals + 1));
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!whole || value < key.low || value > key.high)
    fail(source, digits.empty() ? line : digits,
         fmt::format("expected a number from {} to {} for '{}'", key.low, key.high, key.name));
  profile.*key.member = value;
}

void read_lines(const text::Source& source, Profile& profile) {
  std::string_view rest = source.text;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    read_line(source, rest.substr(0, end), profile);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

/// A group of weights of which one must be drawn.
void require_weight(const text::Source& source, std::uint64_t sum, std::string_view group) {
  if (sum == 0)
    throw InputError(fmt::format("{}: error: no weight above 0 among {}", source.name, group));
}

} // namespace

Profile parse_profile(const text::Source& source) {
  Profile profile = unchanged(source.name);
  read_lines(source, profile);
  require_weight(source,
                 std::uint64_t{profile.cycles} + profile.mutations + profile.noise +
                     profile.publications,
                 "cycles, mutations, noise, publications");
  require_weight(source,
                 std::uint64_t{profile.plain} + profile.opaque + profile.acquire_release +
                     profile.volatile_,
                 "plain, opaque, acquire-release, volatile");
  if (profile.rmw > 0)
    require_weight(
        source,
        std::uint64_t{profile.get_and_set} + profile.get_and_add + profile.get_and_bitwise +
            profile.compare_and_exchange + profile.compare_and_set + profile.weak_compare_and_set,
        "get-and-set, get-and-add, get-and-bitwise, compare-and-exchange, compare-and-set, "
        "weak-compare-and-set");
  return profile;
}

std::string print(const Profile& profile) {
  std::string out;
  for (const auto& key : keys)
    out += fmt::format("{} = {} # {}\n", key.name, profile.*key.member, key.help);
  return out;
}

std::span<const Profile> profiles() {
  static const auto table = [] {
    std::vector<Profile> out;
    for (const auto& profile : shipped)
      out.push_back(parse_profile({std::string(name_of(profile)), std::string(profile.text)}));
    return out;
  }();
  return table;
}

std::string about(const Profile& embedded) {
  const auto file = std::ranges::find(shipped, embedded.name, name_of);
  THINAIR_CHECK(file != std::ranges::end(shipped), "a profile that is not embedded");
  std::string out;
  for (std::string_view rest = file->text; rest.starts_with("# ");) {
    const auto end = std::min(rest.find('\n'), rest.size() - 1);
    out += fmt::format("{}{}", out.empty() ? "" : " ", rest.substr(2, end - 2));
    rest.remove_prefix(end + 1);
  }
  return out;
}

Profile restricted(Profile profile, litmus::Constructs constructs) {
  using litmus::Construct;
  const auto keep = [&](std::uint32_t& weight, litmus::Constructs drawn) {
    if (!(drawn - constructs).empty()) weight = 0;
  };
  keep(profile.opaque, Construct::opaque);
  keep(profile.acquire_release, litmus::Constructs(Construct::acquire) | Construct::release);
  keep(profile.volatile_, Construct::volatile_);
  // Where VarHandle has no method of the mode drawn, a neighbouring one is taken.
  keep(profile.rmw, *litmus::constructs_named("updates"));
  keep(profile.fence, *litmus::constructs_named("fences"));
  keep(profile.final_fields, Construct::final_fields);
  keep(profile.locked, Construct::monitors);
  keep(profile.monitor, Construct::monitors);
  keep(profile.start, Construct::threads);
  keep(profile.join, Construct::threads);
  if (profile.opaque + profile.acquire_release + profile.volatile_ == 0)
    profile.plain = std::max(profile.plain, 1U);
  return profile;
}

Profile profile_for(litmus::Constructs constructs, std::span<const std::string_view> names) {
  for (const auto name : names) {
    auto profile = load_profile(name);
    if (restricted(profile, constructs) == profile) return profile;
  }
  return restricted(load_profile(names.front()), constructs);
}

Profile load_profile(std::string_view name_or_path) {
  const auto found = std::ranges::find(profiles(), name_or_path, &Profile::name);
  if (found != profiles().end()) return *found;
  const bool is_path = name_or_path.find_first_of("./") != std::string_view::npos;
  if (is_path) return parse_profile(litmus::read_file(std::string(name_or_path)));
  const auto hint = did_you_mean(name_or_path);
  throw InputError(fmt::format("error: {}, or give a file{}", no_such_profile(name_or_path),
                               hint.empty() ? "" : "\n  hint: " + hint));
}

} // namespace thinair::gen
