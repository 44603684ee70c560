// Reads a machine's test from its initial state to its last question: what all assembly languages
// of herd have in common. A language gives an Assembler; the rest is here.
#pragma once

#include "litmus/initial.h"
#include "litmus/lexer.h"
#include "litmus/machine/code.h"
#include "litmus/questions.h"
#include "litmus/test.h"
#include "litmus/text/ascii.h"
#include "litmus/text/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thinair::litmus {

/// Whether the lexer is behind the last operand of an instruction.
inline bool at_end_of_instruction(Lexer& lexer) {
  return lexer.at(";") || lexer.at("|") || lexer.at("||") || lexer.peek().kind == Token::Kind::end;
}

/// What an instruction's text needs to know of the program around it.
template <class Register>
struct Surroundings {
  /// The location of that name; new where it was not known.
  std::function<LocationId(const Token& name)> location;
  /// The register that herd's `%name` stands for, where the processor has none of that name.
  std::function<Register(const Token& name)> symbolic;
  /// Its declared width: that of an access that does not say its own, as `mov $1,(x)` of x86.
  std::function<Width(LocationId)> width;
};

/// A machine's language to the reader of tests.
template <class Instruction>
struct Assembler {
  using Register = typename Instruction::Reg;
  /// Reads one instruction without labels, up to the `|` or `;` behind it. Throws InputError for
  /// what is no instruction or cannot be encoded, Unsupported for what herd7 reads and thinair does
  /// not.
  std::function<Instruction(Lexer&, const Surroundings<Register>&)> read_instruction;
  /// The register of an initial state or a question, by its whole name; InputError where there is
  /// none.
  std::function<Register(Lexer&, std::string_view name, text::Span)> whole_register;
  /// How questions name a register.
  std::function<Observable(ThreadId, Register)> observable;
  /// Calls the visitor with each register that the instruction has to do with.
  std::function<void(const Instruction&, const std::function<void(Register)>&)> each_register;
  std::span<const std::string_view> returns; // words that end a thread: "ret"
  Instruction jump;                          // what they become: a jump, to the thread's end
  Width pointer = Width::q;                  // of `intptr_t`
  Register unplaced{};        // for a symbolic register while the places of all are not known
  std::uint64_t reserved = 0; // registers that no symbol may stand for, a bit each
  std::size_t places = 0;     // registers from the first that symbols may stand for
};

/// Words that open a question; the code ends before one.
inline constexpr std::array<std::string_view, 10> question_words{
    "locations", "filter",   "exists",   "forall",    "final",
    "observed",  "Observed", "required", "forbidden", "contested"};

/// Herd's registers without a place, `%name`: by name, the threads whose code has them, and the
/// register that stands for each there. While they are looked for, `Assembler::unplaced` does.
template <class Register>
using Symbols = std::map<std::string, std::map<std::size_t, Register>>;

template <class Instruction>
class TestReader {
 public:
  using Register = typename Instruction::Reg;
  using Program = ProgramOf<Instruction>;
  using Thread = ThreadOf<Instruction>;
  using InitialRegister = InitialOf<Register>;
  using Symbols = litmus::Symbols<Register>;

