// What this program is: version, commit, and a hash of the models inside it.
#pragma once

#include <string>

namespace thinair::cli {

struct Version {
  std::string number; // "0.1.0"
  std::string commit; // empty: built outside a git tree
  std::string models; // hash of the embedded .cat files, names and contents
};

Version version();
std::string to_string(const Version& version);

} // namespace thinair::cli
