// Reads pictures back, and replays threads.
#include "tests/explain/agreement.h"

#include "litmus/floating_literal.h"
#include "litmus/lexer.h"
#include "litmus/objects.h"
#include "oracle/executions/observe.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

namespace thinair::explain {
namespace {

using graph::Path;
using litmus::Value;

/// As decimal, also what is above the greatest Value.
Value number(const std::string& text) {
  return text.starts_with('-') ? std::stoll(text) : static_cast<Value>(std::stoull(text));
}

/// The value that is shown as this: a number, or of a Java test a reference.
Value value_in(const litmus::Test& test, const std::string& text) {
  if (!test.is_java()) return number(text);
  if (text == "null") return 0;
  const auto& program = test.java();
  for (std::uint32_t i = 0; i < program.objects.size(); ++i)
    if (litmus::object_name(program, litmus::ObjectId(i)) == text) return i + 1;
  return number(text);
}

/// The same of a location, whose floats and doubles are drawn as the language has them.
Value value_in(const litmus::Test& test, litmus::LocationId location, const std::string& text) {
  const bool known = test.is_java() && location.value < litmus::FieldLocations(test.java()).count();
  const auto type = known ? litmus::type_of(test.java(), location) : litmus::JavaType();
  if (!litmus::is_floating(type.kind)) return value_in(test, text);
  const text::Source source{"drawing", text};
  const litmus::Limits limits;
  litmus::Lexer lexer(source, limits);
  return litmus::read_floating_constant(lexer, type.kind, litmus::Spelling::loose);
}

/// One thread on one path, with the values that its reads are drawn with.
class Replay {
 public:
  Replay(const litmus::Test& test, const graph::ProgramPaths& program, const Path& path)
      : test_(test), program_(program), path_(path), values_(program.terms.variable_count(), 0) {}

  bool fits(const std::vector<SeenEvent>& seen) {
    if (seen.size() != path_.events.size()) return false;
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (!fits(path_.events[i], seen[i])) return false;
    const auto holds = [&](graph::TermId id) {
      return program_.terms.evaluate(id, values_).value_or(0) != 0;
    };
    const auto defined = [&](graph::TermId id) {
      return program_.terms.evaluate(id, values_).has_value();
    };
    return std::ranges::all_of(path_.constraints, holds) &&
           std::ranges::all_of(path_.must_divide, defined);
  }

  Value final_register(std::uint32_t index) const {
    return program_.terms.evaluate(path_.final_registers.at(index), values_).value();
  }

 private:
  bool fits(const graph::PathEvent& event, const SeenEvent& seen) {
    const bool reads = (event.kinds & graph::k_read) != 0,
               writes = (event.kinds & graph::k_write) != 0;
    const std::string mode = mode_text(event.kinds, event.tags, program_.architecture);
    if (kind_text(event.kinds) != seen.what || reads == seen.read.empty() ||
        writes == seen.write.empty() || mode != (seen.mode.empty() ? "" : " " + seen.mode))
      return false;
    if (!reads && !writes)
      return graph::object_name(program_, event.kinds, event.object) == seen.object;
    if (program_.location_names[event.location.value] != seen.object) return false;
    if (reads) {
      values_[event.read.value] =
          at_width(event.location, value_in(test_, event.location, seen.read));
      if (shown(test_, event.location, values_[event.read.value]) != seen.read) return false;
    }
    if (!writes) return true;
    const auto written = program_.terms.evaluate(event.written, values_);
    return written && shown(test_, event.location, *written) == seen.write;
  }

  /// As terms have it: sign-extended.
  Value at_width(litmus::LocationId location, Value value) const {
    if (test_.is_java()) return value;
    return litmus::as_declared(value, {test_.code().cells()[location.value].type.width, true});
  }

  const litmus::Test& test_;
  const graph::ProgramPaths& program_;
  const Path& path_;
  std::vector<Value> values_;
};

class Judge {
 public:
  /// In an execution of which no final state is claimed, a stage, threads may stop before their
  /// end.
  Judge(const litmus::Test& test, const Drawing& drawing, bool ends)
      : test_(test), drawing_(drawing), seen_(events_of(drawing)),
        program_(graph::paths_of(test, {.stopped = !ends})) {}

  std::string run(const std::string& state) {
    if (auto wrong = initial_writes(); !wrong.empty()) return wrong;
    if (auto wrong = reads(); !wrong.empty()) return wrong;
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t)
      if (auto wrong = thread(t); !wrong.empty()) return wrong;
    return final_state(state);
  }

