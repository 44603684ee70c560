// Rewrites what herd7's x86 front ends do not read.
#include "machine/x86/herd_export.h"

#include "litmus/labels.h"
#include "litmus/text/error.h"
#include "machine/x86/flow.h"
#include "machine/x86/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace thinair::x86 {
namespace {

using O = Opcode;
using C = ConditionCode;

[[noreturn]] void cannot(std::string_view what) {
  throw Unsupported(fmt::format("{} for herd7", what));
}

bool is_memory(const Operand& operand) { return std::holds_alternative<Memory>(operand); }

Instruction make(O opcode, Width width, std::vector<Operand> operands) {
  Instruction in;
  in.opcode = opcode;
  in.width = width;
  in.operands = std::move(operands);
  return in;
}

/// One thread, instruction by instruction.
class ThreadRewriter {
 public:
  ThreadRewriter(const Thread& thread, std::uint16_t taken)
      : thread_(thread), taken_(taken), flags_live_(flags_live_after(thread)) {}

  Thread run() {
    Thread out = thread_;
    out.code.clear();
    for (index_ = 0; index_ < thread_.code.size(); ++index_) {
      const std::size_t first = code_.size();
      pending_ = thread_.code[index_].labels;
      rewrite(thread_.code[index_]);
      THINAIR_CHECK(code_.size() > first, "an instruction was rewritten to nothing");
    }
    out.code = std::move(code_);
    out.end_labels.insert(out.end_labels.begin(), next_labels_.begin(), next_labels_.end());
    return out;
  }

  /// Non-zero at the end of an execution that guessed wrong.
  std::optional<Register> wrong_guesses() const { return wrong_; }

 private:
  void emit(Instruction in) {
    in.labels = std::move(pending_);
    pending_.clear();
    in.labels.insert(in.labels.end(), next_labels_.begin(), next_labels_.end());
    next_labels_.clear();
    code_.push_back(std::move(in));
  }

  void emit_jump(O opcode, C condition, const std::string& target) {
    Instruction in;
    in.opcode = opcode;
    in.condition = condition;
    in.target = target;
    emit(std::move(in));
  }

  std::string fresh_label() {
    const auto names = [this](const std::string& label) {
      const auto has = [&](const std::vector<std::string>& labels) {
        return std::ranges::find(labels, label) != labels.end();
      };
      return has(thread_.end_labels) ||
             std::ranges::any_of(thread_.code,
                                 [&](const Instruction& in) { return has(in.labels); });
    };
    std::string label;
    do label = fmt::format("H{}", labels_++);
    while (names(label));
    return label;
  }

  Register scratch(std::size_t which) {
    if (which >= scratch_.size()) {
      for (std::uint8_t i = register_count; i-- > 0;) {
        if ((taken_ >> i & 1) != 0) continue;
        taken_ = static_cast<std::uint16_t>(taken_ | 1U << i);
        scratch_.push_back(static_cast<Register>(i));
        break;
      }
    }
    if (which >= scratch_.size()) cannot("a thread that uses nearly all registers");
    return scratch_[which];
  }

  void need_dead_flags(const Instruction& in) const {
    if (flags_live_[index_])
      cannot(fmt::format("the flags of {}{}", in.lock ? "lock " : "", info(in.opcode).mnemonic));
  }

  void rewrite(const Instruction& in);
  void rewrite_jump(const Instruction& in);
  void rewrite_set(const Instruction& in);
  void rewrite_conditional_move(const Instruction& in);
  void rewrite_test(const Instruction& in);
  void rewrite_extension(const Instruction& in);
  void rewrite_exchange_add(const Instruction& in);
  void rewrite_locked(const Instruction& in);
  void rewrite_subtraction(const Instruction& in);
  void jump_unless(C condition, const std::string& target);
  void jump_if(C condition, const std::string& target);
  void exchange_guess(const Instruction& in, Register guess, Register result);

