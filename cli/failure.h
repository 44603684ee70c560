// The one place where errors become exit codes, words for machines and diagnostics.
#pragma once

#include "litmus/text/error.h"

#include <exception>
#include <string>
#include <string_view>

namespace thinair::cli {

/// An error, as the tool reports it.
struct Failure {
  Exit exit = Exit::bug;
  std::string_view status; // "error" (a bug of thinair, too), "unsupported" or "unknown"
  std::string reason;      // whole text, several lines where there is an excerpt
};

/// InputError and what the system refuses 2, Unsupported and LimitReached 3, everything else 4.
Failure failure_of(const std::exception_ptr& error);

/// What stands on standard error, always of the form `WHERE: error: WHAT` (or `unsupported:`,
/// `unknown:`, `internal error`). `place`, a file or "thinair COMMAND", is put in front of a reason
/// that names no place, and under one that names another.
std::string diagnostic(const Failure& failure, std::string_view place);

/// `{"test":…,"file":…,"status":…,"reason":…}`; `test` is null where it is not known.
std::string json_of(const Failure& failure, std::string_view test, std::string_view file);

/// The worse of two: clean, undecided, finding, bad input, bug.
Exit worst(Exit a, Exit b);

} // namespace thinair::cli
