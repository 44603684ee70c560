// Reads an x86 test from its initial state to its last question.
#include "litmus/x86/reader.h"

#include "litmus/initial.h"
#include "litmus/questions.h"
#include "litmus/text/error.h"
#include "litmus/x86/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <utility>

namespace thinair::litmus::x86 {
namespace {

constexpr ValueRange any_value{std::numeric_limits<Value>::min(),
                               std::numeric_limits<std::uint64_t>::max(), "int64_t or uint64_t"};

/// Words that open a question; the code ends before one.
constexpr std::array<std::string_view, 9> question_words{"locations", "filter",    "exists",
                                                         "forall",    "final",     "observed",
                                                         "required",  "forbidden", "contested"};

std::string lower(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

class TestReader {
 public:
  TestReader(Lexer& lexer, Test& test)
      : lexer_(lexer), test_(test),
        syntax_(test.dialect == Dialect::x86_intel ? Syntax::intel : Syntax::att),
        around_{syntax_, [this](const Token& name) { return location(name.text, name.span); },
                [this](LocationId id) { return program_.locations.at(id.value).type.width; }} {}

  void read() {
    const auto entries = read_initial(lexer_, any_value);
    for (const InitialEntry& entry : entries)
      if (!entry.thread) declare(entry);
    read_thread_names();
    for (const InitialEntry& entry : entries)
      if (entry.thread) initialise(entry);
    do read_row();
    while (!at_questions());
    check_targets();
    read_asked();
    test_.program = std::move(program_);
  }

 private:
  struct Jump {
    std::size_t thread;
    std::string label;
    text::Span span;
  };

  LocationId location(std::string_view name, text::Span span);
  Type type_of_entry(const InitialEntry& entry) const;
  void declare(const InitialEntry& entry);
  void initialise(const InitialEntry& entry);
  Register whole_register(std::string_view name, text::Span span) const;

  void read_thread_names();
  void read_row();
  void read_cell(std::size_t thread);
  void read_label(std::size_t thread);
  bool accept_bar();
  bool at_questions();
  void check_targets() const;
  void read_asked();
  Observable resolve(Observable written, text::Span span);
  void settle(Proposition& proposition) const;

  Lexer& lexer_;
  Test& test_;
  Syntax syntax_;
  Surroundings around_;
  Program program_;
  std::vector<std::vector<std::string>> labels_; // by thread, all of its labels
  std::vector<Jump> jumps_;
  std::size_t instructions_ = 0;
};

LocationId TestReader::location(std::string_view name, text::Span span) {
  const auto found = std::ranges::find(program_.locations, name, &Location::name);
  const auto index = static_cast<std::uint32_t>(found - program_.locations.begin());
  if (found != program_.locations.end()) return LocationId(index);
  lexer_.check_name(name, span);
  if (register_named(lower(name)))
    lexer_.fail(span, fmt::format("expected a location, found the register `{}`", name));
  if (name == "final") lexer_.fail(span, "expected a location, found the keyword `final`");
  if (program_.locations.size() >= lexer_.limits().locations)
    lexer_.fail(
        span, fmt::format("expected at most {} locations, found more", lexer_.limits().locations));
  program_.locations.push_back({std::string(name), {}, 0});
  return LocationId(index);
}

Type TestReader::type_of_entry(const InitialEntry& entry) const {
  if (entry.type.empty()) return {};
  if (entry.type.ends_with('*')) throw Unsupported("pointers in memory");
  const auto found = std::ranges::find(types(), entry.type, &TypeInfo::name);
  if (found != types().end()) return found->type;
  std::vector<std::string_view> names;
  for (const TypeInfo& row : types()) names.push_back(row.name);
  lexer_.fail(entry.span, fmt::format("expected an integer type, found `{}`", entry.type),
              Lexer::suggest(entry.type, names));
}

void TestReader::declare(const InitialEntry& entry) {
  if (entry.is_final) lexer_.fail(entry.span, "expected a location, found `final`");
  if (std::ranges::find(program_.locations, entry.name, &Location::name) !=
      program_.locations.end())
    lexer_.fail(entry.name_span,
                fmt::format("expected one initial value of `{}`, found a second", entry.name));
  if (std::holds_alternative<std::string>(entry.value)) throw Unsupported("pointers in memory");
  Location& added = program_.locations.at(location(entry.name, entry.name_span).value);
  added.type = type_of_entry(entry);
  if (const auto* value = std::get_if<Value>(&entry.value))
    added.initial = as_declared(*value, added.type);
}

/// Registers in initial states and conditions go by their whole names: `0:rax`, in X86 `0:EAX`.
Register TestReader::whole_register(std::string_view name, text::Span span) const {
  const Width whole = syntax_ == Syntax::att ? Width::q : Width::l;
  const auto spelled = [&](Register reg) { return observable(ThreadId(), reg, syntax_).name; };
  const auto found = register_named(lower(name));
  const bool exists = found && (syntax_ == Syntax::att || found->reg < Register::r8);
  if (exists && found->width == whole) return found->reg;
  if (exists)
    lexer_.fail(span, fmt::format("expected the name of a whole register, found `{}`", name),
                fmt::format("did you mean `{}`?", spelled(found->reg)));
  lexer_.fail(span, fmt::format("expected a register, found `{}`", name));
}

void TestReader::initialise(const InitialEntry& entry) {
  if (*entry.thread >= program_.threads.size())
    lexer_.fail(entry.span, fmt::format("expected a thread below {}, found {}",
                                        program_.threads.size(), *entry.thread));
  auto& initial = program_.threads[*entry.thread].initial;
  const Register reg = whole_register(entry.name, entry.name_span);
  if (std::ranges::find(initial, reg, &InitialRegister::reg) != initial.end())
    lexer_.fail(entry.name_span,
                fmt::format("expected one initial value of `{}`, found a second", entry.name));
  InitialRegister added{reg, 0, type_of_entry(entry)};
  if (const auto* value = std::get_if<Value>(&entry.value)) added.value = *value;
  if (const auto* name = std::get_if<std::string>(&entry.value))
    added.value = location(*name, entry.value_span);
  initial.push_back(added);
}

void TestReader::read_thread_names() {
  lexer_.accept(";"); // as herd
  do {
    const Token token = lexer_.expect_word("a thread, as `P0`");
    const std::string expected = fmt::format("P{}", program_.threads.size());
    if (token.text != expected) lexer_.fail_expected(fmt::format("`{}`", expected), token);
    if (program_.threads.size() >= lexer_.limits().threads)
      lexer_.fail(token.span,
                  fmt::format("expected at most {} threads, found more", lexer_.limits().threads));
    program_.threads.push_back({expected, {}, {}, {}});
  } while (accept_bar());
  if (!lexer_.at(";")) lexer_.fail_expected("`|` or `;` after a thread's name");
  lexer_.next();
  labels_.resize(program_.threads.size());
}

/// `||` is two bars around an empty cell.
bool TestReader::accept_bar() {
  if (lexer_.at("||")) {
    lexer_.seek(lexer_.peek().span.begin + 1);
    return true;
  }
  return lexer_.accept("|");
}

void TestReader::read_row() {
  const std::uint32_t begin = lexer_.peek().span.begin;
  std::size_t cells = 0;
  do {
    if (cells == program_.threads.size())
      lexer_.fail(lexer_.since(begin),
                  fmt::format("expected {} cells in a row, found more", cells));
    read_cell(cells);
    ++cells;
  } while (accept_bar());
  if (!lexer_.at(";")) lexer_.fail_expected("`|` or `;` after an instruction");
  lexer_.next();
  if (cells != program_.threads.size())
    lexer_.fail(lexer_.since(begin), fmt::format("expected {} cells in a row, found {}",
                                                 program_.threads.size(), cells));
}

void TestReader::read_label(std::size_t thread) {
  const Token label = lexer_.next();
  lexer_.expect(":");
  lexer_.check_name(label);
  auto& known = labels_[thread];
  if (std::ranges::find(known, label.text) != known.end())
    lexer_.fail(label.span,
                fmt::format("expected one label `{}` in a thread, found a second", label.text));
  known.emplace_back(label.text);
  program_.threads[thread].end_labels.emplace_back(label.text);
}

void TestReader::read_cell(std::size_t thread) {
  while (lexer_.peek().is_word() && lexer_.second().is(":")) read_label(thread);
  if (lexer_.at("|") || lexer_.at("||") || lexer_.at(";")) return;
  if (++instructions_ > lexer_.limits().statements)
    lexer_.fail(lexer_.peek().span, fmt::format("expected at most {} instructions, found more",
                                                lexer_.limits().statements));
  Instruction instruction = read_instruction(lexer_, around_);
  Thread& into = program_.threads[thread];
  if (!instruction.target.empty()) {
    const std::uint32_t end = lexer_.since(0).end;
    const auto length = static_cast<std::uint32_t>(instruction.target.size());
    jumps_.push_back({thread, instruction.target, {end - length, end}});
  }
  instruction.labels = std::exchange(into.end_labels, {});
  into.code.push_back(std::move(instruction));
}

bool TestReader::at_questions() {
  const Token& token = lexer_.peek();
  if (token.kind == Token::Kind::end || token.is("~") || token.is("(")) return true;
  if (token.is("not")) return lexer_.second().is("exists");
  return token.is_word() && std::ranges::find(question_words, token.text) != question_words.end() &&
         !lexer_.second().is(":");
}

void TestReader::check_targets() const {
  for (const Jump& jump : jumps_) {
    const auto& known = labels_[jump.thread];
    if (std::ranges::find(known, jump.label) == known.end())
      lexer_.fail(jump.span,
                  fmt::format("expected a label of P{}, found `{}`", jump.thread, jump.label),
                  Lexer::suggest(jump.label, known));
  }
}

Observable TestReader::resolve(Observable written, text::Span span) {
  if (!written.thread) {
    location(written.name, span);
    return written;
  }
  if (written.thread->value >= program_.threads.size())
    lexer_.fail(span, fmt::format("expected a thread below {}, found {}", program_.threads.size(),
                                  written.thread->value));
  return observable(*written.thread, whole_register(written.name, span), syntax_);
}

/// A constant is compared at the type of what it is compared with: -1 is 4294967295 of a
/// `uint32_t`.
void TestReader::settle(Proposition& proposition) const {
  using Kind = Proposition::Kind;
  const bool atom = proposition.kind == Kind::equal || proposition.kind == Kind::not_equal;
  if (atom && !proposition.right)
    proposition.constant = as_declared(proposition.constant, type_of(program_, proposition.left));
  for (Proposition& part : proposition.parts) settle(part);
}

void TestReader::read_asked() {
  const QuestionRules rules{
      [this](Observable written, text::Span span) { return resolve(std::move(written), span); },
      any_value};
  read_questions(lexer_, rules, test_);
  if (test_.filter) settle(*test_.filter);
  for (Clause& clause : test_.clauses) settle(clause.proposition);
}

} // namespace

void read(Lexer& lexer, Test& test) { TestReader(lexer, test).read(); }

} // namespace thinair::litmus::x86
