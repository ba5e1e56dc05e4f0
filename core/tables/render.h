#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/tables/table.h"

namespace iosx {

// Returns the indices of the columns that a place shows, in order.
std::vector<std::size_t> columns_in(const Table& table, unsigned place);

bool is_number(const ColumnInfo& column);  // it stands flush right
// Returns the unit in which people read a column: "ms", "ms/sample", "MB"; empty where it has none.
std::string unit_of(const Table& table, const ColumnInfo& column);
// Returns the column's name in CSV and Python, which says its unit: "latency_ms", "latency_ms_per_sample".
std::string data_id(const Table& table, const ColumnInfo& column);
// Returns a value as people read it, without unit and mark: "0.041", "-33.3", "–" where it is missing. Texts are
// printable and in English.
std::string value_text(const ColumnInfo& column, const CellValue& value);
// Returns a cell as people read it in English: cell.shown, or the value's text, and behind it the mark.
std::string cell_text(const ColumnInfo& column, const Cell& cell);

// Returns lines of text: a head of titles with units, then the rows, then the totals. Words stand flush left, numbers
// flush right.
std::string table_text(const Table& table);

// Returns the value in a document: the shortest digits that read back as the same number, texts in English, nothing
// where it is missing. Of an interval the ends have a space between them.
std::string exact_text(const CellValue& value);
// Returns CSV as RFC 4180 has it, but for lines that end with LF: a head of data_id()s, then the rows, then the totals.
// An interval is two fields.
std::string table_csv(const Table& table);
// Returns one line of CSV.
std::string csv_line(const std::vector<std::string>& fields);
std::string shortest_digits(double value);  // that read back as the same number: "0.1", "1e-07"

// Returns a list of the rows, each an object of the columns that the place has. Its keys are the columns' ids, for
// place::kData the data_id()s. A missing value is null, an interval [low, high].
nlohmann::ordered_json table_json(const Table& table, unsigned place = place::kJson);
nlohmann::ordered_json row_json(const Table& table, std::size_t row, unsigned place = place::kJson);

// Returns {"columns": [{"id", "title", "unit", "help", "number"}], "rows": [[cell]], "totals": [[cell]]} for the script
// of the HTML page. A cell is the text that people read; of a column of numbers, or where a cell has a key to sort by,
// it is [text, number to sort by (null: missing)].
nlohmann::ordered_json page_table(const Table& table);

}  // namespace iosx
