#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace iosx {

// Rows of equally many cells as lines of text: the first column flush left, the others flush right.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

// A field of CSV as RFC 4180 has it.
std::string csv_field(std::string_view text);

}  // namespace iosx
