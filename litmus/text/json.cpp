// Quoting for JSON (RFC 8259), with UTF-8 checked as Unicode's table 3-7 says.
#include "litmus/text/json.h"

#include <fmt/format.h>

#include <cmath>

namespace thinair::json {
namespace {

/// Bytes of the well-formed UTF-8 sequence that `text` starts with; 0 where there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second > 0x9F;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && second < 0x90;
    const bool beyond = first == 0xF4 && second > 0x8F;
    return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

std::string escaped(char c) {
  switch (c) {
  case '"': return "\\\"";
  case '\\': return "\\\\";
  case '\n': return "\\n";
  case '\t': return "\\t";
  case '\r': return "\\r";
  default: return fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
}

bool needs_escape(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

} // namespace

std::string quote(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) {
      out += "\\ufffd";
    } else if (length == 1 && needs_escape(text.front())) {
      out += escaped(text.front());
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
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
