// Reads schemes of assembly text and makes inline assembly of them.
#include "lower/text_scheme.h"

#include "litmus/text/digest.h"
#include "lower/scheme_reader.h"
#include "lower/text_scheme_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace thinair::lower {
namespace {

class Parser : private SchemeReader {
 public:
  Parser(const text::Source& source, Machine machine) : SchemeReader(source) {
    scheme_.machine = machine;
  }

  TextScheme parse() {
    read();
    scheme_.name = name_;
    scheme_.title = title_;
    check(source_, scheme_, places_);
    return std::move(scheme_);
  }

 private:
  void begin_rule() override { rule_ = {}; }
  void instruction(std::vector<std::string> labels) override;
  void end_rule(const std::vector<Token>& operations, std::vector<std::string> labels) override {
    rule_.end_labels = std::move(labels);
    for (const Token& token : operations) {
      const Operation operation = *operation_named(token.text);
      scheme_.rules[index_of(operation)] = rule_;
      places_[index_of(operation)] = token.span;
    }
  }
  TextOperand operand();

  TextScheme scheme_;
  TextRule rule_;
  std::array<text::Span, operation_count> places_{};
};

void Parser::instruction(std::vector<std::string> labels) {
  const Token word = take();
  if (word.kind != Token::Kind::word)
    fail(word, fmt::format("expected an instruction, found {}", found(word)));
  TextInstruction result{std::move(labels), std::string(word.text), {}, word.span};
  while (!at_end_of_instruction()) {
    if (!result.operands.empty()) expect(",", "between operands");
    result.operands.push_back(operand());
  }
  result.span.end = before().span.end;
  rule_.code.push_back(std::move(result));
}

TextOperand Parser::operand() {
  if (is("[")) {
    take();
    const Token word = take();
    if (word.text != "x") fail(word, fmt::format("expected x in brackets, found {}", found(word)));
    expect("]", "after a memory operand");
    return Place::location;
  }
  std::string words;
  while (here().kind == Token::Kind::word || here().kind == Token::Kind::number) {
    const Token word = take();
    if (const auto role = role_called(word.text); role && words.empty()) return *role;
    words += fmt::format("{}{}", words.empty() ? "" : " ", word.text);
  }
  if (words.empty()) fail(here(), fmt::format("expected an operand, found {}", found(here())));
  return words;
}

bool is_label(const TextRule& rule, std::string_view word) {
  const auto has = [&](const std::vector<std::string>& labels) {
    return std::ranges::find(labels, word) != labels.end();
  };
  return has(rule.end_labels) ||
         std::ranges::any_of(rule.code, [&](const auto& in) { return has(in.labels); });
}

constexpr std::array results{Role::dst, Role::tmp, Role::tmp2};
constexpr std::array arguments{Role::arg, Role::exp, Role::new_};

/// How inline assembly names a role: its number among the operands.
class Numbering {
 public:
  explicit Numbering(const TextRule& rule) {
    for (const Role role : results)
      if (rule.uses(role)) order_.push_back(role);
    location_ = order_.size();
    after_location_ = rule.uses_location() ? location_ + 1 : location_;
    for (const Role role : arguments)
      if (rule.uses(role)) order_.push_back(role);
  }
  std::size_t of(Role role) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(order_, role) - order_.begin());
    return at < location_ ? at : at - location_ + after_location_;
  }
  std::size_t of_location() const { return location_; }

 private:
  std::vector<Role> order_;
  std::size_t location_ = 0, after_location_ = 0;
};

std::string shown(const TextOperand& operand, const TextRule& rule, const Numbering& numbers,
                  Machine machine) {
  const bool riscv = machine == Machine::riscv;
  if (const auto* role = std::get_if<Role>(&operand))
    return fmt::format("${{{}{}}}", numbers.of(*role), riscv ? "" : ":w");
  if (std::holds_alternative<Place>(operand))
    return fmt::format("{}${}{}", riscv ? "(" : "[", numbers.of_location(), riscv ? ")" : "]");
  const auto& word = std::get<std::string>(operand);
  return is_label(rule, word) ? fmt::format(".L{}${{:uid}}", word) : word;
}

InlineCode inline_code(const TextRule& rule, Machine machine) {
  const Numbering numbers(rule);
  InlineCode out;
  const auto add = [&](std::string line) {
    out.code += fmt::format("{}{}", out.code.empty() ? "" : "\\0A\\09", line);
  };
  const auto add_labels = [&](const std::vector<std::string>& labels) {
    for (const auto& label : labels) add(fmt::format(".L{}${{:uid}}:", label));
  };
  for (const auto& in : rule.code) {
    add_labels(in.labels);
    std::vector<std::string> operands;
    for (const auto& operand : in.operands)
      operands.push_back(shown(operand, rule, numbers, machine));
    add(fmt::format("{} {}", in.mnemonic, fmt::join(operands, ", ")));
  }
  add_labels(rule.end_labels);
  for (const Role role : results) out.results += rule.uses(role);
  out.has_dst = rule.uses(Role::dst);
  out.has_address = rule.uses_location();
  if (rule.uses(Role::arg)) out.arguments.push_back(0);
  if (rule.uses(Role::exp)) out.arguments.push_back(0);
  if (rule.uses(Role::new_)) out.arguments.push_back(1);
  return out;
}

} // namespace

bool TextRule::uses(Role role) const {
  return std::ranges::any_of(code, [&](const TextInstruction& in) {
    return std::ranges::find(in.operands, TextOperand(role)) != in.operands.end();
  });
}

bool TextRule::uses_location() const {
  return std::ranges::any_of(code, [](const TextInstruction& in) {
    return std::ranges::find(in.operands, TextOperand(Place::location)) != in.operands.end();
  });
}

TextScheme parse_text_scheme(const text::Source& source, Machine machine) {
  return Parser(source, machine).parse();
}

std::string content(const TextScheme& scheme) {
  text::Digest digest;
  for (const auto& rule : scheme.rules) digest.add(inline_code(rule, scheme.machine).code);
  return digest.hex();
}

InlineRules inline_rules(const TextScheme& scheme) {
  const auto code = [&scheme](Operation operation) {
    return inline_code(scheme.rules[index_of(operation)], scheme.machine);
  };
  return {[code](litmus::Method method) { return code(method); },
          [code](litmus::Fence fence) { return code(fence); }};
}

} // namespace thinair::lower
