// Puts the page into a frame of the wanted width (windows have a smallest width, frames have none),
// and lets a script around it measure.
#include "tests/support/browser.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace thinair::support {
namespace {

namespace fs = std::filesystem;

constexpr const char* measure = R"js(<script>
document.getElementById('page').onload = function () {
  const d = this.contentDocument, problems = [];
  d.querySelectorAll('details').forEach(x => x.open = true);
  const pictures = d.querySelectorAll('svg');
  pictures.forEach(s => {
    const b = s.getBBox(), v = s.viewBox.baseVal;
    if (b.x < v.x - 2 || b.y < v.y - 2 || b.x + b.width > v.x + v.width + 2 ||
        b.y + b.height > v.y + v.height + 2) problems.push(s.textContent.slice(0, 40));
  });
  document.title = 'width ' + d.documentElement.scrollWidth + ' pictures ' + pictures.length +
                   ' problems ' + problems.join('|') + ' end';
};
</script>)js";

std::string attribute(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string title_of(const std::string& page, const std::string& folder) {
  std::ofstream(folder + "/page.html") << page;
  const std::string command =
      "chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync "
      "--user-data-dir='" +
      folder + "/profile' --window-size=1300,900 --virtual-time-budget=4000 --dump-dom 'file://" +
      folder + "/page.html' >'" + folder + "/dom.html' 2>/dev/null";
  if (std::system(command.c_str()) != 0) return {};
  std::ifstream file(folder + "/dom.html");
  const std::string dom(std::istreambuf_iterator<char>(file), {});
  std::smatch title;
  const std::regex pattern("<title>(width [^<]* end)</title>");
  return std::regex_search(dom, title, pattern) ? title[1].str() : std::string();
}

} // namespace

std::optional<Rendered> render(const std::string& html, int width) {
  if (std::system("command -v chromium >/dev/null 2>&1") != 0) return std::nullopt;
  std::string folder = (fs::temp_directory_path() / "thinair-browser-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return std::nullopt;
  const auto whole =
      "<!DOCTYPE html><html><head><title>none</title></head><body><iframe id=\"page\" "
      "width=\"" +
      std::to_string(width) + "\" height=\"800\" style=\"border:0\" srcdoc=\"" + attribute(html) +
      "\"></iframe>" + measure + "</body></html>";
  const auto title = title_of(whole, folder);
  fs::remove_all(folder);
  std::smatch parts;
  const std::regex numbers("width (\\d+) pictures (\\d+) problems (.*) end");
  if (!std::regex_match(title, parts, numbers)) return std::nullopt;
  return Rendered{std::stoi(parts[1]), std::stoi(parts[2]), parts[3]};
}

} // namespace thinair::support
