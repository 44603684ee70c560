// Each mutation is a function of the text; a table says how often it is made.
#include "tests/fuzz/cli_fuzz/mutate.h"

#include "litmus/modes.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace thinair::fuzz {
namespace {

using litmus::Random;

constexpr std::size_t most_bytes = 200'000;

constexpr auto edges = std::to_array<std::string_view>({"0",
                                                        "1",
                                                        "-1",
                                                        "2",
                                                        "3",
                                                        "64",
                                                        "65",
                                                        "255",
                                                        "256",
                                                        "1000",
                                                        "4000",
                                                        "65536",
                                                        "1000000",
                                                        "2147483647",
                                                        "2147483648",
                                                        "-2147483648",
                                                        "-2147483649",
                                                        "4294967295",
                                                        "4294967296",
                                                        "9223372036854775807",
                                                        "9223372036854775808",
                                                        "-9223372036854775808",
                                                        "18446744073709551615",
                                                        "18446744073709551616",
                                                        "99999999999999999999999999",
                                                        "0x",
                                                        "0xffffffffffffffff",
                                                        "00",
                                                        "1e9",
                                                        "1e400",
                                                        "nan",
                                                        "inf",
                                                        "-0",
                                                        "0.0000001",
                                                        "1_000"});

struct Place {
  std::size_t begin = 0, size = 0;
};

std::size_t offset_in(std::string_view text, Random& random) {
  return static_cast<std::size_t>(random.below(text.size() + 1));
}

Place range_in(std::string_view text, std::size_t longest, Random& random) {
  const std::size_t begin = offset_in(text, random);
  const auto size = static_cast<std::size_t>(random.below(longest + 1));
  return {begin, std::min(size, text.size() - begin)};
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A word or a number near a random place; empty where there is none behind it.
Place word_in(std::string_view text, Random& random) {
  std::size_t begin = offset_in(text, random);
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  while (begin < text.size() && !is_word(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && is_word(text[end])) ++end;
  return {begin, end - begin};
}

Place line_in(std::string_view text, Random& random) {
  const std::size_t at = offset_in(text, random);
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = text.find('\n', at);
  return {begin, (end == std::string_view::npos ? text.size() : end + 1) - begin};
}

std::string part(std::string_view text, Place place) {
  return std::string(text.substr(place.begin, place.size));
}

void insert(std::string& text, std::string_view what, Random& random) {
  text.insert(offset_in(text, random), what);
}

void change_byte(std::string& text, const Material&, Random& random) {
  if (!text.empty()) text[random.below(text.size())] = static_cast<char>(random.below(256));
}

void erase(std::string& text, const Material&, Random& random) {
  const Place place = range_in(text, random.chance(1, 4) ? 200 : 4, random);
  text.erase(place.begin, place.size);
}

void erase_line(std::string& text, const Material&, Random& random) {
  const Place place = line_in(text, random);
  text.erase(place.begin, place.size);
}

void repeat_line(std::string& text, const Material&, Random& random) {
  const Place place = line_in(text, random);
  const std::string line = part(text, place);
  for (auto n = random.chance(1, 10) ? random.below(200) : 1; n > 0; --n)
    text.insert(place.begin, line);
}

void move_line(std::string& text, const Material&, Random& random) {
  const Place place = line_in(text, random);
  const std::string line = part(text, place);
  text.erase(place.begin, place.size);
  text.insert(line_in(text, random).begin, line);
}

void copy_range(std::string& text, const Material&, Random& random) {
  const std::string copy = part(text, range_in(text, 80, random));
  insert(text, copy, random);
}

void insert_word(std::string& text, const Material& material, Random& random) {
  insert(text, random.pick(material.words), random);
}

void replace_word(std::string& text, const Material& material, Random& random) {
  const Place place = word_in(text, random);
  const std::string other =
      random.chance(1, 3) ? random.pick(material.words) : part(text, word_in(text, random));
  text.replace(place.begin, place.size, other);
}

/// The next number behind some place.
void replace_number(std::string& text, const Material&, Random& random) {
  std::size_t begin = text.find_first_of("0123456789", offset_in(text, random));
  if (begin == std::string::npos) begin = text.find_first_of("0123456789");
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
  text.replace(begin, end - begin,
               random.chance(1, 2) ? std::string(random.pick(edges))
                                   : std::to_string(random.below(20)));
}

/// An access method by another: the text most often stays a test.
void replace_method(std::string& text, const Material&, Random& random) {
  const std::size_t dot = text.find('.', offset_in(text, random));
  if (dot == std::string::npos) return;
  std::size_t end = dot + 1;
  while (end < text.size() && is_word(text[end])) ++end;
  const auto all = litmus::methods();
  text.replace(dot + 1, end - dot - 1,
               all[static_cast<std::size_t>(random.below(all.size()))].name);
}

/// A statement in a loop or a branch, with a condition that may be anything.
void wrap_statement(std::string& text, const Material&, Random& random) {
  constexpr auto heads =
      std::to_array<std::string_view>({"if (1) { ", "while (0) { ", "while[3] (1 == 1) { ", "do { ",
                                       "if (X.get() == 1) { ", "while (X.getVolatile() != 1) { "});
  const std::size_t begin = text.find("; ", offset_in(text, random));
  if (begin == std::string::npos) return;
  const std::size_t end = text.find(';', begin + 1);
  if (end == std::string::npos) return;
  const std::string_view head = random.pick(heads);
  text.insert(end + 1, head.starts_with("do") ? " } while (0);" : " }");
  text.insert(begin + 2, head);
}

void splice(std::string& text, const Material& material, Random& random) {
  const std::string& donor = random.pick(material.donors);
  insert(text, part(donor, range_in(donor, random.chance(1, 4) ? 2000 : 60, random)), random);
}

/// Deep nesting, long names, many of the same.
void repeat(std::string& text, const Material& material, Random& random) {
  constexpr auto symbols = std::to_array<std::string_view>(
      {"(",  ")",  "{",    "}",  "[", "]",  "!",  "-", "~", "a",        "0",       "\"",
       "(*", "/*", "not ", "x+", " ", "\n", "\\", ";", "|", "if (1) {", "lock(m);"});
  const std::string what(random.chance(1, 6) ? std::string_view(random.pick(material.words))
                                             : random.pick(symbols));
  std::string many;
  for (auto n = random.below(random.chance(1, 8) ? 5000 : 70); n > 0; --n) many += what;
  insert(text, many, random);
}

void cut(std::string& text, const Material&, Random& random) {
  text.resize(offset_in(text, random));
}

void insert_hostile(std::string& text, const Material&, Random& random) {
  insert(text, hostile_bytes(random), random);
}

struct Mutation {
  std::uint32_t weight;
  void (*make)(std::string&, const Material&, Random&);
};

constexpr auto mutations = std::to_array<Mutation>({{3, change_byte},
                                                    {4, erase},
                                                    {3, erase_line},
                                                    {3, repeat_line},
                                                    {3, move_line},
                                                    {5, copy_range},
                                                    {6, insert_word},
                                                    {10, replace_word},
                                                    {8, replace_number},
                                                    {8, replace_method},
                                                    {8, wrap_statement},
                                                    {3, splice},
                                                    {2, repeat},
                                                    {1, cut},
                                                    {1, insert_hostile}});

} // namespace

std::string mutated(std::string text, const Material& material, Random& random) {
  std::array<std::uint32_t, mutations.size()> weights{};
  std::ranges::transform(mutations, weights.begin(), &Mutation::weight);
  do mutations[random.weighted(weights)].make(text, material, random);
  while (random.chance(1, 3));
  if (text.size() > most_bytes) text.resize(most_bytes);
  return text;
}

std::string hostile_bytes(Random& random) {
  constexpr auto some = std::to_array<std::string_view>(
      {"\x1b[2J", "\x9b", "\xC2\x9B", "\xE2\x80\xAE", "\xFF", "\xC0\x80", "\xED\xA0\x80",
       "\xF4\x90\x80\x80", "\r", "\x07", "\x7F", "\xEF\xBB\xBF", "\xEF\xBF\xBF", "\xC3\xA9", "\t",
       "%s%n", "{}", "\xF3\xA0\x81\x81"});
  if (random.chance(1, 20)) return std::string(1, '\0');
  return std::string(random.pick(some));
}

std::string nasty_value(Random& random) {
  switch (random.below(8)) {
  case 0: return "";
  case 1: {
    std::string value = hostile_bytes(random) + "x"; // one after the other on every compiler
    value += hostile_bytes(random);
    return value;
  }
  case 2: return std::string(random.below(3000), 'a');
  case 3: return std::string(random.pick(edges)) + "x";
  case 4: return "-";
  case 5: return "../x/./" + std::string(random.pick(edges));
  default: return std::string(random.pick(edges));
  }
}

} // namespace thinair::fuzz
