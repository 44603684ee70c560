// Reads an x86 test from its initial state to its last question.
#include "litmus/x86/reader.h"

#include "litmus/initial.h"
#include "litmus/questions.h"
#include "litmus/text/ascii.h"
#include "litmus/text/error.h"
#include "litmus/x86/assembly.h"
#include "litmus/x86/flow.h"
#include "litmus/x86/mnemonic.h"
#include "litmus/x86/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace thinair::litmus::x86 {
namespace {

/// Words that open a question; the code ends before one.
constexpr std::array<std::string_view, 10> question_words{
    "locations", "filter",   "exists",   "forall",    "final",
    "observed",  "Observed", "required", "forbidden", "contested"};

/// Herd's registers without a place, `%name`: by name, the threads whose code has them, and the
/// register that stands for each there. While they are looked for, `Register::rip` does.
using Symbols = std::map<std::string, std::map<std::size_t, Register>>;

class TestReader {
 public:
  TestReader(Lexer& lexer, Test& test, const Symbols* symbols)
      : lexer_(lexer), test_(test), symbols_(symbols),
        syntax_(test.dialect == Dialect::x86_intel ? Syntax::intel : Syntax::att),
        around_{syntax_, [this](const Token& name) { return location(name.text, name.span); },
                [this](const Token& name) { return symbolic(name); },
                [this](LocationId id) { return program_.locations.at(id.value).type.width; }} {}

  void read() {
    lexer_.read_assembly();
    const auto entries = read_initial(lexer_, any_64_bits, Initial::of_assembly);
    for (const InitialEntry& entry : entries)
      if (!is_register(entry)) declare(entry);
    read_thread_names();
    for (const InitialEntry& entry : entries)
      if (is_register(entry)) initialise(entry);
    do read_row();
    while (!at_questions());
    end_threads();
    check_targets();
    check_symbols(entries);
    read_asked();
    test_.program = std::move(program_);
  }

  const Symbols& found_symbols() const { return found_; }
  Symbols places() const;

 private:
  struct Jump {
    std::size_t thread;
    std::string label;
    text::Span span;
  };

  static bool is_register(const InitialEntry& entry) {
    return entry.thread || entry.name.starts_with('%');
  }

  LocationId location(std::string_view name, text::Span span);
  Type type_of_entry(const InitialEntry& entry) const;
  void declare(const InitialEntry& entry);
  void declare_array(const InitialEntry& entry);
  void initialise(const InitialEntry& entry);
  void initialise(const InitialEntry& entry, std::size_t thread, Register reg);
  Register whole_register(std::string_view name, text::Span span);
  Register symbolic(const Token& name);
  std::pair<std::size_t, Register> place(const std::string& symbol, text::Span span) const;
  void check_symbols(const std::vector<InitialEntry>& entries) const;
  std::vector<Observable> cells(std::string_view array) const;

  void read_thread_names();
  void read_row();
  void read_cell(std::size_t thread);
  void read_label(std::size_t thread);
  bool accept_return(std::size_t thread);
  void add(std::size_t thread, Instruction instruction);
  void end_threads();
  bool accept_bar();
  bool at_questions();
  void check_targets() const;
  void read_asked();
  Observable resolve(Observable written, text::Span span);
  void settle(Proposition& proposition) const;

