// In-process runs, shell commands and folders for the tests of the command line.
#include "tests/cli/tool.h"

#include "cli/command.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace thinair::cli {

Ran tool(const std::vector<std::string>& words) {
  StringSink out, err;
  Console console{out, err};
  const Exit exit = run(words, console);
  return {static_cast<int>(exit), out.text(), err.text()};
}

Ran shell(const std::string& command_line) {
  const Folder folder;
  const std::string script = folder.write("script", command_line);
  const int status = std::system(("sh '" + script + "' >'" + folder.path("out") + "' 2>'" +
                                  folder.path("err") + "' </dev/null")
                                     .c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(folder.path("out")),
          read(folder.path("err"))};
}

bool has_program(const std::string& name) { return shell("command -v " + name).exit == 0; }

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "thinair-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(std::string_view name, std::string_view text) const {
  const auto file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file.string();
}

std::string Folder::path(std::string_view name) const {
  return name.empty() ? path_.string() : (path_ / name).string();
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace thinair::cli