  TestReader(Lexer& lexer, Test& test, const Assembler<Instruction>& assembler,
             const Symbols* symbols)
      : lexer_(lexer), test_(test), assembler_(assembler), symbols_(symbols),
        around_{[this](const Token& name) { return location(name.text, name.span); },
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
  Type type_of(const Observable& observable) const;
  void settle(Proposition& proposition) const;

  Lexer& lexer_;
  Test& test_;
  const Assembler<Instruction>& assembler_;
  const Symbols* symbols_; // null: they are looked for
  Symbols found_;
  std::vector<std::pair<std::size_t, Register>> named_; // registers that are no symbols, by thread
  std::size_t thread_ = 0;                              // whose code is read
  Surroundings<Register> around_;
  Program program_;
  std::vector<std::vector<std::string>> labels_; // by thread, all of its labels
  std::vector<Jump> jumps_;
  std::vector<std::pair<std::size_t, std::size_t>> returns_; // thread and instruction
  std::size_t instructions_ = 0;
};

inline std::string cell_name(std::string_view array, std::uint32_t index) {
  return fmt::format("{}[{}]", array, index);
}

template <class Instruction>
LocationId TestReader<Instruction>::location(std::string_view name, text::Span span) {
  auto found = std::ranges::find(program_.locations, name, &Cell::name);
  if (found == program_.locations.end()) // an array goes by its first cell
    found = std::ranges::find(program_.locations, cell_name(name, 0), &Cell::name);
  const auto index = static_cast<std::uint32_t>(found - program_.locations.begin());
  if (found != program_.locations.end()) return LocationId(index);
  lexer_.check_name(name, span);
  if (name.ends_with(']'))
    lexer_.fail(span, fmt::format("expected a cell of an array, found `{}`", name));
  if (Instruction::register_named(name))
    lexer_.fail(span, fmt::format("expected a location, found the register `{}`", name));
  if (name == "final") lexer_.fail(span, "expected a location, found the keyword `final`");
  if (program_.locations.size() >= lexer_.limits().locations)
    lexer_.fail(
        span, fmt::format("expected at most {} locations, found more", lexer_.limits().locations));
  program_.locations.push_back({std::string(name), {}, 0});
  return LocationId(index);
}

template <class Instruction>
Type TestReader<Instruction>::type_of_entry(const InitialEntry& entry) const {
  if (entry.type.empty()) return {};
  if (entry.type.ends_with('*')) return {}; // of a register: it holds an address anyway
  if (entry.type == "intptr_t" || entry.type == "uintptr_t")
    return {assembler_.pointer, entry.type == "intptr_t"};
  const auto found = std::ranges::find(types(), entry.type, &TypeInfo::name);
  if (found != types().end()) return found->type;
  std::vector<std::string_view> names;
  for (const TypeInfo& row : types()) names.push_back(row.name);
  lexer_.fail(entry.span, fmt::format("expected an integer type, found `{}`", entry.type),
              Lexer::suggest(entry.type, names));
}

template <class Instruction>
void TestReader<Instruction>::declare(const InitialEntry& entry) {
  if (entry.is_final) lexer_.fail(entry.span, "expected a location, found `final`");
  const bool known = std::ranges::any_of(program_.locations, [&](const Cell& location) {
    return name_in_code(location) == entry.name;
  });
  if (known)
    lexer_.fail(entry.name_span,
                fmt::format("expected one initial value of `{}`, found a second", entry.name));
  if (entry.type.ends_with('*') || std::holds_alternative<std::string>(entry.value))
    throw Unsupported("pointers in memory");
  if (entry.length) return declare_array(entry);
  Cell& added = program_.locations.at(location(entry.name, entry.name_span).value);
  added.type = type_of_entry(entry);
  if (const auto* value = std::get_if<Value>(&entry.value))
    added.initial = as_declared(*value, added.type);
}

template <class Instruction>
void TestReader<Instruction>::declare_array(const InitialEntry& entry) {
  const auto type = [&](std::uint32_t i) {
    return type_of_entry(entry.fields.empty() ? entry : entry.fields.at(i));
  };
  const std::uint32_t first = location(entry.name, entry.name_span).value; // checks the name
  program_.locations.pop_back();
  if (first + *entry.length > lexer_.limits().locations)
    lexer_.fail(entry.name_span, fmt::format("expected at most {} locations, found more",
                                             lexer_.limits().locations));
  for (std::uint32_t i = 0; i < *entry.length; ++i) {
    const Value value = entry.elements.empty() ? 0 : as_declared(entry.elements[i], type(i));
    program_.locations.push_back({cell_name(entry.name, i), type(i), value, *entry.length, i});
  }
}

template <class Instruction>
std::vector<Observable> TestReader<Instruction>::cells(std::string_view array) const {
  std::vector<Observable> found;
  for (const Cell& location : program_.locations)
    if (location.length > 0 && name_in_code(location) == array)
      found.push_back({std::nullopt, location.name});
  return found;
}

template <class Instruction>
void TestReader<Instruction>::initialise(const InitialEntry& entry) {
  if (!entry.thread) {
    if (!symbols_) return; // no place for it yet
    const auto [thread, reg] = place(entry.name, entry.name_span);
    return initialise(entry, thread, reg);
  }
  if (*entry.thread >= program_.threads.size())
    lexer_.fail(entry.span, fmt::format("expected a thread below {}, found {}",
                                        program_.threads.size(), *entry.thread));
  const Register reg = assembler_.whole_register(lexer_, entry.name, entry.name_span);
  named_.emplace_back(*entry.thread, reg);
  initialise(entry, *entry.thread, reg);
}

template <class Instruction>
void TestReader<Instruction>::initialise(const InitialEntry& entry, std::size_t thread,
                                         Register reg) {
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
template <class Instruction>
auto TestReader<Instruction>::symbolic(const Token& name) -> Register {
  const std::string symbol = "%" + std::string(name.text);
  lexer_.check_name(name);
  if (symbols_) return symbols_->at(symbol).at(thread_);
  return found_[symbol][thread_] = assembler_.unplaced;
}

/// Outside of code a symbol is that of the one thread that has it.
template <class Instruction>
auto TestReader<Instruction>::place(const std::string& symbol, text::Span span) const
    -> std::pair<std::size_t, Register> {
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

template <class Instruction>
void TestReader<Instruction>::check_symbols(const std::vector<InitialEntry>& entries) const {
  for (const InitialEntry& entry : entries)
    if (is_register(entry) && !entry.thread) place(entry.name, entry.name_span);
}

/// As herd7 does it: thread by thread, names in order, the first register that nothing names.
template <class Instruction>
auto TestReader<Instruction>::places() const -> Symbols {
  Symbols places = found_;
  const Program& program = test_.code().template of<Instruction>();
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    std::uint64_t taken = assembler_.reserved;
    const auto take = [&](Register reg) {
      taken |= std::uint64_t{1} << static_cast<unsigned>(reg);
    };
    for (const auto& [thread, reg] : named_)
      if (thread == t) take(reg);
    for (const Instruction& in : program.threads[t].code) assembler_.each_register(in, take);
    unsigned next = 0;
    for (auto& [symbol, by_thread] : places) {
      const auto here = by_thread.find(t);
      if (here == by_thread.end()) continue;
      while ((taken >> next & 1) != 0) ++next;
      if (next >= assembler_.places)
        throw Unsupported("more registers in a thread than the processor has");
      here->second = static_cast<Register>(next++);
    }
  }
  return places;
}

template <class Instruction>
void TestReader<Instruction>::read_thread_names() {
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
template <class Instruction>
bool TestReader<Instruction>::accept_bar() {
  if (lexer_.at("||")) {
    lexer_.seek(lexer_.peek().span.begin + 1);
    return true;
  }
  return lexer_.accept("|");
}

template <class Instruction>
void TestReader<Instruction>::read_row() {
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

template <class Instruction>
void TestReader<Instruction>::read_label(std::size_t thread) {
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

template <class Instruction>
void TestReader<Instruction>::read_cell(std::size_t thread) {
  while (lexer_.peek().is_word() && lexer_.second().is(":")) read_label(thread);
  if (lexer_.at("|") || lexer_.at("||") || lexer_.at(";")) return;
  if (++instructions_ > lexer_.limits().statements)
    lexer_.fail(lexer_.peek().span, fmt::format("expected at most {} instructions, found more",
                                                lexer_.limits().statements));
  if (accept_return(thread)) return;
  Instruction instruction = assembler_.read_instruction(lexer_, around_);
  if (!instruction.target.empty()) {
    const std::uint32_t end = lexer_.since(0).end;
    const auto length = static_cast<std::uint32_t>(instruction.target.size());
    jumps_.push_back({thread, instruction.target, {end - length, end}});
  }
  add(thread, std::move(instruction));
}

/// `ret` ends the thread: a jump to its end.
template <class Instruction>
bool TestReader<Instruction>::accept_return(std::size_t thread) {
  const std::string word = text::lower_case(lexer_.peek().text);
  if (!lexer_.peek().is_word() ||
      std::ranges::find(assembler_.returns, word) == assembler_.returns.end())
    return false;
  lexer_.next();
  if (!lexer_.at("|") && !lexer_.at("||") && !lexer_.at(";"))
    lexer_.fail_expected("`|` or `;` after an instruction");
  returns_.emplace_back(thread, program_.threads[thread].code.size());
  add(thread, assembler_.jump);
  return true;
}

template <class Instruction>
void TestReader<Instruction>::add(std::size_t thread, Instruction instruction) {
  Thread& into = program_.threads[thread];
  instruction.labels = std::exchange(into.end_labels, {});
  into.code.push_back(std::move(instruction));
}

/// Gives each thread with a `ret` a label at its end.
template <class Instruction>
void TestReader<Instruction>::end_threads() {
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

template <class Instruction>
bool TestReader<Instruction>::at_questions() {
  const Token& token = lexer_.peek();
  if (token.kind == Token::Kind::end || token.is("~") || token.is("(")) return true;
  if (token.is("not")) return lexer_.second().is("exists");
  return token.is_word() && std::ranges::find(question_words, token.text) != question_words.end() &&
         !lexer_.second().is(":");
}

template <class Instruction>
void TestReader<Instruction>::check_targets() const {
  for (const Jump& jump : jumps_) {
    const auto& known = labels_[jump.thread];
    if (std::ranges::find(known, jump.label) == known.end())
      lexer_.fail(jump.span,
                  fmt::format("expected a label of P{}, found `{}`", jump.thread, jump.label),
                  Lexer::suggest(jump.label, known));
  }
}

template <class Instruction>
Observable TestReader<Instruction>::resolve(Observable written, text::Span span) {
  if (!written.thread && written.name.starts_with('%')) {
    const auto [thread, reg] = place(written.name, span);
    return assembler_.observable(ThreadId(static_cast<std::uint32_t>(thread)), reg);
  }
  if (!written.thread) {
    location(written.name, span);
    return written;
  }
  if (written.thread->value >= program_.threads.size())
    lexer_.fail(span, fmt::format("expected a thread below {}, found {}", program_.threads.size(),
                                  written.thread->value));
  const Register reg = assembler_.whole_register(lexer_, written.name, span);
  named_.emplace_back(written.thread->value, reg);
  return assembler_.observable(*written.thread, reg);
}

/// As Code::type_of, while the program is read.
template <class Instruction>
Type TestReader<Instruction>::type_of(const Observable& observable) const {
  if (!observable.thread) {
    const auto found = std::ranges::find(program_.locations, observable.name, &Cell::name);
    return found == program_.locations.end() ? Type{} : found->type;
  }
  const auto reg = Instruction::register_named(observable.name);
  const auto& initial = program_.threads.at(observable.thread->value).initial;
  for (const auto& entry : initial)
    if (reg && entry.reg == *reg) return entry.type;
  return {};
}

/// A constant is compared at the type of what it is compared with: -1 is 4294967295 of a
/// `uint32_t`.
template <class Instruction>
void TestReader<Instruction>::settle(Proposition& proposition) const {
  using Kind = Proposition::Kind;
  const bool atom = proposition.kind == Kind::equal || proposition.kind == Kind::not_equal;
  if (atom && !proposition.right)
    proposition.constant = as_declared(proposition.constant, type_of(proposition.left));
  for (Proposition& part : proposition.parts) settle(part);
}

template <class Instruction>
void TestReader<Instruction>::read_asked() {
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

/// Fills the test's program and questions.
template <class Instruction>
void read_code(Lexer& lexer, Test& test, const Assembler<Instruction>& assembler) {
  Lexer again = lexer;
  const Test header = test;
  TestReader<Instruction> first(lexer, test, assembler, nullptr);
  first.read();
  if (first.found_symbols().empty()) return;
  const auto places = first.places();
  test = header;
  TestReader<Instruction>(again, test, assembler, &places).read();
}

} // namespace thinair::litmus
