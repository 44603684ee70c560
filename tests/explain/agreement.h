// Whether a drawing shows an execution of its test: judged from the words drawn, by running each
// thread on the values that its reads are drawn with.
#pragma once

#include "oracle/explain/drawing.h"

#include <string>
#include <vector>

namespace thinair::explain {

/// An event as a picture tells of it.
struct SeenEvent {
  std::string name;
  int thread = -1;                   // -1: an initial write
  std::string what = {};             // "R", "W", "RW", "lock"
  std::string object = {};           // location, monitor or thread
  std::string read = {}, write = {}; // values as drawn; empty: none
  std::string mode = {};
  friend bool operator==(const SeenEvent&, const SeenEvent&) = default;
};

/// "R x reads 0 volatile" taken apart.
SeenEvent event_of_label(const std::string& name, int thread, const std::string& label);

std::vector<SeenEvent> events_of(const Drawing& drawing);

/// What the pictures show, read from their texts. SVG leaves out initial writes that nobody reads.
std::vector<SeenEvent> events_in_text(const std::string& text);
std::vector<SeenEvent> events_in_dot(const std::string& dot);
std::vector<SeenEvent> events_in_svg(const std::string& svg);

/// What is wrong; empty: nothing is. `state` is what is claimed of the end, "0:r1=0; [x]=2"; of the
/// drawing's edges, rf and co are looked at.
std::string disagreement(const litmus::Test& test, const Drawing& drawing,
                         const std::string& state);

/// What is wrong with the pictures of a drawing, in any format.
std::string disagreement_of_formats(const Drawing& drawing);

} // namespace thinair::explain
