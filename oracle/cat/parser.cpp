// The half of the parser that reads statements and whole files.
#include "oracle/cat/parser.h"

#include "oracle/cat/expression_parser.h"

#include <algorithm>
#include <array>

namespace thinair::cat {
namespace {

using ast::Statement;
using ast::Test;
using Kind = ast::Statement::Kind;

constexpr std::string_view causality_key = "causality:", identity_key = "identity:",
                           meaning_key = "meaning:", not_of_stages_key = "not of stages:",
                           tearing_key = "tearing:";
constexpr auto keys =
    std::to_array({causality_key, identity_key, meaning_key, not_of_stages_key, tearing_key});

/// With blanks of any kind and number as one space.
std::string one_line(std::string_view body) {
  std::string result;
  for (const char c : body) {
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!blank) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  if (result.ends_with(' ')) result.pop_back();
  return result;
}

/// The text of a comment without its marks, on one line.
std::string bare(std::string_view comment) {
  std::string_view body = comment;
  if (body.starts_with("(*")) {
    body.remove_prefix(2);
    body.remove_suffix(2);
  } else {
    body.remove_prefix(body.starts_with("//") ? 2 : 1);
  }
  return one_line(body);
}

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

class Parser {
 public:
  explicit Parser(const text::Source& source) : in_(source), expressions_(in_) {}

  ast::File file() {
    ast::File result;
    result.title = title();
    while (!in_.is(TokenKind::end_of_file)) result.statements.push_back(statement());
    result.causality = declared_word(causality_key);
    result.identity = declared_word(identity_key);
    result.meaning = declared(meaning_key);
    result.tearing = declared(tearing_key).value_or(std::vector<ast::Word>());
    result.not_of_stages = declared(not_of_stages_key).value_or(std::vector<ast::Word>());
    return result;
  }

 private:
  TokenStream in_;
  ExpressionParser expressions_;
  std::uint32_t nesting_ = 0;

