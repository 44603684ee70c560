// Draws statements one by one.
#include "tests/causality/every_statement.h"

#include "litmus/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace thinair::causality {
namespace {

bool plain_or_volatile(const litmus::MethodInfo& info) {
  const auto fits = [](litmus::Mode mode) {
    return mode == litmus::Mode::plain || mode == litmus::Mode::volatile_;
  };
  return fits(info.read) && fits(info.write);
}

} // namespace

std::string EveryStatement::value() {
  if (!registers_.empty() && random_.chance(1, 3)) return reg();
  return std::to_string(random_.below(3));
}

std::string EveryStatement::fence() {
  const auto all = litmus::fences();
  return fmt::format("{}(); ", random_.pick(all).name);
}

std::string EveryStatement::reg() { return registers_[random_.below(registers_.size())]; }

/// Half of all reads and writes are plain: with everything ordered there is little to get wrong.
std::string EveryStatement::call(bool reads) {
  const auto handle = random_.chance(2, 3) ? "X" : "Y";
  if (random_.chance(1, 2) || !(shape_.updates || shape_.every_mode))
    return reads ? fmt::format("{}.get()", handle) : fmt::format("{}.set({})", handle, value());
  for (;;) {
    const auto all = litmus::methods();
    const auto& info = random_.pick(all);
    const bool update = litmus::is_rmw(info.action);
    if (update ? !shape_.updates : litmus::reads(info.action) != reads) continue;
    if (!shape_.every_mode && !plain_or_volatile(info)) continue;
    std::string arguments;
    for (int i = 0; i < info.arguments; ++i) arguments += (i > 0 ? ", " : "") + value();
    return fmt::format("{}.{}({})", handle, info.name, arguments);
  }
}

std::string EveryStatement::access(bool as_value) {
  if (accesses_left_ == 0) return "";
  --accesses_left_;
  if (!as_value && random_.chance(1, 2)) return call(false) + "; ";
  const auto text = call(true);
  const auto name = fmt::format("r{}", registers_.size());
  registers_.push_back(name);
  return fmt::format("int {} = {}; ", name, text);
}

/// What a thread may wait for, or end at.
std::string EveryStatement::waiting() {
  switch (random_.below(started_ ? 6 : 4)) {
  case 0: {
    if (accesses_left_ == 0) return "";
    --accesses_left_;
    return fmt::format("while ({}.get{}() == {}) {{ }} ", random_.chance(1, 2) ? "X" : "Y",
                       random_.chance(1, 3) ? "Volatile" : "", random_.below(2));
  }
  case 1: {
    if (registers_.empty()) return "";
    const auto name = fmt::format("r{}", registers_.size());
    const auto text =
        fmt::format("int {} = 4 {} {}; ", name, random_.chance(1, 2) ? "/" : "%", reg());
    registers_.push_back(name);
    return text;
  }
  case 2: return random_.chance(1, 4) ? "lock(m); " : "";
  case 3: return fmt::format("print({}); ", value());
  case 4: return fmt::format("start(Thread{}); ", *started_);
  default: return fmt::format("join(Thread{}); ", *started_);
  }
}

std::string EveryStatement::wrapped(const std::string& inner) {
  if (inner.empty()) return inner;
  switch (random_.below(8)) {
  case 0:
    if (registers_.empty() || inner.find("int ") != std::string::npos) return inner;
    return fmt::format("if ({} == {}) {{ {}}} ", reg(), random_.below(2), inner);
  case 1: {
    const auto monitor = random_.chance(2, 3) ? "m" : "n";
    if (!shape_.waits) return inner;
    return fmt::format("lock({}); {}unlock({}); ", monitor, inner, monitor);
  }
  default: return inner;
  }
}

std::string EveryStatement::body(std::uint32_t thread) {
  registers_.clear();
  std::string text;
  const auto statements = random_.between(1, shape_.accesses);
  for (std::int64_t s = 0; s < statements; ++s) {
    text += wrapped(access(false));
    if (shape_.fences && random_.chance(1, 6)) text += fence();
    if (shape_.waits && random_.chance(1, 4) && started_ != thread) text += wrapped(waiting());
  }
  return text;
}

std::string EveryStatement::test() {
  const auto count = static_cast<std::uint32_t>(random_.between(2, shape_.threads));
  accesses_left_ = shape_.most_accesses;
  if (shape_.waits && random_.chance(1, 4)) started_ = count - 1;
  std::string text =
      fmt::format("Java T\n{{ x={}; y=0; X=x; Y=y; monitor m; monitor n; }}\n", random_.below(2));
  for (std::uint32_t t = 0; t < count; ++t) {
    auto inner = body(t);
    if (started_ && t == 0 && inner.find("start(") == std::string::npos) {
      const auto start = fmt::format("start(Thread{}); ", *started_);
      const bool guarded = !registers_.empty() && random_.chance(1, 2);
      inner += guarded ? fmt::format("if ({} == 1) {{ {}}} ", reg(), start) : start;
      if (random_.chance(1, 3)) inner += fmt::format("join(Thread{}); ", *started_) + access(true);
    }
    text += fmt::format("Thread{} {{ {} }}\n", t, inner);
  }
  return text + "exists (true)\n";
}

} // namespace thinair::causality
