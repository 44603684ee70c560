// Errors as values: what a question throws inside becomes the Error that a caller outside gets.
#pragma once

#include "include/thinair/thinair.h"

#include <exception>

namespace thinair {

/// Of an exception that is not std::bad_alloc, which is thrown on.
Error error_of(const std::exception_ptr& exception);

/// The result of `question`, or why it has none.
template <class Question>
auto guarded(Question&& question) -> Result<decltype(question())> {
  try {
    return question();
  } catch (...) {
    return error_of(std::current_exception());
  }
}

} // namespace thinair
