// Reads no instruction: each is what stands between two ends of instructions.
#include "lower/scheme_text.h"

#include "litmus/test.h"
#include "litmus/text/error.h"
#include "litmus/text/printable.h"
#include "lower/scheme_reader.h"
#include "lower/target.h"

#include <fmt/format.h>

#include <utility>

namespace thinair::lower {
namespace {

class TextReader : public SchemeReader {
 public:
  struct Read {
    Operation operation;
    std::string code;
    std::uint32_t line = 0;
  };

  explicit TextReader(const text::Source& source) : SchemeReader(source) { read(); }

  const SchemeHead& head() const { return head_; }
  const std::vector<Peephole>& peepholes() const { return peepholes_; }
  std::vector<Read> take_rules() { return std::move(rules_); }

 private:
  void begin_rule() override { code_.clear(); }

  void instruction(std::vector<std::string> labels) override {
    add(labels);
    const auto begin = here().span.begin;
    auto end = begin;
    while (!at_end_of_instruction()) end = take().span.end;
    code_ += source_.text.substr(begin, end - begin) + "\n";
  }

  void end_rule(const std::vector<Token>& operations, std::vector<std::string> labels) override {
    add(labels);
    for (const auto& token : operations)
      rules_.push_back({operation_named(token.text).value(), code_,
                        text::position_of(source_, operations.front().span.begin).line});
  }

  std::vector<std::string> end_pattern() override {
    std::vector<std::string> lines;
    for (std::size_t at = 0, end = 0; (end = code_.find('\n', at)) != std::string::npos;
         at = end + 1)
      lines.push_back(code_.substr(at, end - at));
    return lines;
  }

  void add(const std::vector<std::string>& labels) {
    for (const auto& label : labels) code_ += label + ":\n";
  }

  std::string code_;
  std::vector<Read> rules_;
};

} // namespace

SchemeText::SchemeText(const text::Source& source, int depth) : file_(source.name) {
  TextReader reader(source);
  const auto& head = reader.head();
  name_ = head.name;
  title_ = head.title;
  if (!head.like.empty()) {
    SchemeText base(base_of(source, head, depth), depth + 1);
    rules_ = std::move(base.rules_);
    peepholes_ = std::move(base.peepholes_);
  }
  for (const Peephole& peephole : reader.peepholes()) peepholes_.push_back(print(peephole));
  for (auto& rule : reader.take_rules())
    rules_[index_of(rule.operation)] = {std::move(rule.code), file_, rule.line};
}

text::Source SchemeText::source() const {
  std::string out = fmt::format("scheme {} \"{}\"\n", name_, title_);
  std::array<bool, operation_count> printed{};
  for (std::size_t i = 0; i < operation_count; ++i) {
    if (printed[i]) continue;
    std::string operations;
    for (std::size_t j = i; j < operation_count; ++j) {
      if (rules_[j].code != rules_[i].code) continue;
      printed[j] = true;
      operations +=
          fmt::format("{}{}", operations.empty() ? "" : ", ", lower::name(operation_at(j)));
    }
    out += fmt::format("\n{} {{\n{}}}\n", operations, rules_[i].code);
  }
  for (const auto& peephole : peepholes_) out += "\n" + peephole;
  return {file_, std::move(out)};
}

text::Source scheme_source(std::string_view name) {
  if (is_scheme_file(name)) return litmus::read_file(std::string(name));
  const auto shipped = shipped_file(name);
  if (!shipped && (level_of(name) || name.find(':') != name.rfind(':')))
    throw InputError(fmt::format("error: {} is no scheme", text::printable_word(name)));
  if (!shipped) no_such_target(name);
  return {std::string(shipped->file), std::string(shipped->text)};
}

} // namespace thinair::lower
