// Errors of a machine's reader, told about the rule that was read.
#include "lower/machine_rule.h"

#include "litmus/text/error.h"

namespace thinair::lower {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

std::vector<std::string> labels_of(const TextRule& rule) {
  std::vector<std::string> out = rule.end_labels;
  for (const auto& in : rule.code) out.insert(out.end(), in.labels.begin(), in.labels.end());
  return out;
}

/// What `text`, the whole of an InputError, has between two of its parts.
std::string part(const std::string& text, std::string_view begin) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return {};
  const std::size_t from = at + begin.size();
  return text.substr(from, text.find('\n', from) - from);
}

} // namespace

void SpelledInstruction::add(std::string_view before, std::string spelled, std::string written,
                             text::Span span) {
  source.text += before;
  source.text += spelled;
  pieces.push_back({static_cast<std::uint32_t>(source.text.size()), std::move(spelled),
                    std::move(written), span});
}

void fail_in_rule(const text::Source& source, const TextInstruction& in,
                  const SpelledInstruction& spelled, const InputError& error) {
  const std::string whole = error.what();
  std::string message = part(whole, "error: "), hint = part(whole, "hint: ");
  for (const auto& piece : spelled.pieces)
    replace_all(message, fmt::format("`{}`", piece.spelled), fmt::format("`{}`", piece.written));
  replace_all(message, "end of file", "the end of the instruction");
  if (message.starts_with("expected a register")) hint = registers_hint; // not those of the machine
  // The reader saw one line of bytes: its columns are offsets.
  const std::uint32_t column = error.place().position.column;
  for (const auto& piece : spelled.pieces)
    if (column <= piece.end) throw InputError::at(source, piece.span, message, hint);
  throw InputError::at(source, in.span, message, hint);
}

void unsupported_in_rule(const text::Source& source, const TextInstruction& in,
                         const Unsupported& unsupported) {
  const auto at = text::position_of(source, in.span.begin);
  const std::string_view what = unsupported.what();
  constexpr std::string_view prefix = "unsupported: ";
  throw Unsupported(fmt::format("{}:{}:{}: {}", source.name, at.line, at.column,
                                what.starts_with(prefix) ? what.substr(prefix.size()) : what));
}

void check_target(const text::Source& source, const TextRule& rule, const TextInstruction& in,
                  const std::string& target) {
  if (rule.has_label(target)) return;
  const auto labels = labels_of(rule);
  const auto near = nearest(target, labels);
  throw InputError::at(source, in.spans.back(),
                       fmt::format("expected a label of this rule, found \"{}\"", target),
                       near ? fmt::format("did you mean {}?", *near) : std::string());
}

} // namespace thinair::lower