  std::string title();
  std::optional<std::vector<ast::Word>> declared(std::string_view key) const;
  ast::Word declared_word(std::string_view key) const;
  std::string comment_above(std::uint32_t begin) const;
  Statement statement();
  void dispatch(Statement& s);
  void read_let(Statement& s);
  void read_test(Statement& s);
  Test test(Test::Effect effect, std::uint32_t begin);
  void read_show(Statement& s);
  void read_procedure(Statement& s);
  void read_call(Statement& s);
  void read_forall(Statement& s);
  void read_with(Statement& s);
  void read_enum(Statement& s);
  void read_events(Statement& s);
  void read_match(Statement& s);
  void read_unshow(Statement& s);
  void read_include(Statement& s);
  void read_debug(Statement& s);
  void read_catdep(Statement& s);
  void read_if(Statement& s);
  std::vector<std::string> names();
  ast::Block block();
  bool starts_statement() const;
};

/// `X86 TSO`, `C "C++11"`, `SC` or `"SC"` at the top.
std::string Parser::title() {
  if (in_.is(TokenKind::string)) return in_.expect_string();
  if (!in_.is(TokenKind::name)) return "None";
  std::string result = in_.expect_name();
  if (in_.is(TokenKind::string)) result += " " + in_.expect_string();
  if (in_.is(TokenKind::name)) result += " " + in_.expect_name();
  return result;
}

/// What stands behind `key` in the first comment that begins with it, between commas.
std::optional<std::vector<ast::Word>> Parser::declared(std::string_view key) const {
  for (const auto span : in_.tokens().comments) {
    const auto comment = in_.text_of(span);
    const auto text = trimmed(bare(comment));
    if (!text.starts_with(key)) continue;
    std::vector<ast::Word> words;
    auto at = comment.find(key) + key.size();
    const auto end = comment.ends_with("*)") ? comment.size() - 2 : comment.size();
    while (at < end) {
      const auto comma = std::min(comment.find(',', at), end);
      const auto first = std::min(comment.find_first_not_of(" \t\r\n", at), comma);
      const auto last = comment.find_last_not_of(" \t\r\n", comma - 1) + 1;
      const auto begin = span.begin + static_cast<std::uint32_t>(first);
      if (first < last)
        words.push_back({one_line(comment.substr(first, last - first)),
                         {begin, begin + static_cast<std::uint32_t>(last - first)}});
      at = comma + 1;
    }
    return words;
  }
  return std::nullopt;
}

/// The first word behind `key`; empty where there is none.
ast::Word Parser::declared_word(std::string_view key) const {
  const auto words = declared(key);
  if (!words || words->empty()) return {};
  const auto& [text, span] = words->front();
  const auto first = text.substr(0, text.find(' '));
  return {first, {span.begin, span.begin + static_cast<std::uint32_t>(first.size())}};
}

/// The comment that ends on the line above `begin`, or on its line before it.
std::string Parser::comment_above(std::uint32_t begin) const {
  const auto& comments = in_.tokens().comments;
  const auto after = std::ranges::upper_bound(comments, begin, {}, &text::Span::begin);
  if (after == comments.begin()) return {};
  const auto comment = *std::prev(after);
  const auto gap = in_.text_of({comment.end, begin});
  const auto blank = gap.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (!blank || std::ranges::count(gap, '\n') > 1) return {};
  auto text = trimmed(bare(in_.text_of(comment)));
  const bool declares =
      std::ranges::any_of(keys, [&](std::string_view key) { return text.starts_with(key); });
  return declares ? std::string() : text;
}

Statement Parser::statement() {
  if (++nesting_ > max_depth)
    in_.fail(in_.span(), fmt::format("statements are nested more than {} deep", max_depth));
  const auto begin = in_.span().begin;
  Statement result;
  dispatch(result);
  result.span = in_.since(begin);
  --nesting_;
  return result;
}

void Parser::dispatch(Statement& s) {
  struct Row {
    TokenKind first;
    void (Parser::*read)(Statement&);
  };
  static constexpr auto rows = std::to_array<Row>({
      {TokenKind::kw_let, &Parser::read_let},
      {TokenKind::kw_acyclic, &Parser::read_test},
      {TokenKind::kw_irreflexive, &Parser::read_test},
      {TokenKind::kw_empty, &Parser::read_test},
      {TokenKind::tilde, &Parser::read_test},
      {TokenKind::kw_flag, &Parser::read_test},
      {TokenKind::kw_assert, &Parser::read_test},
      {TokenKind::kw_undefined_unless, &Parser::read_test},
      {TokenKind::kw_show, &Parser::read_show},
      {TokenKind::kw_unshow, &Parser::read_unshow},
      {TokenKind::kw_include, &Parser::read_include},
      {TokenKind::kw_procedure, &Parser::read_procedure},
      {TokenKind::kw_call, &Parser::read_call},
      {TokenKind::kw_forall, &Parser::read_forall},
      {TokenKind::kw_with, &Parser::read_with},
      {TokenKind::kw_enum, &Parser::read_enum},
      {TokenKind::kw_instructions, &Parser::read_events},
      {TokenKind::kw_default, &Parser::read_events},
      {TokenKind::kw_match, &Parser::read_match},
      {TokenKind::kw_if, &Parser::read_if},
      {TokenKind::kw_debug, &Parser::read_debug},
      {TokenKind::kw_catdep, &Parser::read_catdep},
  });
  const auto row = std::ranges::find(rows, in_.kind(), &Row::first);
  if (row == rows.end()) in_.fail_expected("a statement ('let', 'acyclic', 'show', 'include', …)");
  (this->*row->read)(s);
}

void Parser::read_unshow(Statement& s) {
  s.kind = Kind::unshow;
  in_.expect(TokenKind::kw_unshow);
  s.names = names();
}

void Parser::read_include(Statement& s) {
  s.kind = Kind::include;
  in_.expect(TokenKind::kw_include);
  s.name = in_.expect_string();
}

void Parser::read_debug(Statement& s) {
  s.kind = Kind::debug;
  in_.expect(TokenKind::kw_debug);
  s.expression = expressions_.expression();
}

/// `catdep` asks herd to leave dependencies to the model.
void Parser::read_catdep(Statement& s) {
  s.kind = Kind::catdep;
  in_.expect(TokenKind::kw_catdep);
}

bool Parser::starts_statement() const {
  static constexpr auto ends = std::to_array<TokenKind>(
      {TokenKind::kw_end, TokenKind::kw_else, TokenKind::double_bar, TokenKind::end_of_file});
  return std::ranges::find(ends, in_.kind()) == ends.end();
}

ast::Block Parser::block() {
  ast::Block result;
  while (starts_statement()) result.push_back(statement());
  return result;
}

void Parser::read_let(Statement& s) {
  s.comment = comment_above(in_.span().begin);
  in_.expect(TokenKind::kw_let);
  s.kind = in_.accept(TokenKind::kw_rec) ? Kind::let_rec : Kind::let;
  s.bindings = expressions_.bindings();
  if (s.kind == Kind::let_rec && in_.accept(TokenKind::kw_when))
    s.test = test(Test::Effect::required, in_.span().begin);
  in_.accept(TokenKind::kw_in);
}

void Parser::read_test(Statement& s) {
  s.kind = Kind::test;
  const auto begin = in_.span().begin;
  auto effect = Test::Effect::required;
  if (in_.accept(TokenKind::kw_flag))
    effect = Test::Effect::flag;
  else if (in_.accept(TokenKind::kw_assert))
    effect = Test::Effect::assertion;
  else if (in_.accept(TokenKind::kw_undefined_unless))
    effect = Test::Effect::undefined_unless;
  s.test = test(effect, begin);
}

Test Parser::test(Test::Effect effect, std::uint32_t begin) {
  Test result;
  result.effect = effect;
  result.comment = comment_above(begin);
  result.negated = in_.accept(TokenKind::tilde);
  if (in_.accept(TokenKind::kw_acyclic))
    result.kind = Test::Kind::acyclic;
  else if (in_.accept(TokenKind::kw_irreflexive))
    result.kind = Test::Kind::irreflexive;
  else if (in_.accept(TokenKind::kw_empty))
    result.kind = Test::Kind::empty;
  else
    in_.fail_expected("'acyclic', 'irreflexive' or 'empty'");
  result.expression = expressions_.expression();
  if (in_.accept(TokenKind::kw_as)) result.name = in_.expect_name();
  result.span = in_.since(begin);
  return result;
}

std::vector<std::string> Parser::names() {
  std::vector<std::string> result{in_.expect_name()};
  while (in_.accept(TokenKind::comma)) result.push_back(in_.expect_name());
  return result;
}

/// `show a, b` or `show E as a`.
void Parser::read_show(Statement& s) {
  in_.expect(TokenKind::kw_show);
  s.expression = expressions_.expression();
  if (in_.accept(TokenKind::kw_as)) {
    s.kind = Kind::show_as;
    s.name = in_.expect_name();
    return;
  }
  s.kind = Kind::show;
  const auto take = [&](const ast::Expression& e) {
    if (e.kind != ast::Expression::Kind::name)
      in_.fail(e.span, "expected names to show, found an expression", "write show E as NAME");
    s.names.push_back(e.name);
  };
  if (s.expression->kind != ast::Expression::Kind::tuple) return take(*s.expression);
  for (const auto& part : s.expression->children) take(*part);
}

void Parser::read_procedure(Statement& s) {
  s.kind = Kind::procedure;
  in_.expect(TokenKind::kw_procedure);
  s.recursive = in_.accept(TokenKind::kw_rec);
  s.name = in_.expect_name();
  s.pattern = expressions_.pattern();
  in_.expect(TokenKind::equal);
  s.body = block();
  in_.expect(TokenKind::kw_end);
}

void Parser::read_call(Statement& s) {
  s.kind = Kind::call;
  in_.expect(TokenKind::kw_call);
  s.name = in_.expect_name();
  s.expression = expressions_.argument();
  if (in_.accept(TokenKind::kw_as)) s.names = {in_.expect_name()};
}

void Parser::read_forall(Statement& s) {
  s.kind = Kind::forall;
  in_.expect(TokenKind::kw_forall);
  s.name = in_.expect_name();
  in_.expect(TokenKind::kw_in);
  s.expression = expressions_.expression();
  in_.expect(TokenKind::kw_do);
  s.body = block();
  in_.expect(TokenKind::kw_end);
}

void Parser::read_with(Statement& s) {
  s.kind = Kind::with_from;
  s.comment = comment_above(in_.span().begin);
  in_.expect(TokenKind::kw_with);
  s.name = in_.expect_name();
  in_.expect(TokenKind::kw_from);
  s.expression = expressions_.expression();
}

void Parser::read_enum(Statement& s) {
  s.kind = Kind::enumeration;
  in_.expect(TokenKind::kw_enum);
  s.name = in_.expect_name();
  in_.expect(TokenKind::equal);
  in_.accept(TokenKind::double_bar);
  do {
    s.names.push_back(in_.expect_tag());
  } while (in_.accept(TokenKind::double_bar));
}

/// `instructions R[{'a, 'b}, …]`.
void Parser::read_events(Statement& s) {
  s.kind = Kind::events;
  in_.advance();
  s.name = in_.expect_name();
  in_.expect(TokenKind::left_bracket);
  if (!in_.is(TokenKind::right_bracket)) s.expression = expressions_.expression();
  in_.expect(TokenKind::right_bracket);
}

void Parser::read_match(Statement& s) {
  s.kind = Kind::match;
  in_.expect(TokenKind::kw_match);
  s.expression = expressions_.expression();
  in_.expect(TokenKind::kw_with);
  in_.accept(TokenKind::double_bar);
  do {
    if (in_.accept(TokenKind::underscore)) {
      in_.expect(TokenKind::arrow);
      s.otherwise = block();
      break;
    }
    auto tag = in_.expect_tag();
    in_.expect(TokenKind::arrow);
    s.clauses.push_back({std::move(tag), block()});
  } while (in_.accept(TokenKind::double_bar));
  in_.expect(TokenKind::kw_end);
}

void Parser::read_if(Statement& s) {
  s.kind = Kind::if_;
  in_.expect(TokenKind::kw_if);
  s.condition = std::make_unique<ast::Condition>(expressions_.condition());
  in_.accept(TokenKind::kw_then);
  s.body = block();
  if (in_.accept(TokenKind::kw_else)) s.otherwise = block();
  in_.expect(TokenKind::kw_end);
}

} // namespace

ast::File parse(const text::Source& source) { return Parser(source).file(); }

} // namespace thinair::cat
