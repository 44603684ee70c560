// Quoting for JSON (RFC 8259).
#include "litmus/text/json.h"

#include "litmus/text/printable.h"
#include "litmus/text/utf8.h"

#include <fmt/format.h>

#include <cmath>

namespace thinair::json {
namespace {

std::string escaped(std::uint32_t code_point) {
  switch (code_point) {
  case '"': return "\\\"";
  case '\\': return "\\\\";
  case '\n': return "\\n";
  case '\t': return "\\t";
  case '\r': return "\\r";
  default: break;
  }
  if (code_point < 0x10000) return fmt::format("\\u{:04x}", code_point);
  const std::uint32_t beyond = code_point - 0x10000; // as a pair of surrogates
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (beyond >> 10U), 0xDC00 + (beyond & 0x3FFU));
}

} // namespace

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (std::size_t offset = 0; offset < text.size();) {
    const auto point = text::decode_utf8(text, offset);
    const std::size_t length = point ? point->length : 1;
    if (!point) {
      out += "\\ufffd";
    } else if (point->value == '"' || point->value == '\\' || !text::is_printable(point->value)) {
      out += escaped(point->value);
    } else {
      out += text.substr(offset, length);
    }
    offset += length;
  }
  return out + "\"";
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string("null");
}

std::string array(std::span<const std::string> elements) {
  std::string out = "[";
  for (const auto& element : elements) {
    if (out.size() > 1) out += ',';
    out += element;
  }
  return out + "]";
}

Object& Object::raw(std::string_view key, std::string_view value) {
  if (body_.size() > 1) body_ += ',';
  body_ += quote(key);
  body_ += ':';
  body_ += value;
  return *this;
}

} // namespace thinair::json