 private:
  std::string initial_writes() const {
    for (const auto& event : seen_) {
      if (event.thread >= 0) continue;
      const auto at = std::ranges::find(program_.location_names, event.object);
      if (at == program_.location_names.end() || event.mode != "initial")
        return event.name + " is no initial write";
      const auto index = static_cast<std::uint32_t>(at - program_.location_names.begin());
      const auto value = shown(test_, litmus::LocationId(index), program_.initial[index]);
      if (event.write != value)
        return fmt::format("{} starts at {}, drawn is {}", event.object, value, event.write);
    }
    return "";
  }

  std::string reads() const {
    std::map<std::size_t, int> sources;
    for (const auto& edge : drawing_.edges) {
      if (!edge.relation.starts_with("rf")) continue;
      const auto &from = seen_[edge.from], &to = seen_[edge.to];
      ++sources[edge.to];
      if (from.object != to.object || from.write != to.read)
        return fmt::format("{} reads {} from {}, which writes {}", to.name, to.read, from.name,
                           from.write);
    }
    for (std::size_t i = 0; i < seen_.size(); ++i)
      if (!seen_[i].read.empty() && sources[i] != 1)
        return fmt::format("{} reads from {} writes", seen_[i].name, sources[i]);
    return "";
  }

  std::string thread(std::uint32_t t) {
    std::vector<SeenEvent> events;
    for (const auto& event : seen_)
      if (event.thread == static_cast<int>(t)) events.push_back(event);
    for (const auto& path : program_.threads[t].paths) {
      Replay replay(test_, program_, path);
      if (!replay.fits(events)) continue;
      replays_.emplace(t, std::move(replay));
      return "";
    }
    return fmt::format("thread {} does not do that", t);
  }

  std::string final_state(const std::string& state) const {
    for (std::size_t begin = 0; begin < state.size();) {
      const auto end = std::min(state.find("; ", begin), state.size());
      const auto atom = state.substr(begin, end - begin);
      begin = end + 2;
      const auto equals = atom.find('=');
      const auto name = atom.substr(0, equals), value = atom.substr(equals + 1);
      const bool memory = name.front() == '[';
      const auto wrong =
          memory ? location(name.substr(1, name.size() - 2), value) : final_register(name, value);
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

  std::string final_register(const std::string& name, const std::string& value) const {
    const auto colon = name.find(':');
    const litmus::Observable o{
        litmus::ThreadId(static_cast<std::uint32_t>(std::stoul(name.substr(0, colon)))),
        name.substr(colon + 1)};
    const auto place = executions::resolve(test_, {o}).front();
    const auto end = place.shown(replays_.at(*place.thread).final_register(place.index));
    const auto text = test_.is_java() && litmus::has_named_values(test_.java())
                          ? litmus::to_string(test_, {o}, {end}).substr(name.size() + 1)
                          : place.text(end);
    if (text == value) return "";
    return fmt::format("{} ends as {}, claimed is {}", name, text, value);
  }

  /// Among the writes that no other write follows in co, one with the value; the initial value
  /// where nothing touches the location.
  std::string location(const std::string& name, const std::string& value) const {
    std::set<std::size_t> overwritten;
    for (const auto& edge : drawing_.edges)
      if (edge.relation == "co") overwritten.insert(edge.from);
    bool drawn = false;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i].object != name || seen_[i].write.empty()) continue;
      drawn = true;
      if (seen_[i].write == value && !overwritten.contains(i)) return "";
    }
    if (!drawn) {
      const auto at = std::ranges::find(program_.location_names, name);
      const auto index = static_cast<std::uint32_t>(at - program_.location_names.begin());
      if (shown(test_, litmus::LocationId(index), program_.initial.at(index)) == value) return "";
    }
    return fmt::format("no last write of {} to [{}]", value, name);
  }

  const litmus::Test& test_;
  const Drawing& drawing_;
  std::vector<SeenEvent> seen_;
  graph::ProgramPaths program_;
  std::map<std::uint32_t, Replay> replays_;
};

std::string unescaped(std::string text) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}};
  for (const auto& [from, to] : rows)
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      text.replace(at, from.size(), to);
  return text;
}

std::vector<SeenEvent> sorted(std::vector<SeenEvent> events) {
  std::ranges::sort(events, {}, &SeenEvent::name);
  return events;
}

} // namespace

