// A directory, a made-up judge and settings for tests of campaigns.
#pragma once

#include "campaign/campaign.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <unistd.h>

#include <filesystem>
#include <string>

namespace thinair::campaign {

namespace fs = std::filesystem;

/// A directory of the test's own, gone at its end.
class Directory {
 public:
  Directory() {
    std::string name = (fs::temp_directory_path() / "thinair-campaign-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() {
    std::error_code ignored;
    fs::permissions(path_, fs::perms::owner_all, ignored);
    fs::remove_all(path_, ignored);
  }
  std::string sub(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

/// "Wrong" where a volatile write is followed by a volatile read of another location in some
/// thread.
inline Judgement judge_store_load(const litmus::Program& program, std::size_t target) {
  for (const auto& thread : program.threads) {
    const litmus::Access* before = nullptr;
    for (const auto& statement : thread.body) {
      const auto* access = std::get_if<litmus::Access>(&statement.node);
      if (access == nullptr) continue;
      if (before != nullptr && before->method == litmus::Method::setVolatile &&
          access->method == litmus::Method::getVolatile && before->location != access->location &&
          target == 0)
        return {Verdict::unsound, "", {{"0:r1=0", "store-load"}}};
      before = access;
    }
  }
  if (program.threads.size() == 4) return {Verdict::unknown, "four threads are too many", {}};
  return {};
}

inline Settings settings_for(const std::string& directory, std::uint64_t programs) {
  Settings settings;
  settings.directory = directory;
  settings.profile = gen::load_profile("varhandle");
  settings.identity = {5, 16, "fake", {"first", "second"}, gen::print(settings.profile), "1"};
  settings.programs = programs;
  return settings;
}

} // namespace thinair::campaign
