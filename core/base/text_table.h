#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace iosx {

// Returns rows of equally many cells as lines of text: the first column flush left, the others flush right. Cells are
// made printable.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

// Puts an apostrophe in front of what a spreadsheet would take for a formula (text that begins with = + - @, a tab or a
// carriage return), as their makers advise, so that it stays text. Numbers, with their unit or without, stay as they
// are.
std::string no_formula(std::string_view text);

// Returns a field of CSV as RFC 4180 has it, printable and no formula.
std::string csv_field(std::string_view text);

}  // namespace iosx