  const Thread& thread_;
  std::uint16_t taken_; // registers that mean something to the program
  std::vector<bool> flags_live_;
  std::vector<Register> scratch_;
  std::optional<Register> wrong_;
  std::vector<Instruction> code_;
  std::vector<std::string> pending_;     // labels of the instruction being rewritten
  std::vector<std::string> next_labels_; // labels that the export adds, for what comes next
  std::size_t index_ = 0, labels_ = 0;
};

/// herd7 has je, jne, jle, jge and jg right (the last as `jgt`).
bool herd_jumps(C condition) {
  return condition == C::e || condition == C::ne || condition == C::le || condition == C::ge ||
         condition == C::g;
}

void ThreadRewriter::jump_if(C condition, const std::string& target) {
  if (herd_jumps(condition)) {
    emit_jump(O::jcc, condition, target);
    return;
  }
  if (!herd_jumps(negation(condition))) cannot(fmt::format("the condition {}", name(condition)));
  const std::string past = fresh_label();
  emit_jump(O::jcc, negation(condition), past);
  emit_jump(O::jmp, C::e, target);
  next_labels_.push_back(past);
}

void ThreadRewriter::jump_unless(C condition, const std::string& target) {
  jump_if(negation(condition), target);
}

void ThreadRewriter::rewrite_jump(const Instruction& in) { jump_if(in.condition, in.target); }

/// `mov` leaves the flags alone.
void ThreadRewriter::rewrite_set(const Instruction& in) {
  const std::string done = fresh_label();
  const Operand& into = in.operands.at(0);
  if (is_memory(into)) cannot("setcc into memory");
  emit(make(O::mov, Width::b, {into, Immediate{1}}));
  jump_if(in.condition, done);
  emit(make(O::mov, Width::b, {into, Immediate{0}}));
  next_labels_.push_back(done);
}

/// The source is read in any case, and a 32-bit destination's upper half is cleared in any case.
void ThreadRewriter::rewrite_conditional_move(const Instruction& in) {
  const std::string done = fresh_label();
  Operand source = in.operands.at(1);
  if (is_memory(source)) {
    const RegisterOperand loaded{scratch(0), in.width};
    emit(make(O::mov, in.width, {loaded, source}));
    source = loaded;
  }
  const auto into = std::get<RegisterOperand>(in.operands.at(0));
  if (in.width == Width::l) emit(make(O::mov, in.width, {into, into}));
  jump_unless(in.condition, done);
  emit(make(O::mov, in.width, {into, source}));
  next_labels_.push_back(done);
}

/// `test r,r` sets the flags that `cmp $0,r` sets.
void ThreadRewriter::rewrite_test(const Instruction& in) {
  Operand left = in.operands.at(0);
  if (!(left == in.operands.at(1))) {
    const RegisterOperand both{scratch(0), in.width};
    emit(make(O::mov, in.width, {both, left}));
    emit(make(O::and_, in.width, {both, in.operands.at(1)}));
    left = both;
  }
  emit(make(O::cmp, in.width, {left, Immediate{0}}));
}

void ThreadRewriter::rewrite_extension(const Instruction& in) {
  need_dead_flags(in);
  if (is_memory(in.operands.at(1))) cannot("movzx from memory");
  const auto into = std::get<RegisterOperand>(in.operands.at(0));
  const auto from = std::get<RegisterOperand>(in.operands.at(1));
  const Width width = std::max(into.width, Width::l);
  if (into.width < width) cannot("movzx into 16 bits");
  emit(make(O::mov, width, {into, RegisterOperand{from.reg, width}}));
  emit(make(O::and_, width, {into, Immediate{in.width == Width::b ? 0xFF : 0xFFFF}}));
}

/// Exchanges the cell with `result`, which was computed from `guess`: right if the cell still held
/// the guess. `result` is what the cell held.
void ThreadRewriter::exchange_guess(const Instruction& in, Register guess, Register result) {
  if (!wrong_) wrong_ = scratch(2);
  const RegisterOperand old{result, in.width}, guessed{guess, in.width}, wrong{*wrong_, in.width};
  emit(make(O::xchg, in.width, {in.operands.at(0), old}));
  emit(make(O::xor_, in.width, {guessed, old}));
  emit(make(O::or_, in.width, {wrong, guessed}));
}

void ThreadRewriter::rewrite_exchange_add(const Instruction& in) {
  need_dead_flags(in);
  const RegisterOperand guess{scratch(0), in.width}, sum{scratch(1), in.width};
  const Operand& cell = in.operands.at(0);
  const Operand& added = in.operands.at(1);
  emit(make(O::mov, in.width, {guess, cell}));
  emit(make(O::mov, in.width, {sum, guess}));
  emit(make(O::add, in.width, {sum, added}));
  if (in.lock) {
    exchange_guess(in, guess.reg, sum.reg);
    emit(make(O::mov, in.width, {added, sum}));
  } else if (is_memory(cell)) {
    emit(make(O::mov, in.width, {cell, sum}));
    emit(make(O::mov, in.width, {added, guess}));
  } else {
    emit(make(O::mov, in.width, {added, guess}));
    emit(make(O::mov, in.width, {cell, sum}));
  }
}

/// `lock or` and the like.
void ThreadRewriter::rewrite_locked(const Instruction& in) {
  if (in.opcode != O::not_) need_dead_flags(in);
  const RegisterOperand guess{scratch(0), in.width}, result{scratch(1), in.width};
  emit(make(O::mov, in.width, {guess, in.operands.at(0)}));
  emit(make(O::mov, in.width, {result, guess}));
  Instruction alone = in;
  alone.lock = false;
  alone.operands.at(0) = result;
  rewrite(alone);
  exchange_guess(in, guess.reg, result.reg);
}

/// herd7 adds but does not subtract, and is right about wrapped sums only in what is shown.
void ThreadRewriter::rewrite_subtraction(const Instruction& in) {
  need_dead_flags(in);
  if (in.operands.at(0) == in.operands.at(1)) {
    emit(make(O::mov, in.width, {in.operands.at(0), Immediate{0}}));
    return;
  }
  const auto* immediate = std::get_if<Immediate>(&in.operands.at(1));
  constexpr Value most = 16;
  if (!immediate || immediate->value < 0 || immediate->value > most)
    cannot("sub of other than 0 to 16");
  if (is_memory(in.operands.at(0)) && immediate->value != 1) cannot("sub from memory");
  if (immediate->value == 0) emit(make(O::nop, Width::l, {}));
  for (Value i = 0; i < immediate->value; ++i) {
    Instruction step = make(O::dec, in.width, {in.operands.at(0)});
    step.lock = in.lock;
    emit(std::move(step));
  }
}

void ThreadRewriter::rewrite(const Instruction& in) {
  const bool locked_alone = in.lock && (in.opcode == O::or_ || in.opcode == O::and_);
  const bool locked_sub =
      in.lock && in.opcode == O::sub && !(in.operands.at(1) == Operand(Immediate{1}));
  if (locked_alone || locked_sub) return rewrite_locked(in);
  switch (in.opcode) {
  case O::jcc: return rewrite_jump(in);
  case O::setcc: return rewrite_set(in);
  case O::cmovcc: return rewrite_conditional_move(in);
  case O::test: return rewrite_test(in);
  case O::movzx: return rewrite_extension(in);
  case O::xadd: return rewrite_exchange_add(in);
  case O::sub: return rewrite_subtraction(in);
  case O::lea:
  case O::neg:
  case O::not_:
  case O::shr:
  case O::sar:
  case O::imul: cannot(info(in.opcode).mnemonic);
  case O::mov:
  case O::add:
  case O::and_:
  case O::or_:
  case O::xor_:
  case O::cmp:
  case O::inc:
  case O::dec:
  case O::shl:
  case O::xchg:
  case O::cmpxchg:
  case O::jmp:
  case O::mfence:
  case O::lfence:
  case O::sfence:
  case O::nop: {
    Instruction same = in;
    emit(std::move(same));
    return;
  }
  }
}

/// Registers that the thread or the questions speak of.
std::uint16_t taken_registers(const Test& test, std::size_t thread) {
  std::uint16_t taken = 1U << static_cast<unsigned>(Register::rsp);
  for (const Observable& observable : observables(test, true))
    if (const auto reg = register_of(observable);
        reg && is_general(*reg) && observable.thread->value == thread)
      taken = static_cast<std::uint16_t>(taken | 1U << static_cast<unsigned>(*reg));
  return taken;
}

class Exporter {
 public:
  Exporter(const Test& test, bool all_registers)
      : original_(test), shown_(observables(test, all_registers)) {
    out_.test = test;
    keep_ = !beyond_herd(program_of(test), syntax_of(test));
    if (!keep_) out_.test.language = &att;
  }

