// Reads and keeps what JVMs leave.
#include "runners/jcstress/remains.h"

#include "litmus/text/error.h"
#include "litmus/text/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace thinair::runners::jcstress {

namespace fs = std::filesystem;

TestRun result_of(const Prepared& test, const Record& record) {
  TestRun out{.status = record.status, .reason = record.reason, .seconds = record.seconds};
  const auto thrown = exception_outcome(test);
  for (const auto& [text, count] : record.outcomes) {
    if (text == thrown) {
      out.thrown += count;
      out.samples += count;
      continue;
    }
    const auto behaviour = behaviour_of(test, text);
    if (!behaviour) {
      out.status = Record::Status::error;
      out.reason = fmt::format("an outcome that is none: {}", text);
      continue;
    }
    out.outcomes[*behaviour] += count;
    out.samples += count;
  }
  return out;
}

std::string hs_err_in(const std::string& directory) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.path().filename().string().starts_with("hs_err")) found.push_back(entry.path());
  std::ranges::sort(found);
  std::string text;
  for (const auto& path : found) {
    std::ifstream file(path, std::ios::binary);
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  return text;
}

std::string cause_in(std::string_view hs_err) {
  constexpr std::string_view before = "\n#  ";
  const auto at = hs_err.find(before);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = hs_err.substr(at + before.size());
  const std::string_view line = rest.substr(0, rest.find('\n'));
  return std::string(line.substr(0, line.find(" at pc")));
}

std::string keep_crash(const std::string& keep, const Prepared& test, const Jvm& jvm,
                       const std::string& hs_err, const std::string& output) {
  if (keep.empty()) return "";
  const std::string name =
      test.name.empty() ? test.class_name : litmus::java::class_name(test.name);
  const fs::path directory = fs::path(keep) / fmt::format("{}-{}", name, jvm.name);
  try {
    text::make_folders(directory.string());
    text::write_file((directory / "test.litmus").string(), litmus::print(test.test));
    text::write_file((directory / "hs_err.log").string(), hs_err);
    text::write_file((directory / "output.txt").string(), output);
  } catch (const InputError& error) {
    return fmt::format(" (not kept: {})", error.what());
  }
  return fmt::format(" (kept in {})", directory.string());
}

} // namespace thinair::runners::jcstress
