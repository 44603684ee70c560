// Reads x86 schemes: what an instruction and its operands are.
#include "lower/scheme_reader.h"
#include "machine/x86/code/scheme_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace thinair::lower::x86_code {
namespace {

struct Mnemonic {
  x86::Opcode opcode;
  x86::ConditionCode condition = x86::ConditionCode::e;
};

bool takes_condition(x86::Opcode opcode) {
  return opcode == x86::Opcode::jcc || opcode == x86::Opcode::setcc ||
         opcode == x86::Opcode::cmovcc;
}

std::optional<Mnemonic> mnemonic_named(std::string_view word) {
  for (const x86::OpcodeInfo& row : x86::opcodes()) {
    if (!takes_condition(row.opcode)) {
      if (row.mnemonic == word) return Mnemonic{row.opcode};
      continue;
    }
    if (!word.starts_with(row.mnemonic)) continue;
    if (const auto code = x86::condition_named(word.substr(row.mnemonic.size())))
      return Mnemonic{row.opcode, *code};
  }
  return std::nullopt;
}

std::vector<std::string> all_mnemonics() {
  std::vector<std::string> words;
  for (const x86::OpcodeInfo& row : x86::opcodes()) {
    if (!takes_condition(row.opcode)) words.emplace_back(row.mnemonic);
    for (unsigned i = 0; takes_condition(row.opcode) && i < 16; ++i)
      words.push_back(fmt::format("{}{}", row.mnemonic, name(static_cast<x86::ConditionCode>(i))));
  }
  return words;
}

std::optional<x86::Width> width_named(std::string_view letter) {
  if (letter == "b") return x86::Width::b;
  if (letter == "w") return x86::Width::w;
  if (letter == "l") return x86::Width::l;
  if (letter == "q") return x86::Width::q;
  return std::nullopt;
}

std::optional<RoleOperand> role_named(std::string_view word) {
  const std::size_t dot = word.find('.');
  const auto role = role_called(word.substr(0, dot));
  if (!role) return std::nullopt;
  RoleOperand operand{*role, x86::Width::l};
  if (dot == std::string_view::npos) return operand;
  const auto width = width_named(word.substr(dot + 1));
  if (!width) return std::nullopt;
  operand.width = *width;
  return operand;
}

class Parser : private SchemeReader {
 public:
  Parser(const text::Source& source, const Rules* base)
      : SchemeReader(source, base == nullptr ? nullptr : &base->text) {
    for (std::size_t i = 0; i < operation_count; ++i)
      rules_[i].is_unsupported = may_be_left_out(operation_at(i));
    if (base != nullptr) rules_ = base->of;
  }

  std::unique_ptr<const Rules> parse() {
    SchemeText text = read();
    return std::make_unique<Rules>(std::move(text), std::move(rules_));
  }

 private:
  std::vector<std::string> end_pattern() override {
    std::vector<std::string> texts;
    for (const auto& in : rule_.code) texts.push_back(print(in));
    return texts;
  }
  void begin_rule() override { rule_ = {}; }
  void instruction(std::vector<std::string> labels) override {
    if (here().text == no_code) {
      if (!rule_.code.empty()) fail(here(), fmt::format("{} is the whole of a rule", no_code));
      take();
      rule_.is_unsupported = true;
      return;
    }
    if (rule_.is_unsupported) fail(here(), fmt::format("{} is the whole of a rule", no_code));
    rule_.code.push_back(instruction());
    rule_.code.back().labels = std::move(labels);
  }
  std::string end_rule(const std::vector<NamedRule>& names,
                       std::vector<std::string> labels) override {
    rule_.end_labels = std::move(labels);
    for (const auto& [name, span] : names)
      put(rules_, name, rule_.is_unsupported ? rule_ : checked(source_, span, name, rule_));
    return print(rule_);
  }

  TemplateInstruction instruction();
  TemplateOperand operand();
  TemplateOperand place();
  TemplateOperand number();
  void mnemonic(TemplateInstruction& instruction);

  RuleTable<Rule> rules_;
  Rule rule_;
};

void Parser::mnemonic(TemplateInstruction& instruction) {
  const Token word = take();
  const auto known = word.kind == Token::Kind::word ? mnemonic_named(word.text) : std::nullopt;
  if (!known) {
    const auto words = all_mnemonics();
    const auto near = nearest(word.text, words);
    fail(word, fmt::format("no x86 instruction is called {}", found(word)),
         near ? fmt::format("did you mean {}?", *near) : "docs/lowering.md lists the instructions");
  }
  instruction.opcode = known->opcode;
  instruction.condition = known->condition;
  instruction.span = word.span;
}

TemplateInstruction Parser::instruction() {
  TemplateInstruction result;
  const Token first = here();
  if (first.text == "lock") {
    result.lock = true;
    take();
  }
  mnemonic(result);
  if (result.opcode == x86::Opcode::jmp || result.opcode == x86::Opcode::jcc) {
    if (here().kind != Token::Kind::word)
      fail(here(), fmt::format("expected a label to jump to, found {}", found(here())));
    result.target = take().text;
  } else if (here().kind != Token::Kind::newline && !is(";") && !is("}")) {
    result.operands.push_back(operand());
    while (is(",")) {
      take();
      result.operands.push_back(operand());
    }
  }
  result.span = {first.span.begin, before().span.end};
  check_operands(source_, result);
  return result;
}

TemplateOperand Parser::operand() {
  if (is("[")) return place();
  if (here().kind == Token::Kind::number) return number();
  const Token word = take();
  if (word.kind != Token::Kind::word)
    fail(word, fmt::format("expected an operand, found {}", found(word)));
  if (const auto role = role_named(word.text)) return *role;
  if (const auto reg = x86::register_named(word.text); reg && x86::is_general(reg->reg))
    return *reg;
  fail(word, fmt::format("no operand is called \"{}\"", word.text),
       "operands are dst, arg, exp, new, tmp, tmp2 (with .b .w .q for a width), a register such as "
       "eax, a number, [x] and [stack]");
}

TemplateOperand Parser::place() {
  take();
  const Token word = take();
  const auto named = std::ranges::find(places, word.text, &PlaceName::name);
  if (named == places.end())
    fail(word, fmt::format("expected x or stack in brackets, found {}", found(word)),
         word.text.starts_with("x.") ? "halves of a long are x.low and x.high" : "");
  expect("]", "after a memory operand");
  return named->place;
}

TemplateOperand Parser::number() {
  const Token token = take();
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(token.text.begin(), token.text.end(), value);
  if (error != std::errc() || end != token.text.end())
    fail(token, fmt::format("expected a 32-bit decimal number, found {}", found(token)));
  return x86::Immediate{value};
}

} // namespace

std::unique_ptr<const SchemeRules> read_rules(const text::Source& source, const SchemeRules* base) {
  return Parser(source, static_cast<const Rules*>(base)).parse();
}

} // namespace thinair::lower::x86_code