  Lexer& lexer_;
  Test& test_;
  const Symbols* symbols_; // null: they are looked for
  Symbols found_;
  std::vector<std::pair<std::size_t, Register>> named_; // registers that are no symbols, by thread
  std::size_t thread_ = 0;                              // whose code is read
  Syntax syntax_;
  Surroundings around_;
  Program program_;
  std::vector<std::vector<std::string>> labels_; // by thread, all of its labels
  std::vector<Jump> jumps_;
  std::vector<std::pair<std::size_t, std::size_t>> returns_; // thread and instruction
  std::size_t instructions_ = 0;
};

std::string cell_name(std::string_view array, std::uint32_t index) {
  return fmt::format("{}[{}]", array, index);
}

LocationId TestReader::location(std::string_view name, text::Span span) {
  auto found = std::ranges::find(program_.locations, name, &Location::name);
  if (found == program_.locations.end()) // an array goes by its first cell
    found = std::ranges::find(program_.locations, cell_name(name, 0), &Location::name);
  const auto index = static_cast<std::uint32_t>(found - program_.locations.begin());
  if (found != program_.locations.end()) return LocationId(index);
  lexer_.check_name(name, span);
  if (name.ends_with(']'))
    lexer_.fail(span, fmt::format("expected a cell of an array, found `{}`", name));
  if (register_named(text::lower_case(name)))
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
  if (entry.type.ends_with('*')) return {}; // of a register: it holds an address anyway
  if (entry.type == "intptr_t" || entry.type == "uintptr_t")
    return {syntax_ == Syntax::att ? Width::q : Width::l, entry.type == "intptr_t"};
  const auto found = std::ranges::find(types(), entry.type, &TypeInfo::name);
  if (found != types().end()) return found->type;
  std::vector<std::string_view> names;
  for (const TypeInfo& row : types()) names.push_back(row.name);
  lexer_.fail(entry.span, fmt::format("expected an integer type, found `{}`", entry.type),
              Lexer::suggest(entry.type, names));
}

void TestReader::declare(const InitialEntry& entry) {
  if (entry.is_final) lexer_.fail(entry.span, "expected a location, found `final`");
  const bool known = std::ranges::any_of(program_.locations, [&](const Location& location) {
    return name_in_code(location) == entry.name;
  });
  if (known)
    lexer_.fail(entry.name_span,
                fmt::format("expected one initial value of `{}`, found a second", entry.name));
  if (entry.type.ends_with('*') || std::holds_alternative<std::string>(entry.value))
    throw Unsupported("pointers in memory");
  if (entry.length) return declare_array(entry);
  Location& added = program_.locations.at(location(entry.name, entry.name_span).value);
  added.type = type_of_entry(entry);
  if (const auto* value = std::get_if<Value>(&entry.value))
    added.initial = as_declared(*value, added.type);
}

void TestReader::declare_array(const InitialEntry& entry) {
  const Type type = type_of_entry(entry);
  const std::uint32_t first = location(entry.name, entry.name_span).value; // checks the name
  program_.locations.pop_back();
  if (first + *entry.length > lexer_.limits().locations)
    lexer_.fail(entry.name_span, fmt::format("expected at most {} locations, found more",
                                             lexer_.limits().locations));
  for (std::uint32_t i = 0; i < *entry.length; ++i) {
    const Value value = entry.elements.empty() ? 0 : as_declared(entry.elements[i], type);
    program_.locations.push_back({cell_name(entry.name, i), type, value, *entry.length, i});
  }
}

std::vector<Observable> TestReader::cells(std::string_view array) const {
  std::vector<Observable> found;
  for (const Location& location : program_.locations)
    if (location.length > 0 && name_in_code(location) == array)
      found.push_back({std::nullopt, location.name});
  return found;
}

/// Registers in initial states and conditions go by their whole names: `0:rax`, in X86 `0:EAX`.
Register TestReader::whole_register(std::string_view name, text::Span span) {
  const Width whole = syntax_ == Syntax::att ? Width::q : Width::l;
  const auto spelled = [&](Register reg) { return observable(ThreadId(), reg, syntax_).name; };
  if (syntax_ == Syntax::intel && is_beyond(text::lower_case(name), syntax_))
    throw Unsupported(fmt::format("the flag {} as a register", name));
  const auto found = register_named(text::lower_case(name));
  const bool exists =
      found && (syntax_ == Syntax::att || found->reg < Register::r8 || found->reg == Register::rip);
  if (exists && found->width == whole) return found->reg;
  if (exists)
    lexer_.fail(span, fmt::format("expected the name of a whole register, found `{}`", name),
                fmt::format("did you mean `{}`?", spelled(found->reg)));
  lexer_.fail(span, fmt::format("expected a register, found `{}`", name));
}

void TestReader::initialise(const InitialEntry& entry) {
  if (!entry.thread) {
    if (!symbols_) return; // no place for it yet
    const auto [thread, reg] = place(entry.name, entry.name_span);
    return initialise(entry, thread, reg);
  }
  if (*entry.thread >= program_.threads.size())
    lexer_.fail(entry.span, fmt::format("expected a thread below {}, found {}",
                                        program_.threads.size(), *entry.thread));
  const Register reg = whole_register(entry.name, entry.name_span);
  named_.emplace_back(*entry.thread, reg);
  initialise(entry, *entry.thread, reg);
}

void TestReader::initialise(const InitialEntry& entry, std::size_t thread, Register reg) {
  auto& initial = program_.threads[thread].initial;
  if (std::ranges::find(initial, reg, &InitialRegister::reg) != initial.end())
    lexer_.fail(entry.name_span,
                fmt::format("expected one initial value of `{}`, found a second", entry.name));
  InitialRegister added{reg, 0, type_of_entry(entry)};
  if (const auto* value = std::get_if<Value>(&entry.value)) added.value = *value;
  if (const auto* name = std::get_if<std::string>(&entry.value))
    added.value = location(*name, entry.value_span);
  initial.push_back(added);
}

/// Of a thread's code: `%name`.
Register TestReader::symbolic(const Token& name) {
  const std::string symbol = "%" + std::string(name.text);
  lexer_.check_name(name);
  if (symbols_) return symbols_->at(symbol).at(thread_);
  return found_[symbol][thread_] = Register::rip;
}

/// Outside of code a symbol is that of the one thread that has it.
std::pair<std::size_t, Register> TestReader::place(const std::string& symbol,
                                                   text::Span span) const {
  const Symbols& known = symbols_ ? *symbols_ : found_;
  const auto found = known.find(symbol);
  if (found == known.end())
    lexer_.fail(span, fmt::format("expected a register of some thread's code, found `{}`", symbol));
  if (found->second.size() > 1)
    lexer_.fail(span,
                fmt::format("expected a register of one thread, found `{}`, which {} threads have",
                            symbol, found->second.size()));
  return *found->second.begin();
}

void TestReader::check_symbols(const std::vector<InitialEntry>& entries) const {
  for (const InitialEntry& entry : entries)
    if (is_register(entry) && !entry.thread) place(entry.name, entry.name_span);
}

/// As herd7 does it: thread by thread, names in order, the first register that nothing names.
Symbols TestReader::places() const {
  Symbols places = found_;
  const Program& program = test_.x86();
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    std::uint32_t taken = 1U << static_cast<unsigned>(Register::rsp);
    const auto take = [&](Register reg) { taken |= 1U << static_cast<unsigned>(reg); };
    for (const auto& [thread, reg] : named_)
      if (thread == t) take(reg);
    for (const Instruction& in : program.threads[t].code) each_register(in, take);
    unsigned next = 0;
    for (auto& [symbol, by_thread] : places) {
      const auto here = by_thread.find(t);
      if (here == by_thread.end()) continue;
      while ((taken >> next & 1) != 0) ++next;
      if (next >= (syntax_ == Syntax::att ? register_count : 8))
        throw Unsupported("more registers in a thread than the processor has");
      here->second = static_cast<Register>(next++);
    }
  }
  return places;
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
    thread_ = cells;
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
  if (accept_return(thread)) return;
  Instruction instruction = read_instruction(lexer_, around_);
  if (!instruction.target.empty()) {
    const std::uint32_t end = lexer_.since(0).end;
    const auto length = static_cast<std::uint32_t>(instruction.target.size());
    jumps_.push_back({thread, instruction.target, {end - length, end}});
  }
  add(thread, std::move(instruction));
}

