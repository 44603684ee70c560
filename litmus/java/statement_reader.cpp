// Reads blocks, branches, loops and simple statements.
#include "litmus/java/statement_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace thinair::litmus::java {
namespace {

constexpr std::uint32_t greatest_bound = 1'000'000;

bool ends_thread(const Token& token) {
  return thread_number(token.text) || token.is("exists") || token.is("forall") ||
         token.is("locations") || token.is("filter");
}

std::vector<std::string_view> statement_words() {
  std::vector<std::string_view> words{"int",    "if",    "while", "do",   "lock",
                                      "unlock", "start", "join",  "print"};
  for (const FenceInfo& row : fences()) words.push_back(row.name);
  return words;
}

} // namespace

Block StatementReader::read_braced() {
  Block block;
  const Token open = lexer_.expect("{");
  const Nesting nesting(lexer_, depth_, open.span, "blocks");
  while (!lexer_.at("}")) {
    if (lexer_.peek().kind == Token::Kind::end) {
      lexer_.fail_expected(fmt::format("`}}` for the `{{` in line {}",
                                       text::position_of(lexer_.source(), open.span.begin).line));
    }
    read_into(block);
  }
  lexer_.next();
  return block;
}

/// A nested block without a head adds its statements to the block around it; `;` adds nothing.
void StatementReader::read_into(Block& block) {
  if (lexer_.accept(";")) return;
  const Token first = lexer_.peek();
  if (first.is("@")) return read_chosen(block);
  if (first.is("{")) {
    for (Statement& inner : read_braced()) block.push_back(std::move(inner));
    return;
  }
  if (!first.is_word()) fail_statement(first);
  if (auto node = read_word_statement(first)) {
    scope_.count_statement(first.span, total_);
    block.push_back({std::move(*node), lexer_.since(first.span.begin)});
  }
}

/// `@2 X.set(1);`: by the second scheme of a mix.
void StatementReader::read_chosen(Block& block) {
  const std::uint32_t begin = lexer_.next().span.begin;
  const Token number = lexer_.peek();
  const Choice by = lexer_.expect_count("the place of a scheme in a mix", most_choices);
  if (by == 0) lexer_.fail_expected("1 for the first scheme of a mix, 2 for the second", number);
  const text::Span chosen = lexer_.since(begin);
  const std::size_t before = block.size();
  if (!lexer_.at("{") && !lexer_.at("@")) read_into(block);
  auto* node = block.size() == before + 1 ? &block.back().node : nullptr;
  if (auto* access = node != nullptr ? std::get_if<Access>(node) : nullptr)
    access->by = by - 1;
  else if (auto* fence = node != nullptr ? std::get_if<FenceStatement>(node) : nullptr)
    fence->by = by - 1;
  else
    lexer_.fail(chosen, "expected an access or a fence alone behind this",
                "of an expression with several accesses, make a statement of each");
  block.back().span.begin = begin;
}

Block StatementReader::read_body() {
  if (lexer_.at("{")) return read_braced();
  const Nesting nesting(lexer_, depth_, lexer_.peek().span, "blocks");
  Block block;
  read_into(block);
  return block;
}

/// Nothing for a declaration that changes nothing.
std::optional<Statement::Node> StatementReader::read_word_statement(const Token& first) {
  if (first.is("if")) return read_if();
  if (first.is("while")) return read_while();
  if (first.is("do")) return read_do();
  if (fence_named(first.text)) return read_fence();
  if (first.is("int")) return read_declaration();
  const Token after = lexer_.second();
  if (after.is(".")) return first.is("VarHandle") ? read_fence() : read_call_statement();
  if (after.is("(")) {
    if (auto action = read_action(first)) return action;
  }
  if (is_reserved(first.text)) fail_statement(first);
  if (!after.is("=") && scope_.knows_register(first.text)) lexer_.fail_expected("`=`", after);
  if (!after.is("=")) fail_statement(first);
  return read_assignment(lexer_.next(), false);
}

/// `int r = e;` or `int r;`, which is `int r = 0;` as a register not assigned is zero; nothing
/// where r has a value already.
std::optional<Statement::Node> StatementReader::read_declaration() {
  lexer_.next();
  const Token target = lexer_.expect_word("a register");
  if (lexer_.at("=")) return read_assignment(target, true);
  const bool known = scope_.knows_register(target.text);
  const RegisterId reg = scope_.assign(target);
  expect_semicolon();
  if (known) return std::nullopt;
  return Assign{reg, Expression::number(0), true};
}

/// From the `=`. The target becomes known after the value: `int r = r;` is an error.
Statement::Node StatementReader::read_assignment(const Token& target, bool declares) {
  lexer_.check_name(target);
  lexer_.expect("=");
  Expression value = expressions_.read();
  expect_semicolon();
  const RegisterId reg = scope_.assign(target);
  if (value.op == Operator::access)
    return Access{reg, declares, value.method, value.location, std::move(value.arguments)};
  return Assign{reg, std::move(value), declares};
}

