// What a run leaves behind: outcomes to be read, traces of a crash to be kept.
#pragma once

#include "runners/jcstress/batch.h"

#include <string>
#include <string_view>

namespace thinair::runners::jcstress {

/// A record in the terms of its test; `error` where an outcome is none.
TestRun result_of(const Prepared& test, const Record& record);

/// The hs_err files in a directory, one after the other.
std::string hs_err_in(const std::string& directory);

/// What an hs_err file says happened: "SIGSEGV (0xb)"; empty where it says nothing like that.
std::string cause_in(std::string_view hs_err);

/// Writes the test, hs_err and output below `keep`; the words that say where, nothing where `keep`
/// is empty.
std::string keep_crash(const std::string& keep, const Prepared& test, const Jvm& jvm,
                       const std::string& hs_err, const std::string& output);

} // namespace thinair::runners::jcstress
