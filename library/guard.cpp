// Tells the kinds of errors apart.
#include "library/guard.h"

#include "litmus/text/error.h"

#include <filesystem>
#include <new>
#include <system_error>

namespace thinair {
namespace {

/// What `reason` says is behind its kind, which Error::kind tells.
std::string without(std::string_view prefix, std::string reason) {
  if (reason.starts_with(prefix)) reason.erase(0, prefix.size());
  return reason;
}

} // namespace

Error error_of(const std::exception_ptr& exception) {
  using Kind = Error::Kind;
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& e) {
    const auto& place = e.place();
    return {Kind::input, without("error: ", e.what()), place.file, place.position.line,
            place.position.column};
  } catch (const Unsupported& e) {
    return {Kind::unsupported, e.what(), {}};
  } catch (const LimitReached& e) {
    return {Kind::limit, e.what(), {}};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::filesystem::filesystem_error& e) {
    const auto file = e.path1().string();
    return {Kind::input, InputError::in(file, e.code().message()).what(), file};
  } catch (const Bug& e) {
    return {Kind::internal, e.what(), {}};
  } catch (const std::system_error& e) { // refused by the system: no fault of the program
    return {Kind::input, e.what(), {}};
  } catch (const std::exception& e) {
    return {Kind::internal, e.what(), {}};
  } catch (...) {
    return {Kind::internal, "an exception of no known type", {}};
  }
}

} // namespace thinair