SeenEvent event_of_label(const std::string& name, int thread, const std::string& label) {
  SeenEvent out{.name = name, .thread = thread};
  std::istringstream words(label);
  std::string word;
  words >> out.what;
  const bool accesses = out.what == "R" || out.what == "W" || out.what == "RW";
  const bool has_object = accesses || out.what == "lock" || out.what == "unlock" ||
                          out.what == "start" || out.what == "join" || out.what == "freeze";
  if (has_object) words >> out.object;
  if (const auto equals = out.object.find('='); equals != std::string::npos) {
    out.write = out.object.substr(equals + 1);
    out.object.resize(equals);
  } else if (accesses) {
    words >> word >> out.read; // "reads"
    if (const auto middle = out.read.find('='); middle != std::string::npos) {
      out.write = out.read.substr(middle + 1);
      out.read.resize(middle);
    }
  }
  while (words >> word) out.mode += (out.mode.empty() ? "" : " ") + word;
  return out;
}

std::vector<SeenEvent> events_of(const Drawing& drawing) {
  std::vector<SeenEvent> out;
  for (const auto& node : drawing.nodes)
    out.push_back(event_of_label(node.name, static_cast<int>(node.thread), node.label));
  return out;
}

std::vector<SeenEvent> events_in_text(const std::string& text) {
  static const std::regex line(R"(\n  ([a-z]\d*): (?:thread (\d+) )?([^\n]*))");
  std::vector<SeenEvent> out;
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it)
    out.push_back(event_of_label((*it)[1], (*it)[2].matched ? std::stoi((*it)[2]) : -1, (*it)[3]));
  return out;
}

std::vector<SeenEvent> events_in_dot(const std::string& dot) {
  static const std::regex line(
      R"re(\n    (?:label="(?:initial|thread (\d+))"|"([a-z]\d*)" \[label="[a-z]\d*: ([^"]*)"\]);)re");
  std::vector<SeenEvent> out;
  int thread = -1;
  for (std::sregex_iterator it(dot.begin(), dot.end(), line), end; it != end; ++it) {
    if ((*it)[2].matched)
      out.push_back(event_of_label((*it)[2], thread, (*it)[3]));
    else
      thread = (*it)[1].matched ? std::stoi((*it)[1]) : -1;
  }
  return out;
}

/// Boxes do not say their threads; their modes do say what is initial.
std::vector<SeenEvent> events_in_svg(const std::string& svg) {
  static const std::regex box(
      R"re(<tspan class="name">([^<]*)</tspan> ([^<]*)</text>(?:<text class="mode"[^>]*>([^<]*)<)?)re");
  std::vector<SeenEvent> out;
  for (std::sregex_iterator it(svg.begin(), svg.end(), box), end; it != end; ++it) {
    SeenEvent event{.name = (*it)[1], .mode = (*it)[3]};
    std::istringstream words(unescaped((*it)[2]));
    std::string value;
    words >> event.what >> event.object >> value;
    const std::string arrow = "→";
    if (const auto at = value.find(arrow); at != std::string::npos) {
      event.read = value.substr(0, at);
      event.write = value.substr(at + arrow.size());
    } else {
      (event.what == "R" ? event.read : event.write) = value;
    }
    out.push_back(std::move(event));
  }
  return out;
}

std::string disagreement(const litmus::Test& test, const Drawing& drawing,
                         const std::string& state) {
  return Judge(test, drawing, !state.empty()).run(state);
}

std::string disagreement_of_formats(const Drawing& drawing) {
  const auto drawn = sorted(events_of(drawing));
  if (sorted(events_in_text(as_text(drawing))) != drawn) return "the text";
  if (sorted(events_in_dot(as_dot(drawing))) != drawn) return "the DOT";
  auto picture = sorted(events_in_svg(as_svg(drawing)));
  for (auto& event : picture) {
    const auto same = std::ranges::find(drawn, event.name, &SeenEvent::name);
    if (same == drawn.end()) return "the SVG, in " + event.name;
    event.thread = same->thread;
    if (event != *same) return "the SVG, in " + event.name;
  }
  for (const auto& event : drawn)
    if (event.thread >= 0 &&
        std::ranges::find(picture, event.name, &SeenEvent::name) == picture.end())
      return "the SVG, without " + event.name;
  return "";
}

} // namespace thinair::explain
