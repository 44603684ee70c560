// Turns derivations into sentences: relations that every reader knows by what they mean have one
// each, others say what the model's comment says of them.
#include "oracle/explain/story.h"

#include "litmus/text/ascii.h"
#include "litmus/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace thinair::explain {
namespace {

/// Sentences about two events: {0} and {1} are what they do, {2} is the location.
struct Sentence {
  std::string_view relation, words;
};
constexpr auto sentences = std::to_array<Sentence>({
    {"po", "{1} stands behind {0}"},
    {"po-loc", "{1} stands behind {0}"},
    {"co", "{1} overwrites what {0} writes"},
    {"fr", "{0} reads {2} before {1} overwrites it"},
    {"addr", "the address of {1} comes from what {0} reads"},
    {"data", "what {1} writes comes from what {0} reads"},
    {"ctrl", "what {0} reads decides whether {1} runs"},
    {"rmw", "{0} reads and {1} writes in one update"},
});

class Story {
 public:
  Story(const Drawing& drawing, const std::vector<cat::Named>& glosses, std::size_t width)
      : drawing_(drawing), glosses_(glosses), width_(width) {}

  /// Absent where the program has no words for an event.
  std::optional<std::string> of(const Broken& broken) {
    for (const auto& derivation : broken.cycle) tell(derivation, 1);
    if (nameless_) return std::nullopt;
    if (broken.what == "empty") return out_ + "and that must not be\n";
    return out_ + "so each would come before the next, and the last before the first\n";
  }

 private:
  std::string deed(EventId event) {
    const auto& node = drawing_.nodes[event];
    if (node.thread < 0) return fmt::format("the initial {}={}", node.location, node.written);
    nameless_ = nameless_ || node.deed.empty();
    const auto same = std::ranges::count(drawing_.nodes, node.deed, &Drawing::Node::deed);
    return same > 1 ? fmt::format("{} ({})", node.deed, node.name) : node.deed;
  }

  std::string reads_from(EventId write, EventId read) {
    const auto& from = drawing_.nodes[write];
    if (from.thread < 0) return fmt::format("{} reads {}", deed(read), deed(write));
    return fmt::format("{} reads the {} that {} writes", deed(read), from.written, deed(write));
  }

  const cat::Named* gloss(const std::string& relation) const {
    const auto found = std::ranges::find(glosses_, relation, &cat::Named::name);
    return found == glosses_.end() ? nullptr : &*found;
  }

  /// Empty: not one of the relations that have their own.
  std::string sentence(const Step& step) {
    const EventId from = step.reversed ? step.to : step.from,
                  to = step.reversed ? step.from : step.to;
    if (step.relation == "rf") return reads_from(from, to);
    const auto row = std::ranges::find(sentences, step.relation, &Sentence::relation);
    if (row == sentences.end()) return {};
    return fmt::format(fmt::runtime(row->words), deed(from), deed(to),
                       drawing_.nodes[from].location);
  }

  /// What stands between the two in their thread and keeps them in order: steps of program order,
  /// by way of one event.
  std::optional<EventId> between(const Derivation& derivation) const {
    const auto& parts = derivation.parts;
    const bool both = parts.size() == 2 && parts[0].step.relation == "po" &&
                      parts[1].step.relation == "po" && !parts[0].step.reversed &&
                      !parts[1].step.reversed;
    return both ? std::optional(parts[0].step.to) : std::nullopt;
  }

  std::string in_order(const Derivation& derivation) {
    const auto& step = derivation.step;
    const EventId from = step.reversed ? step.to : step.from,
                  to = step.reversed ? step.from : step.to;
    auto words = fmt::format("{} comes before {}", deed(from), deed(to));
    if (const auto middle = between(derivation))
      words += fmt::format(", with {} between them", deed(*middle));
    if (const auto* named = gloss(step.relation))
      words += fmt::format(" ({}: {})", named->name, first_sentence(named->gloss));
    else
      words += fmt::format(" ({})", step.relation);
    return words;
  }

  static std::string first_sentence(std::string_view gloss) {
    const auto end = gloss.find(". ");
    auto words = std::string(gloss.substr(0, end));
    while (words.ends_with('.')) words.pop_back();
    return words;
  }

  void tell(const Derivation& derivation, int depth) {
    const auto& parts = derivation.parts;
    if (derivation.step.from == derivation.step.to) { // says nothing by itself
      for (const auto& part : parts)
        if (part.step.from != part.step.to) tell(part, depth);
      return;
    }
    if (auto words = sentence(derivation.step); !words.empty()) return say(words, depth);
    const bool renames = parts.size() == 1 && parts[0].step.from == derivation.step.from &&
                         parts[0].step.to == derivation.step.to;
    if (renames && !sentence(parts[0].step).empty() && parts[0].step.relation != "po")
      return tell(parts[0], depth);
    say(in_order(derivation), depth);
    if (between(derivation) || renames) return;
    for (const auto& part : parts) tell(part, depth + 1);
  }

  void say(const std::string& words, int depth) {
    if (!said_.insert(words).second) return;
    const std::string margin(static_cast<std::size_t>(2 * depth), ' ');
    out_ += margin + text::wrapped(words, margin.size() + 4, margin.size(), width_) + "\n";
  }

  const Drawing& drawing_;
  const std::vector<cat::Named>& glosses_;
  const std::size_t width_;
  std::set<std::string> said_;
  std::string out_;
  bool nameless_ = false;
};

} // namespace

std::string story_of(const Refusal& refusal, std::size_t width) {
  if (!refusal.drawing) return {};
  std::string out;
  for (const auto& broken : refusal.broken) {
    if (broken.cycle.empty()) continue;
    const auto story = Story(*refusal.drawing, refusal.glosses, width).of(broken);
    if (!story) return {};
    out += (out.empty() ? "for this outcome\n" : "another axiom forbids it, too\n") + *story;
  }
  return out;
}

} // namespace thinair::explain
