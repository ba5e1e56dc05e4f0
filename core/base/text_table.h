#pragma once

#include <string>
#include <string_view>

namespace iosx {

// Puts an apostrophe before text that a spreadsheet would run as a formula (it begins with = + - @, a tab or a carriage
// return), as spreadsheet makers advise. Numbers, with or without a unit, stay as they are.
std::string no_formula(std::string_view text);

// Returns a CSV field by RFC 4180, printable and never a formula.
std::string csv_field(std::string_view text);

}  // namespace iosx
