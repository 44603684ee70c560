// Decodes UTF-8 strictly.
#include "litmus/text/utf8.h"

namespace thinair::text {
namespace {

/// Rows of Unicode's table 3-7: lead bytes, the range of the second byte, the length.
struct Form {
  unsigned char first, last, second_least, second_greatest;
  std::size_t length;
  unsigned char lead_mask;
};

constexpr Form forms[] = {
    {0xC2, 0xDF, 0x80, 0xBF, 2, 0x1F}, {0xE0, 0xE0, 0xA0, 0xBF, 3, 0x0F},
    {0xE1, 0xEC, 0x80, 0xBF, 3, 0x0F}, {0xED, 0xED, 0x80, 0x9F, 3, 0x0F},
    {0xEE, 0xEF, 0x80, 0xBF, 3, 0x0F}, {0xF0, 0xF0, 0x90, 0xBF, 4, 0x07},
    {0xF1, 0xF3, 0x80, 0xBF, 4, 0x07}, {0xF4, 0xF4, 0x80, 0x8F, 4, 0x07},
};

const Form* form_of(unsigned char lead) {
  for (const Form& form : forms)
    if (form.first <= lead && lead <= form.last) return &form;
  return nullptr;
}

} // namespace

std::optional<CodePoint> decode_utf8(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return CodePoint{lead, 1};
  const Form* form = form_of(lead);
  if (!form || text.size() - offset < form->length) return std::nullopt;
  if (byte(1) < form->second_least || byte(1) > form->second_greatest) return std::nullopt;
  std::uint32_t value = lead & form->lead_mask;
  for (std::size_t i = 1; i < form->length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return std::nullopt;
    value = value << 6 | (byte(i) & 0x3F);
  }
  return CodePoint{value, form->length};
}

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  for (std::size_t offset = 0; offset < text.size();) {
    const auto point = decode_utf8(text, offset);
    if (!point) return offset;
    offset += point->length;
  }
  return std::nullopt;
}

} // namespace thinair::text
