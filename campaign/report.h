// What a campaign found, for people (one HTML file, Markdown) and for machines (JSON).
#pragma once

#include "campaign/cause.h"
#include "campaign/explanation.h"
#include "campaign/finds.h"
#include "campaign/store.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::campaign {

/// What is said of a mismatch on a target, by its place in the campaign's list.
using Explain = std::function<Explanation(const MismatchRow&)>;

/// What is reported: finds with one minimal program are one group, and causes are of groups.
struct Finds {
  std::vector<Group> groups;
  std::vector<Cause> causes; // none of finds whose model or target has changed since
};

/// Causes first, each with its smallest program explained; the other programs folded behind it.
/// Self-contained: no script, no file or address from elsewhere; readable on a phone and in the
/// dark. `model_parts`: the coverage keys that parts of the model have, so that the page can say
/// which were never exercised.
std::string html(const Store& store, const Finds& finds, const Explain& explain,
                 const std::vector<CoverageKey>& model_parts = {});
std::string markdown(const Store& store, const Finds& finds, const Explain& explain);

/// {"campaign","model","targets","programs","seconds","unknown","vacuous","causes":[as
/// to_json(Cause)],"mismatches":[{"id","target","behaviour","accesses","program","original","seed",
/// "found_after_s","reason"}],"reasons":[{"reason","mismatches","programs","smallest"}],
/// "undecided":[{"target","verdict","reason","programs","example"}],"never_exercised","baseline",
/// "baseline_unsound":[{"target","behaviour","accesses","program"}],"coverage"}
std::string to_json(const Store& store, const std::string& campaign, const Finds& finds);

/// A line plot as SVG: axes with round numbers, at most 400 points.
struct Series {
  std::string label;
  std::vector<std::pair<double, double>> points;
};
std::string plot(std::string_view title, std::string_view x_label,
                 const std::vector<Series>& series);

} // namespace thinair::campaign
