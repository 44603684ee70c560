// Temporary directories: gone with their owner, however that ends, and nobody else's.
#include "litmus/text/error.h"
#include "runners/temporary_directory.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace thinair::runners {
namespace {

namespace fs = std::filesystem;

/// A place of the test's own for them.
class Abandoned : public testing::Test {
 protected:
  Abandoned() {
    std::string name = (fs::temp_directory_path() / "thinair-root-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~Abandoned() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  /// A child with that place as its TMPDIR; it does not outlive the test, even if that fails.
  pid_t child(const std::function<int()>& f) const {
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setenv("TMPDIR", root_.c_str(), 1);
    try {
      ::_exit(f());
    } catch (...) { // not into the test, which goes on in the parent
      ::_exit(99);
    }
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(root_), {}));
  }

  std::string root_;
};

int status_of(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Makes one, tells so, and waits to be killed.
int wait_with_one(int tell) {
  const TemporaryDirectory directory;
  directory.write("deep/file", "text");
  [[maybe_unused]] const auto told = ::write(tell, "x", 1);
  ::pause();
  return 0;
}

TEST_F(Abandoned, OfKilledOwnersAreRemovedAndOthersStay) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::vector<pid_t> owners;
  for (int i = 0; i < 3; ++i) {
    owners.push_back(child([&] { return wait_with_one(ends[1]); }));
    char told = 0;
    ASSERT_EQ(::read(ends[0], &told, 1), 1);
  }
  ASSERT_EQ(entries(), 3U);
  remove_abandoned(root_);
  EXPECT_EQ(entries(), 3U) << "their owners live";
  for (const pid_t owner : {owners[0], owners[1]}) {
    ::kill(owner, SIGKILL);
    EXPECT_EQ(status_of(owner), -SIGKILL);
  }
  EXPECT_EQ(entries(), 3U);
  remove_abandoned(root_);
  EXPECT_EQ(entries(), 1U) << "the one that lives";
  ::kill(owners[2], SIGKILL);
  status_of(owners[2]);
  remove_abandoned(root_);
  EXPECT_EQ(entries(), 0U);
}

TEST_F(Abandoned, OnlyWhatIsOursIsRemoved) {
  const auto at = [&](const std::string& name) { return root_ + "/" + name; };
  for (const auto* name : {"thinair-XXXXXX", "thinair-work-short", "thinair-work-longer1",
                           "other-work-abcdef", "target"})
    fs::create_directories(at(name) + "/deep");
  fs::create_directory_symlink("target", at("thinair-work-abcde1"));
  std::ofstream(at("thinair-work-abcde2")) << "a file";
  std::size_t more = 0;
  if (::geteuid() == 0) { // another user's
    fs::create_directories(at("thinair-work-abcde3"));
    ASSERT_EQ(::chown(at("thinair-work-abcde3").c_str(), 65534, 65534), 0);
    more = 1;
  }
  remove_abandoned(root_);
  EXPECT_EQ(entries(), 7U + more);
  EXPECT_TRUE(fs::exists(at("target/deep")));
  fs::create_directories(at("thinair-work-abcde4/deep"));
  remove_abandoned(root_);
  EXPECT_EQ(entries(), 7U + more);
}

/// Owners that come and go, some killed, and others that clean up all the time.
TEST_F(Abandoned, CleaningNeverTakesALivingOnes) {
  std::vector<pid_t> owners, cleaners;
  for (int i = 0; i < 2; ++i)
    cleaners.push_back(child([&]() -> int {
      for (;;) remove_abandoned(root_);
    }));
  for (int i = 0; i < 3; ++i)
    owners.push_back(child([] {
      for (int round = 0; round < 300; ++round) {
        std::optional<TemporaryDirectory> directory;
        directory.emplace();
        const auto file = directory->write("file", "text");
        std::this_thread::yield();
        if (fs::file_size(file) != 4) return 1;
      }
      return 0;
    }));
  for (int i = 0; i < 20; ++i) {
    const pid_t killed = child([] {
      for (;;) const TemporaryDirectory directory;
      return 0;
    });
    ::usleep(3000);
    ::kill(killed, SIGKILL);
    status_of(killed);
  }
  for (const pid_t owner : owners) EXPECT_EQ(status_of(owner), 0);
  for (const pid_t cleaner : cleaners) {
    ::kill(cleaner, SIGKILL);
    status_of(cleaner);
  }
  remove_abandoned(root_);
  EXPECT_EQ(entries(), 0U);
}

TEST_F(Abandoned, WithoutAPlaceTheReasonIsSaid) {
  const auto error_in = [&](const std::string& place) {
    const auto file = root_ + "/said";
    const pid_t pid = child([&] {
      ::setenv("TMPDIR", place.c_str(), 1);
      std::ofstream said(file);
      try {
        const TemporaryDirectory directory;
      } catch (const InputError& error) {
        said << error.what();
      }
      return 0;
    });
    status_of(pid);
    std::ifstream said(file);
    return std::string(std::istreambuf_iterator<char>(said), {});
  };
  const std::string hint = "\n  hint: set TMPDIR to a directory that can be written";
  EXPECT_EQ(error_in(root_ + "/absent"), root_ +
                                             "/absent: error: no place for temporary files: "
                                             "No such file or directory" +
                                             hint);
  std::ofstream(root_ + "/file") << "x";
  EXPECT_EQ(error_in(root_ + "/file"),
            root_ + "/file: error: no place for temporary files: Not a directory" + hint);
  EXPECT_EQ(error_in(""), "") << "as if it were not set";
}

TEST(TemporaryDirectory, HoldsFilesUntilItGoes) {
  std::string path;
  {
    const TemporaryDirectory directory;
    path = directory.write("deep/down/file", "text");
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

} // namespace
} // namespace thinair::runners
