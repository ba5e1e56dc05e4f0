#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace iosx {

inline constexpr double kMostValue = 1e300;  // either way: what is farther from 0 is no value, so that sums are finite

// Is one column of numbers of a table: memory, an error after quantisation, anything.
struct ValueColumn {
  std::string title;                          // as the file has it: "memory (MB)"; "column 2" where it has none
  std::vector<std::optional<double>> values;  // a row; none where the field is empty or no number
  std::size_t not_numbers = 0;                // fields that are words, infinite, NaN, or beyond kMostValue
};

// Is a table of values by node name: anybody's, about a network.
struct ValueTable {
  std::vector<std::string> names;    // a row; several rows may have one name
  std::vector<ValueColumn> columns;  // at least one, each with at least one number
};

// Reads a table with a row a node. That is CSV (commas, semicolons or tabs), where the first row has titles unless it
// has numbers; the names stand in the column called "name", else in one called as names_operators() knows, else in the
// first one that is mostly no numbers. Every other column that is mostly numbers is one of the table. Or it is JSON: an
// object {NAME: number, …} or {NAME: {TITLE: number, …}, …}, a list of objects of which each has its name as "name"
// (or "node", "id", "operator", "layer"), or node data of Model Explorer ({"results": {NAME: {"value": number}}}, also
// within one graph's name). Any bytes are safe to read, in bounded memory; the error is one line on what is wrong.
Result<ValueTable> read_value_table(std::string_view text, const std::string& origin);
Result<ValueTable> read_value_table(const std::filesystem::path& path);

}  // namespace iosx
