// Splits rules into instructions and operands.
#include "lower/rule_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace thinair::lower {
namespace {

/// Instructions that are no scheme's.
class RuleAlone : private TextRuleReader {
 public:
  using TextRuleReader::TextRuleReader;
  TextRule read() {
    read_instructions();
    return std::move(rule_);
  }

 private:
  void rule(const TextRule& rule, const std::vector<NamedRule>&) override { rule_ = rule; }
  TextRule rule_;
};

} // namespace

std::vector<std::string> TextRuleReader::end_pattern() {
  std::vector<std::string> texts;
  for (const auto& in : rule_.code) texts.push_back(print(in));
  return texts;
}

void TextRuleReader::instruction(std::vector<std::string> labels) {
  const Token word = take();
  if (word.kind != Token::Kind::word)
    fail(word, fmt::format("expected an instruction, found {}", found(word)));
  TextInstruction result{std::move(labels), std::string(word.text), {}, {word.span}, word.span};
  while (!at_end_of_instruction()) {
    if (!result.operands.empty()) expect(",", "between operands");
    const auto begin = here().span.begin;
    result.operands.push_back(operand());
    result.spans.push_back({begin, before().span.end});
  }
  result.span.end = before().span.end;
  rule_.code.push_back(std::move(result));
}

TextOperand TextRuleReader::operand() {
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

void TextRuleReader::check() const {
  for (const auto& in : rule_.code)
    if (in.mnemonic == no_code && (rule_.code.size() > 1 || !in.operands.empty()))
      throw InputError::at(source_, in.span, fmt::format("{} is the whole of a rule", no_code));
  std::set<std::string_view> known;
  for (const auto& in : rule_.code)
    for (const auto& label : in.labels)
      if (!known.insert(label).second)
        throw InputError::at(source_, in.span, fmt::format("label {} stands twice", label));
  for (const auto& label : rule_.end_labels)
    if (!known.insert(label).second) fail(before(), fmt::format("label {} stands twice", label));
}

std::string TextRuleReader::end_rule(const std::vector<NamedRule>& names,
                                     std::vector<std::string> labels) {
  rule_.end_labels = std::move(labels);
  check();
  rule(rule_, names);
  return printed_rule(rule_);
}

bool TextRule::has_label(std::string_view name) const {
  const auto has = [&](const std::vector<std::string>& labels) {
    return std::ranges::find(labels, name) != labels.end();
  };
  return has(end_labels) ||
         std::ranges::any_of(code, [&](const auto& in) { return has(in.labels); });
}

std::string print(const TextInstruction& in) {
  const auto shown = [](const TextOperand& operand) -> std::string {
    if (const auto* role = std::get_if<Role>(&operand)) return std::string(name(*role));
    if (std::holds_alternative<Place>(operand)) return "[x]";
    return std::get<std::string>(operand);
  };
  std::string text = in.mnemonic;
  for (std::size_t i = 0; i < in.operands.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? " " : ", ", shown(in.operands[i]));
  return text;
}

TextRule read_rule_text(const text::Source& source) { return RuleAlone(source).read(); }

} // namespace thinair::lower
