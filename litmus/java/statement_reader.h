// Reads the statements of a thread of Java litmus code.
#pragma once

#include "litmus/java/expression_reader.h"
#include "litmus/java/scope.h"
#include "litmus/lexer.h"
#include "litmus/program.h"

#include <optional>

namespace thinair::litmus::java {

class StatementReader {
 public:
  /// `total` counts the statements of the whole program.
  StatementReader(Lexer& lexer, Scope& scope, std::size_t& total)
      : lexer_(lexer), scope_(scope), expressions_(lexer, scope), total_(total) {}

  /// From `{` to its `}`.
  Block read_braced();

 private:
  void read_into(Block& block);
  void read_chosen(Block& block);
  Block read_body(); // braced, or one statement
  std::optional<Statement::Node> read_word_statement(const Token& first);
  std::optional<Statement::Node> read_declaration(JavaType type);
  Statement::Node read_assignment(const Token& target, std::optional<JavaType> declared);
  Statement::Node read_new(const Token& target, std::optional<JavaType> declared);
  Statement::Node read_new_array(const Token& word, const Token& element, const Token& target,
                                 std::optional<JavaType> declared);
  std::optional<JavaType> read_type(const Token& first);
  Block read_constructor(RegisterId self);
  Block read_field_values(ClassId of, RegisterId self);
  Statement::Node read_field_write(Call call, text::Span span);
  Statement::Node read_call_statement();
  Statement::Node read_if();
  Statement::Node read_while();
  Statement::Node read_do();
  std::optional<std::uint32_t> read_bound();
  Statement::Node read_fence();
  std::optional<Statement::Node> read_action(const Token& first);
  ThreadId read_thread();
  Expression read_condition();
  void expect_semicolon();
  [[noreturn]] void fail_statement(const Token& found);

  Lexer& lexer_;
  Scope& scope_;
  ExpressionReader expressions_;
  std::size_t& total_;
  std::size_t depth_ = 0;
};

} // namespace thinair::litmus::java
