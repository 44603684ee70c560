// Radio buttons, and a rule of style for each.
#include "campaign/report_filter.h"

#include "campaign/page.h"
#include "litmus/choices.h"
#include "litmus/shape.h"
#include "litmus/test.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace thinair::campaign {
namespace {

enum : std::size_t { shapes, operations, targets, facet_count };

std::vector<std::string> operations_of(litmus::Program program) {
  std::vector<std::string> names;
  const auto add = [&](auto operation, litmus::Choice&) {
    const std::string name(litmus::info(operation).name);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  litmus::each_choice(program, add, add);
  return names;
}

} // namespace

ReportFilter::ReportFilter(const Finds& finds, const Identity& identity)
    : facets_{{"shape", {}}, {"access or fence", {}}, {"target", {}}} {
  for (const auto& group : finds.groups) {
    const auto program = litmus::parse({"minimal", group.first.minimal}).java();
    const auto shape = litmus::shape_of(program);
    const auto names = operations_of(program);
    Fits fits(facet_count);
    if (!shape.empty()) fits[shapes].push_back(value(facets_[shapes], shape));
    for (const auto& name : names) fits[operations].push_back(value(facets_[operations], name));
    fits[targets].push_back(value(facets_[targets], identity.targets.at(group.first.target)));
    fits_.push_back(std::move(fits));
    words_.push_back(
        fmt::format("{}{}{}", shape, shape.empty() ? "" : ": ", fmt::join(names, ", ")));
  }
}

/// The number of the value, with one more program.
std::size_t ReportFilter::value(Facet& facet, const std::string& name) {
  auto at = std::ranges::find(facet.values, name, &Value::name);
  if (at == facet.values.end()) at = facet.values.insert(at, Value{name, 0});
  ++at->programs;
  return static_cast<std::size_t>(at - facet.values.begin());
}

std::string ReportFilter::named(const Fits& fits) const {
  std::string out = "found";
  for (std::size_t f = 0; f < fits.size(); ++f)
    for (const auto v : fits[f]) out += fmt::format(" f{}v{}", f, v);
  return out;
}

std::string ReportFilter::classes(std::size_t group) const { return named(fits_[group]); }

std::string ReportFilter::classes(const Cause& cause) const {
  Fits all(facet_count);
  for (std::size_t f = 0; f < facet_count; ++f) {
    std::set<std::size_t> values;
    for (const auto i : cause.members) values.insert(fits_[i][f].begin(), fits_[i][f].end());
    all[f].assign(values.begin(), values.end());
  }
  return named(all);
}

std::string ReportFilter::choices() const {
  std::string out;
  for (std::size_t f = 0; f < facets_.size(); ++f) {
    const auto& facet = facets_[f];
    if (facet.values.size() < 2) continue;
    out += fmt::format("<fieldset><legend>{0}</legend><label><input type=\"radio\" name=\"f{1}\" "
                       "checked> any</label>",
                       facet.title, f);
    for (std::size_t v = 0; v < facet.values.size(); ++v)
      out += fmt::format(" <label><input type=\"radio\" name=\"f{0}\" id=\"f{0}v{1}\"> {2} "
                         "<span class=\"dim\">{3}</span></label>",
                         f, v, escape_html(facet.values[v].name), facet.values[v].programs);
    out += "</fieldset>\n";
  }
  if (out.empty()) return "";
  return "<details class=\"filter\"><summary>Show only some of the programs</summary>\n" + out +
         "<p class=\"dim\">The numbers are of minimal programs. Causes without a program that fits "
         "are left out below; so are programs behind a cause, when those are unfolded.</p>"
         "</details>\n";
}

std::string ReportFilter::style() const {
  std::string out;
  for (std::size_t f = 0; f < facets_.size(); ++f) {
    if (facets_[f].values.size() < 2) continue;
    for (std::size_t v = 0; v < facets_[f].values.size(); ++v)
      out += fmt::format("body:has(#f{0}v{1}:checked) .found:not(.f{0}v{1})", f, v) +
             "{display:none}\n";
  }
  return out;
}

} // namespace thinair::campaign
