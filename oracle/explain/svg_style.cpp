// Colours and fonts of drawings: variables with defaults, so that a page can set them for the dark.
#include "oracle/explain/drawing.h"

#include <fmt/format.h>

#include <array>

namespace thinair::explain {
namespace {

constexpr std::string_view fixed_style =
    R"css(.execution text{font:12px ui-monospace,Menlo,Consolas,monospace;text-anchor:middle;fill:var(--ink,#1c2024)}
.execution .what{font-size:13px}.execution .name,.execution .mode{fill:var(--pale,#616a74)}
.execution .thread,.execution .heading{font-weight:600}.execution .heading{text-anchor:start}
.execution rect.event{fill:var(--event,#f5f6f8);stroke:var(--rim,#aab2bb)}
.execution rect.initial{stroke-dasharray:4 3}
.execution rect.marked{stroke:var(--hot,#c0261c);stroke-width:2;fill:var(--warm,#fdecea)}
.execution rect.committed{stroke:var(--co,#1d4ed8);stroke-width:2;fill:var(--cool,#e8effd)}
.execution path{fill:none;stroke-width:1.4}.execution g.reason path{stroke-width:2.4}
.execution g.support path{stroke-dasharray:5 4}.execution g path.tip{stroke:none}
.execution text.reason{font-weight:700}
)css";

struct Row {
  std::string_view name, variable, colour;
};
constexpr auto rows = std::to_array<Row>({
    {"po", "rim", "#aab2bb"},
    {"rf", "rf", "#15803d"},
    {"co", "co", "#1d4ed8"},
    {"fr", "fr", "#b45309"},
    {"hb", "hb", "#7e22ce"},
    {"sw", "hb", "#7e22ce"},
    {"so", "hb", "#7e22ce"},
    {"other", "other", "#0e7490"},
    {"support", "hot", "#c0261c"},
    {"reason", "hot", "#c0261c"},
});

} // namespace

std::string svg_style() {
  std::string out(fixed_style);
  for (const auto& row : rows)
    out += fmt::format(".execution g.{0} path{{stroke:var(--{1},{2})}}.execution g.{0} "
                       "path.tip{{fill:var(--{1},{2})}}.execution text.{0}{{fill:var(--{1},{2});"
                       "paint-order:stroke;stroke:var(--paper,#fff);stroke-width:4px}}\n",
                       row.name, row.variable, row.colour);
  return out;
}

} // namespace thinair::explain