/// `ret` ends the thread: a jump to its end.
bool TestReader::accept_return(std::size_t thread) {
  const std::string word = text::lower_case(lexer_.peek().text);
  if (!lexer_.peek().is_word() || (word != "ret" && word != "retq")) return false;
  lexer_.next();
  if (!lexer_.at("|") && !lexer_.at("||") && !lexer_.at(";"))
    lexer_.fail_expected("`|` or `;` after an instruction");
  Instruction jump;
  jump.opcode = Opcode::jmp;
  returns_.emplace_back(thread, program_.threads[thread].code.size());
  add(thread, std::move(jump));
  return true;
}

void TestReader::add(std::size_t thread, Instruction instruction) {
  Thread& into = program_.threads[thread];
  instruction.labels = std::exchange(into.end_labels, {});
  into.code.push_back(std::move(instruction));
}

/// Gives each thread with a `ret` a label at its end.
void TestReader::end_threads() {
  std::map<std::size_t, std::string> ends;
  for (const auto& [thread, at] : returns_) {
    std::string& end = ends[thread];
    for (int i = 0; end.empty(); ++i) {
      const std::string wish = i == 0 ? "END" : fmt::format("END{}", i);
      if (std::ranges::find(labels_[thread], wish) == labels_[thread].end()) end = wish;
    }
    program_.threads[thread].code[at].target = end;
  }
  for (const auto& [thread, end] : ends) program_.threads[thread].end_labels.push_back(end);
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
  if (!written.thread && written.name.starts_with('%')) {
    const auto [thread, reg] = place(written.name, span);
    return observable(ThreadId(static_cast<std::uint32_t>(thread)), reg, syntax_);
  }
  if (!written.thread) {
    location(written.name, span);
    return written;
  }
  if (written.thread->value >= program_.threads.size())
    lexer_.fail(span, fmt::format("expected a thread below {}, found {}", program_.threads.size(),
                                  written.thread->value));
  const Register reg = whole_register(written.name, span);
  named_.emplace_back(written.thread->value, reg);
  return observable(*written.thread, reg, syntax_);
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
      any_64_bits, [this](std::string_view name) { return cells(name); },
      [this](std::string_view name, text::Span span) {
        return static_cast<Value>(address_of(location(name, span)));
      }};
  read_questions(lexer_, rules, test_);
  if (test_.filter) settle(*test_.filter);
  for (Clause& clause : test_.clauses) settle(clause.proposition);
}

} // namespace

void read(Lexer& lexer, Test& test) {
  Lexer again = lexer;
  const Test header = test;
  TestReader first(lexer, test, nullptr);
  first.read();
  if (first.found_symbols().empty()) return;
  const Symbols places = first.places();
  test = header;
  TestReader(again, test, &places).read();
}

} // namespace thinair::litmus::x86
