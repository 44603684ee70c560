// The page frame and its style.
#include "campaign/page.h"

#include "litmus/text/printable.h"
#include "oracle/explain/drawing.h"

#include <fmt/format.h>

#include <algorithm>

namespace thinair::campaign {
namespace {

constexpr std::string_view style = R"css(
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2024;--pale:#5d6670;--line:#dde1e6;--soft:#f5f6f8;--accent:#1d4ed8;--bad:#b42318;--good:#157f3c;--warn:#9a5b00;
--badbg:#fdecea;--goodbg:#e7f5ec;--warnbg:#fdf3dd;--event:#f5f6f8;--rim:#aab2bb;--hot:#c0261c;--warm:#fdecea;--cool:#e8effd;--rf:#15803d;--co:#1d4ed8;--fr:#b45309;--hb:#7e22ce;--other:#0e7490}
@media (prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e6e9ec;--pale:#9ba5af;--line:#343a42;--soft:#1d2127;--accent:#8ab4f8;--bad:#ff8a80;--good:#7dd39a;--warn:#f0c674;
--badbg:#43211f;--goodbg:#1c3526;--warnbg:#3d321a;--event:#242a31;--rim:#5b6570;--hot:#ff7b70;--warm:#43211f;--cool:#1f2d4a;--rf:#6ee7a0;--co:#8ab4f8;--fr:#f0b35c;--hb:#d0a2ff;--other:#5fd3e6}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--paper);margin:0 auto;max-width:70rem;padding:1.2rem 1rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.65rem;line-height:1.25;margin:.4rem 0 .3rem;text-wrap:balance}h2{font-size:1.25rem;line-height:1.3;margin:2.4rem 0 .6rem}h3{font-size:.95rem;margin:1rem 0 .3rem}
p{margin:.5rem 0}a{color:var(--accent)}.dim{color:var(--pale)}.lines{white-space:pre-line;font-size:.92rem}.bad{color:var(--bad);font-weight:600}
code,pre{font-family:ui-monospace,Menlo,Consolas,monospace}code{font-size:.88em}
pre{background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:.7rem .8rem;margin:.3rem 0;overflow-x:auto;overflow-wrap:normal;font-size:13px;line-height:1.5}
.note{margin:.4rem 0;font-size:.9rem}.note div{padding-left:calc(var(--d)*.6rem + 1.2rem);text-indent:-1.2rem;margin:.15rem 0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}td,th{border-bottom:1px solid var(--line);padding:.4rem .6rem;text-align:left;vertical-align:top}
th{white-space:nowrap;font-weight:600;color:var(--pale);font-size:.85rem}td.n,th.n{text-align:right;white-space:nowrap}
.scroll{overflow-x:auto;overflow-wrap:normal}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.6rem,1fr));gap:.6rem;margin:1rem 0}
.fact{background:var(--soft);border:1px solid var(--line);border-radius:10px;padding:.6rem .8rem;font-size:.88rem;color:var(--pale);line-height:1.35}.fact b{display:block;font-size:1.4rem;color:var(--ink);font-variant-numeric:tabular-nums}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:.4rem 1.4rem;align-items:start}.columns>*{min-width:0}
article{border-top:2px solid var(--line);margin-top:2.6rem}article h2{margin-top:1.2rem}
figure{margin:.3rem 0}figure>div{border:1px solid var(--line);border-radius:8px;padding:.5rem;text-align:center}svg{max-width:100%;height:auto}
details{margin:.6rem 0;border:1px solid var(--line);border-radius:8px;padding:.45rem .8rem}summary{cursor:pointer}
fieldset{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:.2rem .7rem .5rem}legend{color:var(--pale);font-size:.88rem;padding:0 .3rem}fieldset label{display:inline-block;white-space:nowrap;margin-right:1rem;padding:.15rem 0}
.tag{display:inline-block;white-space:nowrap;border-radius:5px;padding:.05rem .45rem;font-size:.88rem;background:var(--soft);color:inherit}
.pass{background:var(--goodbg);color:var(--good)}.fail{background:var(--badbg);color:var(--bad)}.unknown,.unsupported,.vacuous{background:var(--warnbg);color:var(--warn)}.contested{background:var(--warnbg);color:var(--warn)}
.matrix td:first-child,.matrix th:first-child{position:sticky;left:0;background:var(--paper)}.matrix td{white-space:nowrap}.matrix .label{white-space:normal;min-width:9rem}
.plot text{font:12px system-ui,sans-serif;fill:var(--pale)}.plot .title{font-weight:600;fill:var(--ink)}.plot .grid{stroke:var(--line)}
@media (max-width:640px){.cards tr:first-child{display:none}.cards tr{display:block;border:1px solid var(--line);border-radius:8px;padding:.3rem .7rem;margin:.6rem 0}
.cards td,.cards td.n{display:flex;justify-content:space-between;gap:1rem;border:0;padding:.15rem 0;text-align:right;white-space:normal}.cards td::before{content:attr(data-name);color:var(--pale);font-size:.88rem;text-align:left;flex:none}}
)css";

} // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text::printable(text)) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\'': out += "&#39;"; break;
    default: out += c;
    }
  }
  return out;
}

std::string escape_sentence(std::string_view text) {
  std::string out;
  while (true) {
    const auto open = text.find('`');
    const auto close = open == text.npos ? text.npos : text.find('`', open + 1);
    if (close == text.npos) return out + escape_html(text);
    out += escape_html(text.substr(0, open));
    out += "<code>" + escape_html(text.substr(open + 1, close - open - 1)) + "</code>";
    text.remove_prefix(close + 1);
  }
}

std::string page(std::string_view title, std::string_view body, std::string_view own_style) {
  return fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
                     "name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                     "<title>{}</title><style>{}{}{}</style></head>\n<body>\n{}</body></html>\n",
                     escape_html(title), style, explain::svg_style(), own_style, body);
}

std::string code_block(std::string_view heading, std::string_view text) {
  if (text.empty()) return "";
  return fmt::format("<div>{}<pre>{}</pre></div>\n",
                     heading.empty() ? "" : fmt::format("<h3>{}</h3>", escape_html(heading)),
                     escape_html(text));
}

std::string note_block(std::string_view text) {
  if (text.empty()) return "";
  std::string out = "<div class=\"note\">";
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto indent = std::min(line.find_first_not_of(' '), line.size());
    out +=
        fmt::format("<div style=\"--d:{}\">{}</div>", indent, escape_sentence(line.substr(indent)));
  }
  return out + "</div>\n";
}

std::string figure(std::string_view heading, std::string_view svg) {
  return fmt::format("<figure>{}<div>{}</div></figure>\n",
                     heading.empty() ? "" : fmt::format("<h3>{}</h3>", escape_html(heading)), svg);
}

std::string folded(std::string_view summary, std::string_view body) {
  return fmt::format("<details><summary>{}</summary>{}</details>\n", escape_html(summary), body);
}

std::string fact(std::string_view name, std::string_view value) {
  return fmt::format("<div class=\"fact\"><b>{}</b>{}</div>", escape_html(value),
                     escape_html(name));
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.1f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

} // namespace thinair::campaign
