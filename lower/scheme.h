// Compilation schemes: for each VarHandle operation, the machine's instructions that implement it.
#pragma once

#include "litmus/program.h"
#include "litmus/text/source.h"
#include "lower/lowered.h"
#include "lower/machine.h"
#include "lower/operation.h"
#include "lower/scheme_text.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace thinair::lower {

/// What a rule calls a register (docs/lowering.md). Only `dst` and the temporaries may be written.
enum class Role : std::uint8_t { dst, arg, exp, new_, tmp, tmp2 };
constexpr std::size_t role_count = 6;
std::string_view name(Role role);
/// Of an argument of an access, by its place.
Role role_of(const litmus::Access& access, std::size_t argument);

/// `[x]`, the location accessed, or `[stack]`, a cell of the thread's own. On machines whose code
/// may take a long in two halves, `[x.low]` and `[x.high]` are those.
enum class Place : std::uint8_t { location, stack, low, high };
constexpr bool is_half(Place place) { return place == Place::low || place == Place::high; }

/// The whole of a rule for an operation that a scheme has no code for.
inline constexpr std::string_view no_code = "unsupported";
/// Throws Unsupported.
[[noreturn]] void has_no_code(const RuleName& rule);

/// A rule as scheme files have it, a label or an instruction a line; `print` has an instruction
/// without its labels.
template <class Rule>
std::string printed_rule(const Rule& rule) {
  std::string text;
  for (const auto& in : rule.code) {
    for (const auto& label : in.labels) text += label + ":\n";
    text += "  " + print(in) + "\n";
  }
  for (const auto& label : rule.end_labels) text += label + ":\n";
  return text;
}

/// The rules of a scheme: as text, and, of some machine, as instructions.
struct SchemeRules {
  explicit SchemeRules(SchemeText of) : text(std::move(of)) {}
  virtual ~SchemeRules() = default;

  /// What the program's choices say by which; all are of this machine. Throws Unsupported.
  virtual Lowered lower(std::span<const SchemeRules* const> mix,
                        const litmus::Program& program) const = 0;
  /// A digest that is the same for other spellings of the instructions; empty: there are none.
  virtual std::string digest() const { return {}; }

  const SchemeText text;
};

struct Scheme {
  Machine machine;
  std::unique_ptr<const SchemeRules> rules;

  const SchemeText& text() const { return rules->text; }
  /// What the rules say, whatever their file's layout: another one is another scheme.
  std::string content() const;
};

/// The program compiled statement by statement, each operation by its rule, no optimization at all.
/// Each source register has a home, a machine register or, where those run out, a private location
/// of its thread. Throws Unsupported for what the machine's code cannot express; nothing is
/// dropped. With several schemes, of one machine, the program's choices say which of them compiles
/// each access and fence.
Lowered lower_with(std::span<const Scheme> mix, const litmus::Program& program);

inline Lowered lower_with(const Scheme& scheme, const litmus::Program& program) {
  return lower_with({&scheme, 1}, program);
}

/// What a scheme file calls itself, before its rules are looked at. Throws InputError for what does
/// not begin as one.
struct SchemeHead {
  std::string name, title;
  std::string like; // the scheme that has what this one leaves out; may be empty
};
SchemeHead scheme_head(const text::Source& source);

/// Reads and checks a scheme file of any machine. Throws InputError: a syntax error, an unknown
/// operation, instruction or operand, an operation missing or given twice, an argument clobbered, a
/// register read before it is written, a result never written. Throws Unsupported for an
/// instruction that the machine has and thinair does not know.
/// `depth`: how many schemes are like this one on the way here.
Scheme parse_scheme(const text::Source& source, int depth = 0);

/// The source of the scheme that `head` says it is like: a shipped one, or a file beside `from`.
/// Throws InputError where there is none, where it is of another machine, and where `depth` says
/// that there is no end.
text::Source base_of(const text::Source& from, const SchemeHead& head, int depth);

/// A scheme file that is part of the program: "x86-table2.scheme" is called x86:table2.
struct ShippedScheme {
  std::string_view file;
  std::string_view text;
};
text::Source source_of(const ShippedScheme& shipped);
std::vector<ShippedScheme> shipped_schemes(Machine machine = {});
std::optional<ShippedScheme> shipped_file(std::string_view name); // by the scheme's name
std::optional<Scheme> find_scheme(std::string_view name);

} // namespace thinair::lower
