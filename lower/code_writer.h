// The code of one thread as it is written: instructions, labels, registers that hold nothing.
#pragma once

#include "litmus/machine/program.h"
#include "lower/peephole.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace thinair::lower {

template <class Instruction>
class CodeWriter {
 public:
  using Register = typename Instruction::Reg;

  /// Scratch registers are taken from the end of `order`.
  explicit CodeWriter(std::span<const Register> order) : order_(order) {}

  void emit(Instruction instruction, Mark mark = {}) {
    instruction.labels.insert(instruction.labels.begin(), pending_.begin(), pending_.end());
    pending_.clear();
    neighbours_.push_back(
        {scheme_, operation_, mark, !instruction.labels.empty() || !instruction.target.empty()});
    code_.push_back(std::move(instruction));
    origins_.push_back(statement_);
  }

  /// What is emitted from here on is that scheme's code of an operation; null: of none.
  void at_operation(const std::vector<Peephole>* scheme, std::size_t operation = no_operation) {
    scheme_ = scheme;
    operation_ = operation;
  }

  std::string new_label() { return fmt::format("L{}", labels_++); }
  /// Before the next instruction, or at the end.
  void place(std::string label) { pending_.push_back(std::move(label)); }

  /// Registers that hold nothing. Where there is none, `starved` becomes true, and the code made
  /// from then on is to be thrown away.
  void release(Register reg) { free_[static_cast<std::size_t>(reg)] = true; }
  Register take() {
    for (std::size_t i = order_.size(); i-- > 0;)
      if (std::exchange(free_[static_cast<std::size_t>(order_[i])], false)) return order_[i];
    starved_ = true;
    return order_.back();
  }
  bool starved() const { return starved_; }

  void at_statement(std::uint32_t number) { statement_ = number; }

  litmus::ThreadOf<Instruction> finish(std::string name,
                                       std::vector<litmus::InitialOf<Register>> initial) {
    leave_out(left_out(neighbours_));
    litmus::ThreadOf<Instruction> thread;
    thread.name = std::move(name);
    thread.initial = std::move(initial);
    thread.code = std::move(code_);
    thread.end_labels = std::move(pending_);
    return thread;
  }
  std::vector<std::uint32_t> take_origins() { return std::move(origins_); }

 private:
  /// Their labels go to what follows.
  void leave_out(const std::vector<bool>& out) {
    std::vector<Instruction> kept;
    std::vector<std::uint32_t> origins;
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      labels.insert(labels.end(), code_[i].labels.begin(), code_[i].labels.end());
      if (out[i]) continue;
      code_[i].labels = std::exchange(labels, {});
      kept.push_back(std::move(code_[i]));
      origins.push_back(origins_[i]);
    }
    pending_.insert(pending_.begin(), labels.begin(), labels.end());
    code_ = std::move(kept);
    origins_ = std::move(origins);
  }

  std::span<const Register> order_;
  std::vector<Instruction> code_;
  std::vector<std::uint32_t> origins_;
  std::vector<Neighbour> neighbours_; // an instruction each
  std::vector<std::string> pending_;
  std::array<bool, 64> free_{};
  std::uint32_t labels_ = 0, statement_ = 0;
  const std::vector<Peephole>* scheme_ = nullptr;
  std::size_t operation_ = no_operation;
  bool starved_ = false;
};

} // namespace thinair::lower
