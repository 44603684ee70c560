// Reads blocks, branches, loops and simple statements.
#include "litmus/java/statement_reader.h"

#include "litmus/objects.h"

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

bool mentions(const Expression& e, RegisterId reg) {
  return (e.op == Operator::reg && e.reg == reg) || (e.field && e.field->object == reg) ||
         std::ranges::any_of(e.arguments,
                             [&](const Expression& each) { return mentions(each, reg); });
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
  const Token after = lexer_.second();
  if (const auto type = read_type(first)) return read_declaration(*type);
  if (after.is("[") && !is_reserved(first.text)) return read_call_statement();
  if (after.is(".")) return first.is("VarHandle") ? read_fence() : read_call_statement();
  if (after.is("(")) {
    if (auto action = read_action(first)) return action;
  }
  if (is_reserved(first.text)) fail_statement(first);
  if (!after.is("=") && scope_.knows_register(first.text)) lexer_.fail_expected("`=`", after);
  if (!after.is("=")) fail_statement(first);
  return read_assignment(lexer_.next(), std::nullopt);
}

/// In front of a declaration: a value type, or what a class and a word, or brackets, make one.
std::optional<JavaType> StatementReader::read_type(const Token& first) {
  const Token after = lexer_.second();
  const auto kind = type_named(first.text);
  const auto of = kind ? std::nullopt : scope_.find_class(first.text);
  Lexer ahead = lexer_;
  if (after.is("[")) ahead.seek(after.span.end);
  const bool array = after.is("[") && ahead.at("]");
  if (!kind && !(of && (array || after.is_word()))) return std::nullopt;
  const JavaType type = kind ? JavaType(*kind) : JavaType(*of);
  lexer_.next();
  if (!array) return type;
  lexer_.next();
  lexer_.next();
  if (lexer_.at("["))
    lexer_.fail_expected("a register", "elements are values, or references to objects of a class");
  return scope_.array_of(type);
}

/// `int r = e;` or `int r;`, which is `int r = 0;` as a register not assigned is zero; nothing
/// where r has a value already. Of a class likewise, with null.
std::optional<Statement::Node> StatementReader::read_declaration(JavaType type) {
  const Token target = lexer_.expect_word("a register");
  if (lexer_.at("=")) return read_assignment(target, type);
  const bool known = scope_.knows_register(target.text);
  const RegisterId reg = scope_.assign(target, type);
  expect_semicolon();
  if (known) return std::nullopt;
  Expression zero = Expression::number(0);
  if (type.kind == TypeKind::boolean || is_floating(type.kind)) zero.type = type;
  return Assign{reg, std::move(zero), true};
}

/// From the `=`. The target becomes known after the value: `int r = r;` is an error. Without a
/// declaration a new register has the type of its value.
Statement::Node StatementReader::read_assignment(const Token& target,
                                                 std::optional<JavaType> declared) {
  lexer_.check_name(target);
  lexer_.expect("=");
  if (lexer_.at("new")) return read_new(target, declared);
  const std::uint32_t begin = lexer_.peek().span.begin;
  auto [value, type] = expressions_.read_any();
  const text::Span span = lexer_.since(begin);
  expect_semicolon();
  JavaType wanted = declared.value_or(type.of);
  if (!declared && scope_.knows_register(target.text))
    wanted = scope_.thread().registers[scope_.use(target).value].type;
  if (!wanted.refers() && !declared && type.is_null)
    lexer_.fail(span, "expected a value whose type is known, found `null`",
                fmt::format("declare the register, as `A {} = null;`", target.text));
  expressions_.demand(type, wanted, span);
  const RegisterId reg = scope_.assign(target, wanted);
  if (value.op != Operator::access) return Assign{reg, std::move(value), declared.has_value()};
  Access access{reg, declared.has_value(), value.method, value.location,
                std::move(value.arguments)};
  access.field = value.field;
  return access;
}

/// `new A();`, `new A(1, 2);` or `new A { ... };`
Statement::Node StatementReader::read_new(const Token& target, std::optional<JavaType> declared) {
  const Token word = lexer_.next();
  const Token name = lexer_.expect_word("a class");
  if (lexer_.at("[")) return read_new_array(word, name, target, declared);
  const auto of = scope_.find_class(name.text);
  if (!of)
    lexer_.fail_expected("a class", name,
                         "declare it in the initial state, as `class A { int x; }`");
  if (declared) expressions_.demand({*of}, *declared, lexer_.since(word.span.begin));
  New made;
  made.declares = declared.has_value();
  made.object = scope_.add_object(*of, 0, lexer_.since(word.span.begin));
  made.target = scope_.assign(target, *of);
  if (!lexer_.at("(")) {
    made.body = read_constructor(made.target);
  } else if (lexer_.second().is(")")) {
    lexer_.next();
    lexer_.next();
  } else {
    made.body = read_field_values(*of, made.target);
  }
  expect_semicolon();
  return made;
}

