#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace iosx {

inline constexpr double kMostValue = 1e300;  // either sign: larger numbers are no values, so that sums are finite

// A column of numbers in a table: memory, an error after quantisation, anything.
struct ValueColumn {
  std::string title;                          // as in the file: "memory (MB)"; "column 2" where it has none
  std::vector<std::optional<double>> values;  // per row; none where the field is empty or not a number
  std::size_t not_numbers = 0;                // fields that are words, infinite, NaN, or beyond kMostValue
};

// An external table of values by node name.
struct ValueTable {
  std::vector<std::string> names;    // per row; several rows may have one name
  std::vector<ValueColumn> columns;  // at least one, each with at least one number
};

// Reads a table with a row per node. In CSV (commas, semicolons or tabs), the first row has titles unless it has
// numbers; the names are in the column "name", else in one recognised by names_operators(), else in the first one that
// is mostly not numbers. Every other column that is mostly numbers is a column of the table. In JSON, it is an object
// {NAME: number, …} or {NAME: {TITLE: number, …}, …}, a list of objects with their names as "name" (or "node", "id",
// "operator", "layer"), or node data of Model Explorer ({"results": {NAME: {"value": number}}}, also within one graph's
// name). Any bytes are safe to read, in bounded memory; the error says in one line what is wrong.
Result<ValueTable> read_value_table(std::string_view text, const std::string& origin);
Result<ValueTable> read_value_table(const std::filesystem::path& path);

}  // namespace iosx
