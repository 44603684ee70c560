// What a campaign found, for people (one HTML file, Markdown) and for machines (JSON).
#pragma once

#include "campaign/explanation.h"
#include "campaign/store.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::campaign {

/// What is said of a mismatch on a target, by its place in the campaign's list.
using Explain = std::function<Explanation(const MismatchRow&)>;

/// Mismatches of one target with one minimal program.
struct Group {
  MismatchRow first;           // the earliest found
  std::uint64_t originals = 0; // how many were reduced to it
};

/// Distinct minimal mismatches, by target then order of finding; `known` ones (content hashes of
/// minimal programs) left out.
std::vector<Group> groups(const Store& store, const std::vector<litmus::ContentHash>& known = {});

/// Mismatches that the model forbids for one reason.
struct ReasonGroup {
  std::string reason;
  std::vector<std::size_t> members; // of the groups it was made of, in their order
  std::uint64_t originals = 0;
};

/// The reasons of some groups, those of the most minimal programs first.
std::vector<ReasonGroup> by_reason(const std::vector<Group>& found);

/// The first of its members with the fewest accesses.
std::size_t smallest(const ReasonGroup& group, const std::vector<Group>& found);

/// Programs without a verdict on a target, for one reason.
struct UndecidedGroup {
  std::uint32_t target = 0;
  Verdict verdict = Verdict::unknown;
  std::string reason;
  std::uint64_t programs = 0;
  std::string example; // the shortest, as a litmus test
};

/// By target, then the most frequent first.
std::vector<UndecidedGroup> undecided(const Store& store);

/// Self-contained: no script, no file or address from elsewhere; readable on a phone and in the
/// dark. `model_parts`: the coverage keys that parts of the model have, so that the page can say
/// which were never exercised.
std::string html(const Store& store, const std::vector<Group>& found, const Explain& explain,
                 const std::vector<std::string>& model_parts = {});
std::string markdown(const Store& store, const std::vector<Group>& found, const Explain& explain);

/// {"campaign","model","targets","programs","seconds","unknown","mismatches":[{"id","target","behaviour","accesses",
/// "program","original","seed","found_after_s","reason"}],"reasons":[{"reason","mismatches","programs","smallest"}],"undecided":[{"target","verdict","reason","programs","example"}],"coverage"}
std::string to_json(const Store& store, const std::string& campaign,
                    const std::vector<Group>& found);

/// A line plot as SVG: axes with round numbers, at most 400 points.
struct Series {
  std::string label;
  std::vector<std::pair<double, double>> points;
};
std::string plot(std::string_view title, std::string_view x_label,
                 const std::vector<Series>& series);

} // namespace thinair::campaign
