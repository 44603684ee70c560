// Fuzzes lists of tests (@FILE): any bytes stand for files, or are refused. What they name is
// looked for within an empty folder only.
#include "cli/inputs.h"
#include "litmus/text/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using namespace thinair;

void require(bool holds) {
  if (!holds) std::abort();
}

/// A folder of this process, with a few files that lists may name; gone at the end.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "thinair-fuzz-XXXXXX").string();
    require(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
    fs::create_directories(path_ / "tests" / "empty");
    std::ofstream(path_ / "tests" / "a.litmus") << "Java a { } Thread0 { }\n";
    std::ofstream(path_ / "tests" / "b.litmus") << "Java b { } Thread0 { }\n";
    std::ofstream(path_ / "inner.list") << "tests\n";
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string list(const std::string& text) const {
    const auto path = path_ / "fuzz.list";
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    return path.string();
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Whether some line leads out of the folder: then it would say more of the machine than of us.
bool leaves(const std::string& text) {
  return text.find("..") != std::string::npos || text.find('/') == 0 ||
         text.find("\n/") != std::string::npos || text.find(" /") != std::string::npos ||
         text.find("\t/") != std::string::npos || text.find("\r/") != std::string::npos ||
         text.find("@/") != std::string::npos;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (leaves(text)) return 0;
  try {
    const auto files = cli::expand({"@" + folder.list(text)});
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    require(files.size() <= 3 * lines);
    for (const auto& file : files) require(file.starts_with(folder.path().string()));
  } catch (const InputError&) { // no such list, nested too deep, a folder without tests
  }
  return 0;
}
