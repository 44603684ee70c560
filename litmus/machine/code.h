// A program of some machine, whichever it is: what a Test holds, and what rooms ask that know no
// machine.
#pragma once

#include "litmus/machine/program.h"
#include "litmus/text/error.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace thinair::litmus {

class Code {
 public:
  Code() = default; // of no machine
  template <class Instruction>
  Code(ProgramOf<Instruction> program)
      : held_(std::make_unique<Holder<Instruction>>(std::move(program))) {}
  Code(const Code& other) : held_(other.held_ ? other.held_->copy() : nullptr) {}
  Code(Code&&) noexcept = default;
  Code& operator=(const Code& other) { return *this = Code(other); }
  Code& operator=(Code&&) noexcept = default;
  ~Code() = default;

  /// The program of that machine; a Bug where it is another's.
  template <class Instruction>
  const ProgramOf<Instruction>& of() const {
    const auto* holder = dynamic_cast<const Holder<Instruction>*>(held_.get());
    THINAIR_CHECK(holder != nullptr, "a program of another machine");
    return holder->program;
  }
  template <class Instruction>
  ProgramOf<Instruction>& of() {
    return const_cast<ProgramOf<Instruction>&>(std::as_const(*this).template of<Instruction>());
  }

  std::span<const Cell> cells() const { return held_->cells(); }
  std::size_t threads() const { return held_->sizes().size(); }
  std::size_t instructions() const;
  /// Of each thread, the number of its instructions.
  std::vector<std::size_t> sizes() const { return held_->sizes(); }

  /// The declared type of what a condition or a final state names; `int` where nothing is declared.
  Type type_of(const Observable& observable) const;
  /// The place of a register, of a thread that there is, in its machine's table.
  std::optional<std::uint32_t> register_of(const Observable& observable) const;

  /// Labels before an instruction, or, where `instruction` is their number, at the end.
  const std::vector<std::string>& labels(std::size_t thread, std::size_t instruction) const {
    return held_->labels(thread, instruction);
  }

  /// The label that an instruction may go to; empty: none.
  const std::string& target(std::size_t thread, std::size_t instruction) const {
    return held_->target(thread, instruction);
  }
  /// The place of a label of that thread.
  std::size_t place_of(std::size_t thread, const std::string& label) const;

  friend bool operator==(const Code& a, const Code& b) {
    return a.held_ && b.held_ ? a.held_->equals(*b.held_) : a.held_ == b.held_;
  }

 private:
  struct Held {
    virtual ~Held() = default;
    virtual std::unique_ptr<Held> copy() const = 0;
    virtual bool equals(const Held& other) const = 0;
    virtual std::span<const Cell> cells() const = 0;
    virtual std::vector<std::size_t> sizes() const = 0;
    virtual const std::vector<std::string>& labels(std::size_t thread, std::size_t at) const = 0;
    virtual const std::string& target(std::size_t thread, std::size_t at) const = 0;
    virtual std::optional<std::uint32_t> register_named(std::string_view name) const = 0;
    virtual std::optional<Type> initial_type(std::size_t thread, std::uint32_t reg) const = 0;
  };

  template <class Instruction>
  struct Holder final : Held {
    explicit Holder(ProgramOf<Instruction> held) : program(std::move(held)) {}
    std::unique_ptr<Held> copy() const override { return std::make_unique<Holder>(program); }
    bool equals(const Held& other) const override {
      const auto* holder = dynamic_cast<const Holder*>(&other);
      return holder != nullptr && holder->program == program;
    }
    std::span<const Cell> cells() const override { return program.locations; }
    std::vector<std::size_t> sizes() const override {
      std::vector<std::size_t> out;
      for (const auto& thread : program.threads) out.push_back(thread.code.size());
      return out;
    }
    const std::vector<std::string>& labels(std::size_t thread, std::size_t at) const override {
      const auto& all = program.threads.at(thread);
      return at < all.code.size() ? all.code[at].labels : all.end_labels;
    }
    const std::string& target(std::size_t thread, std::size_t at) const override {
      return program.threads.at(thread).code.at(at).target;
    }
    std::optional<std::uint32_t> register_named(std::string_view name) const override {
      const auto found = Instruction::register_named(name);
      return found ? std::optional(static_cast<std::uint32_t>(*found)) : std::nullopt;
    }
    std::optional<Type> initial_type(std::size_t thread, std::uint32_t reg) const override {
      for (const auto& initial : program.threads.at(thread).initial)
        if (static_cast<std::uint32_t>(initial.reg) == reg) return initial.type;
      return std::nullopt;
    }

    ProgramOf<Instruction> program;
  };

  std::unique_ptr<Held> held_;
};

} // namespace thinair::litmus