Statement::Node StatementReader::read_call_statement() {
  Call call = expressions_.read_call();
  expect_semicolon();
  return Access{{}, false, call.method, call.location, std::move(call.arguments)};
}

Expression StatementReader::read_condition() {
  if (!lexer_.at("(")) lexer_.fail_expected("`(` and a condition");
  lexer_.next();
  Expression condition = expressions_.read();
  if (!lexer_.at(")"))
    lexer_.fail_expected("an operator or `)`",
                         lexer_.at("=") ? "values are compared with `==`" : "");
  lexer_.next();
  return condition;
}

Statement::Node StatementReader::read_if() {
  lexer_.next();
  If branch;
  branch.condition = read_condition();
  branch.then_block = read_body();
  if (lexer_.accept("else")) branch.else_block = read_body();
  return branch;
}

Statement::Node StatementReader::read_while() {
  lexer_.next();
  Loop loop;
  loop.bound = read_bound();
  loop.condition = read_condition();
  loop.body = read_body();
  return loop;
}

Statement::Node StatementReader::read_do() {
  lexer_.next();
  Loop loop;
  loop.test_first = false;
  loop.bound = read_bound();
  loop.body = read_body();
  lexer_.expect("while");
  loop.condition = read_condition();
  expect_semicolon();
  return loop;
}

/// `[3]`: how often the body runs at most.
std::optional<std::uint32_t> StatementReader::read_bound() {
  if (!lexer_.accept("[")) return std::nullopt;
  const Token number = lexer_.peek();
  const std::uint32_t bound = lexer_.expect_count("a bound", greatest_bound);
  if (bound == 0) lexer_.fail_expected("a bound of at least 1", number);
  lexer_.expect("]");
  return bound;
}

/// `fullFence();` or `VarHandle.fullFence();`
Statement::Node StatementReader::read_fence() {
  if (lexer_.accept("VarHandle")) lexer_.expect(".");
  const Token word = lexer_.peek();
  const auto fence = word.is_word() ? fence_named(word.text) : std::nullopt;
  if (!fence) {
    std::vector<std::string_view> names;
    for (const FenceInfo& row : fences()) names.push_back(row.name);
    lexer_.fail_expected("a fence", word.is_word() ? Lexer::suggest(word.text, names) : "");
  }
  lexer_.next();
  lexer_.expect("(");
  if (!lexer_.at(")")) lexer_.fail_expected("`)`, as a fence has no arguments");
  lexer_.next();
  expect_semicolon();
  return FenceStatement{*fence};
}

/// `lock(m);` `unlock(m);` `start(T);` `join(T);` `print(e);`
std::optional<Statement::Node> StatementReader::read_action(const Token& first) {
  constexpr std::array<std::string_view, 5> words{"lock", "unlock", "start", "join", "print"};
  if (std::ranges::find(words, first.text) == words.end()) return std::nullopt;
  lexer_.next();
  lexer_.expect("(");
  Statement::Node node;
  if (first.is("lock")) {
    node = MonitorStatement{true, scope_.lock(lexer_.expect_word("a monitor"))};
  } else if (first.is("unlock")) {
    node = MonitorStatement{false, scope_.unlock(lexer_.expect_word("a monitor"))};
  } else if (first.is("start")) {
    node = ThreadStatement{ThreadStatement::Kind::start, read_thread()};
  } else if (first.is("join")) {
    node = ThreadStatement{ThreadStatement::Kind::join, read_thread()};
  } else {
    node = ExternalStatement{expressions_.read()};
  }
  lexer_.expect(")");
  expect_semicolon();
  return node;
}

ThreadId StatementReader::read_thread() {
  const Token name = lexer_.peek();
  if (const auto number = name.is_word() ? thread_number(name.text) : std::nullopt)
    return scope_.thread(lexer_.next(), *number);
  if (!name.is_number()) lexer_.fail_expected("a thread, as `Thread1`");
  return scope_.thread(name, lexer_.expect_count("a thread's number", greatest_bound));
}

/// A semicolon that is missing at the end of a line is missing there, not where the next starts.
void StatementReader::expect_semicolon() {
  if (lexer_.accept(";")) return;
  if (!lexer_.peek().after_newline) lexer_.fail_expected("`;`");
  const std::uint32_t end = lexer_.since(0).end;
  lexer_.fail({end, end + 1}, "expected `;`, found the end of the line");
}

void StatementReader::fail_statement(const Token& found) {
  std::string hint;
  if (ends_thread(found)) {
    hint = "is a `}` missing before it?";
  } else if (found.is("else")) {
    hint = "`else` follows the block of an `if`";
  } else if (found.is("for")) {
    hint = "loops are written with `while` and `do`";
  } else if (found.is_word()) {
    hint = Lexer::suggest(found.text, statement_words());
    if (hint.empty() && lexer_.second().is_word()) hint = "every register is an `int`";
  }
  lexer_.fail_expected("a statement or `}`", found, hint);
}

} // namespace thinair::litmus::java