  HerdExport run() {
    Program program = program_of(original_);
    std::vector<Proposition> filters;
    if (original_.filter) filters.push_back(renamed(*original_.filter));
    if (!keep_) {
      rename_locations(program);
      rewrite_threads(program, filters);
    }
    separate_labels(program.threads);
    out_.test.program = program;
    ask(std::move(filters));
    if (const auto left = beyond_herd(program, syntax_of(out_.test))) cannot(*left);
    return std::move(out_);
  }

 private:
  void rename_locations(Program& program) const {
    for (Location& location : program.locations) location.name = renamed(location.name);
  }

  void rewrite_threads(Program& program, std::vector<Proposition>& filters) const {
    for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
      ThreadRewriter rewriter(program_of(original_).threads[t], taken_registers(original_, t));
      program.threads[t] = rewriter.run();
      if (const auto wrong = rewriter.wrong_guesses()) {
        program.threads[t].initial.push_back({*wrong, 0, {Width::q, false}});
        filters.push_back(is_zero(observable(ThreadId(t), *wrong, Syntax::att)));
      }
    }
  }

  static Proposition is_zero(Observable observable) {
    Proposition p;
    p.kind = Proposition::Kind::equal;
    p.left = std::move(observable);
    return p;
  }

  void ask(std::vector<Proposition> filters) {
    Test& test = out_.test;
    test.locations.clear();
    for (const Observable& observable : shown_) {
      test.locations.push_back(renamed(observable));
      out_.names.emplace_back(renamed(observable), observable);
    }
    test.filter.reset();
    if (filters.size() == 1) test.filter = filters[0];
    if (filters.size() > 1) {
      test.filter.emplace().kind = Proposition::Kind::all;
      test.filter->parts = std::move(filters);
    }
    litmus::Clause clause;
    if (!original_.clauses.empty()) clause.proposition = renamed(original_.clauses[0].proposition);
    test.clauses = {clause};
  }

