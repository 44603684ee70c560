// Follows a rule in the order of its text.
#include "lower/rule_check.h"

#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::lower {
namespace {

constexpr std::array every_role{Role::dst, Role::arg, Role::exp, Role::new_, Role::tmp, Role::tmp2};

bool is_argument(Role role) { return role == Role::arg || role == Role::exp || role == Role::new_; }

class Flow {
 public:
  Flow(const RuleOfOperation& about, const std::vector<Effect>& effects, const RoleBits& bits)
      : about_(about), effects_(effects), bits_(bits),
        method_(std::get_if<litmus::Method>(&about.operation)) {}

  void run() {
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      const TextInstruction& in = about_.rule.code[i];
      for (std::size_t k = 0; k < in.operands.size(); ++k) allow(in.operands[k], in.spans[k + 1]);
      follow(in, effects_[i]);
    }
    result();
  }

 private:
  [[noreturn]] void fail(text::Span span, std::string_view message, std::string_view hint = {}) {
    throw InputError::at(about_.source, span, message, hint);
  }
  std::string_view operation() const { return lower::name(about_.operation); }
  RegisterBits bit(Role role) const { return bits_.roles[static_cast<std::size_t>(role)]; }

  int arguments() const { return method_ ? litmus::info(*method_).arguments : 0; }
  bool has_result() const { return method_ && litmus::reads(litmus::info(*method_).action); }
  bool has(Role role) const {
    if (role == Role::dst) return has_result();
    if (role == Role::arg) return arguments() == 1;
    return !is_argument(role) || arguments() == 2;
  }

  void allow(const TextOperand& operand, text::Span span) {
    accesses_ |= std::holds_alternative<Place>(operand);
    if (std::holds_alternative<Place>(operand) && !has_location(about_.operation))
      fail(span, fmt::format("{} has no location", operation()));
    if (const auto* role = std::get_if<Role>(&operand); role && !has(*role))
      fail(span, fmt::format("{} has no {}", operation(), lower::name(*role)));
  }

  /// The operand of that role; the whole instruction where it is none of its own.
  static text::Span place_of(const TextInstruction& in, Role role) {
    const auto at = std::ranges::find(in.operands, TextOperand(role));
    if (at == in.operands.end()) return in.span;
    return in.spans[static_cast<std::size_t>(at - in.operands.begin()) + 1];
  }

  void follow(const TextInstruction& in, const Effect& effect) {
    for (const Role role : every_role)
      if (!is_argument(role) && (effect.reads & ~written_ & bit(role)) != 0)
        fail(place_of(in, role),
             fmt::format("{} is read before anything is written to it", lower::name(role)));
    if ((effect.writes & bits_.address) != 0) fail(in.span, "this overwrites the address of [x]");
    for (const Role role : every_role)
      if (is_argument(role) && (effect.writes & bit(role)) != 0)
        fail(place_of(in, role),
             fmt::format("this overwrites {}, which the rule must leave as it is",
                         lower::name(role)),
             "copy it to tmp first");
    written_ |= effect.writes;
  }

  void result() {
    if (!has_location(about_.operation)) return;
    if (!accesses_)
      fail(about_.named, fmt::format("the rule for {} never accesses [x]", operation()));
    if (has_result() && (written_ & bit(Role::dst)) == 0)
      fail(about_.named, fmt::format("the rule for {} never writes dst", operation()));
  }

  const RuleOfOperation& about_;
  const std::vector<Effect>& effects_;
  const RoleBits& bits_;
  const litmus::Method* method_;
  RegisterBits written_ = 0;
  bool accesses_ = false;
};

} // namespace

void check_rule(const RuleOfOperation& rule, const std::vector<Effect>& effects,
                const RoleBits& bits) {
  Flow(rule, effects, bits).run();
}

} // namespace thinair::lower