/// From the `[` of `new int[2];`.
Statement::Node StatementReader::read_new_array(const Token& word, const Token& element,
                                                const Token& target,
                                                std::optional<JavaType> declared) {
  const auto kind = type_named(element.text);
  const auto of = scope_.find_class(element.text);
  if (!kind && !of)
    lexer_.fail_expected("a type of elements", element,
                         "a value type of Java, or a class of the initial state");
  const JavaType type = scope_.array_of(kind ? JavaType(*kind) : JavaType(*of));
  lexer_.next();
  if (lexer_.at("-"))
    lexer_.fail_expected("a length that is not negative",
                         "an array of a negative length throws (JLS 15.10.2)");
  if (!lexer_.peek().is_number())
    lexer_.fail_expected("a length", "how long an array is, a constant says, as in `new int[2]`");
  const auto most = static_cast<std::uint32_t>(lexer_.limits().objects);
  const std::uint32_t length = lexer_.expect_count("a length", most);
  lexer_.expect("]");
  const text::Span span = lexer_.since(word.span.begin);
  if (lexer_.at("["))
    lexer_.fail_expected("`;`", "elements are values, or references to objects of a class");
  if (lexer_.at("{"))
    lexer_.fail_expected("`;`", "elements are 0 or null at first; write them one by one");
  if (declared) expressions_.demand({type}, *declared, span);
  New made;
  made.declares = declared.has_value();
  made.object = scope_.add_object(type.of, length, span);
  made.target = scope_.assign(target, type);
  expect_semicolon();
  return made;
}

Block StatementReader::read_constructor(RegisterId self) {
  if (!lexer_.at("{")) lexer_.fail_expected("`()`, or a constructor in braces");
  scope_.enter_constructor(self);
  Block body = read_braced();
  scope_.leave_constructor();
  return body;
}

/// `(1, 2)`: a write to each field, in their order.
Block StatementReader::read_field_values(ClassId of, RegisterId self) {
  const Token open = lexer_.next();
  const Class made = scope_.program().classes[of.value];
  Block body;
  while (!lexer_.at(")")) {
    const std::uint32_t begin = lexer_.peek().span.begin;
    const auto place = static_cast<std::uint32_t>(body.size());
    if (place == made.fields.size()) break;
    Access write;
    write.method = Method::set;
    write.field = FieldOf{self, place};
    write.arguments.push_back(expressions_.read(made.fields[place].type));
    if (mentions(write.arguments[0], self))
      lexer_.fail(lexer_.since(begin), "expected a value without the register that is assigned",
                  "write the constructor in braces, or use a register of its own");
    body.push_back({std::move(write), lexer_.since(begin)});
    scope_.count_statement(body.back().span, total_);
    if (!lexer_.accept(",") && !lexer_.at(")")) lexer_.fail_expected("an operator, `,` or `)`");
  }
  if (!lexer_.at(")") || body.size() != made.fields.size())
    lexer_.fail(lexer_.since(open.span.begin),
                fmt::format("expected {} value{}, one for each field of `{}`", made.fields.size(),
                            made.fields.size() == 1 ? "" : "s", made.name),
                "a constructor that does something else stands in braces");
  lexer_.next();
  return body;
}

Statement::Node StatementReader::read_call_statement() {
  const std::uint32_t begin = lexer_.peek().span.begin;
  Call call = expressions_.read_call();
  if (call.bare) return read_field_write(std::move(call), lexer_.since(begin));
  expect_semicolon();
  return std::move(call).statement({}, false);
}

/// `r.x = e;`
Statement::Node StatementReader::read_field_write(Call call, text::Span span) {
  const Field& field = field_of(scope_.program(), scope_.thread(), *call.field);
  if (!lexer_.at("=")) lexer_.fail_expected("`=`, or `.` and an access method");
  lexer_.next();
  if (field.is_final && !scope_.constructs(call.field->object))
    lexer_.fail(span,
                fmt::format("expected a write in the constructor of its object, as `{}` is final",
                            field.name),
                "final fields are written in the braces of `A r = new A { r.x = 1; };`");
  call.method = Method::set;
  call.arguments.push_back(expressions_.read(field.type));
  expect_semicolon();
  return std::move(call).statement({}, false);
}

Expression StatementReader::read_condition() {
  if (!lexer_.at("(")) lexer_.fail_expected("`(` and a condition");
  lexer_.next();
  Expression condition = expressions_.read_condition();
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
    node = ExternalStatement{expressions_.read_value()};
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
    if (hint.empty() && lexer_.second().is_word())
      hint = "the type of a register is a value type of Java, or a class declared above";
  }
  lexer_.fail_expected("a statement or `}`", found, hint);
}

} // namespace thinair::litmus::java