  /// A name that herd7 takes for a location's, or for that of an array's cell.
  std::string renamed(const std::string& name) const {
    Program alone;
    alone.locations.push_back({name.substr(0, name.find('[')), {}, 0});
    if (keep_ || !beyond_herd(alone, Syntax::att)) return name;
    std::string fresh = "cell_" + name;
    const auto taken = [&] {
      return std::ranges::find(program_of(original_).locations, fresh, &Location::name) !=
             program_of(original_).locations.end();
    };
    while (taken()) fresh += '_';
    return fresh;
  }

  Observable renamed(const Observable& o) const {
    if (!o.thread) return {std::nullopt, renamed(o.name)};
    return observable(*o.thread, *register_of(o), syntax_of(out_.test));
  }

  Proposition renamed(Proposition p) const {
    if (p.kind == Proposition::Kind::equal || p.kind == Proposition::Kind::not_equal) {
      p.left = renamed(p.left);
      if (p.right) p.right = renamed(*p.right);
      if (!p.address.empty()) p.address = renamed(p.address);
    }
    for (Proposition& part : p.parts) part = renamed(std::move(part));
    return p;
  }

  const Test& original_;
  std::vector<Observable> shown_;
  bool keep_ = false; // herd7 reads it as it is
  HerdExport out_;
};

} // namespace

HerdExport herd_export(const Test& test, bool all_registers) {
  return Exporter(test, all_registers).run();
}

} // namespace thinair::x86
