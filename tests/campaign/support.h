// A directory, a made-up judge, settings and child processes for tests of campaigns.
#pragma once

#include "campaign/campaign.h"
#include "campaign/target.h"
#include "litmus/test.h"
#include "litmus/text/error.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

namespace thinair::campaign {

namespace fs = std::filesystem;

inline const std::atomic<bool> never = false;

/// The text of an InputError; "no error" where there was none.
inline std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// What `f` returns; not even its errors get out of the child process that it is done in.
inline std::string said_by(const std::function<std::string()>& f) {
  try {
    return f();
  } catch (const std::exception& error) {
    return std::string("exception: ") + error.what();
  }
}

/// Runs `f` in a child process; what it returns, up to 4000 bytes.
inline std::string in_child(const std::function<std::string()>& f) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const auto text = said_by(f).substr(0, 4000);
    const auto written = ::write(ends[1], text.data(), text.size());
    ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text(4000, '\0');
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0; size += static_cast<std::size_t>(got))
    got = std::max<ssize_t>(0, ::read(ends[0], text.data() + size, text.size() - size));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  text.resize(size);
  return text;
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A target against a model, both by name.
class Aimed {
 public:
  Aimed(const std::string& model, const std::string& target)
      : plan_(cat::load_model(model, cat::Architecture::java)),
        target_(make_target(target, {.model = plan_, .model_name = model})) {}
  Target* operator->() const { return target_.get(); }
  Target& operator*() const { return *target_; }
  Verdict verdict(const litmus::Program& program) const { return target_->judge(program).verdict; }
  std::string reason(const litmus::Program& program) const {
    return as_text(target_->why(program, false).reason);
  }

 private:
  const cat::Plan plan_;
  const std::unique_ptr<Target> target_;
};

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
        return {Verdict::unsound,
                "",
                {{litmus::state_in("0:r1=0").value(), explain::core_in("store-load")}}};
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

/// A campaign that ended, its write-ahead log merged into the file.
inline Settings finished(const std::string& directory, std::uint64_t programs) {
  auto settings = settings_for(directory, programs);
  run(settings, judge_store_load, {}, never);
  return settings;
}

} // namespace thinair::campaign
