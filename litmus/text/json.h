// Writing JSON: quoted strings, and objects and arrays built field by field on one line.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace thinair::json {

/// A JSON string. What is not printable (printable.h) is escaped, bytes that are not UTF-8 become
/// U+FFFD.
std::string quote(std::string_view text);

/// A number as JSON writes it: shortest text that reads back the same; infinities and NaN are null.
std::string number(double value);

/// `[a,b,c]` of texts that are JSON already.
std::string array(std::span<const std::string> elements);

/// An object, its fields in the order in which they were added.
class Object {
 public:
  Object& string(std::string_view key, std::string_view value) { return raw(key, quote(value)); }
  Object& boolean(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }
  Object& integer(std::string_view key, std::integral auto value) {
    return raw(key, std::to_string(value));
  }
  Object& real(std::string_view key, double value) { return raw(key, number(value)); }
  Object& null(std::string_view key) { return raw(key, "null"); }

  /// `value` is JSON already.
  Object& raw(std::string_view key, std::string_view value);

  std::string text() const { return body_ + "}"; }

 private:
  std::string body_ = "{";
};

} // namespace thinair::json
