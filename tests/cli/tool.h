// Runs the tool in this process, or a shell command, and keeps what it wrote.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace thinair::cli {

struct Ran {
  int exit = 0;
  std::string out, err;
};

/// The tool with `words` as its command line, in this process.
Ran tool(const std::vector<std::string>& words);

/// A command line of a POSIX shell; `exit` is its status.
Ran shell(const std::string& command_line);

/// Whether a program is on PATH.
bool has_program(const std::string& name);

/// A new folder of its own, removed at the end.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  /// Writes a file, folders between included; its path.
  std::string write(std::string_view name, std::string_view text) const;
  std::string path(std::string_view name = {}) const;

 private:
  std::filesystem::path path_;
};

std::string read(const std::string& path);

} // namespace thinair::cli
