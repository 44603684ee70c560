// Numbers and lists in sentences.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace thinair::text {

/// "1,234,567".
std::string grouped(std::uint64_t number);

/// "1 program", "1,234 programs".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

/// "x86:table2", "one and two", "one, two and three".
std::string listed(std::span<const std::string> words);

} // namespace thinair::text
