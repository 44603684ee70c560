// The files of a campaign's directory: their names, and who may write them.
#pragma once

#include <string>

namespace thinair::campaign {

std::string store_path(const std::string& directory);

/// Where a store is made that takes the place of store_path() when it is whole.
std::string draft_path(const std::string& directory);

/// A draft and what SQLite keeps beside it: of somebody who was killed. For the owner of the lock.
void remove_draft(const std::string& directory);

/// Whether writing a file of that name would write to this directory's store, under whatever name,
/// or to another database.
bool is_of_a_store(const std::string& path, const std::string& directory);

/// Held by the one process that writes to a directory; the system drops it when the process dies.
/// Throws InputError where another one holds it.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& directory);
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  ~DirectoryLock();

 private:
  int file_ = -1;
};

} // namespace thinair::campaign
