// Directories for work in progress that do not outlive their owner, not even where it is killed.
#pragma once

#include <string>
#include <string_view>

namespace thinair::runners {

/// A fresh directory `thinair-work-XXXXXX` below $TMPDIR (/tmp unless set), removed with all it
/// holds. Its owner holds a lock on it, which the system drops when the owner dies: the first one
/// of a process removes what killed processes of the same user left there. Throws InputError where
/// there is no room for one.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  /// Writes a file below it, making directories on the way; returns its path.
  std::string write(const std::string& name, std::string_view text) const;

 private:
  bool made_below(const std::string& root);

  std::string path_;
  int lock_ = -1;
};

/// Removes the directories of dead owners of the same user below `root`.
void remove_abandoned(const std::string& root);

} // namespace thinair::runners
